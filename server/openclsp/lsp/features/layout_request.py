"""The request `openclsp/layout`: the layout of the struct or union at a position.

The parameters are `TextDocumentPositionParams`. The answer is null if there is no struct or union, otherwise

    name     the type as in `struct s`
    text     the layouts as plain-text tables
    layouts  the layout for each width of addresses: {addressBits, size, alignment, padding, members};
             empty if the layout is not known
    members  {name, declaration, depth, bitOffset, bits, bitField}; `declaration` is null for padding
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from openclsp.lsp.language_server import OpenclServer
from openclsp.lsp.positions import offset_at
from openclsp.lsp.request_registration import register_request
from openclsp.lsp.session.cancellation import CancellationCheck

if TYPE_CHECKING:
    from openclsp.ide.layout.record_layout import DeviceLayout
    from openclsp.lsp.session.analysis_session import DocumentAnalysis

LAYOUT_REQUEST = "openclsp/layout"


def register(server: OpenclServer) -> None:
    """Registers `openclsp/layout`."""

    @register_request(server, LAYOUT_REQUEST)
    async def layout(ls: OpenclServer, params: Any) -> dict[str, Any] | None:
        position = types.Position(int(params.position.line), int(params.position.character))

        def work(analysed: DocumentAnalysis, check: CancellationCheck) -> dict[str, Any] | None:
            return _layout(ls, analysed, position)

        return await ls.answer_request(str(params.textDocument.uri), work)


def _layout(ls: OpenclServer, analysed: DocumentAnalysis, position: types.Position) -> dict[str, Any] | None:
    from openclsp.ide.layout.layout_text import render_layout
    from openclsp.ide.layout.record_layout import compute_layout_at

    document = analysed.document
    offset = offset_at(document.text, position, ls.client_features.encoding)
    found = compute_layout_at(analysed.unit, document.name, offset)
    if found is None:
        return None
    return {
        "name": found.name,
        "text": render_layout(found),
        "layouts": [_device(each) for each in found.devices],
    }


def _device(device: DeviceLayout) -> dict[str, Any]:
    members = [
        {
            "name": row.name,
            "declaration": row.declaration or None,
            "depth": row.depth,
            "bitOffset": row.offset,
            "bits": row.size,
            "bitField": row.bit_field,
        }
        for row in device.rows
    ]
    return {
        "addressBits": device.address_bits,
        "size": device.size,
        "alignment": device.alignment,
        "padding": device.padding,
        "members": members,
    }
