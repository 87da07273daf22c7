"""Reads string literals of C and C++ from bytes: escapes, spliced lines, raw strings, adjacent literals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.host_code.string_value import (
    Notation,
    PieceKind,
    StringLiteral,
    StringValue,
    ValuePiece,
    added,
    hole,
    join_values,
)
from openclsp.source.comments import COMMENT

_OPENING: Final = re.compile(rb'(?:u8|[uUL])?(?:R"(?P<delimiter>[^()\\\s]{0,16})\(|")')
_ESCAPE: Final = re.compile(
    rb"\\(?:(?P<splice>\r\n|[\r\n])|x(?P<hexadecimal>[0-9a-fA-F]+)|(?P<octal>[0-7]{1,3})"
    rb"|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8})|(?P<other>[\s\S]))"
)
_CONTENT: Final = re.compile(rb'(?:[^"\\\r\n]|\\(?:\r\n|[\s\S]))*')
_CHARACTERS: Final = {
    b"n": b"\n",
    b"t": b"\t",
    b"r": b"\r",
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"v": b"\v",
}
_LARGEST_CHARACTER: Final = 0x10FFFF
BETWEEN_LITERALS: Final = re.compile(rb"(?:\s|\\\r?\n|" + COMMENT + rb")*")
"""White space, comments and spliced line ends, which may be between adjacent literals"""
_NAME: Final = re.compile(rb"\#?[ \t]*(?!(?:u8|[uUL])?R?\")[A-Za-z_]\w*(?:[ \t]*\([^()\r\n\"]{0,100}\))?")
"""The name of a macro or of a parameter, possibly with `#` before it or arguments after it"""
LINE_END_NAME: Final = re.compile(
    rb"(?:\w*_)?(?:NL|EOL|EOLN|LF|CRLF|ENDL|NEW_?LINE|LINE_?(?:END|BREAK))\Z", re.IGNORECASE
)
"""Names of macros that usually expand to a line end, in case a header defines the macro"""
TOKEN: Final = re.compile(
    rb"(?P<skipped>"
    + COMMENT
    + rb")|(?P<literal>(?<!\w)(?:(?:u8|[uUL])?R\"[^()\\\s]{0,16}\(|(?:u8|[uUL])?\"))"
    + rb"|'(?:[^'\\\r\n]|\\[\s\S]){0,16}'"
)
"""A comment, the beginning of a string literal, or a character"""


def read_c_literal(data: bytes, start: int, limit: int | None = None) -> StringValue | None:
    """Reads the literal that begins at `start`.

    Returns None if there is no literal at `start`, if the literal extends beyond `limit`, or if the literal
    is not closed. A literal that is not raw extends over several lines only if each line before the last one
    ends with a backslash.
    """
    opening = _OPENING.match(data, start)
    if opening is None:
        return None
    limit = len(data) if limit is None else limit
    delimiter = opening["delimiter"]
    content = opening.end()
    if delimiter is not None:
        closing = b")" + delimiter + b'"'
        end = data.find(closing, content, limit)
        if end < 0:
            return None
        literal = StringLiteral(start, content, end, end + len(closing), Notation.CPP_RAW, closing)
        text = data[content:end]
        return StringValue(text, _whole(text, content), (literal,))
    match = _CONTENT.match(data, content, limit)
    end = content if match is None else match.end()
    if data[end : end + 1] != b'"' or end >= limit:
        return None
    literal = StringLiteral(start, content, end, end + 1, Notation.C, b'"')
    return decode_escapes(data, literal)


def decode_escapes(data: bytes, literal: StringLiteral) -> StringValue:
    """Returns the value of a C literal: its content with the escape sequences decoded."""
    texts: list[bytes] = []
    pieces: list[ValuePiece] = []
    at, length = literal.content_start, 0
    for match in _ESCAPE.finditer(data, literal.content_start, literal.content_end):
        if match.start() > at:
            texts.append(data[at : match.start()])
            pieces.append(
                ValuePiece(length, length + match.start() - at, at, match.start(), PieceKind.COPIED, 0)
            )
            length += match.start() - at
        text = _decoded(match)
        if text:
            texts.append(text)
            pieces.append(
                ValuePiece(length, length + len(text), match.start(), match.end(), PieceKind.ESCAPED, 0)
            )
            length += len(text)
        at = match.end()
    end = literal.content_end
    if end > at:
        texts.append(data[at:end])
        pieces.append(ValuePiece(length, length + end - at, at, end, PieceKind.COPIED, 0))
    return StringValue(b"".join(texts), tuple(pieces), (literal,))


def read_adjacent_literals(data: bytes, start: int, limit: int | None = None) -> StringValue | None:
    """Reads the literal at `start` and the literals adjacent to it; None if there is no literal at `start`.

    A macro's name between two literals becomes a hole (unknown text), or a line end if the name is like
    `NEWLINE`.
    """
    limit = len(data) if limit is None else limit
    values: list[StringValue] = []
    at = start
    while at < limit:
        value = read_c_literal(data, at, limit)
        if value is None:
            break
        values.append(value)
        at = _after_blanks(data, value.literals[0].end, limit)
        name = _NAME.match(data, at, limit)
        if name is not None and _OPENING.match(data, _after_blanks(data, name.end(), limit)) is not None:
            is_line_end = LINE_END_NAME.match(name[0]) is not None
            values.append(added(b"\n", at) if is_line_end else hole(at, name.end(), name[0]))
            at = _after_blanks(data, name.end(), limit)
    return join_values(values) if values else None


def _after_blanks(data: bytes, at: int, limit: int) -> int:
    between = BETWEEN_LITERALS.match(data, at, limit)
    return at if between is None else between.end()


def literal_runs(data: bytes, start: int, end: int) -> Iterator[StringValue]:
    """Yields the string literals in a range that is not parsed, such as a macro's body.

    Adjacent literals are yielded as one string.
    """
    at = start
    while (token := TOKEN.search(data, at, end)) is not None:
        at = token.end()
        if token.lastgroup != "literal":
            continue
        value = read_adjacent_literals(data, token.start(), end)
        if value is not None:
            yield value
            at = value.literals[-1].end


def _whole(text: bytes, host_start: int) -> tuple[ValuePiece, ...]:
    """Returns the pieces of a text without escape sequences: one piece, or none if the text is empty."""
    if not text:
        return ()
    return (ValuePiece(0, len(text), host_start, host_start + len(text), PieceKind.COPIED, 0),)


def _decoded(match: re.Match[bytes]) -> bytes:
    """Returns the bytes that an escape sequence denotes: empty for a spliced line end."""
    kind = match.lastgroup or ""
    digits = match[kind]
    if kind == "splice":
        return b""
    if kind == "other":
        return _CHARACTERS.get(digits, digits)
    if kind in ("hexadecimal", "octal"):
        return bytes((int(digits, 16 if kind == "hexadecimal" else 8) & 255,))
    number = int(digits, 16)
    if number > _LARGEST_CHARACTER or 0xD800 <= number < 0xE000:
        return b"?"
    return chr(number).encode()
