"""Server-initiated progress for long work in the background (LSP 3.17, "Server Initiated Progress")."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol, final

from lsprotocol import types
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from pygls.progress import Progress

    from openclsp.lsp.session.client_capabilities import ClientCapabilities

PROGRESS_DELAY = 0.1
"""The seconds of work before progress is shown."""


class ProgressServer(Protocol):
    """The part of the server that `ServerProgress` uses."""

    client_features: ClientCapabilities

    @property
    def work_done_progress(self) -> Progress:
        """The object of pygls that sends progress notifications to the client."""

    def start_task(self, task: Coroutine[Any, Any, None]) -> None:
        """Runs a task in the background."""


@final
class ServerProgress:
    """A context manager that shows progress in the client while at least one `with` block uses it.

    The work in the block never waits for the client.
    """

    def __init__(self, server: ProgressServer, title: str) -> None:
        self._server, self._title = server, title
        self._active_count = self._round = 0
        self._timer: asyncio.TimerHandle | None = None
        self._token = ""

    def __enter__(self) -> ServerProgress:
        self._active_count += 1
        if self._active_count == 1 and self._server.client_features.supports_progress:
            self._round += 1
            self._timer = asyncio.get_running_loop().call_later(PROGRESS_DELAY, self._show)
        return self

    def __exit__(self, *_error: object) -> None:
        self._active_count -= 1
        if self._active_count == 0:
            if self._timer is not None:
                self._timer.cancel()
            self._end()

    def report(self, message: str) -> None:
        """Shows `message`, the name of the current step."""
        if self._token:
            self._server.work_done_progress.report(self._token, types.WorkDoneProgressReport(message=message))

    def _show(self) -> None:
        self._server.start_task(self._begin(self._round))

    async def _begin(self, round_: int) -> None:
        token = f"openclsp/{self._title}/{round_}"
        try:
            await self._server.work_done_progress.create_async(token)
        except JsonRpcException:
            # The client rejects the progress; the work itself is unaffected.
            return
        if self._active_count and self._round == round_:
            self._token = token
            begin = types.WorkDoneProgressBegin(title=self._title, cancellable=False)
            self._server.work_done_progress.begin(token, begin)
        else:
            self._server.work_done_progress.tokens.pop(token, None)

    def _end(self) -> None:
        if self._token:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())
            self._server.work_done_progress.tokens.pop(self._token, None)
            self._token = ""
