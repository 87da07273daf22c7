"""Progress of long work is reported once, to clients that support it, and blocks nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from lsprotocol import types
from openclsp.lsp.session import server_progress
from openclsp.lsp.session.client_capabilities import ClientCapabilities
from openclsp.lsp.session.server_progress import ServerProgress
from pygls.exceptions import JsonRpcInternalError


@dataclass
class Server:
    """As much of a server as progress needs; `log` is what the client was told."""

    shows: bool = True
    answers: str = "at once"
    log: list[str] = field(default_factory=list)
    tokens: dict[str, object] = field(default_factory=dict)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    late: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def client_features(self) -> ClientCapabilities:
        return ClientCapabilities(supports_progress=self.shows)

    @property
    def work_done_progress(self) -> Any:
        return SimpleNamespace(
            create_async=self._create,
            begin=self._begin,
            report=lambda _token, value: self.log.append(f"report {value.message}"),
            end=lambda _token, _value: self.log.append("end"),
            tokens=self.tokens,
        )

    def start_task(self, task: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.ensure_future(task))

    async def _create(self, token: str) -> None:
        self.log.append("create")
        if self.answers == "with an error":
            raise JsonRpcInternalError("no")
        if self.answers == "late":
            await self.late.wait()
        self.tokens[token] = None

    def _begin(self, _token: str, value: types.WorkDoneProgressBegin) -> None:
        assert not value.cancellable
        self.log.append(f"begin {value.title}")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_progress, "PROGRESS_DELAY", 0.01)


async def _work(shown: ServerProgress) -> None:
    with shown:
        shown.report("too early to be seen")
        await asyncio.sleep(0.1)
        shown.report("half")


async def test_long_work_reports_progress() -> None:
    server = Server()
    await _work(ServerProgress(server, "work"))  # type: ignore[arg-type]
    assert server.log == ["create", "begin work", "report half", "end"]
    assert server.tokens == {}


async def test_short_work_is_not() -> None:
    server = Server()
    with ServerProgress(server, "work"):  # type: ignore[arg-type]
        pass
    await asyncio.sleep(0.05)
    assert server.log == []


async def test_a_client_that_cannot_show_it_is_not_asked() -> None:
    server = Server(shows=False)
    await _work(ServerProgress(server, "work"))  # type: ignore[arg-type]
    assert server.log == []


async def test_work_that_overlaps_is_one() -> None:
    server = Server()
    shown = ServerProgress(server, "work")  # type: ignore[arg-type]
    await asyncio.gather(_work(shown), _work(shown))
    assert server.log == ["create", "begin work", "report half", "report half", "end"]
    await _work(shown)
    assert server.log[5:] == ["create", "begin work", "report half", "end"]


@pytest.mark.parametrize("answers", ["with an error", "late"])
async def test_nothing_waits_for_the_client(answers: str) -> None:
    server = Server(answers=answers)
    await asyncio.wait_for(_work(ServerProgress(server, "work")), 5)  # type: ignore[arg-type]
    assert server.log == ["create"]
    for task in server.tasks:
        task.cancel()


async def test_work_that_ends_before_the_client_has_answered_is_not_begun() -> None:
    server = Server(answers="late")
    await _work(ServerProgress(server, "work"))  # type: ignore[arg-type]
    server.late.set()
    await asyncio.gather(*server.tasks)
    assert server.log == ["create"]
    assert server.tokens == {}


async def test_a_crash_ends_it() -> None:
    server = Server()
    shown = ServerProgress(server, "work")  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError), shown:
        await asyncio.sleep(0.05)
        raise ZeroDivisionError
    assert server.log == ["create", "begin work", "end"]
