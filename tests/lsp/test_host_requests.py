"""Tests answers about other documents while a host file is open."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from lsprotocol import types
from openclsp.lsp.host_requests import answer_through_programs
from openclsp.lsp.transport.protocol import SerializedResult

PROGRAM = "file:///project/host.c%231.cl"


class Hosts:
    """The open host files; records which URIs were looked up."""

    def __init__(self) -> None:
        self.looked_up: list[str] = []

    def programs_of(self, name: str) -> tuple[()]:
        return ()

    def program_of_uri(self, uri: str) -> None:
        self.looked_up.append(uri)


def answer_elsewhere(result: SerializedResult) -> tuple[Any, Hosts]:
    hosts = Hosts()
    server: Any = SimpleNamespace(
        hosts=hosts,
        client_features=SimpleNamespace(encoding=types.PositionEncodingKind.Utf16),
        open_documents=SimpleNamespace(get_by_uri=lambda uri: None),
    )
    params = types.SemanticTokensParams(types.TextDocumentIdentifier("file:///project/kernel.cl"))

    async def answer(own: Any) -> SerializedResult:
        assert own is params
        return result

    method = types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL
    return asyncio.run(answer_through_programs(server, method, params, answer)), hosts


def test_a_serialized_answer_without_a_program_is_not_decoded() -> None:
    result = SerializedResult(b'{"data":[0,0,6,1,0]}')
    answered, hosts = answer_elsewhere(result)
    assert answered is result
    assert hosts.looked_up == []


def test_a_serialized_answer_that_names_a_program_is_translated() -> None:
    result = SerializedResult(f'[{{"uri":"{PROGRAM}"}}]'.encode())
    _, hosts = answer_elsewhere(result)
    assert PROGRAM in hosts.looked_up
