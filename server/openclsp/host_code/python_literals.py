"""Reads string literals of Python from nodes: escapes, raw strings, and the replacement fields of f-strings."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum
from typing import Final

from tree_sitter import Node

from openclsp.host_code.string_value import (
    Notation,
    PieceKind,
    StringLiteral,
    StringValue,
    ValuePiece,
    placeholder,
)

_PREFIX: Final = re.compile(rb"([A-Za-z]{0,3})(\"\"\"|'''|\"|')")
_ESCAPE: Final = re.compile(
    rb"\\(?:(?P<splice>\r\n|[\r\n])|x(?P<hexadecimal>[0-9a-fA-F]{2})|(?P<octal>[0-7]{1,3})"
    rb"|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8})|N\{(?P<named>[^{}\r\n]{1,100})\}"
    rb"|(?P<other>[\\'\"abfnrtv]))"
)
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
_FIELD: Final = re.compile(
    rb"\{\{|\}\}|\{(?P<field>[^{}\r\n]{0,200}(?:\{[^{}\r\n]{0,80}\}[^{}\r\n]{0,80})?)\}"
)
_CONVERSION: Final = re.compile(
    rb"%%|%(?:\((?P<name>[^()\r\n]{1,200})\))?[-#0 +]{0,5}(?:\d{1,4}|\*)?(?:\.(?:\d{1,4}|\*))?[hlL]?[diouxXeEfFgGcrsa]"
)


class Formatting(Enum):
    """The operation, other than an f-string, by which the host replaces parts of a string."""

    NONE = "not"
    BRACES = "by `str.format`"
    PERCENT = "by `%`"


def read_python_literal(
    data: bytes, node: Node, formatting: Formatting = Formatting.NONE
) -> StringValue | None:
    """Reads a `string` node; None if it is incomplete or has a syntax error."""
    start, end = node.start_byte, node.end_byte
    opening = _PREFIX.match(data, start, end)
    if opening is None:
        return None
    prefix, closing = opening[1].lower(), opening[2]
    content_end = end - len(closing)
    if content_end < opening.end() or data[content_end:end] != closing or node.has_error:
        return None
    notation = Notation.PYTHON_RAW if b"r" in prefix else Notation.PYTHON
    formatted = b"f" in prefix
    literal = StringLiteral(
        start,
        opening.end(),
        content_end,
        end,
        notation,
        closing,
        formatted or formatting is Formatting.BRACES,
        formatting is Formatting.PERCENT,
    )
    holes: list[tuple[int, int, bytes]] = []
    if formatted:
        for child in node.children:
            if child.type == "interpolation":
                expression = child.child_by_field_name("expression")
                inner = child if expression is None else expression
                holes.append(
                    (child.start_byte, child.end_byte, placeholder(data[inner.start_byte : inner.end_byte]))
                )
            elif child.type == "string_content":
                holes += _doubled_braces(child)
    else:
        holes += _replaced(data, literal, formatting)
    return _Decoder(data, literal, is_bytes=b"b" in prefix).decode(holes)


def _doubled_braces(content: Node) -> list[tuple[int, int, bytes]]:
    return [
        (child.start_byte, child.end_byte, b"{" if child.text == b"{{" else b"}")
        for child in content.children
        if child.type == "escape_interpolation"
    ]


def _replaced(data: bytes, literal: StringLiteral, formatting: Formatting) -> list[tuple[int, int, bytes]]:
    """Returns the parts of a literal's content that formatting replaces, as start, end and replacement.

    The replacement is a placeholder, or a single character for `{{`, `}}` and `%%`.
    """
    if formatting is Formatting.NONE:
        return []
    pattern, group = (_FIELD, "field") if formatting is Formatting.BRACES else (_CONVERSION, "name")
    found: list[tuple[int, int, bytes]] = []
    for match in pattern.finditer(data, literal.content_start, literal.content_end):
        written = match[0]
        text = written[:1] if written in (b"{{", b"}}", b"%%") else placeholder(match[group] or b"value")
        found.append((match.start(), match.end(), text))
    return found


class _Decoder:
    """Decodes the content of one literal."""

    def __init__(self, data: bytes, literal: StringLiteral, *, is_bytes: bool) -> None:
        self._data, self._literal, self._is_bytes = data, literal, is_bytes
        self._texts: list[bytes] = []
        self._pieces: list[ValuePiece] = []
        self._length = 0

    def decode(self, holes: list[tuple[int, int, bytes]]) -> StringValue:
        """Decodes the whole content.

        `holes` are the ranges that formatting replaces, in order, as start, end and replacement.
        """
        at = self._literal.content_start
        for start, end, text in holes:
            self._decode_between(at, start)
            self._add(text, start, end, PieceKind.HOLE if text[:2] == b"${" else PieceKind.ESCAPED)
            at = end
        self._decode_between(at, self._literal.content_end)
        return StringValue(b"".join(self._texts), tuple(self._pieces), (self._literal,))

    def _decode_between(self, start: int, end: int) -> None:
        at = start
        if self._literal.notation is Notation.PYTHON:
            for match in _ESCAPE.finditer(self._data, start, end):
                text = self._decoded(match)
                if text is None:
                    continue
                self._add(self._data[at : match.start()], at, match.start(), PieceKind.COPIED)
                self._add(text, match.start(), match.end(), PieceKind.ESCAPED)
                at = match.end()
        self._add(self._data[at:end], at, end, PieceKind.COPIED)

    def _add(self, text: bytes, start: int, end: int, kind: PieceKind) -> None:
        if text:
            self._texts.append(text)
            self._pieces.append(ValuePiece(self._length, self._length + len(text), start, end, kind, 0))
            self._length += len(text)

    def _decoded(self, match: re.Match[bytes]) -> bytes | None:
        """Returns the bytes that an escape sequence denotes.

        Returns None for a sequence that stays as written: `\\u` in a bytes literal, or a character name that
        does not exist.
        """
        kind = match.lastgroup or ""
        digits = match[kind]
        if kind == "splice":
            return b""
        if kind == "other":
            return _CHARACTERS.get(digits, digits)
        if kind in ("hexadecimal", "octal"):
            number = int(digits, 16 if kind == "hexadecimal" else 8)
            return bytes((number & 255,)) if self._is_bytes else chr(number).encode()
        if self._is_bytes:
            return None
        if kind == "named":
            try:
                return unicodedata.lookup(digits.decode("ascii", "replace")).encode()
            except KeyError:
                return None
        number = int(digits, 16)
        if number > _LARGEST_CHARACTER or 0xD800 <= number < 0xE000:
            return b"?"
        return chr(number).encode()
