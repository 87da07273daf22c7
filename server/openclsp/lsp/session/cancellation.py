"""Cancellation of work whose result is no longer needed: the check function and its exception."""

from __future__ import annotations

from collections.abc import Callable

CancellationCheck = Callable[[], None]
"""A function that long computations call at regular points; raises Superseded if the result is no longer
needed.
"""


class Superseded(Exception):
    """Raised if the job's document has changed or its request was cancelled.

    It aborts a whole job. It is caught only where the job was started: by the analysis thread's queue, or by the
    early analysis at the start of the server.
    """
