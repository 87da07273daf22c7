"""Cancellation of work whose result is no longer needed: the check function and its exception."""

from __future__ import annotations

from collections.abc import Callable

CancellationCheck = Callable[[], None]
"""A function that long computations call at regular points; raises Superseded if the result is no longer
needed.
"""


class Superseded(Exception):
    """Raised if the job's document has changed or its request was cancelled.

    Only the caller of the whole job catches it: the job queue, or the early analysis at the server's start.
    """
