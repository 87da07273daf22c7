"""Where long work asks whether it may go on: a function that is called every few milliseconds.

It may raise, and the work is abandoned; or it may do other work first, so nothing that it could touch may be half-done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Checkpoint: TypeAlias = Callable[[], None]


def no_checkpoint() -> None:
    """For work that nobody interrupts."""
