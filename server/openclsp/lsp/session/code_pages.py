"""The pages that the codes of diagnostics link to."""

from __future__ import annotations

from functools import lru_cache

from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.uris import document_uri
from openclsp.rules.runner.page import page_codes, page_path, read_page

CONTENT_SCHEME = "openclsp"
"""The URI scheme of the documents whose text the server provides."""
PAGES = "/rules/"


def page_uri(code: str, client: ClientCapabilities) -> str:
    """Returns the URI of the page about a code; empty if there is none, or if the client shows no link.

    The page is a document of the server if the client can request documents of the server, otherwise a
    Markdown file of the installed package.
    """
    if not client.supports_code_description:
        return ""
    return _page_uri(code, client.requests_content)


@lru_cache(maxsize=1)
def _codes() -> frozenset[str]:
    return frozenset(page_codes())


@lru_cache(maxsize=512)
def _page_uri(code: str, from_server: bool) -> str:
    if code not in _codes():
        return ""
    return f"{CONTENT_SCHEME}:{PAGES}{code}.md" if from_server else document_uri(page_path(code))


def page_text(path: str) -> str | None:
    """Returns the text of the page at a path of the server's documents; None if there is no such page."""
    code = path.removeprefix(PAGES).removesuffix(".md")
    return read_page(code).text if path == f"{PAGES}{code}.md" and code in _codes() else None
