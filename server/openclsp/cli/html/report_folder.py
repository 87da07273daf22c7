"""Writes the HTML report to a folder."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from openclsp.cli.check_report import CheckReport, FileReport, KernelReport
from openclsp.cli.html.page_rendering import index_html, page_html
from openclsp.cli.html.source_page import SourcePage
from openclsp.cli.user_files import write_user_folder

_SPECIAL = re.compile(r"[^A-Za-z0-9._-]+")
_MAXIMUM_NAME = 80


def write_html_report(folder: str, report: CheckReport) -> None:
    """Writes a page for each file and `index.html`: all of them, or none. Raises CommandError.

    Other files in the folder are kept.
    """
    write_user_folder(folder, _rendered_pages(report))


def _rendered_pages(report: CheckReport) -> Iterator[tuple[str, bytes]]:
    """Yields the names and contents of the pages.

    Pages are rendered one at a time, because they are large.
    """
    pages = {each.path: each for each in report.pages}
    files: dict[str, FileReport] = {}
    for file in report.files:
        known = files.get(file.path)
        files[file.path] = file if known is None else _joined(known, file)
    kernels: dict[str, list[KernelReport]] = {}
    for each in report.kernels:
        kernels.setdefault(each.location.path, []).append(each)
    listed: list[tuple[str, SourcePage | None, FileReport]] = []
    for path, file in files.items():
        page = pages.get(path)
        name = _page_name(path)
        listed.append((name, page, file))
        if page is not None:
            yield name, page_html(page, file, kernels.get(path, ()), report.flow_difference).encode()
    yield "index.html", index_html(report, listed).encode()


def _joined(one: FileReport, other: FileReport) -> FileReport:
    """Merges the reports of one file in two dialects."""
    found = sorted((*one.diagnostics, *other.diagnostics), key=lambda each: each.location.start)
    return FileReport(one.path, f"{one.dialect}, {other.dialect}", tuple(found), one.build_names)


def _page_name(path: str) -> str:
    """Returns the file name of the page for `path`.

    The name is unique for the path, and contains no characters that links must escape.
    """
    identity = hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{_SPECIAL.sub('_', path)[-_MAXIMUM_NAME:].lstrip('.')}-{identity}.html"
