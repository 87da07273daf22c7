"""Fast decoding of the most common messages, without lsprotocol's converter.

The converter takes a hundred times as long. For its first message of each kind, it takes as long as the
analysis of an edit. All other messages, including malformed ones, are left to lsprotocol.
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from pygls.protocol.json_rpc import JsonRPCRequestMessage


def decode_did_change(data: Any) -> types.DidChangeTextDocumentParams | None:
    """Decodes the parameters of a `textDocument/didChange` message in its most common form.

    Returns None for any other message.
    """
    try:
        if data["method"] != types.TEXT_DOCUMENT_DID_CHANGE or "id" in data:
            return None
        params = data["params"]
        document = params["textDocument"]
        identifier = types.VersionedTextDocumentIdentifier(document["version"], document["uri"])
        if type(identifier.version) is not int or type(identifier.uri) is not str:
            return None
        changes = tuple([_change(change) for change in params["contentChanges"]])
    except (KeyError, TypeError, ValueError):
        return None
    return types.DidChangeTextDocumentParams(identifier, changes)


def decode_hover_request(data: Any) -> JsonRPCRequestMessage | None:
    """Decodes a `textDocument/hover` request in its most common form.

    Returns None for any other message.
    """
    try:
        if data["method"] != types.TEXT_DOCUMENT_HOVER or data["jsonrpc"] != "2.0":
            return None
        identifier, params = data["id"], data["params"]
        document = types.TextDocumentIdentifier(params["textDocument"]["uri"])
        if type(identifier) not in (int, str) or type(document.uri) is not str or len(params) != 2:
            return None
        hover = types.HoverParams(document, _position(params["position"]))
    except (KeyError, TypeError, ValueError):
        return None
    return JsonRPCRequestMessage(identifier, types.TEXT_DOCUMENT_HOVER, "2.0", hover)


def _change(change: Any) -> types.TextDocumentContentChangePartial:
    text = change["text"]
    if type(text) is not str:
        raise TypeError
    value = change["range"]
    range_ = types.Range(_position(value["start"]), _position(value["end"]))
    return types.TextDocumentContentChangePartial(range_, text)


def _position(position: Any) -> types.Position:
    return types.Position(position["line"], position["character"])
