"""The server as a process: its exit and its output streams."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .editor import PATIENCE, server_command

INITIALIZE: dict[str, Any] = {
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}
SHUTDOWN = {"id": 2, "method": "shutdown"}
EXIT = {"method": "exit"}


def framed(*messages: dict[str, Any]) -> bytes:
    """The messages as they are sent."""
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)


def run_server(folder: Path, *messages: dict[str, Any]) -> subprocess.CompletedProcess[bytes]:
    """Sends the messages and closes the server's input."""
    sent = framed(*messages)
    return subprocess.run(
        server_command(), input=sent, capture_output=True, timeout=PATIENCE, cwd=folder, check=False
    )


def received(output: bytes) -> list[Any]:
    """The messages that the output is, to the last byte."""
    messages = []
    while output:
        head, _, rest = output.partition(b"\r\n\r\n")
        length = int(dict(line.split(b": ") for line in head.split(b"\r\n"))[b"Content-Length"])
        messages.append(json.loads(rest[:length]))
        output = rest[length:]
    return messages


@pytest.mark.parametrize(
    "messages, status",
    [
        ((INITIALIZE, SHUTDOWN, EXIT), 0),
        ((INITIALIZE, EXIT), 1),
        ((INITIALIZE,), 1),
        ((), 1),
    ],
    ids=["in order", "without shutdown", "the client is gone", "no client"],
)
def test_the_exit_status_is_zero_only_after_an_orderly_shutdown(
    tmp_path: Path, messages: tuple[dict[str, Any], ...], status: int
) -> None:
    ended = run_server(tmp_path, *messages)
    assert ended.returncode == status, ended.stderr.decode()
    answered = [each["id"] for each in received(ended.stdout) if "result" in each]
    assert answered == [each["id"] for each in messages if "id" in each]


def test_nothing_but_messages_is_written_to_standard_output(tmp_path: Path) -> None:
    kernel = {"uri": "file:///k.cl", "languageId": "opencl", "version": 1, "text": "local int *p = 1 +;"}
    opened = {"method": "textDocument/didOpen", "params": {"textDocument": kernel}}
    unknown = {"id": 3, "method": "openclsp/noSuchRequest", "params": {}}
    ended = run_server(
        tmp_path, INITIALIZE, {"method": "initialized", "params": {}}, opened, unknown, SHUTDOWN, EXIT
    )
    assert ended.returncode == 0
    errors = [each for each in received(ended.stdout) if "error" in each]
    assert [each["id"] for each in errors] == [3]
