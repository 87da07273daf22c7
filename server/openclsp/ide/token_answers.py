"""What has changed between two answers: the numbers that a client has to replace."""

from __future__ import annotations

from array import array
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.ide.token_blocks import Block
from openclsp.source.shared_ends import shared_ends


@dataclass(frozen=True, slots=True)
class Splice:
    """Of the numbers of the answer before, `count` from `start` on are replaced by `numbers`."""

    start: int
    count: int
    numbers: list[int]


MAXIMUM_PAST = 8
"""So many answers are remembered, for clients that did not get the last one."""


@dataclass(slots=True)
class Past:
    """An answer that a client may still have: of its numbers, of which there were `length`, those before `front` and the
    last `back` have stayed."""

    length: int
    front: int
    back: int

    def splices(self, now: array[int]) -> tuple[Splice, ...]:
        """What makes the numbers of now of it."""
        front = self.front
        back = min(self.back, self.length - front, len(now) - front)
        count, come = self.length - front - back, now[front : len(now) - back].tolist()
        return (Splice(front, count, come),) if count or come else ()


@dataclass(slots=True)
class Answered:
    """The last answer, and what is known of those before it."""

    identity: str = ""
    past: dict[str, Past] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    numbers: array[int] = field(default_factory=lambda: array("I"))


def changed_runs(before: list[Block], now: list[Block]) -> list[tuple[int, int, int, int]]:
    """The runs of blocks that are others now, as (first, last) of those before and (begin, end) of those now, by
    descending place. Between two of them stands a block with tokens that is in both."""
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


def spliced(numbers: array[int], start: int, stop: int, come: array[int]) -> list[Splice]:
    """Puts `come` in the place of the numbers from `start` to `stop`; what that changes, if anything."""
    gone = numbers[start:stop]
    if gone == come:
        return []
    front, back = shared_ends(gone, come)
    numbers[start:stop] = come
    return [Splice(start + front, len(gone) - front - back, come[front : len(come) - back].tolist())]
