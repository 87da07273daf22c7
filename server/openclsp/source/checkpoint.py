"""Checkpoint: a callback that long computations call every few milliseconds.

It may raise, which abandons the computation, or run other work first: no shared state may be half updated at
a call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Checkpoint: TypeAlias = Callable[[], None]


def no_checkpoint() -> None:
    """The checkpoint of a computation that is never interrupted."""
