"""The server's life cycle: its answers before, between and after `initialize` and `shutdown`, and its exit."""

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
from .test_server_process import EXIT, INITIALIZE, SHUTDOWN, framed, received, run_server

Message = dict[str, Any]

HOVER: Message = {
    "id": 7,
    "method": "textDocument/hover",
    "params": {"textDocument": {"uri": "file:///k.cl"}, "position": {"line": 0, "character": 0}},
}


def with_parameters(**parameters: object) -> Message:
    """Returns the request `initialize` with additional or replaced parameters."""
    return {**INITIALIZE, "params": {**INITIALIZE["params"], **parameters}}


def answers(output: bytes) -> list[tuple[Any, Any]]:
    """Returns the id of each answer with its error code; None for a result."""
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
        (
            [{"id": 9, "method": "initialize"}, INITIALIZE, SHUTDOWN, EXIT],
            [(9, -32602), (1, None), (2, None)],
        ),
        (
            [INITIALIZE, {"method": "$/cancelRequest", "params": {"id": []}}, SHUTDOWN, EXIT],
            [(1, None), (2, None)],
        ),
        (
            [with_parameters(trace="loud"), {"id": 7, "method": "no/such"}, SHUTDOWN, EXIT],
            [(1, None), (7, -32601), (2, None)],
        ),
        (
            [with_parameters(processId="x", rootUri=5), {"id": 7, "method": "no/such"}, SHUTDOWN, EXIT],
            [(1, None), (7, -32601), (2, None)],
        ),
        (
            [INITIALIZE, {"id": 8, "method": "no/such"}, {"id": 9, "method": 5}, SHUTDOWN, EXIT],
            [(1, None), (8, -32601), (9, -32600), (2, None)],
        ),
        (
            [INITIALIZE, {"id": [], "result": 1}, {"id": 5, "error": 5}, SHUTDOWN, EXIT],
            [(1, None), (2, None)],
        ),
    ],
    ids=[
        "before initialize",
        "initialize twice",
        "after shutdown",
        "shutdown twice",
        "an unreadable notification",
        "initialize without parameters",
        "an unreadable cancellation",
        "initialize with an unknown trace value",
        "initialize with parameters of other types",
        "methods that do not exist",
        "unreadable answers",
    ],
)
def test_requests_out_of_order_are_refused(
    tmp_path: Path, messages: list[Message], expected: list[tuple[Any, Any]]
) -> None:
    ended = run_server(tmp_path, *messages)
    assert answers(ended.stdout) == expected
    assert ended.returncode == 0, ended.stderr.decode()
    assert b"Traceback" not in ended.stderr


@pytest.mark.parametrize(
    "body, code",
    [
        (b"{", -32700),
        (b'{"jsonrpc":"2.0",}', -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 200_000, -32700),
        (b'{"jsonrpc":"2.0","id":3,"method":"x","params":' + b'{"a":' * 100_000, -32700),
        (b'{"jsonrpc":"2.0","id":NaN,"method":"x"}', -32700),
        ('{"jsonrpc":"2.0","id":3,"method":"x"}'.encode("utf-16"), -32700),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"x"}', -32600),
        (b'{"jsonrpc":"2.0","id":[],"method":"x"}', -32600),
        (b"[]", -32600),
        (b"17", -32600),
        (b'{"id":3}', -32600),
    ],
    ids=[
        "cut off",
        "a comma too many",
        "not UTF-8",
        "nested too deep",
        "parameters nested too deep",
        "no number",
        "UTF-16",
        "a broken number as id",
        "an array as id",
        "an array",
        "a number",
        "no version",
    ],
)
@pytest.mark.parametrize("first", [True, False], ids=["first", "later"])
def test_a_message_that_cannot_be_read_costs_nothing_else(
    tmp_path: Path, body: bytes, code: int, first: bool
) -> None:
    broken = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    begun = broken + framed(INITIALIZE) if first else framed(INITIALIZE) + broken
    sent = begun + framed(SHUTDOWN, EXIT)
    ended = subprocess.run(
        server_command(), input=sent, capture_output=True, timeout=PATIENCE, cwd=tmp_path, check=False
    )
    refused = (None, code)
    assert answers(ended.stdout) == [*([refused, (1, None)] if first else [(1, None), refused]), (2, None)]
    assert ended.returncode == 0
    assert b"Traceback" not in ended.stderr


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
        b"X: y\r\n" * 1000,
        b"Content-Length: 9\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY,
    ],
    ids=[
        "huge",
        "negative",
        "no number",
        "long",
        "too small",
        "too large",
        "none",
        "no line ends",
        "no end",
        "two",
    ],
)
@pytest.mark.parametrize("first", [True, False], ids=["first", "later"])
def test_broken_framing_ends_the_server_with_a_word(tmp_path: Path, broken: bytes, first: bool) -> None:
    """The input stays open, as with a client that waits for the answer."""
    with _serving(tmp_path) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(broken if first else framed(INITIALIZE) + broken)
        if b"Content-Length: %d" % (len(BODY) + 9) not in broken:
            process.stdin.write(framed(HOVER, HOVER))
        assert process.wait(PATIENCE) == 1
        assert b"the message stream is broken" in process.stderr.read()


