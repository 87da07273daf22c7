"""The request `workspace/textDocumentContent` (LSP 3.18): read-only texts that the server makes.

`openclsp-expanded:/path/kernel.cl` is an open document after preprocessing, `openclsp-page:/code.md` the page
about the code of a diagnostic.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.uris import document_uri

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

EXPANDED_SCHEME: Final = "openclsp-expanded"
PAGE_SCHEME: Final = "openclsp-page"


def register(server: OpenclServer) -> None:
    """Registers `workspace/textDocumentContent`."""

    @register_request(server, types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def content(
        ls: OpenclServer, params: types.TextDocumentContentParams
    ) -> types.TextDocumentContentResult:
        parts = urlsplit(params.uri)
        path = unquote(parts.path)
        if parts.scheme == PAGE_SCHEME:
            text = _page(path)
        elif parts.scheme == EXPANDED_SCHEME:
            text = await ls.answer_request(document_uri(path), _expanded)
        else:
            text = None
        return types.TextDocumentContentResult("" if text is None else text)


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
