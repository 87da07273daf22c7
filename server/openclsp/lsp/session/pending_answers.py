"""The requests that are being answered; the computation of diagnostics waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

_MAXIMUM_TURNS: Final = 30
"""The maximum number of event loop turns for which diagnostics wait for messages; a message takes 2 or 3
turns.
"""
_BURST_SECONDS: Final = 0.002
"""How long diagnostics wait for a further request after an answer.

After one edit, an editor asks for several things, each when it has read the last answer.
"""


class PendingAnswers:
    """Counts the requests about documents that are being answered on the analysis thread."""

    def __init__(self) -> None:
        self._count = self._answered = 0
        self._none_is_pending = asyncio.Event()

    @contextmanager
    def add(self) -> Iterator[None]:
        """Counts a request as pending while the context is open."""
        self._count += 1
        self._none_is_pending.clear()
        try:
            yield
        finally:
            self._count -= 1
            self._answered += 1
            if not self._count:
                self._none_is_pending.set()

    async def let_requests_go_first(self, is_handling_messages: Callable[[], bool], seconds: float) -> None:
        """Waits until the received messages are handled and the pending requests are answered.

        The caller then computes diagnostics. Without the wait, a request that comes with an edit would
        interrupt their computation, which takes several times as long as most requests. Each wait for pending requests ends after at most `seconds`. After an answer, the
        function waits `_BURST_SECONDS` for a further request.
        """
        answered = self._answered
        for _ in range(_MAXIMUM_TURNS):
            pause = 0.0
            if self._count:
                # While the analysis thread computes diagnostics, the event loop would send the answer
                # milliseconds later.
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._none_is_pending.wait(), seconds)
            elif not is_handling_messages():
                if self._answered == answered:
                    return
                answered, pause = self._answered, _BURST_SECONDS
            await asyncio.sleep(pause)
