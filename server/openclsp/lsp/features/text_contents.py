"""Read-only texts that the server makes for the request `workspace/textDocumentContent` (LSP 3.18).

`openclsp-expanded:/path/kernel.cl` is an open document after preprocessing, `openclsp-page:/code.md` the page
about the code of a diagnostic.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.uris import document_uri

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

EXPANDED_SCHEME: Final = "openclsp-expanded"
PAGE_SCHEME: Final = "openclsp-page"


async def content_of(ls: OpenclServer, uri: str) -> str | None:
    """The text of a URI with one of these schemes; None for any other URI, empty if there is no text."""
    parts = urlsplit(uri)
    path = unquote(parts.path)
    if parts.scheme == PAGE_SCHEME:
        return _page(path) or ""
    if parts.scheme == EXPANDED_SCHEME:
        return await ls.answer_request(document_uri(path), _expanded) or ""
    return None


def text_content_registrations() -> list[types.Registration]:
    """The dynamic registration of the schemes of these texts."""
    return [
        types.Registration(
            "openclsp-text-contents",
            types.WORKSPACE_TEXT_DOCUMENT_CONTENT,
            types.TextDocumentContentRegistrationOptions([EXPANDED_SCHEME, PAGE_SCHEME]),
        )
    ]


def _page(path: str) -> str | None:
    """The page about a code; None if there is no such code. No other file can be named."""
    from openclsp.rules.runner.page import page_codes, page_path

    code = path.strip("/").removesuffix(".md")
    return Path(page_path(code)).read_text(encoding="utf-8") if code in page_codes() else None


def _expanded(analysed: DocumentAnalysis, check: CancellationCheck) -> str | None:
    from openclsp.ide.expansion.expanded_document import compute_expanded_document

    check()
    return compute_expanded_document(analysed.unit, analysed.document.name)
