"""The server's life as a process: what it answers before, between and after `initialize` and `shutdown`, and what ends it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .editor import PATIENCE, server_command
from .test_process import EXIT, INITIALIZE, SHUTDOWN, framed, received, run_server

Message = dict[str, Any]

HOVER: Message = {
    "id": 7,
    "method": "textDocument/hover",
    "params": {"textDocument": {"uri": "file:///k.cl"}, "position": {"line": 0, "character": 0}},
}


def answers(output: bytes) -> list[tuple[Any, Any]]:
    """The identifier of each answer, with its error's code, or None for a result."""
    return [
        (each.get("id"), each["error"]["code"] if "error" in each else None)
        for each in received(output)
        if "method" not in each
    ]


@pytest.mark.parametrize(
    "messages, expected",
    [
        ([HOVER, INITIALIZE, SHUTDOWN, EXIT], [(7, -32002), (1, None), (2, None)]),
        ([INITIALIZE, {**INITIALIZE, "id": 9}, SHUTDOWN, EXIT], [(1, None), (9, -32600), (2, None)]),
        ([INITIALIZE, SHUTDOWN, HOVER, EXIT], [(1, None), (2, None), (7, -32600)]),
        ([INITIALIZE, SHUTDOWN, {**SHUTDOWN, "id": 3}, EXIT], [(1, None), (2, None), (3, -32600)]),
        (
            [INITIALIZE, {"method": "$/setTrace", "params": {"value": 1}}, SHUTDOWN, EXIT],
            [(1, None), (2, None)],
        ),
    ],
    ids=[
        "before initialize",
        "initialize twice",
        "after shutdown",
        "shutdown twice",
        "an unreadable notification",
    ],
)
def test_requests_out_of_order_are_refused(
    tmp_path: Path, messages: list[Message], expected: list[tuple[Any, Any]]
) -> None:
    ended = run_server(tmp_path, *messages)
    assert answers(ended.stdout) == expected
    assert ended.returncode == 0, ended.stderr.decode()


@pytest.mark.parametrize(
    "body, code",
    [
        (b"{", -32700),
        (b'{"jsonrpc":"2.0",}', -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 200_000, -32700),
        (b"[]", -32600),
        (b"17", -32600),
        (b'{"id":3}', -32600),
    ],
    ids=["cut off", "a comma too many", "not UTF-8", "nested too deep", "an array", "a number", "no version"],
)
def test_a_message_that_cannot_be_read_costs_nothing_else(tmp_path: Path, body: bytes, code: int) -> None:
    sent = framed(INITIALIZE) + b"Content-Length: %d\r\n\r\n%b" % (len(body), body) + framed(SHUTDOWN, EXIT)
    ended = subprocess.run(
        server_command(), input=sent, capture_output=True, timeout=PATIENCE, cwd=tmp_path, check=False
    )
    assert answers(ended.stdout) == [(1, None), (None, code), (2, None)]
    assert ended.returncode == 0


BODY = json.dumps({"jsonrpc": "2.0", **HOVER}).encode()


@pytest.mark.parametrize(
    "broken",
    [
        b"Content-Length: 99999999999999\r\n\r\n" + BODY,
        b"Content-Length: -5\r\n\r\n" + BODY,
        b"Content-Length: many\r\n\r\n" + BODY,
        b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n" + BODY,
        b"Content-Length: %d\r\n\r\n" % (len(BODY) - 9) + BODY,
        b"Content-Length: %d\r\n\r\n" % (len(BODY) + 9) + BODY,
        b"Content-Type: application/vscode-jsonrpc\r\n\r\n" + BODY,
        b"x" * 10_000,
    ],
    ids=["huge", "negative", "no number", "long", "too small", "too large", "none", "no line ends"],
)
@pytest.mark.parametrize("first", [True, False], ids=["first", "later"])
def test_broken_framing_ends_the_server_with_a_word(tmp_path: Path, broken: bytes, first: bool) -> None:
    """The input stays open: a client that waits for its answer closes nothing."""
    with _serving(tmp_path) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(broken if first else framed(INITIALIZE) + broken)
        if b"Content-Length: %d" % (len(BODY) + 9) not in broken:
            process.stdin.write(framed(HOVER, HOVER))
        assert process.wait(PATIENCE) == 1
        assert b"the stream of messages is broken" in process.stderr.read()


def test_the_server_ends_with_its_client(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        assert client.stdin is not None
        with _serving(tmp_path) as process:
            _introduce(process, client.pid)
            assert process.poll() is None
            client.stdin.close()
            assert process.wait(PATIENCE) == 1


def test_a_client_that_never_lived_is_gone(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as client:
        client.wait()
    with _serving(tmp_path) as process:
        _introduce(process, client.pid)
        assert process.wait(PATIENCE) == 1


@pytest.mark.parametrize("number", [0, -1, 2**30])
def test_a_number_that_no_process_has_is_a_client_that_is_gone(tmp_path: Path, number: int) -> None:
    with _serving(tmp_path) as process:
        _introduce(process, number)
        assert process.wait(PATIENCE) == 1


def test_a_client_that_lives_is_served(tmp_path: Path) -> None:
    living = {**INITIALIZE, "params": {**INITIALIZE["params"], "processId": os.getpid()}}
    ended = run_server(tmp_path, living, SHUTDOWN, EXIT)
    assert ended.returncode == 0


@contextmanager
def _serving(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server whose input stays open."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        server_command(), stdin=pipe, stdout=subprocess.DEVNULL, stderr=pipe, cwd=folder, bufsize=0
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _introduce(process: subprocess.Popen[bytes], client: int) -> None:
    assert process.stdin is not None
    params = {**INITIALIZE["params"], "processId": client}
    process.stdin.write(framed({**INITIALIZE, "params": params}))
