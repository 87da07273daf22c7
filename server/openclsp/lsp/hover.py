"""The request `textDocument/hover`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer, request
from openclsp.lsp.positions import offset_at, places_between
from openclsp.lsp.protocol import Written
from openclsp.lsp.superseded import Check
from openclsp.lsp.uris import uri_of

if TYPE_CHECKING:
    from openclsp.ide.answers import Hover
    from openclsp.lsp.session import Analysed


def register(server: OpenclServer) -> None:
    """Registers `textDocument/hover`."""

    @request(server, types.TEXT_DOCUMENT_HOVER)
    async def hover(ls: OpenclServer, params: types.HoverParams) -> Written | None:
        def work(analysed: Analysed, check: Check) -> Written | None:
            return _hover(ls, analysed, params.position)

        return await ls.answer(params.text_document.uri, work, at_once=True)


def _hover(ls: OpenclServer, analysed: Analysed, position: types.Position) -> Written | None:
    from openclsp.ide.hover import hover

    document, encoding = analysed.document, ls.client.encoding
    found = hover(analysed.unit, document.name, offset_at(document.text, position, encoding))
    if found is None:
        return None
    kind = types.MarkupKind.Markdown if ls.client.markdown else types.MarkupKind.PlainText
    answer: dict[str, object] = {"contents": {"kind": kind.value, "value": _text(ls, found)}}
    if found.location.document == document.name:
        line, column, last_line, last_column = places_between(
            document.text, found.location.start, found.location.end, encoding
        )
        answer["range"] = {
            "start": {"line": line, "character": column},
            "end": {"line": last_line, "character": last_column},
        }
    return Written(json.dumps(answer).encode())


def _text(ls: OpenclServer, found: Hover) -> str:
    from openclsp.ide.hover import markdown, plain_text

    if not ls.client.markdown:
        return plain_text(found)
    return markdown(found, lambda step: f"[line {step.line}]({uri_of(step.location.document)}#L{step.line})")
