"""Debounces actions: each action runs when its document has not been edited for a while.

An edit of the document cancels the action.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

DEBOUNCE_SECONDS = 0.3
"""The seconds without an edit after which the flow of the whole file is solved again."""


class DebouncedActions:
    """The pending actions of the documents, at most one for each name. Owned by the event loop."""

    def __init__(self) -> None:
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def schedule(self, name: str, action: Callable[[], None], seconds: float = DEBOUNCE_SECONDS) -> None:
        """Schedules an action after `seconds` without an edit; replaces a pending action of the same name."""
        self.cancel(name)
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, action)

    def cancel(self, name: str) -> None:
        """Cancels the pending action, because the document was edited or closed."""
        waiting = self._timers.pop(name, None)
        if waiting is not None:
            waiting.cancel()
