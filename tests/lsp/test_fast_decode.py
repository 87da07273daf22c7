"""Messages decoded without lsprotocol's converter equal those decoded with it."""

from __future__ import annotations

from typing import Any

import pytest
from lsprotocol import converters, types
from openclsp.lsp.transport.fast_decode import decode_did_change, decode_hover_request

PLACE = {"line": 3, "character": 5}
EDIT: dict[str, Any] = {
    "jsonrpc": "2.0",
    "method": "textDocument/didChange",
    "params": {
        "textDocument": {"uri": "file:///k.cl", "version": 2},
        "contentChanges": [{"range": {"start": PLACE, "end": {"line": 4, "character": 0}}, "text": "x"}],
    },
}
HOVER: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 7,
    "method": "textDocument/hover",
    "params": {"textDocument": {"uri": "file:///k.cl"}, "position": PLACE},
}


def test_plain_messages_are_read_as_the_converter_reads_them() -> None:
    converter = converters.get_converter()
    edit = converter.structure(EDIT, types.DidChangeTextDocumentNotification)
    assert decode_did_change(EDIT) == edit.params
    for identifier in (7, "seven"):
        message = {**HOVER, "id": identifier}
        hover = converter.structure(message, types.HoverRequest)
        read = decode_hover_request(message)
        assert read is not None
        assert (read.id, read.method, read.jsonrpc, read.params) == (
            hover.id,
            hover.method,
            hover.jsonrpc,
            hover.params,
        )


def _with(message: dict[str, Any], **parameters: object) -> dict[str, Any]:
    return {**message, "params": {**message["params"], **parameters}}


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        {"method": "textDocument/hover"},
        {**HOVER, "method": "textDocument/definition"},
        {**HOVER, "id": None},
        {**HOVER, "id": 1.5},
        {**HOVER, "jsonrpc": "1.0"},
        {**HOVER, "params": None},
        _with(HOVER, position={"line": -1, "character": 0}),
        _with(HOVER, position={"line": "1", "character": 0}),
        _with(HOVER, position={"line": 1}),
        _with(HOVER, textDocument={"uri": 5}),
        _with(HOVER, workDoneToken="t"),
        _with(EDIT, contentChanges=[{"text": "all of it"}]),
        _with(EDIT, contentChanges=[{"range": {"start": PLACE, "end": PLACE}, "text": 5}]),
        _with(EDIT, textDocument={"uri": "file:///k.cl", "version": "2"}),
        {**EDIT, "id": 3},
    ],
)
def test_other_messages_are_left_to_the_converter(message: Any) -> None:
    assert decode_did_change(message) is None
    assert decode_hover_request(message) is None
