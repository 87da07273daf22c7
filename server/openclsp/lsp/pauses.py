"""Debounces actions: each runs when its document has not been edited for a while.

An edit cancels the timer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PAUSE = 0.3
"""Seconds without an edit after which the flow of the whole file is solved again."""


class Pauses:
    """At most one pending action per document, by its name. Owned by the event loop."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.TimerHandle] = {}

    def then(self, name: str, action: Callable[[], None], seconds: float = PAUSE) -> None:
        """Schedules an action after `seconds` without an edit, replacing the document's pending action."""
        self.over(name)
        self._waiting[name] = asyncio.get_running_loop().call_later(seconds, action)

    def over(self, name: str) -> None:
        """Cancels the document's pending action, because it was edited or closed."""
        waiting = self._waiting.pop(name, None)
        if waiting is not None:
            waiting.cancel()
