"""What an edit changed, given the rows that an incremental run reused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from openclsp.source.preprocessed import Preprocessed
from openclsp.source.row_map import BLANK, COMMENT, RowMap

ReusedRows: TypeAlias = tuple[int, int, int]
"""A reused stretch of rows: first and end (exclusive) before the edit, first row now"""


def count_newly_hidden_rows(old: Preprocessed, reused: Sequence[ReusedRows], result: Preprocessed) -> int:
    """Returns how many more rows than before are blank or begin inside a comment."""
    was, now = old.source_map.rows, result.source_map.rows
    number = before = after = 0
    for first, last, row in [*reused, (len(was), len(was), len(now))]:
        number += _count_hidden_rows(now, after, row) - _count_hidden_rows(was, before, first)
        before, after = last, row + last - first
    return number


def changed_stretches(
    old: Preprocessed, reused: Sequence[ReusedRows], result: Preprocessed
) -> Iterator[tuple[int, int, int, int]]:
    """Yields the stretches of text that were not reused.

    Each as old start and end, start and end in `result`.
    """
    was, now = old.source_map.lines, result.source_map.lines
    before = after = 0
    for first, last, row in [*reused, (was.count, was.count, now.count)]:
        until = was.start(first) if first < was.count else len(old.text)
        stop = now.start(row) if row < now.count else len(result.text)
        if (before, after) != (until, stop):
            yield before, until, after, stop
        row += last - first
        before = was.start(last) if last < was.count else len(old.text)
        after = now.start(row) if row < now.count else len(result.text)


def _count_hidden_rows(rows: Sequence[RowMap | None], first: int, last: int) -> int:
    number = 0
    for row in range(first, last):
        mapped = rows[row]
        if mapped is not None and (mapped is BLANK or mapped is COMMENT or mapped.comment):
            number += 1
    return number
