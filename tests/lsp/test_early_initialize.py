"""The `initialize` result, sent before pygls is loaded, equals the one that pygls would send."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.startup import capabilities, early_initialize

CLIENTS: dict[str, dict[str, Any]] = {
    "says nothing": {},
    "utf-8 first": {"general": {"positionEncodings": ["utf-8", "utf-16"]}},
    "utf-32 only": {"general": {"positionEncodings": ["utf-32"]}},
    "an encoding that nobody knows": {"general": {"positionEncodings": ["utf-7", "utf-16"]}},
    "only what nobody knows": {"general": {"positionEncodings": ["utf-7"]}},
    "general, but no encodings": {"general": {}},
    "pulls, and can be told to": {
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": True}},
    },
    "pulls, and cannot be told to": {
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": False}},
    },
    "can be told to, but does not pull": {"workspace": {"diagnostics": {"refreshSupport": True}}},
    "can do much": {
        "textDocument": {
            "synchronization": {"willSave": True, "willSaveWaitUntil": True, "didSave": True},
            "diagnostic": {"dynamicRegistration": True},
            "rename": {"prepareSupport": True},
            "semanticTokens": {
                "requests": {"full": {"delta": True}},
                "tokenTypes": [],
                "tokenModifiers": [],
                "formats": [],
            },
        },
        "notebookDocument": {"synchronization": {}},
        "workspace": {"fileOperations": {"didCreate": True}, "workspaceFolders": True},
    },
}


def _without_refusals(value: Any) -> Any:
    """What is offered: pygls says no of some things to a client that asks for them, and nothing to others."""
    if isinstance(value, dict):
        return {key: _without_refusals(each) for key, each in value.items() if each not in (False, None)}
    return value


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_the_early_initialize_result_equals_that_of_pygls(client: dict[str, Any]) -> None:
    output = io.BytesIO()
    request = {"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": {"capabilities": client}}
    assert early_initialize.answer_initialize_early(json.dumps(request).encode(), output) == 7
    head, body = output.getvalue().split(b"\r\n\r\n")
    assert head == b"Content-Length: %d" % len(body)
    answer = json.loads(body)
    expected = _without_refusals(capabilities.pygls_initialize_result(client))
    assert _without_refusals(answer["result"]) == expected
    assert answer == {"jsonrpc": "2.0", "id": 7, "result": answer["result"]}


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_whoever_is_not_offered_to_pull_is_pushed_to(client: dict[str, Any]) -> None:
    offered = "diagnosticProvider" in early_initialize.early_initialize_result(client)["capabilities"]
    assert ClientCapabilities.of(client, None).pulls_diagnostics == offered


def test_the_file_is_up_to_date() -> None:
    assert (
        Path(early_initialize.CAPABILITIES_FILE).read_text(encoding="utf-8")
        == capabilities.serialize_capabilities()
    ), "the features have changed: python -m openclsp.lsp.startup.capabilities"


@pytest.mark.parametrize(
    "body",
    [
        None,
        b"",
        b"{",
        b"[]",
        b"1",
        b'{"method": "initialize"}',
        b'{"id": 1, "method": "shutdown", "params": {"capabilities": {}}}',
        b'{"id": null, "method": "initialize", "params": {"capabilities": {}}}',
        b'{"id": 1, "method": "initialize", "params": null}',
        b'{"id": 1, "method": "initialize", "params": {}}',
        b'{"id": 1, "method": "initialize", "params": {"capabilities": null}}',
        b'{"id": 1, "method": "initialize", "params": {"capabilities": {"general": {"positionEncodings": 1}}}}',
    ],
)
def test_other_requests_are_left_to_pygls(body: bytes | None) -> None:
    output = io.BytesIO()
    assert early_initialize.answer_initialize_early(body, output) is None
    assert output.getvalue() == b""


def test_nothing_is_loaded_before_the_answer() -> None:
    program = """
import io, sys
from openclsp.lsp.startup.early_initialize import answer_initialize_early
from openclsp.lsp.startup import start
from openclsp.lsp.transport import message_reader
before = set(sys.modules)
request = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}'
assert answer_initialize_early(request, io.BytesIO()) == 1
print(*before, *sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in ran.stdout.split()}
    heavy = {"pygls", "lsprotocol", "attrs", "attr", "asyncio", "click", "dataclasses", "typing", "logging"}
    assert "json" in loaded
    assert not loaded & heavy
