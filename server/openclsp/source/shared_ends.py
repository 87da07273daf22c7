"""Common prefix and suffix of two sequences."""

from __future__ import annotations

from array import array
from typing import Any, TypeVar

Slices = TypeVar("Slices", bytes, list[Any], "array[int]")


def shared_ends(a: Slices, b: Slices) -> tuple[int, int]:
    """Returns the length of the common prefix, and the length of the common suffix after the prefix."""
    limit = min(len(a), len(b))
    front = _shared(a, b, limit, from_end=False)
    return front, _shared(a, b, limit - front, from_end=True)


def shared_front(a: Slices, b: Slices) -> int:
    """Returns the length of the common prefix."""
    return _shared(a, b, min(len(a), len(b)), from_end=False)


def shared_back(a: Slices, b: Slices) -> int:
    """Returns the length of the common suffix; it may overlap the common prefix."""
    return _shared(a, b, min(len(a), len(b)), from_end=True)


def _shared(a: Slices, b: Slices, limit: int, *, from_end: bool) -> int:
    """Returns the length of the common prefix, or suffix if `from_end`, but at most `limit`.

    The length is found by bisection.
    """
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if from_end:
            same = a[len(a) - middle : len(a) - low] == b[len(b) - middle : len(b) - low]
        else:
            same = a[low:middle] == b[low:middle]
        low, high = (middle, high) if same else (low, middle - 1)
    return low
