"""Analyses the document that the client opens first, before pygls is imported.

Importing pygls takes longer than analysing a kernel, and a client that has just started the server waits only
for the diagnostics of that document. This module publishes them early.

It does not handle messages: the server handles all of them afterwards in order, and reuses the analysis. If
the messages differ from the usual sequence, everything is left to the server. A client that pulls diagnostics
gets no early answer.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.startup.early_initialize import negotiate_encoding
from openclsp.lsp.startup.message_queue import MessageQueue
from openclsp.lsp.transport.message_decoding import decode_message
from openclsp.lsp.transport.message_writer import MessageWriter, frame_message

if TYPE_CHECKING:
    from openclsp.lsp.session.analysis_session import AnalysisSession
    from openclsp.lsp.session.open_documents import OpenDocument
    from openclsp.source.text import Encoding

SETTINGS_REQUEST_ID = "openclsp/settings"
"""The id of the early `workspace/configuration` request."""

_MESSAGE_TIMEOUT = 0.05
"""The seconds to wait for messages that a client sends as soon as the protocol allows."""

_HARMLESS_NOTIFICATIONS = frozenset(("initialized", "textDocument/didOpen", "textDocument/didSave"))


class EarlyPublication(NamedTuple):
    """The diagnostics that were published early, with their document and its version."""

    uri: str
    version: int
    diagnostics: bytes


class PrestartState:
    """The state that the early analysis passes to the server.

    - `settings_requested`: whether the client's settings were requested
    - `publication`: the diagnostics that were published
    """

    def __init__(self) -> None:
        self.settings_requested = False
        self.session: AnalysisSession | None = None
        self.publication: EarlyPublication | None = None


class _UnexpectedMessage(Exception):
    """Raised if a message does not follow the usual sequence at start-up."""


def analyse_first_document(
    initialize_request: bytes, queue: MessageQueue, writer: MessageWriter
) -> PrestartState:
    """Analyses the document that the client opens first, and publishes its diagnostics.

    `initialize_request` is the first message, which has been answered. Raises BrokenPipeError if the client
    is gone.
    """
    state = PrestartState()
    try:
        _run_prestart(decode_message(initialize_request)["params"], queue, writer, state)
    except BrokenPipeError:
        raise
    except _UnexpectedMessage:
        pass
    except Exception:
        import logging

        logging.getLogger("openclsp").exception("the early analysis failed")
        state.session = None
    return state


def _run_prestart(
    params: dict[str, Any], queue: MessageQueue, writer: MessageWriter, state: PrestartState
) -> None:
    client = ClientCapabilities.of(params["capabilities"], negotiate_encoding(params["capabilities"]))
    if client.pulls_diagnostics:
        return
    messages = _PrestartMessages(queue)
    messages.find("initialized")
    try:
        folders = _folders(params)
    except (AttributeError, KeyError, TypeError):
        raise _UnexpectedMessage from None
    if client.supports_configuration:
        writer.write(frame_message(_settings_request(folders)))
        state.settings_requested = True

    # These imports take place while the client prepares its answer.
    from openclsp.lsp.session.analysis_session import AnalysisSession
    from openclsp.lsp.session.cancellation import Superseded
    from openclsp.lsp.session.diagnostics_cache import (
        publish_diagnostics_message,
        serialize_diagnostics_for_client,
    )
    from openclsp.lsp.session.settings import parse_settings, parse_settings_by_scope, settings_scopes
    from openclsp.lsp.session.snapshot import Snapshot

    initial, _ = parse_settings(params.get("initializationOptions"))
    settings = {"": initial}
    if client.supports_configuration:
        values = messages.settings()
        settings, _ = parse_settings_by_scope(
            dict(zip(settings_scopes(folders), values, strict=False)), initial
        )
    document = _parse_did_open(messages.find("textDocument/didOpen"), client.encoding)

    def check() -> None:
        if messages.is_superseded():
            raise Superseded

    state.session = session = AnalysisSession()
    snapshot = Snapshot(documents={document.name: document}, folders=folders, settings=settings)
    try:
        analysed = session.analyse(document, snapshot, check)
        if analysed is None:
            return
        diagnostics = serialize_diagnostics_for_client(analysed, client, allow_stale_flow=True)
    except Superseded:
        return
    state.publication = EarlyPublication(document.uri, document.version, diagnostics)
    writer.write(frame_message(publish_diagnostics_message(*state.publication)))
    session.freeze_new_unit()


def _settings_request(folders: tuple[str, ...]) -> bytes:
    from openclsp.lsp.session.settings import SECTION, settings_scopes
    from openclsp.lsp.uris import document_uri

    items = [
        {"section": SECTION} | ({"scopeUri": document_uri(scope)} if scope else {})
        for scope in settings_scopes(folders)
    ]
    request = {
        "jsonrpc": "2.0",
        "id": SETTINGS_REQUEST_ID,
        "method": "workspace/configuration",
        "params": {"items": items},
    }
    return json.dumps(request).encode()


def _folders(params: dict[str, Any]) -> tuple[str, ...]:
    from openclsp.lsp.uris import document_name, is_file_name

    uris = [each["uri"] for each in params.get("workspaceFolders") or ()] or [params.get("rootUri") or ""]
    return tuple(name for name in map(document_name, uris) if is_file_name(name))


def _parse_did_open(message: dict[str, Any], encoding: Encoding) -> OpenDocument:
    from openclsp.lsp.session.open_documents import make_open_document

    try:
        item = message["params"]["textDocument"]
        uri, language, version, text = (item[name] for name in ("uri", "languageId", "version", "text"))
    except (AttributeError, KeyError, TypeError):
        raise _UnexpectedMessage from None
    if not isinstance(version, int) or not all(isinstance(each, str) for each in (uri, language, text)):
        raise _UnexpectedMessage
    return make_open_document(uri, language, version, text, encoding=encoding)


class _PrestartMessages:
    """The messages that have arrived, decoded as far as they were inspected."""

    def __init__(self, queue: MessageQueue) -> None:
        self._queue = queue
        self._deadline = time.monotonic() + _MESSAGE_TIMEOUT
        self._decoded: list[dict[str, Any]] = []

    def find(self, method: str) -> dict[str, Any]:
        """Waits for the first message with this method and returns it; skips the messages before it.

        The server handles the skipped messages later.
        """
        return next(each for each in self._iterate() if each.get("method") == method)

    def settings(self) -> list[Any]:
        """Reads the settings that the client sent in response to the server's early request."""
        values = next(
            each for each in self._iterate() if each.get("id") == SETTINGS_REQUEST_ID and "method" not in each
        )["result"]
        if not isinstance(values, list):
            raise _UnexpectedMessage
        return values

    def is_superseded(self) -> bool:
        """Whether a message has arrived that may invalidate the analysis in progress."""
        try:
            while len(self._queue) > len(self._decoded):
                self._decode_next()
        except _UnexpectedMessage:
            return True
        return False

    def _iterate(self) -> Iterator[dict[str, Any]]:
        yield from tuple(self._decoded)
        self._deadline = max(self._deadline, time.monotonic() + _MESSAGE_TIMEOUT)
        while True:
            yield self._decode_next()

    def _decode_next(self) -> dict[str, Any]:
        body = self._queue.wait_for(len(self._decoded), self._deadline)
        try:
            message = decode_message(body or b"null")
        except ValueError:
            raise _UnexpectedMessage from None
        if not isinstance(message, dict):
            raise _UnexpectedMessage
        # A request changes nothing and can wait, except `shutdown`; a response has an id too, and no method.
        method, is_request_or_response = str(message.get("method", "")), "id" in message
        harmless = (
            method != "shutdown"
            if is_request_or_response
            else method in _HARMLESS_NOTIFICATIONS or method.startswith("$/")
        )
        if not harmless:
            raise _UnexpectedMessage
        self._decoded.append(message)
        return message
