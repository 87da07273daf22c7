"""Edits that change only number literals, after which nothing is parsed again.

The parser does not read the value of a number. So if an edit replaces numbers only by numbers of the same
class, the tree is the same, and only the offsets of its tokens change.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from openclsp.semantics.items.number_classes import number_class
from openclsp.semantics.items.syntax_table import Table
from openclsp.source.parser import kind
from openclsp.source.source_map import SourceMap

Numbers = tuple[tuple[int, bytes], ...]
"""Token indices of number literals in ascending order, with their texts."""

_NUMBER_LITERAL: Final = kind("number_literal")
_NUMBER: Final = re.compile(rb"(?<![\w.$\x80-\xff])(\.?[0-9](?:[eEpP][+-]|[\w.])*)")
"""A preprocessing number (C99 6.4.8)."""


class NumberChange(NamedTuple):
    """A replacement of the bytes `start` to `end` of a text by `new`."""

    start: int
    end: int
    new: bytes


def made_by_macros(source_map: SourceMap, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Returns the byte ranges of an expanded text that result from macro calls.

    Only the text from byte `start` to `end` is considered; the ranges are relative to `start`.
    """
    lines = source_map.lines
    first, last = lines.find(start), lines.find(max(end - 1, start))
    found = []
    for number, row in enumerate(source_map.rows[first : last + 1], first):
        if row is not None and row.calls:
            base = lines.start(number) - start
            found += [(base + call.column, base + call.end_column) for call in row.calls]
    return tuple(found)


def numbers_in(table: Table, body: int, base: int, ranges: Sequence[tuple[int, int]]) -> Numbers:
    """Returns the number literals that lie in the given ranges and belong to a number class.

    Only tokens from index `body` on are considered. `base` is the offset of the item in the text to which the
    ranges refer.
    """
    found = []
    begins = [first for first, _ in ranges]
    for node, number in enumerate(table.kind):
        if number != _NUMBER_LITERAL:
            continue
        token_index = table.first[node]
        if token_index < body:
            continue
        start, end = base + table.starts[token_index], base + table.ends[token_index]
        # the ranges are sorted and disjoint
        at = bisect_right(begins, start) - 1
        if at >= 0 and end <= ranges[at][1] and number_class(table.tokens[token_index]) is not None:
            found.append((token_index, table.tokens[token_index]))
    return tuple(found)


def number_changes(old: bytes, new: bytes, start: int, end: int) -> list[NumberChange] | None:
    """Returns the number literals that differ between two texts; None if anything else differs.

    The texts are equal before byte `start` of `old` and from byte `end` of `old` on. Whole lines are
    compared, so that no literal is cut.
    """
    start = old.rfind(b"\n", 0, start) + 1
    line_end = old.find(b"\n", end)
    end = len(old) if line_end < 0 else line_end
    was, now = _NUMBER.split(old[start:end]), _NUMBER.split(new[start : end + len(new) - len(old)])
    if was[::2] != now[::2]:
        return None
    found = []
    for number, (before, after) in enumerate(zip(was, now, strict=True)):
        if number % 2 and before != after:
            found.append(NumberChange(start, start + len(before), after))
        start += len(before)
    return found


def renumbered(
    numbers: Numbers, starts: array[int], ends: array[int], changes: Iterable[NumberChange]
) -> Numbers | None:
    """Returns the number literals with the changes applied.

    None if a change affects any other text or changes the class of a number (`number_class`). `starts` and
    `ends` are the byte offsets of the item's tokens.
    """
    texts = dict(numbers)
    for start, end, new in changes:
        token_index = bisect_left(ends, end)
        before = texts.get(token_index)
        if before is None or ends[token_index] != end:
            return None
        # a sign may be part of the literal
        sign = start - starts[token_index]
        if sign not in (0, 1) or (sign and before[:1] not in b"+-"):
            return None
        after = before[:sign] + new
        if number_class(after) != number_class(before):
            return None
        texts[token_index] = after
    return tuple(texts.items())


def moved(
    starts: array[int], ends: array[int], changes: Iterable[NumberChange]
) -> tuple[array[int], array[int]]:
    """Returns the byte offsets of tokens, adjusted to the changes."""
    starts, ends = starts[:], ends[:]
    for token_index, by in [
        (bisect_left(ends, end), len(new) - (end - start)) for start, end, new in changes
    ]:
        if by:
            ends[token_index:] = array("I", [each + by for each in ends[token_index:]])
            starts[token_index + 1 :] = array("I", [each + by for each in starts[token_index + 1 :]])
    return starts, ends