def test_a_client_that_is_killed_while_it_asks(tmp_path: Path) -> None:
    """If the client's process is gone, its pipes are closed and the server stops its analysis."""
    uri = (tmp_path / "k.cl").as_uri()
    kernel = "kernel void k%d(global int *g) { local int *l = g; for (;;) g[0] += l[%d]; }\n"
    text = "".join(kernel % (number, number) for number in range(500))
    opening = {"uri": uri, "languageId": "opencl", "version": 1, "text": text}
    hover = {**HOVER, "params": {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 30}}}
    asked: list[Message] = [{"method": "textDocument/didOpen", "params": {"textDocument": opening}}]
    for version in range(2, 100):
        change = {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": text * (version % 3)}],
        }
        asked += [{"method": "textDocument/didChange", "params": change}, {**hover, "id": version}]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        server_command(), stdin=pipe, stdout=pipe, stderr=pipe, cwd=tmp_path, bufsize=0
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(framed(INITIALIZE))
        assert process.stdout.read(1)
        process.stdout.close()
        process.stdin.write(framed({"method": "initialized", "params": {}}, *asked))
        process.stdin.close()
        assert process.wait(PATIENCE) == 1
        assert process.stderr.read().decode() == "openclsp: the client is gone\n"


def test_the_server_ends_with_its_client(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        assert client.stdin is not None
        with _serving(tmp_path) as process:
            _introduce(process, client.pid)
            assert process.poll() is None
            client.stdin.close()
            assert process.wait(PATIENCE) == 1


def test_the_server_ends_with_its_client_while_it_is_still_loading(tmp_path: Path) -> None:
    (tmp_path / "slow" / "pygls").mkdir(parents=True)
    (tmp_path / "slow" / "pygls" / "__init__.py").write_text("import time\ntime.sleep(600)\n")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as client:
        assert client.stdin is not None
        with _serving(tmp_path, search_first=tmp_path / "slow") as process:
            _introduce(process, client.pid)
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
def _serving(folder: Path, search_first: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a server whose input stays open. Python searches modules in the folder `search_first` before others."""
    pipe = subprocess.PIPE
    environment = dict(os.environ)
    if search_first is not None:
        paths = (str(search_first), environment.get("PYTHONPATH", ""))
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    with subprocess.Popen(
        server_command(),
        stdin=pipe,
        stdout=subprocess.DEVNULL,
        stderr=pipe,
        cwd=folder,
        bufsize=0,
        env=environment,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _introduce(process: subprocess.Popen[bytes], client: int) -> None:
    assert process.stdin is not None
    params = {**INITIALIZE["params"], "processId": client}
    process.stdin.write(framed({**INITIALIZE, "params": params}))


def test_exit_without_shutdown_is_a_failure(tmp_path: Path) -> None:
    assert run_server(tmp_path, INITIALIZE, EXIT).returncode == 1
