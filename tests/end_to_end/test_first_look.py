"""A client that opens a document as soon as it may: it is told of it once, and everything works as it always does."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from openclsp.lsp.incoming import Incoming
from openclsp.lsp.outgoing import Outgoing, framed

from .editor import server_command

TEXT = "kernel void k(global int *g) { local int *p = g; p[0] = 1; global int *q = g; }\n"
Message = dict[str, Any]


class _Client:
    """Speaks to a server without waiting for anything that it was not told to wait for."""

    def __init__(self, process: subprocess.Popen[bytes], settings: list[object] | None) -> None:
        assert process.stdout is not None
        self._process, self._settings = process, settings
        self._incoming = Incoming(process.stdout)  # type: ignore[arg-type]
        self.got: list[Message] = []

    def send(self, *messages: Message) -> None:
        assert self._process.stdin is not None
        for message in messages:
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            Outgoing(self._process.stdin).write(framed(body))  # type: ignore[arg-type]

    def until(self, holds: Callable[[Message], bool]) -> Message:
        """Reads messages until one is as wanted; settings are told when they are asked for."""
        while True:
            body = self._incoming.next()
            assert body is not None
            message = json.loads(body)
            self.got.append(message)
            if message.get("method") == "workspace/configuration":
                self.send({"id": message["id"], "result": self._settings})
            if holds(message):
                return message

    def published(self) -> list[tuple[int, list[str]]]:
        """The version and the codes of what was published."""
        return [
            (each["params"]["version"], [found["code"] for found in each["params"]["diagnostics"]])
            for each in self.got
            if each.get("method") == "textDocument/publishDiagnostics"
        ]


@contextmanager
def _started(folder: Path, settings: list[object] | None = None) -> Iterator[_Client]:
    command = server_command()
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=folder, bufsize=0) as process:
        client = _Client(process, settings)
        capabilities = {"workspace": {"configuration": settings is not None}}
        params = {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities}
        client.send({"id": 1, "method": "initialize", "params": params})
        client.until(lambda message: message.get("id") == 1)
        client.send({"method": "initialized", "params": {}})
        yield client
        client.send({"id": 9, "method": "shutdown"})
        client.until(lambda message: message.get("id") == 9)
        client.send({"method": "exit"})
        assert process.wait() == 0


def _document(folder: Path) -> str:
    return (folder / "k.cl").as_uri()


def _opened(folder: Path) -> Message:
    item = {"uri": _document(folder), "languageId": "opencl", "version": 1, "text": TEXT}
    return {"method": "textDocument/didOpen", "params": {"textDocument": item}}


def _hover(folder: Path) -> Message:
    place = {"line": 0, "character": TEXT.index("*q") + 1}
    params = {"textDocument": {"uri": _document(folder)}, "position": place}
    return {"id": 2, "method": "textDocument/hover", "params": params}


def _publishes(message: Message) -> bool:
    return message.get("method") == "textDocument/publishDiagnostics"


def test_it_is_told_once(tmp_path: Path) -> None:
    with _started(tmp_path) as client:
        client.send(_opened(tmp_path), _hover(tmp_path))
        client.until(_publishes)
        assert "q" in str(client.until(lambda message: message.get("id") == 2)["result"])
    assert client.published() == [(1, ["pointer-conversion"])]


def test_with_the_settings_of_the_client_who_is_asked_once(tmp_path: Path) -> None:
    with _started(tmp_path, [{"languageVersion": "CL2.0", "defines": "local=global"}, None]) as client:
        client.send(_opened(tmp_path))
        client.until(_publishes)
        client.send(_hover(tmp_path))
        client.until(lambda message: message.get("id") == 2)
    assert client.published()[0] == (1, [])
    assert {version for version, _ in client.published()} == {1}
    assert [each.get("method") for each in client.got].count("workspace/configuration") == 1


def test_an_edit_that_follows_at_once(tmp_path: Path) -> None:
    change: Message = {
        "method": "textDocument/didChange",
        "params": {
            "textDocument": {"uri": _document(tmp_path), "version": 2},
            "contentChanges": [{"text": TEXT.replace("local int", "global int")}],
        },
    }
    with _started(tmp_path) as client:
        client.send(_opened(tmp_path), change)
        client.until(lambda message: _publishes(message) and message["params"]["version"] == 2)
    assert client.published()[-1] == (2, [])
