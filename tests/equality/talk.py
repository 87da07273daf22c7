"""A server in this process, addressed by protocol messages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from openclsp.lsp import language_server
from openclsp.lsp.session import debounce
from openclsp.lsp.startup.server import create_server

PATIENCE = 300.0
"""Seconds that an answer may take; the machine may be busy."""


GIVEN_UP = object()
"""The result of a request that the server gave up since a document changed."""


class Crash(AssertionError):
    """The server reported an internal error."""


class Talk:
    """A server with a workspace folder, and the messages that it has sent."""

    def __init__(self, loop: asyncio.AbstractEventLoop, folder: Path) -> None:
        self.loop = loop
        self.server = create_server()
        self.server.protocol.set_writer(self)
        self.crashes: list[str] = []
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._identifier = 0
        uri = folder.as_uri()
        tokens = {
            "requests": {"full": {"delta": True}, "range": True},
            "formats": ["relative"],
            "tokenTypes": [],
            "tokenModifiers": [],
        }
        text_document = {
            "hover": {"contentFormat": ["markdown"]},
            "diagnostic": {},
            "publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
            "semanticTokens": tokens,
            "inlayHint": {},
        }
        workspace = {
            "workspaceFolders": True,
            "diagnostics": {"refreshSupport": True},
            "didChangeWatchedFiles": {"dynamicRegistration": True},
        }
        answer = self.request(
            "initialize",
            processId=None,
            rootUri=uri,
            workspaceFolders=[{"uri": uri, "name": folder.name}],
            capabilities={"workspace": workspace, "textDocument": text_document},
        )
        self.capabilities: dict[str, Any] = answer["capabilities"]
        self.notify("initialized")

    def notify(self, method: str, **params: Any) -> None:
        """Sends a notification. When this returns, it has been handled, but not the work that it starts."""
        self.loop.run_until_complete(self._handle({"method": method, "params": params}))

    def request(self, method: str, **params: Any) -> Any:
        """Sends a request and waits for its result."""
        return self.result(self.ask(method, **params))

    def ask(self, method: str, **params: Any) -> int:
        """Sends a request without waiting for the answer; returns its id."""
        self._identifier += 1
        self._waiting[self._identifier] = self.loop.create_future()
        message = {"id": self._identifier, "method": method, "params": params}
        self.loop.run_until_complete(self._handle(message))
        return self._identifier

    def result(self, identifier: int) -> Any:
        """Waits for the result of a request; GIVEN_UP if the server cancelled it."""
        future = self._waiting[identifier]
        body = self.loop.run_until_complete(asyncio.wait_for(future, PATIENCE))
        del self._waiting[identifier]
        if self.crashes:
            raise Crash("\n".join(self.crashes))
        if "error" in body:
            assert body["error"]["code"] in (-32801, -32802), body["error"]
            return GIVEN_UP
        return body["result"]

    def settle(self) -> None:
        """Waits until the server has no work of its own left."""
        while tasks := self._begun():
            self.loop.run_until_complete(asyncio.wait(tasks, timeout=PATIENCE))

    def _begun(self) -> tuple[asyncio.Task[Any], ...]:
        """The running tasks, once delayed work with a delay of 0 has started."""
        self.loop.run_until_complete(asyncio.sleep(0.001))
        return tuple(self.server._tasks)

    def close(self) -> None:
        """Ends the server's analysis thread."""
        self.server.analysis_thread.close()
        self.server.shutdown()  # type: ignore[no-untyped-call]

    def write(self, data: bytes) -> None:
        """Receives what the server sends, from any thread."""
        body = json.loads(data[data.index(b"\r\n\r\n") :] if data.startswith(b"Content-") else data)
        self.loop.call_soon_threadsafe(self._take, body)

    def _take(self, body: dict[str, Any]) -> None:
        params = body.get("params") or {}
        if body.get("method") == "window/logMessage" and params["type"] == 1:
            self.crashes.append(params["message"])
        if "method" in body and "id" in body:
            answer = {"jsonrpc": "2.0", "id": body["id"], "result": None}
            self.server.protocol.receive(json.dumps(answer).encode())
        if "method" not in body and (future := self._waiting.get(body["id"])):
            future.set_result(body)

    async def _handle(self, message: dict[str, Any]) -> None:
        self.server.protocol.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())
        # what the message has begun takes its first step before the next message comes, as over a stream
        await asyncio.sleep(0)


@contextmanager
def waiting_for_no_pause() -> Iterator[asyncio.AbstractEventLoop]:
    """Yields an event loop in which work that waits for a typing pause starts at once."""
    loop = asyncio.new_event_loop()
    pause, debounce.DEBOUNCE_SECONDS = debounce.DEBOUNCE_SECONDS, 0.0
    patience, language_server.FIRST_ANSWER_TIMEOUT = language_server.FIRST_ANSWER_TIMEOUT, 0.0
    try:
        yield loop
    finally:
        debounce.DEBOUNCE_SECONDS, language_server.FIRST_ANSWER_TIMEOUT = pause, patience
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


@contextmanager
def talks(folder: Path) -> Iterator[tuple[Talk, Talk]]:
    """Yields two servers on the same folder: the documents of the first are edited, those of the second only opened."""
    with waiting_for_no_pause() as loop:
        edited, fresh = Talk(loop, folder), Talk(loop, folder)
        try:
            yield edited, fresh
        finally:
            for talk in (edited, fresh):
                talk.close()
