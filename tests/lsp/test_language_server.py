"""When the server publishes diagnostics: after the answers that clients wait for, never after a `shutdown` request."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from openclsp.lsp.language_server import OpenclServer


def test_nothing_is_published_after_the_shutdown_request() -> None:
    sent: list[bytes] = []
    server: Any = SimpleNamespace(
        shutdown_requested=False,
        early_publication=None,
        hosts=(),
        protocol=SimpleNamespace(send=sent.append),
    )
    document: Any = SimpleNamespace(uri="file:///k.cl", version=1)
    OpenclServer.publish_diagnostics(server, document, b"")
    assert len(sent) == 1
    server.shutdown_requested = True
    OpenclServer.publish_diagnostics(server, document, b"")
    assert len(sent) == 1


async def test_diagnostics_wait_for_the_requests_that_have_arrived() -> None:
    waiting, notes = ["an edit", "a request"], []
    server: Any = SimpleNamespace(
        is_handling_messages=lambda: bool(waiting), _answering=0, _answered=asyncio.Event()
    )

    async def diagnose() -> None:
        await OpenclServer.let_requests_go_first(server)
        notes.append("diagnosed")

    task = asyncio.ensure_future(diagnose())
    await asyncio.sleep(0)
    waiting.pop()
    server._answering = 1
    waiting.pop()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    notes.append("answered")
    server._answering = 0
    server._answered.set()
    await task
    assert notes == ["answered", "diagnosed"]


async def test_diagnostics_do_not_wait_for_an_endless_stream_of_messages() -> None:
    server: Any = SimpleNamespace(is_handling_messages=lambda: True, _answering=0)
    await asyncio.wait_for(OpenclServer.let_requests_go_first(server), 10)
