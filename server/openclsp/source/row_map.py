"""Maps the parts of a row of expanded text to the document or the macro expansion that they come from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final, NamedTuple

from openclsp.dataclass import dataclass
from openclsp.source.document import DocumentName
from openclsp.source.expansion import Expansion, outermost
from openclsp.source.lexer import Spliced
from openclsp.source.macros import Macro


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a row whose text has a single origin.

    `origin` is one of the following; offsets are relative to the row's raw line, or to the start of
    `document` if that is not None:

    - an offset, if the text is copied from a document;
    - the range of a spliced token;
    - the expansion whose replacement list contains the text.

    `shared` means that the text comes from a macro argument that the replacement list uses more than once.
    """

    column: int
    width: int
    origin: object
    shared: bool
    document: DocumentName | None


class RowMacroCall(NamedTuple):
    """The part of a row that one macro invocation expands to.

    - `column`, `end_column`: the columns of the expansion in the row.
    - `start`, `end`: the range of the invocation, relative to the raw line.
    - `name_end`: the end of the macro's name, relative to the raw line.
    """

    column: int
    end_column: int
    start: int
    end: int
    name_end: int
    macro: Macro


class RowMap(NamedTuple):
    """The map of a row that differs from its raw line.

    - `segments`, `calls`: the origins of the row's text.
    - `home`: the row continues a construct that began this many rows above; 0 if it continues none.
    - `own`: the column of the raw line at which this construct ends, if it ends in this row.
    - `comment`: the row begins inside a comment.
    - `blank`: the row is that of a directive or an inactive line.
    """

    segments: tuple[Segment, ...] = ()
    calls: tuple[RowMacroCall, ...] = ()
    home: int = 0
    own: int = 0
    comment: bool = False
    blank: bool = False


BLANK: Final = RowMap(blank=True)
"""The row of a directive or an inactive line"""
COMMENT: Final = RowMap(comment=True)
"""A row equal to its line that begins inside a comment"""


def name_range(expansion: Expansion) -> tuple[int, int]:
    """Returns the range of the macro's name in the document, for an outermost expansion."""
    parent = expansion.parent
    if isinstance(parent, Spliced):
        return parent.start, parent.end
    assert isinstance(parent, int)
    return parent, parent + len(expansion.macro.name)


def segments_in(segments: Sequence[Segment], low: int, high: int) -> Sequence[Segment]:
    """Returns the segments that overlap the columns `low` to `high`, or contain `low` if both are equal.

    If there are none, returns the last segment that begins at or before `low`, or else the first segment.
    """
    first = max(bisect_right(segments, low, key=_column) - 1, 0)
    last = bisect_left(segments, max(high, low + 1), key=_column)
    if first + 1 < last and segments[first].column + segments[first].width <= low:
        first += 1
    return segments[first : max(last, first + 1)]


def call_at(calls: Sequence[RowMacroCall], column: int) -> RowMacroCall | None:
    """Returns the macro invocation whose expansion contains a column; None if there is none."""
    for index in range(bisect_right(calls, column, key=_column) - 1, -1, -1):
        call = calls[index]
        if column < call.end_column:
            return call
        if call.column < call.end_column:
            break
    return None


def _column(piece: Segment | RowMacroCall) -> int:
    return piece.column


def holds_all(segments: Sequence[Segment], outer: Expansion, low: int, high: int) -> bool:
    """Whether columns `low` to `high` contain the whole expansion `outer`, including its arguments."""
    first, last = name_range(outer)[0], outer.end

    def is_outside(segment: Segment) -> bool:
        """Whether a segment comes from the expansion `outer`, but is not within the columns `low` to `high`."""
        if low <= segment.column and segment.column + segment.width <= high:
            return False
        if isinstance(segment.origin, Expansion):
            return outermost(segment.origin) is outer
        return (
            isinstance(segment.origin, int)
            and segment.document == outer.document
            and first <= segment.origin < last
        )

    # The neighbours of a single token nearly always decide: an expansion can have 36,000 segments.
    before = bisect_left(segments, low, key=_column) - 1
    after = bisect_left(segments, high, key=_column)
    near = (*segments[max(before, 0) : before + 1], *segments[after : after + 1])
    return not any(map(is_outside, near)) and not any(map(is_outside, segments))
