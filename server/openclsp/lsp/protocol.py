"""The JSON-RPC protocol layer, with the server's own documents in place of pygls' documents.

pygls' text document splits lines at form feeds and U+2028, and misplaces an edit after the end of the last
line. pygls' workspace is therefore used for the folders only. Edits are applied on the event loop when the
notification is received, before any later message is handled.
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
from pygls.protocol import JsonRPCNotification, LanguageServerProtocol, lsp_method

from openclsp.dataclass import dataclass
from openclsp.lsp.first_look import ASKED
from openclsp.lsp.messages import message_of
from openclsp.lsp.outgoing import framed
from openclsp.lsp.plain_messages import plain_edit, plain_hover

if TYPE_CHECKING:
    from openclsp.lsp.language_server import OpenclServer

_log = logging.getLogger("openclsp")

Handling = Generator[Any, Any, None]
"""A built-in handler of pygls: it yields user handlers to run, with their arguments and keyword arguments."""


UNREADABLE = "$/unreadable"
"""The method name that replaces that of a malformed message; pygls ignores it as an optional notification."""


@dataclass(frozen=True, slots=True)
class Written:
    """A result that is already serialised as JSON."""

    json: bytes


class OpenclProtocol(LanguageServerProtocol):
    """pygls' protocol, extended to apply edits to the server's documents before the handlers run."""

    _server: OpenclServer

    introduction: Mapping[str, Any] = MappingProxyType({})
    """The parameters of `initialize` as JSON values."""

    answered: int | str | None = None
    """The id of a request that has been answered but not handled yet: see `early_answer`."""

    introduced = False
    """Whether the request `initialize` has been received."""

    def receive(self, body: bytes) -> None:
        """Handles one message; a malformed one is rejected without other effects.

        Raises SystemExit if the framing of the stream turns out to be broken.
        """
        try:
            data = message_of(body)
        except ValueError:
            self._refuse_unreadable(body)
            return
        try:
            # Edits and hovers are decoded without lsprotocol's converter: see `plain_messages`.
            running = self.introduced and not self._shutdown
            if running and (edit := plain_edit(data)) is not None:
                self._edited(edit)
            elif running and (hover := plain_hover(data)) is not None:
                self.handle_message(hover)
            elif not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
                self._refuse(None, JsonRpcInvalidRequest("not a message of JSON-RPC 2.0"))
            elif "id" in data and not _is_identifier(data["id"]):
                _log.error("a message without a usable id: %.200r", body)
                if "method" in data:
                    self._refuse(None, JsonRpcInvalidRequest("an `id` is a string or an integer"))
            elif data.get("id") == ASKED and "method" not in data:
                self._server.first_values.tell(data)
            elif (error := self._lifecycle_error(data.get("method"))) is not None:
                if "id" in data:
                    self._refuse(data["id"], error)
            else:
                message = self.structure_message(data)
                if isinstance(message, types.InitializeRequest):
                    self.introduced, self.introduction = True, data["params"]
                self.handle_message(message)
        except Exception as error:  # noqa: BLE001 - a message that fails must not end the server
            _log.error("a message cannot be handled", exc_info=True)
            self._server.report_server_error(error, JsonRpcException)

    def _lifecycle_error(self, method: object) -> JsonRpcException | None:
        """The error for a request that is not allowed now (LSP 3.17, "Server lifecycle").

        None if it is allowed, and for a response, whose `method` is None.
        """
        if method is None or method == types.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("the server has been shut down")
        if method == types.INITIALIZE:
            return JsonRpcInvalidRequest("the server is already initialized") if self.introduced else None
        return None if self.introduced else JsonRpcServerNotInitialized("`initialize` must come first")

    def _refuse_unreadable(self, body: bytes) -> None:
        """Answers a message that is not JSON.

        If it contains the header of another message, its announced length was too large, so that all later
        messages would be split wrongly too. Then it raises SystemExit.
        """
        if b"Content-Length:" in body:
            _log.error("the message stream is broken; the server exits: a header within %.200r", body)
            raise SystemExit
        _log.error("a message that is not JSON: %.200r", body)
        self._refuse(None, JsonRpcParseError("the message is not JSON"))

    def _refuse(self, identifier: Any, error: JsonRpcException) -> None:
        answer = {"code": error.code, "message": error.message}
        if not isinstance(identifier, int | str):
            identifier = None
        self.send(json.dumps({"jsonrpc": self.VERSION, "id": identifier, "error": answer}).encode())

    def send(self, body: bytes) -> None:
        """Sends a serialised message."""
        assert self.writer is not None
        self.writer.write(framed(body))

    def _edited(self, params: types.DidChangeTextDocumentParams) -> None:
        """Handles an edit without pygls' dispatch, which would cost as much as the analysis."""
        for handler, arguments, _ in self.lsp_text_document__did_change(params):
            handler(*arguments)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Removes the diagnostics provider for clients that do not pull.

        By default, pygls offers every feature to all clients.
        """
        result = yield from super().lsp_initialize(params)
        if not self._server.client.pulls:
            result.capabilities.diagnostic_provider = None
        return result

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Handling:
        """Opens a document; from now on its text is the client's, not the file's."""
        self._server.documents.open(params.text_document, self._server.client.encoding)
        yield from self._hand_on(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Handling:
        """Applies the edits of a document, then calls the handler; ignores documents that are not open."""
        changed = self._server.documents.change(
            params.text_document, params.content_changes, self._server.client.encoding
        )
        if changed is not None:
            yield from self._hand_on(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Handling:
        """Closes a document; its text is that of the file again."""
        document = self._server.documents.close(params.text_document.uri)
        if document is not None:
            # Its diagnostics were published under the spelling of the URI with which it was opened.
            params.text_document.uri = document.uri
            yield from self._hand_on(types.TEXT_DOCUMENT_DID_CLOSE, params)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Converts a message to lsprotocol's object.

        A malformed request is answered with an error; a malformed notification is ignored (JSON-RPC 2.0,
        "Notification").
        """
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            method = data.get("method")
            _log.error("malformed message: %.100r: %.500s", method, _faults(error.__cause__))
            if method is not None and "id" in data:
                self._send_response(data["id"], error=error.to_response_error())
            return JsonRPCNotification(f"{UNREADABLE} {method}", self.VERSION, None)

    def _send_response(
        self, msg_id: int | str, result: Any = None, error: types.ResponseError | None = None
    ) -> None:
        if msg_id == self.answered:
            self.answered = None
        elif error is None and isinstance(result, Written):
            self._result_types.pop(msg_id, None)
            self.send(b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(msg_id).encode(), result.json))
        else:
            super()._send_response(msg_id, result, error)

    def _serialize_message(self, data: Any) -> Any:
        if self.answered is not None and isinstance(data, types.ServerCapabilities):
            # pygls serialises the capabilities only to log them, and the answer was sent before.
            return {}
        return super()._serialize_message(data)

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        # The annotation is not guaranteed: the value comes from the client.
        if _is_identifier(msg_id):
            super()._handle_cancel_notification(msg_id)

    def _hand_on(self, method: str, params: object) -> Handling:
        handler = self.fm.features.get(method)
        if handler is not None:
            yield handler, (params,), None


def _is_identifier(value: object) -> bool:
    """Whether the value is a valid request id (LSP 3.17, "Request Message")."""
    return isinstance(value, int | str) and not isinstance(value, bool)


def _faults(error: BaseException | None) -> str:
    """Describes a validation error by the innermost errors of its exception group."""
    inner: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    return "; ".join(map(_faults, inner)) if inner else repr(error)
