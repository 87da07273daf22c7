"""The value of a string in host code, with a source map to the host file.

A value may consist of several literals, of parts that are unknown until the host runs (*holes*), and of text
that a library adds. All offsets are byte offsets from 0: `start` and `end` in the value, `host_start` and
`host_end` in the host file.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from enum import Enum
from typing import Final, NamedTuple

from openclsp.dataclass import dataclass


class PieceKind(Enum):
    """How a piece of a value is written in the host file, if it is written there."""

    COPIED = "byte for byte"
    ESCAPED = "as an escape sequence"
    HOLE = "as an expression whose value is unknown"
    ADDED = "not at all: a library adds it"


class ValuePiece(NamedTuple):
    """A part of a value, and the bytes of the host file that it comes from.

    `literal` is the index of the literal that contains the piece, -1 if none does.
    """

    start: int
    end: int
    host_start: int
    host_end: int
    kind: PieceKind
    literal: int


class Notation(Enum):
    """The syntax in which the content of a literal is written."""

    C = "C string"
    CPP_RAW = "C++ raw string"
    STRINGIFIED = "argument of a macro with `#`"
    PYTHON = "Python string"
    PYTHON_RAW = "Python raw string"
    JSON = "string of JSON"
    RAW = "raw string of another language"


@dataclass(frozen=True, slots=True)
class StringLiteral:
    """A literal at bytes `start` to `end` of the host file.

    - `content_start`, `content_end`: the content, without the prefix and the quotes.
    - `closing`: the text that ends the literal (`"`, `\"\"\"`, `)delimiter"`).
    - `doubles_braces`: `{` and `}` are written `{{` and `}}`, as in an f-string.
    - `doubles_percent`: `%` is written `%%`.
    """

    start: int
    content_start: int
    content_end: int
    end: int
    notation: Notation
    closing: bytes
    doubles_braces: bool = False
    doubles_percent: bool = False


UNKNOWN_PART: Final = b"unknown-part-of-the-program"
"""The name of the header that stands for an unknown part"""
_NOT_OF_A_NAME: Final = re.compile(rb"\W+")
_LONGEST_HOLE_NAME: Final = 40


@dataclass(frozen=True, slots=True)
class StringValue:
    """A string in host code: its bytes, and the pieces and literals that they come from.

    The pieces are in order and without gaps.
    """

    data: bytes
    pieces: tuple[ValuePiece, ...]
    literals: tuple[StringLiteral, ...] = ()

    @property
    def has_holes(self) -> bool:
        """Whether parts of the value are unknown."""
        return any(piece.kind is PieceKind.HOLE for piece in self.pieces)

    def piece_at(self, offset: int) -> ValuePiece | None:
        """Returns the piece that contains the byte at `offset` of the value; None outside the value."""
        index = bisect_right(self.pieces, offset, key=_start_of_piece) - 1
        if index < 0 or offset >= self.pieces[index].end:
            return None
        return self.pieces[index]

    def host_range(self, start: int, end: int) -> tuple[int, int]:
        """Returns the range of the host file that a range of the value comes from.

        An escape sequence or a hole is included as a whole.
        """
        if not self.pieces:
            return 0, 0
        first = self.piece_at(start) or self.pieces[-1]
        if start == end:
            at = first.host_start + min(start, first.end) - first.start
            if first.kind is not PieceKind.COPIED:
                at = first.host_start if start < first.end else first.host_end
            return at, at
        last = self.piece_at(end - 1) or self.pieces[-1]
        copied = first.kind is PieceKind.COPIED
        begin = first.host_start + min(start, first.end) - first.start if copied else first.host_start
        finish = (
            last.host_start + min(end, last.end) - last.start
            if last.kind is PieceKind.COPIED
            else last.host_end
        )
        return begin, max(begin, finish)

    def value_offset(self, host_offset: int) -> int | None:
        """Returns the offset in the value that corresponds to a host offset.

        The end of a literal's content also has an offset in the value. Returns None for a host offset that is
        not in the value.
        """
        for piece in self.pieces:
            if piece.kind is PieceKind.ADDED:
                continue
            if piece.host_start <= host_offset < piece.host_end:
                return piece.start + (host_offset - piece.host_start if piece.kind is PieceKind.COPIED else 0)
        for number, literal in enumerate(self.literals):
            if literal.content_start <= host_offset <= literal.content_end:
                return self._nearest_offset(number, host_offset)
        return None

    def _nearest_offset(self, literal: int, host_offset: int) -> int | None:
        """Returns the value offset for a host offset in a literal but in no piece.

        Such an offset is at the end of the content or in a spliced line end. Returns None if the literal has
        no pieces.
        """
        own = [piece for piece in self.pieces if piece.literal == literal]
        before = [piece for piece in own if piece.host_end <= host_offset]
        if before:
            return before[-1].end
        return own[0].start if own else None


def join_values(values: Iterable[StringValue]) -> StringValue:
    """Concatenates values."""
    data: list[bytes] = []
    pieces: list[ValuePiece] = []
    literals: list[StringLiteral] = []
    at = 0
    for value in values:
        base = len(literals)
        pieces += (
            ValuePiece(
                at + piece.start,
                at + piece.end,
                piece.host_start,
                piece.host_end,
                piece.kind,
                piece.literal + base if piece.literal >= 0 else -1,
            )
            for piece in value.pieces
        )
        literals += value.literals
        data.append(value.data)
        at += len(value.data)
    return StringValue(b"".join(data), tuple(pieces), tuple(literals))


def slice_of(value: StringValue, start: int, end: int) -> StringValue:
    """Returns the part of a value from byte `start` to `end`.

    The result keeps the literals of the whole value, so that the indices in its pieces stay valid.
    """
    pieces = []
    for piece in value.pieces:
        first, last = max(piece.start, start), min(piece.end, end)
        if first >= last:
            continue
        host_start, host_end = piece.host_start, piece.host_end
        if piece.kind is PieceKind.COPIED:
            host_start, host_end = (
                piece.host_start + first - piece.start,
                piece.host_start + last - piece.start,
            )
        pieces.append(
            ValuePiece(first - start, last - start, host_start, host_end, piece.kind, piece.literal)
        )
    return StringValue(value.data[start:end], tuple(pieces), value.literals)


def hole(host_start: int, host_end: int, written: bytes) -> StringValue:
    """Creates a value for an unknown expression: a placeholder, which openclsp parses as an expression."""
    data = placeholder(written)
    return StringValue(data, (ValuePiece(0, len(data), host_start, host_end, PieceKind.HOLE, -1),))


def placeholder(written: bytes) -> bytes:
    """Returns a placeholder in template notation (`source.templates`): `${n_i}` for the expression `n[i]`."""
    name = _NOT_OF_A_NAME.sub(b"_", written[:_LONGEST_HOLE_NAME]).strip(b"_")
    return b"${" + (name or b"unknown") + b"}"


def statement_hole(host_start: int, host_end: int, written: bytes) -> StringValue:
    """Creates a value for unknown text that consists of statements: an `#include` of a missing header."""
    data = b"\n" + missing_header(written)
    return StringValue(data, (ValuePiece(0, len(data), host_start, host_end, PieceKind.HOLE, -1),))


def missing_header(written: bytes) -> bytes:
    """Returns an `#include` of a missing header, in place of an unknown part that may declare any name."""
    name = _NOT_OF_A_NAME.sub(b"-", written[:_LONGEST_HOLE_NAME]).strip(b"-")
    return b'#include "' + UNKNOWN_PART + (b"-" + name if name else b"") + b'"\n'


def added(text: bytes, host_offset: int) -> StringValue:
    """Creates a value for text that a library adds; `host_offset` is its place in the host file."""
    if not text:
        return StringValue(b"", ())
    return StringValue(text, (ValuePiece(0, len(text), host_offset, host_offset, PieceKind.ADDED, -1),))


def pieces_between(value: StringValue, start: int, end: int) -> tuple[ValuePiece, ...]:
    """Returns the pieces that overlap the range from `start` to `end` of the value."""
    first = bisect_right(value.pieces, start, key=_end_of_piece)
    last = bisect_left(value.pieces, end, key=_start_of_piece)
    return value.pieces[first:last]


def _start_of_piece(piece: ValuePiece) -> int:
    return piece.start


def _end_of_piece(piece: ValuePiece) -> int:
    return piece.end
