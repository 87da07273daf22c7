"""The protocol with our own documents in place of pygls' ones.

pygls' text document splits lines at form feeds and U+2028 and misplaces an edit after the last line's end, so its
workspace is used for the folders only. Edits are applied on the event loop as the notification is read, before any
later message is.
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
"""pygls runs what a built-in handler yields: a user's handler, its arguments, its keyword arguments."""


UNREADABLE = "$/unreadable"
"""The method of what is handed on for a message that cannot be read; pygls passes over it."""


@dataclass(frozen=True, slots=True)
class Written:
    """A result that is JSON already."""

    json: bytes


class OpenclProtocol(LanguageServerProtocol):
    """Applies the client's edits to the server's documents, then calls the feature's handler."""

    _server: OpenclServer

    introduction: Mapping[str, Any] = MappingProxyType({})
    """The parameters of the first request, as the client wrote them."""

    answered: int | str | None = None
    """The identifier of a request that was answered before it was handled."""

    introduced = False
    """Whether the request `initialize` has come."""

    def receive(self, body: bytes) -> None:
        """Handles one message. One that cannot be read as a message is refused, and costs nothing else. Raises SystemExit
        where the stream is no longer cut into messages as the client meant it."""
        try:
            data = message_of(body)
        except ValueError:
            self._refuse_unreadable(body)
            return
        try:
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
        except Exception as error:  # noqa: BLE001 - one message that fails costs its own answer, not the server
            _log.error("a message cannot be handled", exc_info=True)
            self._server.report_server_error(error, JsonRpcException)

    def _lifecycle_error(self, method: object) -> JsonRpcException | None:
        """Why a message of this method is not taken now, None for an answer or where it is (LSP 3.17, "Server lifecycle")."""
        if method is None or method == types.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("the server has been shut down")
        if method == types.INITIALIZE:
            return JsonRpcInvalidRequest("the server is initialized already") if self.introduced else None
        return None if self.introduced else JsonRpcServerNotInitialized("`initialize` has to come first")

    def _refuse_unreadable(self, body: bytes) -> None:
        """Answers a message that is not JSON. Where another message's header stands in it, the length was announced too large,
        and what follows is cut wrongly as well."""
        if b"Content-Length:" in body:
            _log.error("the stream of messages is broken, the server ends: a header within %.200r", body)
            raise SystemExit
        _log.error("a message that is not JSON: %.200r", body)
        self._refuse(None, JsonRpcParseError("the message is not JSON"))

    def _refuse(self, identifier: Any, error: JsonRpcException) -> None:
        answer = {"code": error.code, "message": error.message}
        if not isinstance(identifier, int | str):
            identifier = None
        self.send(json.dumps({"jsonrpc": self.VERSION, "id": identifier, "error": answer}).encode())

    def send(self, body: bytes) -> None:
        """Sends a message that is written already."""
        assert self.writer is not None
        self.writer.write(framed(body))

    def _edited(self, params: types.DidChangeTextDocumentParams) -> None:
        """As pygls would, but at once: at each keystroke its ways would cost as much as the analysis."""
        for handler, arguments, _ in self.lsp_text_document__did_change(params):
            handler(*arguments)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """pygls offers what is registered to every client."""
        result = yield from super().lsp_initialize(params)
        if not self._server.client.pulls:
            result.capabilities.diagnostic_provider = None
        return result

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Handling:
        """The document's text is the client's from here on."""
        self._server.documents.open(params.text_document, self._server.client.encoding)
        yield from self._hand_on(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Handling:
        """Each change applies to the text that the one before it left."""
        changed = self._server.documents.change(
            params.text_document, params.content_changes, self._server.client.encoding
        )
        if changed is not None:
            yield from self._hand_on(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Handling:
        """The document's text is the file's again."""
        document = self._server.documents.close(params.text_document.uri)
        if document is not None:
            # what is told of it was told under the name by which it was opened
            params.text_document.uri = document.uri
            yield from self._hand_on(types.TEXT_DOCUMENT_DID_CLOSE, params)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message as an object. A request that cannot be read is answered, so that nobody waits for it; a notification
        that cannot be read is ignored (JSON-RPC 2.0, "Notification")."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            method = data.get("method")
            _log.error("a message that cannot be read: %.100r: %.500s", method, _faults(error.__cause__))
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
            # pygls writes them into a line of its log, although nobody reads that, before an answer that was given.
            return {}
        return super()._serialize_message(data)

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        # its type is what the client sent
        if _is_identifier(msg_id):
            super()._handle_cancel_notification(msg_id)

    def _hand_on(self, method: str, params: object) -> Handling:
        handler = self.fm.features.get(method)
        if handler is not None:
            yield handler, (params,), None


def _is_identifier(value: object) -> bool:
    """Whether a request can be known by it (LSP 3.17, "Request Message")."""
    return isinstance(value, int | str) and not isinstance(value, bool)


def _faults(error: BaseException | None) -> str:
    """What is wrong in a message: the innermost errors of a group of them."""
    inner: tuple[BaseException, ...] = getattr(error, "exceptions", ())
    return "; ".join(map(_faults, inner)) if inner else repr(error)
