"""The request `openclsp/flow`: a diagram of how address spaces reach the pointer at a position.

The parameters are `TextDocumentPositionParams`. The answer is null if there is no generic pointer, otherwise

    title    the address spaces that the pointer may hold, in one line
    element  an SVG element for a page that supplies the style: classes, and `data-step`, the number of a step
    svg      the diagram as an SVG document
    mermaid  the diagram as a Mermaid flowchart
    steps    the location of each step, by its number: {uri, range}
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer, request
from openclsp.lsp.positions import offset_at, range_between
from openclsp.lsp.superseded import Check

if TYPE_CHECKING:
    from openclsp.ide.answers import FlowStep, Location
    from openclsp.lsp.session import Analysed

REQUEST = "openclsp/flow"


def register(server: OpenclServer) -> None:
    """Registers `openclsp/flow`."""

    @request(server, REQUEST)
    async def flow(ls: OpenclServer, params: Any) -> dict[str, Any] | None:
        position = types.Position(int(params.position.line), int(params.position.character))

        def work(analysed: Analysed, check: Check) -> dict[str, Any] | None:
            return _flow(ls, analysed, position)

        return await ls.answer(str(params.textDocument.uri), work)


def _flow(ls: OpenclServer, analysed: Analysed, position: types.Position) -> dict[str, Any] | None:
    from openclsp.ide.flow import flow_at
    from openclsp.ide.flow_mermaid import mermaid_of
    from openclsp.ide.flow_picture import picture_of
    from openclsp.ide.flow_svg import svg

    document = analysed.document
    offset = offset_at(document.text, position, ls.client.encoding)
    found = flow_at(analysed.unit, document.name, offset)
    if found is None:
        return None
    picture = picture_of(found, _place)
    return {
        "title": picture.title,
        "element": svg(picture, standalone=False),
        "svg": svg(picture),
        "mermaid": mermaid_of(found, _place),
        "steps": [_location(ls, analysed, step.location) for step in picture.steps],
    }


def _place(step: FlowStep) -> str:
    return f"{os.path.basename(step.location.document)}:{step.line}"


def _location(ls: OpenclServer, analysed: Analysed, location: Location) -> dict[str, Any]:
    text = analysed.text_of(location.document)
    where = range_between(text, location.start, location.end, ls.client.encoding)
    ends = {"start": where.start, "end": where.end}
    return {
        "uri": analysed.uri_of(location.document),
        "range": {name: {"line": at.line, "character": at.character} for name, at in ends.items()},
    }
