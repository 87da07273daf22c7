"""What an edit changes where it changes numbers alone: then the text is not parsed again.

A parser sees in a number a token, and which one it is it does not see. So a text in which only numbers became other
numbers has the tree that it had, with its leaves at other places.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from openclsp.semantics.number_class import number_class
from openclsp.semantics.table import Table
from openclsp.source.source_map import SourceMap
from openclsp.source.tree import kind

Numbers = tuple[tuple[int, bytes], ...]
"""Leaves that are number literals, in order, and their texts"""

_NUMBER_LITERAL: Final = kind("number_literal")
_NUMBER: Final = re.compile(rb"(?<![\w.$\x80-\xff])(\.?[0-9](?:[eEpP][+-]|[\w.])*)")
"""A preprocessing number (C99 6.4.8)"""


class Change(NamedTuple):
    """The bytes `start` to `end` of a text become `new`."""

    start: int
    end: int
    new: bytes


def made_by_macros(source_map: SourceMap, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The stretches from byte `start` to `end` of the expanded text that macros expand to, in bytes from `start`."""
    lines = source_map.lines
    first, last = lines.find(start), lines.find(max(end - 1, start))
    found = []
    for number, row in enumerate(source_map.rows[first : last + 1], first):
        if row is not None and row.calls:
            base = lines.start(number) - start
            found += [(base + call.column, base + call.end_column) for call in row.calls]
    return tuple(found)


def numbers_in(table: Table, body: int, base: int, stretches: Sequence[tuple[int, int]]) -> Numbers:
    """The number literals from leaf `body` on that lie in one of the stretches, and of which a value may be another one;
    `base` is added to their places in bytes."""
    found = []
    begins = [first for first, _ in stretches]
    for row, number in enumerate(table.kind):
        leaf = table.first[row]
        if number != _NUMBER_LITERAL or leaf < body:
            continue
        start, end = base + table.starts[leaf], base + table.ends[leaf]
        # the stretches stand in the order of the text, and none within another
        at = bisect_right(begins, start) - 1
        if at >= 0 and end <= stretches[at][1] and number_class(table.leaves[leaf]) is not None:
            found.append((leaf, table.leaves[leaf]))
    return tuple(found)


def number_changes(old: bytes, new: bytes, start: int, end: int) -> list[Change] | None:
    """How `old` became `new`, of which the bytes before `start` and from `end` (in `old`) on are the same; None where
    another thing than numbers is another one."""
    start = old.rfind(b"\n", 0, start) + 1
    line_end = old.find(b"\n", end)
    end = len(old) if line_end < 0 else line_end
    was, now = _NUMBER.split(old[start:end]), _NUMBER.split(new[start : end + len(new) - len(old)])
    if was[::2] != now[::2]:
        return None
    found = []
    for number, (before, after) in enumerate(zip(was, now, strict=True)):
        if number % 2 and before != after:
            found.append(Change(start, start + len(before), after))
        start += len(before)
    return found


def renumbered(
    numbers: Numbers, starts: array[int], ends: array[int], changes: Iterable[Change]
) -> Numbers | None:
    """The numbers after changes of the text in which leaves begin and end at these bytes; None where one of them changes
    another thing, or makes a number of another class."""
    texts = dict(numbers)
    for start, end, new in changes:
        leaf = bisect_left(ends, end)
        before = texts.get(leaf)
        if before is None or ends[leaf] != end:
            return None
        # a sign may be part of the literal
        sign = start - starts[leaf]
        if sign not in (0, 1) or (sign and before[:1] not in b"+-"):
            return None
        after = before[:sign] + new
        if number_class(after) != number_class(before):
            return None
        texts[leaf] = after
    return tuple(texts.items())


def moved(starts: array[int], ends: array[int], changes: Iterable[Change]) -> tuple[array[int], array[int]]:
    """Where the leaves begin and end after the changes, in bytes."""
    starts, ends = starts[:], ends[:]
    for leaf, by in [(bisect_left(ends, end), len(new) - (end - start)) for start, end, new in changes]:
        if by:
            ends[leaf:] = array("I", [each + by for each in ends[leaf:]])
            starts[leaf + 1 :] = array("I", [each + by for each in starts[leaf + 1 :]])
    return starts, ends
