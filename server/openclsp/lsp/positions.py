"""Converts between byte offsets and protocol positions, in the negotiated encoding."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from openclsp.source.text import LONG_LINE, Encoding, Text

if TYPE_CHECKING:
    from lsprotocol import types

_SURROGATE = re.compile(r"[\ud800-\udfff]")

BYTE_ORDER_MARK = "\ufeff"

_ENCODINGS: dict[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}


RangeNumbers = tuple[int, int, int, int]
"""Line and column of the start and of the end (exclusive), from 0.

Columns in units of the negotiated encoding.
"""


def parse_encoding(negotiated: str | None) -> Encoding:
    """Returns the position encoding; UTF-16 if none was negotiated (LSP 3.17, "Position")."""
    return _ENCODINGS.get(negotiated or "utf-16", "utf-16")


def encode_text(text: str) -> bytes:
    """Encodes a client's text as UTF-8.

    A lone surrogate, which UTF-8 cannot represent, becomes U+FFFD; both are one UTF-16 unit wide.
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode()


def blank_byte_order_mark(text: str, encoding: Encoding) -> str:
    """Replaces a byte order mark at the start of a document by blanks of the same width in `encoding`.

    Most clients strip the mark; the others count it as a character.
    """
    if not text.startswith(BYTE_ORDER_MARK):
        return text
    return (3 if encoding == "utf-8" else 1) * " " + text[1:]


def position_at(text: Text, offset: int, encoding: Encoding) -> types.Position:
    """Returns the position of a byte offset."""
    from lsprotocol import types

    place = text.position(offset, encoding)
    return types.Position(place.line, place.column)


def range_numbers(text: Text, start: int, end: int, encoding: Encoding) -> RangeNumbers:
    """Returns the protocol range of the bytes from `start` to `end` (exclusive), as four numbers."""
    line, first, following = text.lines.around(start) if start >= 0 else (0, 0, start)
    short = start <= end < following and end - first <= LONG_LINE
    if short and text.data[first:end].isascii() and text.data[end - 1] != 0x0D:
        # The common case: within a single ASCII line a byte is one unit of every encoding.
        return line, start - first, line, end - first
    begin, finish = text.position(start, encoding), text.position(end, encoding)
    return begin.line, begin.column, finish.line, finish.column


def range_between(text: Text, start: int, end: int, encoding: Encoding) -> types.Range:
    """Returns the range of the bytes from `start` to `end` (exclusive)."""
    return make_range(range_numbers(text, start, end, encoding))


def numbers_of_range(range_: types.Range) -> RangeNumbers:
    """Returns the four numbers of the protocol's range."""
    start, end = range_.start, range_.end
    return start.line, start.character, end.line, end.character


def make_range(numbers: RangeNumbers) -> types.Range:
    """Creates the protocol's range from its four numbers."""
    from lsprotocol import types

    return types.Range(types.Position(*numbers[:2]), types.Position(*numbers[2:]))


def offset_at(text: Text, position: types.Position, encoding: Encoding) -> int:
    """Returns the byte offset of a position, clamped to its line and to the text."""
    return text.offset(position.line, position.character, encoding)


def offsets_of_range(text: Text, range_: types.Range, encoding: Encoding) -> tuple[int, int]:
    """Returns the byte offsets of a range, in ascending order even if the client reversed the ends."""
    first = offset_at(text, range_.start, encoding)
    second = offset_at(text, range_.end, encoding)
    return (first, second) if first <= second else (second, first)
