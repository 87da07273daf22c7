"""mkdocs' hooks: adds the pages that are not in `docs`, and rewrites the links of all."""

from __future__ import annotations

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from docs_site.command_reference import reference_page
from docs_site.repository_pages import (
    COPIES,
    ROOT,
    linked_files,
    outside_pages,
    relative_to_root,
    rewrite_page,
    site_path,
)
from docs_site.rule_index import rule_index
from docs_site.schema_reference import configuration_page, json_shapes_page

_sources: dict[str, str] = {}
"""The file of the repository that each page is made of."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds generated pages, pages from outside `docs`, and copies of the files that pages link to."""
    _sources.clear()
    for file in files.documentation_pages():
        _sources[file.src_uri] = relative_to_root(file.abs_src_path or "")
    for path in outside_pages():
        page = site_path(path)
        assert page is not None
        files.append(File.generated(config, page, abs_src_path=str(ROOT / path)))
        _sources[page] = path
    for page, content in (
        ("rules/index.md", rule_index()),
        ("reference/command-line.md", reference_page()),
        ("reference/configuration.md", configuration_page()),
        ("reference/json.md", json_shapes_page()),
    ):
        files.append(File.generated(config, page, content=content))
        _sources[page] = f"docs/{page}"
    copied = {
        path
        for file in files.documentation_pages()
        for path in linked_files(_sources[file.src_uri], file.content_string)
    }
    for path in sorted(copied):
        files.append(File.generated(config, f"{COPIES}/{path}", abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrites a page."""
    return rewrite_page(_sources[page.file.src_uri], markdown)
