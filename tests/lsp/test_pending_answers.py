"""Diagnostics wait for the requests that have arrived."""

from __future__ import annotations

import asyncio

from openclsp.lsp.session.pending_answers import PendingAnswers


async def test_diagnostics_wait_for_the_requests_that_have_arrived() -> None:
    waiting, notes, pending = ["an edit", "a request"], [], PendingAnswers()

    async def diagnose() -> None:
        await pending.let_requests_go_first(lambda: bool(waiting), 10.0)
        notes.append("diagnosed")

    task = asyncio.ensure_future(diagnose())
    await asyncio.sleep(0)
    waiting.pop()
    with pending.add():
        waiting.pop()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        notes.append("answered")
    await task
    assert notes == ["answered", "diagnosed"]


async def test_diagnostics_wait_for_the_next_request_of_a_burst() -> None:
    notes: list[str] = []
    pending = PendingAnswers()

    async def diagnose() -> None:
        await pending.let_requests_go_first(lambda: False, 10.0)
        notes.append("diagnosed")

    with pending.add():
        task = asyncio.ensure_future(diagnose())
        await asyncio.sleep(0)
    # the client reads the first answer and asks again; the event loop turns meanwhile
    for _ in range(5):
        await asyncio.sleep(0)
    with pending.add():
        notes.append("answered")
    await task
    assert notes == ["answered", "diagnosed"]


async def test_diagnostics_do_not_wait_for_ever() -> None:
    pending = PendingAnswers()
    await asyncio.wait_for(pending.let_requests_go_first(lambda: True, 10.0), 10)
    with pending.add():
        await asyncio.wait_for(pending.let_requests_go_first(lambda: False, 0.001), 10)
