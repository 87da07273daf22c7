"""How work that nobody waits for is given up: where it looks, and by which exception."""

from __future__ import annotations

from collections.abc import Callable

Check = Callable[[], None]
"""Called by queries as they go; raises Superseded where nobody wants the answer any more."""


class Superseded(Exception):
    """The job's document has changed, or its request was cancelled. Only the queue catches this."""
