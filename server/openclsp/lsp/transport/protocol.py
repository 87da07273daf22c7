"""The JSON-RPC protocol layer, without pygls' text documents.

pygls' text document splits lines at form feeds and U+2028, and misplaces an edit after the end of the last
line. pygls' workspace is therefore used for the folders only. The handlers in `features/synchronisation.py`
update the server's own documents. The handlers are synchronous functions, so that an edit is applied on the
event loop before any later message is handled.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Generator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import JsonRPCNotification, LanguageServerProtocol, lsp_method

from openclsp.dataclass import dataclass
from openclsp.lsp.startup.early_initialize import negotiate_encoding
from openclsp.lsp.startup.prestart import SETTINGS_REQUEST_ID
from openclsp.lsp.transport.message_decoding import decode_message
from openclsp.lsp.transport.message_writer import frame_message

if TYPE_CHECKING:
    from openclsp.lsp.session.client_capabilities import ClientCapabilities
    from openclsp.lsp.startup.early_settings import EarlySettings

_log = logging.getLogger("openclsp")

MALFORMED_METHOD = "$/unreadable"
"""The method name that replaces the one of a malformed message; pygls ignores it as an optional notification.
"""


@dataclass(frozen=True, slots=True)
class SerializedResult:
    """A result that is already serialised as JSON."""

    json: bytes


class ProtocolServer(LanguageServer):
    """The part of the server that the protocol layer uses."""

    client_features: ClientCapabilities
    early_settings: EarlySettings


class OpenclProtocol(LanguageServerProtocol):
    """pygls' protocol with strict checks of malformed messages."""

    _server: ProtocolServer

    initialize_params: Mapping[str, Any] = MappingProxyType({})
    """The parameters of `initialize` as JSON values."""

    answered_request_id: int | str | None = None
    """The id of a request that has been answered but not handled yet: see `early_initialize`."""

    is_initialized = False
    """Whether the request `initialize` has been received."""

    # pygls registers no handler of its own for these methods, and calls ours directly: its own would also keep the
    # documents in pygls' workspace, and call ours through a generator, which costs 0.1 ms for each message.
    lsp_text_document__did_open = None  # type: ignore[assignment]
    lsp_text_document__did_change = None  # type: ignore[assignment]
    lsp_text_document__did_close = None  # type: ignore[assignment]

    def receive(self, body: bytes) -> None:
        """Handles one message; a malformed message is rejected without other effects.

        Raises SystemExit if the framing of the stream turns out to be broken.
        """
        try:
            data = decode_message(body)
        except ValueError:
            self._reject_malformed(body)
            return
        try:
            if not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
                self._send_error(None, JsonRpcInvalidRequest("not a message of JSON-RPC 2.0"))
            elif not isinstance(data.get("method", ""), str):
                self._send_error(data.get("id"), JsonRpcInvalidRequest("a `method` is a string"))
            elif "id" in data and not _is_identifier(data["id"]):
                _log.error("a message without a usable id: %.200r", body)
                if "method" in data:
                    self._send_error(None, JsonRpcInvalidRequest("an `id` is a string or an integer"))
            elif data.get("id") == SETTINGS_REQUEST_ID and "method" not in data:
                self._server.early_settings.set_response(data)
            elif (error := self._lifecycle_error(data.get("method"))) is not None:
                if "id" in data:
                    self._send_error(data["id"], error)
            else:
                message = self.structure_message(data)
                if isinstance(message, types.InitializeRequest):
                    self.is_initialized, self.initialize_params = True, data["params"]
                self.handle_message(message)
        except Exception as error:  # noqa: BLE001 - a message that fails must not end the server
            _log.error("a message cannot be handled", exc_info=True)
            self._server.report_server_error(error, JsonRpcException)

    def _lifecycle_error(self, method: object) -> JsonRpcException | None:
        """Returns the error for a request that is not allowed now (LSP 3.17, "Server lifecycle").

        Returns None if the request is allowed. A response, whose `method` is None, is always allowed.
        """
        if method is None or method == types.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("the server has been shut down")
        if method == types.INITIALIZE:
            return JsonRpcInvalidRequest("the server is already initialized") if self.is_initialized else None
        return None if self.is_initialized else JsonRpcServerNotInitialized("`initialize` must come first")

    def _reject_malformed(self, body: bytes) -> None:
        """Sends an error response for a message that is not JSON.

        Raises SystemExit if the message contains the header of another message: its announced length was
        then too large, and all later messages would be split wrongly too.
        """
        if b"Content-Length:" in body:
            _log.error("the message stream is broken; the server exits: a header within %.200r", body)
            raise SystemExit
        _log.error("a message that is not JSON: %.200r", body)
        self._send_error(None, JsonRpcParseError("the message is not JSON"))

    def _send_error(self, identifier: Any, error: JsonRpcException) -> None:
        error_object = {"code": error.code, "message": error.message}
        if not _is_identifier(identifier):
            identifier = None
        self.send(json.dumps({"jsonrpc": self.VERSION, "id": identifier, "error": error_object}).encode())

    def to_json(self, value: Any) -> Any:
        """Converts objects of lsprotocol to JSON values."""
        return self._converter.unstructure(value)

    def send(self, body: bytes) -> None:
        """Sends a serialised message."""
        assert self.writer is not None
        self.writer.write(frame_message(body))

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answers `initialize`, without a diagnostics provider for clients that do not pull diagnostics.

        By default, pygls offers every feature to all clients.
        """
        result = yield from super().lsp_initialize(params)
        if not self._server.client_features.pulls_diagnostics:
            result.capabilities.diagnostic_provider = None
        return result

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Converts a message to lsprotocol's object.

        A malformed request is answered with an error; a malformed notification is ignored (JSON-RPC 2.0,
        "Notification"). A request of an unknown method may lack parameters.
        """
        method = data.get("method")
        if method is not None and method not in types.METHOD_TO_TYPES:
            data.setdefault("params", None)
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if method == types.INITIALIZE and data.get("id") == self.answered_request_id is not None:
                # The client has already got the response to `initialize`, so an error can no longer be sent.
                return super().structure_message({**data, "params": _essential_parameters(data["params"])})
            _log.error("malformed message: %.100r: %.500s", method, _describe_error(error.__cause__))
            if method is not None and "id" in data:
                self._send_response(data["id"], error=error.to_response_error())
            return JsonRPCNotification(f"{MALFORMED_METHOD} {method}", self.VERSION, None)

    def _send_response(
        self, msg_id: int | str, result: Any = None, error: types.ResponseError | None = None
    ) -> None:
        if msg_id == self.answered_request_id:
            self.answered_request_id = None
        elif error is None and isinstance(result, SerializedResult):
            self._result_types.pop(msg_id, None)
            self.send(b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(msg_id).encode(), result.json))
        else:
            super()._send_response(msg_id, result, error)

    def _serialize_message(self, data: Any) -> Any:
        if self.answered_request_id is not None and isinstance(data, types.ServerCapabilities):
            # pygls serialises the capabilities only to log them, after the answer has been sent.
            return {}
        return super()._serialize_message(data)

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        # The annotation is not guaranteed: the value comes from the client.
        if _is_identifier(msg_id):
            super()._handle_cancel_notification(msg_id)


def _is_identifier(value: object) -> bool:
    """Whether the value is a valid request id (LSP 3.17, "Request Message")."""
    return isinstance(value, int | str) and not isinstance(value, bool)


def _essential_parameters(params: Mapping[str, Any]) -> dict[str, Any]:
    """Selects the parameters of `initialize` that pygls needs; the server reads the capabilities itself."""
    folders = params.get("workspaceFolders")
    return {
        "processId": params["processId"] if type(params.get("processId")) is int else None,
        "rootUri": params["rootUri"] if isinstance(params.get("rootUri"), str) else None,
        "workspaceFolders": folders if isinstance(folders, list) and all(map(_is_folder, folders)) else None,
        "initializationOptions": params.get("initializationOptions"),
        "capabilities": {"general": {"positionEncodings": [negotiate_encoding(params["capabilities"])]}},
    }


def _is_folder(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key), str) for key in ("uri", "name"))


def _describe_error(error: BaseException | None) -> str:
    """Describes a validation error by the innermost errors of its exception group."""
    inner: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    return "; ".join(map(_describe_error, inner)) if inner else repr(error)
