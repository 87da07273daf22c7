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
    """A stream with a client's messages that stays open until the test ends it."""

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
    """Records the bytes that are sent to the client."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: memoryview, /) -> int:
        self.data += data
        return len(data)

    def close(self) -> None:
        """Does nothing."""

    def messages(self) -> list[dict[str, Any]]:
        incoming = MessageReader(_Bytes(self.data))
        return [json.loads(body) for body in iter(incoming.read_message, None)]


class _Bytes:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, size: int, /) -> bytes:
        found, self._data = self._data[:size], self._data[size:]
        return found


def run_prestart(
    *messages: dict[str, Any], capabilities: object = None, **params: Any
) -> tuple[PrestartState, list[dict[str, Any]], list[bytes | None]]:
    """Runs the early analysis; returns its state, the messages sent, and those left to the server."""
    introduction = json.dumps({"params": {"capabilities": capabilities or {}, **params}}).encode()
    stream, written = Stream(*messages), Written()
    arriving = MessageQueue(MessageReader(stream))
    # All messages have arrived before it begins, so that the result does not depend on time.
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


def test_a_document_opened_at_once_is_diagnosed() -> None:
    found, (published,), handled = run_prestart(INITIALIZED, opened())
    assert codes(published) == ["pointer-conversion", "pointer-conversion"]
    assert (published["params"]["uri"], published["params"]["version"]) == (URI, 1)
    assert found.publication is not None and found.session is not None and not found.settings_requested
    assert len(handled) >= 2


def test_requests_wait_for_the_server() -> None:
    hover = {"id": 3, "method": "textDocument/hover", "params": {}}
    _, (published,), handled = run_prestart(INITIALIZED, hover, opened(), {**hover, "id": 4})
    assert codes(published) == ["pointer-conversion", "pointer-conversion"]
    assert [json.loads(each or b"{}").get("id") for each in handled[:4]] == [None, 3, None, 4]


def test_the_settings_are_requested_first() -> None:
    answer = {"id": SETTINGS_REQUEST_ID, "result": [{"languageVersion": "CL2.0"}, None]}
    folders = [{"uri": "file:///nowhere", "name": "nowhere"}]
    found, (question, published), _ = run_prestart(
        INITIALIZED, opened(), answer, capabilities=ASKING, workspaceFolders=folders
    )
    assert question["method"] == "workspace/configuration" and question["id"] == SETTINGS_REQUEST_ID
    assert [each.get("scopeUri") for each in question["params"]["items"]] == [None, "file:///nowhere"]
    assert codes(published) == ["pointer-conversion"]
    assert found.settings_requested


def test_initialization_options_apply() -> None:
    _, (published,), _ = run_prestart(
        INITIALIZED, opened(), initializationOptions={"languageVersion": "CL2.0"}
    )
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
def test_an_unusual_sequence_is_left_to_the_server(
    messages: tuple[dict[str, Any], ...], caplog: pytest.LogCaptureFixture
) -> None:
    found, sent, _ = run_prestart(*messages)
    assert (found.publication, sent) == (None, [])
    assert not caplog.records


def test_nothing_is_published_to_a_client_that_pulls() -> None:
    found, sent, _ = run_prestart(INITIALIZED, opened(), capabilities=PULLING)
    assert (found.publication, found.session, sent) == (None, None, [])


def test_an_error_response_to_the_settings_request_is_left_to_the_server() -> None:
    refused = {"id": SETTINGS_REQUEST_ID, "error": {"code": -32603, "message": "no"}}
    found, (question,), _ = run_prestart(INITIALIZED, refused, opened(), capabilities=ASKING)
    assert (found.settings_requested, found.publication, question["id"]) == (True, None, SETTINGS_REQUEST_ID)


def test_an_edit_ends_it() -> None:
    change = {"method": "textDocument/didChange", "params": {}}
    found, sent, handled = run_prestart(INITIALIZED, opened(), change)
    assert (found.publication, sent) == (None, [])
    assert len(handled) >= 3


PROGRAM = """
import io, json, sys
sys.path.insert(0, {tests!r})
from tests.lsp.test_prestart import INITIALIZED, codes, run_prestart, opened
found, (published,), _ = run_prestart(INITIALIZED, opened())
assert codes(published) == ["pointer-conversion", "pointer-conversion"]
print(*sorted({{name.partition(".")[0] for name in sys.modules}}))
"""


def test_neither_pygls_nor_its_dependencies_are_imported(request: pytest.FixtureRequest) -> None:
    program = PROGRAM.format(tests=str(request.config.rootpath))
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert not {"pygls", "lsprotocol", "attrs", "cattrs", "asyncio"} & set(ran.stdout.split())
