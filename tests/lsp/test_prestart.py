"""Analysing the first opened document before the server has started."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from openclsp.lsp.startup.message_queue import MessageQueue
from openclsp.lsp.startup.prestart import SETTINGS_REQUEST_ID, PrestartState, analyse_first_document
from openclsp.lsp.transport.message_reader import MessageReader
from openclsp.lsp.transport.message_writer import MessageWriter, frame_message

URI = "file:///nowhere/k.cl"
TEXT = "kernel void k(global int *g) { local int *p = g; p[0] = 1; int *q = g; }\n"
INITIALIZED = {"method": "initialized", "params": {}}
PULLING = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
ASKING = {"workspace": {"configuration": True}}


def opened(text: str = TEXT, version: object = 1) -> dict[str, Any]:
    item = {"uri": URI, "languageId": "opencl", "version": version, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": item}}


class Stream:
    """A client's messages; then it waits, as a client does, until it is let go."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        bodies = (json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages)
        self._data = b"".join(map(frame_message, bodies))
        self.over = threading.Event()

    def read(self, size: int, /) -> bytes:
        found, self._data = self._data[:size], self._data[size:]
        if not found:
            self.over.wait()
        return found


class Written:
    """What the client gets."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: memoryview, /) -> int:
        self.data += data
        return len(data)

    def close(self) -> None:
        """Nothing holds it open."""

    def messages(self) -> list[dict[str, Any]]:
        incoming = MessageReader(_Bytes(self.data))
        return [json.loads(body) for body in iter(incoming.read_message, None)]


class _Bytes:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, size: int, /) -> bytes:
        found, self._data = self._data[:size], self._data[size:]
        return found


def looked(
    *messages: dict[str, Any], capabilities: object = None, **params: Any
) -> tuple[PrestartState, list[dict[str, Any]], list[bytes | None]]:
    """What the first look found, what the client was sent, and what the server gets to handle."""
    introduction = json.dumps({"params": {"capabilities": capabilities or {}, **params}}).encode()
    stream, written = Stream(*messages), Written()
    arriving = MessageQueue(MessageReader(stream))
    # how long is waited for messages that are still to come is the clock's business, not these tests'
    while len(arriving) < len(messages):
        time.sleep(0.001)
    found = analyse_first_document(introduction, arriving, MessageWriter(written))
    handled: list[bytes | None] = []
    arriving.forward_to(handled.append)
    stream.over.set()
    return found, written.messages(), handled


def codes(message: dict[str, Any]) -> list[str]:
    assert message["method"] == "textDocument/publishDiagnostics"
    return [each["code"] for each in message["params"]["diagnostics"]]


def test_a_document_that_is_opened_at_once_is_told_of() -> None:
    found, (published,), handled = looked(INITIALIZED, opened())
    assert codes(published) == ["pointer-conversion", "pointer-conversion"]
    assert (published["params"]["uri"], published["params"]["version"]) == (URI, 1)
    assert found.publication is not None and found.session is not None and not found.settings_requested
    assert len(handled) >= 2


def test_requests_wait_for_the_server() -> None:
    hover = {"id": 3, "method": "textDocument/hover", "params": {}}
    _, (published,), handled = looked(INITIALIZED, hover, opened(), {**hover, "id": 4})
    assert codes(published) == ["pointer-conversion", "pointer-conversion"]
    assert [json.loads(each or b"{}").get("id") for each in handled[:4]] == [None, 3, None, 4]


def test_the_client_is_asked_for_its_settings_first() -> None:
    answer = {"id": SETTINGS_REQUEST_ID, "result": [{"languageVersion": "CL2.0"}, None]}
    folders = [{"uri": "file:///nowhere", "name": "nowhere"}]
    found, (question, published), _ = looked(
        INITIALIZED, opened(), answer, capabilities=ASKING, workspaceFolders=folders
    )
    assert question["method"] == "workspace/configuration" and question["id"] == SETTINGS_REQUEST_ID
    assert [each.get("scopeUri") for each in question["params"]["items"]] == [None, "file:///nowhere"]
    assert codes(published) == ["pointer-conversion"]
    assert found.settings_requested


def test_what_came_with_the_first_request_holds() -> None:
    _, (published,), _ = looked(INITIALIZED, opened(), initializationOptions={"languageVersion": "CL2.0"})
    assert codes(published) == ["pointer-conversion"]


@pytest.mark.parametrize(
    "messages",
    [
        (),
        (INITIALIZED,),
        (opened(),),
        (INITIALIZED, {"method": "exit"}),
        (INITIALIZED, {"id": 2, "method": "shutdown"}, opened()),
        (INITIALIZED, {"method": "workspace/didChangeConfiguration", "params": {}}, opened()),
        (INITIALIZED, opened(version=None)),
        (INITIALIZED, {"method": "textDocument/didOpen", "params": []}),
        (INITIALIZED, {"method": "textDocument/didOpen", "params": {"textDocument": {}}}),
        (INITIALIZED, {**opened(), "method": 1}),
    ],
)
def test_what_is_not_as_usual_is_left_to_the_server(
    messages: tuple[dict[str, Any], ...], caplog: pytest.LogCaptureFixture
) -> None:
    found, sent, _ = looked(*messages)
    assert (found.publication, sent) == (None, [])
    assert not caplog.records


def test_a_client_that_asks_by_itself_is_not_told() -> None:
    found, sent, _ = looked(INITIALIZED, opened(), capabilities=PULLING)
    assert (found.publication, found.session, sent) == (None, None, [])


def test_settings_that_are_refused_are_the_servers_business() -> None:
    refused = {"id": SETTINGS_REQUEST_ID, "error": {"code": -32603, "message": "no"}}
    found, (question,), _ = looked(INITIALIZED, refused, opened(), capabilities=ASKING)
    assert (found.settings_requested, found.publication, question["id"]) == (True, None, SETTINGS_REQUEST_ID)


def test_an_edit_ends_it() -> None:
    change = {"method": "textDocument/didChange", "params": {}}
    found, sent, handled = looked(INITIALIZED, opened(), change)
    assert (found.publication, sent) == (None, [])
    assert len(handled) >= 3


PROGRAM = """
import io, json, sys
sys.path.insert(0, {tests!r})
from tests.lsp.test_prestart import INITIALIZED, codes, looked, opened
found, (published,), _ = looked(INITIALIZED, opened())
assert codes(published) == ["pointer-conversion", "pointer-conversion"]
print(*sorted({{name.partition(".")[0] for name in sys.modules}}))
"""


def test_neither_pygls_nor_its_dependencies_are_loaded_for_it(request: pytest.FixtureRequest) -> None:
    program = PROGRAM.format(tests=str(request.config.rootpath))
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert not {"pygls", "lsprotocol", "attrs", "cattrs", "asyncio"} & set(ran.stdout.split())
