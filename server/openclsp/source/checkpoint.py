"""Checkpoint: a callback that long computations call every few milliseconds.

A checkpoint may raise an exception to cancel the computation, or run other work. Therefore all shared state
must be consistent whenever a checkpoint is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Checkpoint: TypeAlias = Callable[[], None]


def no_checkpoint() -> None:
    """Does nothing: the checkpoint of a computation that is not interrupted."""
