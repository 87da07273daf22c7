"""The request `openclsp/flow`: a diagram of how address spaces reach the pointer at a position.

The parameters are `TextDocumentPositionParams` with two optional additions. With `everyChain: true`, the
diagram shows every chain by which an address space reaches the pointer, not only the shortest. `maximumWidth`
is the width in pixels beyond which `element` is wrapped. The answer is null if there is no generic pointer,
otherwise

    title    the address spaces that the pointer may hold, in one line
    element  an SVG element without style; its class names are styled by the page that contains it, and
             `data-step` is the number of a step
    svg      the diagram as an SVG document
    mermaid  the diagram as a Mermaid flowchart
    steps    the location of each step, by its number: {uri, range}
    moreChains  whether there are more chains than the diagram shows, although every chain was requested
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at, range_between
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.ide.feature_results import FlowStep, Location
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

FLOW_REQUEST = "openclsp/flow"


def register(server: OpenclServer) -> None:
    """Registers `openclsp/flow`."""

    @register_request(server, FLOW_REQUEST)
    async def flow(ls: OpenclServer, params: Any) -> dict[str, Any] | None:
        position = types.Position(int(params.position.line), int(params.position.character))

        every_chain = getattr(params, "everyChain", False) is True
        width = getattr(params, "maximumWidth", None)
        maximum_width = float(width) if isinstance(width, int | float) and width > 0 else None

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> dict[str, Any] | None:
            return _flow(ls, analysed, position, every_chain=every_chain, maximum_width=maximum_width)

        return await ls.answer_request(str(params.textDocument.uri), work)


def _flow(
    ls: OpenclServer,
    analysed: DocumentAnalysis,
    position: types.Position,
    *,
    every_chain: bool,
    maximum_width: float | None,
) -> dict[str, Any] | None:
    from openclsp.ide.flow.flow_layout import layout_flow
    from openclsp.ide.flow.flow_mermaid import render_mermaid
    from openclsp.ide.flow.flow_svg import render_svg
    from openclsp.ide.flow.flow_wrapping import wrap_layout
    from openclsp.ide.flow.pointer_flow import compute_flow_at

    document = analysed.document
    offset = offset_at(document.text, position, ls.client_features.encoding)
    found = compute_flow_at(analysed.unit, document.name, offset, every_chain=every_chain)
    if found is None:
        return None
    picture = layout_flow(found, _step_label)
    wrapped = picture if maximum_width is None else wrap_layout(picture, maximum_width)
    return {
        "title": picture.title,
        "element": render_svg(wrapped, standalone=False),
        "svg": render_svg(picture),
        "mermaid": render_mermaid(found, _step_label),
        "moreChains": found.more_chains,
        "steps": [_location(ls, analysed, step.location) for step in picture.steps],
    }


def _step_label(step: FlowStep) -> str:
    return f"{os.path.basename(step.location.document)}:{step.line}"


def _location(ls: OpenclServer, analysed: DocumentAnalysis, location: Location) -> dict[str, Any]:
    text = analysed.text_of(location.document)
    where = range_between(text, location.start, location.end, ls.client_features.encoding)
    ends = {"start": where.start, "end": where.end}
    return {
        "uri": analysed.uri_of(location.document),
        "range": {name: {"line": at.line, "character": at.character} for name, at in ends.items()},
    }
