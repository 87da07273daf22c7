"""A client that reads the server's messages one by one, in the order in which they were sent, and only on demand."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from openclsp.lsp.transport.message_reader import MessageReader
from openclsp.lsp.transport.message_writer import MessageWriter, frame_message

from .editor import PATIENCE, server_command

Message = dict[str, Any]


class PlainClient:
    """Exchanges messages with a server process; waits only where the test asks for it."""

    def __init__(self, process: subprocess.Popen[bytes], settings: list[object] | None) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._settings = settings
        self._outgoing = MessageWriter(process.stdin)  # type: ignore[arg-type]
        self._incoming = MessageReader(process.stdout)  # type: ignore[arg-type]
        self.got: list[Message] = []
        """What has been read so far."""
        self._asked = 0

    def send(self, *messages: Message) -> None:
        """Sends messages at once."""
        for message in messages:
            self._outgoing.write(frame_message(json.dumps({"jsonrpc": "2.0", **message}).encode()))

    def until(self, holds: Callable[[Message], bool]) -> Message:
        """Reads messages until one satisfies the condition; answers the server's requests meanwhile."""
        while True:
            body = self._incoming.read_message()
            assert body is not None, "the server has gone, or was waited for in vain"
            message: Message = json.loads(body)
            self.got.append(message)
            if "method" in message and "id" in message:
                asks_for_settings = message["method"] == "workspace/configuration"
                self.send({"id": message["id"], "result": self._settings if asks_for_settings else None})
            if holds(message):
                return message

    def ask(self, method: str, params: Message | None = None) -> Any:
        """Returns the result of a request; reads and discards the messages before it."""
        self._asked += 1
        identifier = f"asked {self._asked}"
        self.send({"id": identifier, "method": method, "params": params})
        return self.until(lambda message: message.get("id") == identifier)["result"]

    def published(self) -> list[tuple[int | None, list[str]]]:
        """The version (None if the document is closed) and the codes of each publication."""
        return [
            (each["params"].get("version"), [found["code"] for found in each["params"]["diagnostics"]])
            for each in self.got
            if publishes(each)
        ]


def publishes(message: Message) -> bool:
    """Whether the message publishes diagnostics."""
    return message.get("method") == "textDocument/publishDiagnostics"


@contextmanager
def started(
    folder: Path,
    *,
    settings: list[object] | None = None,
    window: Message | None = None,
    options: Message | None = None,
    environment: dict[str, str] | None = None,
    before: tuple[str, ...] = (),
) -> Iterator[PlainClient]:
    """Starts a server and sends `initialized`.

    Settings, initialization options and the capabilities of the client's window are optional, as are environment
    variables and a command `before` the server's own. The server must exit cleanly.
    """
    command = [*before, *server_command()]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, cwd=folder, bufsize=0, env=environment
    ) as process:
        watch = threading.Timer(PATIENCE, process.kill)
        watch.start()
        client = PlainClient(process, settings)
        capabilities = {"workspace": {"configuration": settings is not None}, "window": window or {}}
        params = {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities}
        params |= {} if options is None else {"initializationOptions": options}
        client.ask("initialize", params)
        client.send({"method": "initialized", "params": {}})
        try:
            yield client
            client.ask("shutdown")
            client.send({"method": "exit"})
            assert process.wait() == 0
        finally:
            watch.cancel()
            process.kill()
