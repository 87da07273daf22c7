"""What waits until a person pauses: an edit of the same document puts an end to it, and costs no timer that goes off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PAUSE = 0.3
"""Seconds after which a person pauses: only then what flows is followed through the whole file."""


class Pauses:
    """One action for each document, by its name. Belongs to the event loop."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.TimerHandle] = {}

    def then(self, name: str, action: Callable[[], None], seconds: float = PAUSE) -> None:
        """Does this when the document has not been edited for so long, and not what waited for that before."""
        self.over(name)
        self._waiting[name] = asyncio.get_running_loop().call_later(seconds, action)

    def over(self, name: str) -> None:
        """The document is edited, or gone."""
        waiting = self._waiting.pop(name, None)
        if waiting is not None:
            waiting.cancel()
