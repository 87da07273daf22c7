"""Deltas of semantic tokens between two responses, as replacements of numbers."""

from __future__ import annotations

from array import array
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.ide.tokens.token_blocks import TokenBlock
from openclsp.source.shared_ends import shared_ends


@dataclass(frozen=True, slots=True)
class TokenDelta:
    """A delta: `count` numbers of an earlier response, from index `start`, are replaced by `numbers`."""

    start: int
    count: int
    numbers: list[int]


MAXIMUM_EARLIER_RESPONSES = 8
"""The number of earlier responses to which deltas can be computed, for clients that missed the last one."""


@dataclass(slots=True)
class EarlierResponse:
    """An earlier response that a client may still have.

    The response had `length` numbers. The first `front` and the last `back` of them are still unchanged.
    """

    length: int
    front: int
    back: int

    def delta_to(self, now: array[int]) -> tuple[TokenDelta, ...]:
        """Computes the delta from this response to the current numbers."""
        front = self.front
        back = min(self.back, self.length - front, len(now) - front)
        count, new_numbers = self.length - front - back, now[front : len(now) - back].tolist()
        return (TokenDelta(front, count, new_numbers),) if count or new_numbers else ()


@dataclass(slots=True)
class TokenResponses:
    """The last response, and how much of each earlier response is still equal to it.

    Deltas can be computed from the earlier responses to the last one.
    """

    identity: str = ""
    earlier: dict[str, EarlierResponse] = field(default_factory=dict)
    blocks: list[TokenBlock] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    numbers: array[int] = field(default_factory=lambda: array("I"))


def find_changed_runs(before: list[TokenBlock], now: list[TokenBlock]) -> list[tuple[int, int, int, int]]:
    """Finds the runs of changed blocks, the last run first.

    A run `(first, last, begin, end)` replaces the old blocks from `first` to `last` by the new blocks from
    `begin` to `end`; `last` and `end` are exclusive. An unchanged block with tokens separates two runs. The
    first token after a run is encoded relative to the last token of the run, so it changes as well.
    """
    front, back = shared_ends(before, now)
    last, end = len(before) - back, len(now) - back
    if front == last and front == end:
        return []
    if last != end:
        return [(front, last, front, end)]
    runs: list[tuple[int, int, int, int]] = []
    open_run, parted = False, True
    for index in range(front, end):
        if before[index] is now[index]:
            open_run = False
            parted = parted or bool(now[index].numbers)
        elif open_run or (runs and not parted):
            first = runs[-1][0]
            runs[-1] = (first, index + 1, first, index + 1)
            open_run = True
        else:
            runs.append((index, index + 1, index, index + 1))
            open_run, parted = True, False
        if open_run:
            parted = False
    return runs[::-1]


def replace_numbers(numbers: array[int], start: int, stop: int, new_numbers: array[int]) -> list[TokenDelta]:
    """Replaces the numbers from `start` to `stop` by `new_numbers`.

    Returns the minimal delta; empty if nothing changed.
    """
    gone = numbers[start:stop]
    if gone == new_numbers:
        return []
    front, back = shared_ends(gone, new_numbers)
    numbers[start:stop] = new_numbers
    return [
        TokenDelta(
            start + front, len(gone) - front - back, new_numbers[front : len(new_numbers) - back].tolist()
        )
    ]
