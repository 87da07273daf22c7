"""The request `openclsp/expand`: the expansion of the macro at a position, or of the whole document.

The parameters are `{textDocument, position}`; without a position, the whole document is expanded. The answer
is null if there is no macro at the position, otherwise `{title, text}`: a text in OpenCL C for a read-only
view.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

EXPAND_REQUEST = "openclsp/expand"


def register(server: OpenclServer) -> None:
    """Registers `openclsp/expand`."""

    @register_request(server, EXPAND_REQUEST)
    async def expand(ls: OpenclServer, params: Any) -> dict[str, Any] | None:
        at = getattr(params, "position", None)
        position = None if at is None else types.Position(int(at.line), int(at.character))

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> dict[str, Any] | None:
            return _document(analysed) if position is None else _macro(ls, analysed, position)

        return await ls.answer_request(str(params.textDocument.uri), work)


def _macro(ls: OpenclServer, analysed: DocumentAnalysis, position: types.Position) -> dict[str, Any] | None:
    from openclsp.ide.expansion.macro_expansion import compute_expansion_at, render_expansion

    document = analysed.document
    offset = offset_at(document.text, position, ls.client_features.encoding)
    found = compute_expansion_at(analysed.unit, document.name, offset)
    if found is None:
        return None
    return {"title": f"Expansion of {found.name}", "text": render_expansion(found)}


def _document(analysed: DocumentAnalysis) -> dict[str, Any] | None:
    from openclsp.ide.expansion.expanded_document import compute_expanded_document

    name = analysed.document.name
    text = compute_expanded_document(analysed.unit, name)
    return None if text is None else {"title": f"{os.path.basename(name)}, expanded", "text": text}
