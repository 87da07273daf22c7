"""Error responses that a client shows to the user."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException


class RenameRefused(JsonRpcException):
    """The error response to a refused rename; the client shows its message (LSP 3.17, "Rename")."""

    CODE = types.LSPErrorCodes.RequestFailed.value
    MESSAGE = "the name cannot be renamed"
