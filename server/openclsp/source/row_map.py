"""Where the pieces of one row of expanded text come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from openclsp.source.document import DocumentName
from openclsp.source.macros import Macro


class Segment(NamedTuple):
    """A stretch of an expanded row that comes from one place.

    `origin` is an offset where a document spells the stretch byte by byte, the two ends of a spliced token, or
    the expansion whose replacement list brought it. Offsets count from the start of the raw line with the
    row's number, or from the start of `document` if that is another one than the row's.
    """

    column: int
    width: int
    origin: object
    shared: bool
    document: DocumentName | None


class Call(NamedTuple):
    """A stretch of an expanded row that one invocation, written between `start` and `end`, expands to."""

    column: int
    end_column: int
    start: int
    end: int
    name_end: int
    macro: Macro


@dataclass(frozen=True, slots=True)
class RowMap:
    """What is to be known of a row that is not simply its raw line.

    The raw line up to `own` belongs to what began `home` rows above, or to nothing where `home` is 0. With
    `identity`, what `segments` do not cover stands where it is written.
    """

    segments: tuple[Segment, ...] = ()
    calls: tuple[Call, ...] = ()
    home: int = 0
    own: int = 0
    comment: bool = False
    blank: bool = False


BLANK: Final = RowMap(blank=True)
"""The row of a directive or of an inactive line."""
COMMENT: Final = RowMap(comment=True)
"""A row that stands as it is written and begins inside a comment."""
