"""The performance goals relative to clangd, measured in the same run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Goal:
    """The maximum for one kind of action, by file. A ratio is openclsp's figure divided by clangd's."""

    what: str
    quantity: str
    limits: Mapping[str, float]
    ratio: bool = True
    unit: str = ""


_REAL = {"basic.cl": 1 / 30, "inc_hash_sha512.cl": 1 / 30}
_SIGNATURE = {"1,000": 1 / 8, "5,000": 1 / 15, "10,000": 1 / 20, "50,000": 1 / 30}

GOALS = (
    Goal(
        "one character in a body",
        "CPU",
        {"1,000": 1 / 10, "5,000": 1 / 30, "10,000": 1 / 50, "50,000": 1 / 80, **_REAL},
    ),
    Goal("a space in a signature", "CPU", _SIGNATURE),
    Goal("a space in a signature, each a new one", "CPU", _SIGNATURE),
    Goal("a #define at the top", "CPU", {"1,000": 1 / 2, "5,000": 1 / 4, "10,000": 1 / 4, "50,000": 1 / 4}),
    Goal(
        "one character in a body",
        "wall p50",
        {"100": 10, "1,000": 10, "5,000": 10, "10,000": 10},
        ratio=False,
        unit=" ms",
    ),
    Goal("an opened brace", "wall p50", {"10,000": 30}, ratio=False, unit=" ms"),
    Goal("an opened comment", "wall p50", {"10,000": 30}, ratio=False, unit=" ms"),
    Goal("hover after an edit", "wall p95", {"5,000": 10}, ratio=False, unit=" ms"),
    Goal("start to first diagnostics", "wall p50", {"1,000": 5, "5,000": 3, "10,000": 2.5}),
    Goal("after opening", "memory (PSS)", {"10,000": 2, "50,000": 2}),
)
