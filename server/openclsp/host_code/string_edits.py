"""Converts an edit of a string's value to edits of the host file, in the notation of each literal.

The result is verified: each edited literal is read again, and its value must be the expected one. Edits
change only the contents of literals.
"""

from __future__ import annotations

import json
import re
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.c_literals import read_c_literal
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.host_tree import parse_host_file
from openclsp.host_code.printed_strings import replace_conversions
from openclsp.host_code.python_literals import Formatting, read_python_literal
from openclsp.host_code.string_value import (
    Notation,
    PieceKind,
    StringLiteral,
    StringValue,
    ValuePiece,
    pieces_between,
)
from openclsp.host_code.stringifying_macros import closing_parenthesis, stringified_value
from openclsp.source.text import Edit

_LINE_END: Final = re.compile(rb"\r\n|\n|\r")
_NOT_ASCII: Final = re.compile(rb"[\x80-\xff]")
_C_SPECIAL: Final = re.compile(rb'[\\"\n\r\t\x00-\x08\x0b-\x1f]')
_C_NAMES: Final = {b"\n": b"\\n", b"\r": b"\\r", b"\t": b"\\t", b'"': b'\\"', b"\\": b"\\\\"}


@dataclass(frozen=True, slots=True)
class _LiteralEdit:
    """A replacement of the host bytes `host_start` to `host_end` within one literal.

    `text` is the replacement before it is written in the literal's notation; `value_start` and `value_end`
    are the range in the value.
    """

    literal: int
    host_start: int
    host_end: int
    value_start: int
    value_end: int
    text: bytes


def edits_of_host(
    value: StringValue, host: bytes, start: int, end: int, text: bytes
) -> tuple[Edit, ...] | None:
    """Returns the edits of `host` that replace bytes `start` to `end` of the value by `text`.

    Returns None if that is impossible: if the range contains unknown text or text that a library adds, if it
    contains part of an escape sequence for several bytes, or if the literal's notation cannot express the
    text.
    """
    planned = _insertion(value, start, text) if start == end else _replacement(value, start, end, text)
    if planned is None:
        return None
    edits = []
    for each in planned:
        literal = value.literals[each.literal]
        written = write_text(literal, each.text, host)
        if written is None or not _verified(value, host, each, written):
            return None
        edits.append(Edit(each.host_start, each.host_end, written))
    return tuple(edits)


def write_at(value: StringValue, host: bytes, at: int, text: bytes) -> bytes | None:
    """Returns the text in the notation of the literal next to offset `at` of the value.

    Returns None if no literal is next to the offset, or if its notation cannot express the text.
    """
    for piece in (value.piece_at(at - 1) if at > 0 else None, value.piece_at(at)):
        if piece is not None and piece.literal >= 0:
            return write_text(value.literals[piece.literal], text, host)
    return None


def write_text(literal: StringLiteral, text: bytes, host: bytes) -> bytes | None:
    """Returns the text in the notation of a literal; None if the notation cannot express it."""
    if literal.doubles_percent:
        text = text.replace(b"%", b"%%")
    match literal.notation:
        case Notation.C:
            return _C_SPECIAL.sub(_escape, text)
        case Notation.JSON:
            return json.dumps(text.decode("utf-8", "replace"), ensure_ascii=False)[1:-1].encode()
        case Notation.CPP_RAW | Notation.STRINGIFIED:
            return None if literal.closing in text and literal.notation is Notation.CPP_RAW else text
        case Notation.RAW:
            return None if literal.closing in text or literal.doubles_braces else text
        case Notation.PYTHON_RAW:
            if not text.isascii() and _is_bytes(literal, host):
                return None
            if literal.closing in text or (len(literal.closing) == 1 and _LINE_END.search(text)):
                return None
            return _double_braces(literal, text)
        case Notation.PYTHON:
            written = text.replace(b"\\", b"\\\\")
            if len(literal.closing) == 1:
                written = _LINE_END.sub(
                    lambda found: _C_NAMES[b"\n"] if found[0] != b"\r" else b"\\r", written
                )
            if _is_bytes(literal, host):
                written = _NOT_ASCII.sub(lambda found: b"\\x%02x" % found[0][0], written)
            quote = literal.closing[:1]
            return _double_braces(literal, written.replace(quote, b"\\" + quote))


def _is_bytes(literal: StringLiteral, host: bytes) -> bool:
    """Whether a Python literal is a bytes literal, which can contain only ASCII characters."""
    return b"b" in host[literal.start : literal.content_start].lower()


def _double_braces(literal: StringLiteral, text: bytes) -> bytes:
    return text.replace(b"{", b"{{").replace(b"}", b"}}") if literal.doubles_braces else text


def _escape(match: re.Match[bytes]) -> bytes:
    # Always three octal digits, so that a following digit does not belong to the escape sequence.
    return _C_NAMES.get(match[0]) or b"\\%03o" % match[0][0]


def _insertion(value: StringValue, at: int, text: bytes) -> list[_LiteralEdit] | None:
    """Plans an insertion at offset `at` of the value.

    At the border of two literals, whole lines and text at a line's beginning are inserted into the second
    literal, all other text into the first. Returns None if no literal can contain the text.
    """
    after = value.piece_at(at)
    before = value.piece_at(at - 1) if at > 0 else None
    begins_line = at == 0 or value.data[at - 1 : at] == b"\n"
    in_second = begins_line or text.endswith(b"\n") or after is before
    for piece in (after, before) if in_second else (before, after):
        if piece is None or piece.literal < 0:
            continue
        if piece.start < at < piece.end and piece.kind is not PieceKind.COPIED:
            return None
        place = piece.host_start + at - piece.start
        if piece.kind is not PieceKind.COPIED:
            place = piece.host_start if at == piece.start else piece.host_end
        return [_LiteralEdit(piece.literal, place, place, at, at, text)]
    return None


def _replacement(value: StringValue, start: int, end: int, text: bytes) -> list[_LiteralEdit] | None:
    """Plans a replacement of the bytes `start` to `end` of the value.

    The first literal in the range gets the text; the part of the range in each other literal is deleted.
    Returns None if the range contains unknown text, text that a library adds, or part of an escape sequence.
    """
    planned: list[_LiteralEdit] = []
    for piece in pieces_between(value, start, end):
        if piece.literal < 0 or piece.kind in (PieceKind.HOLE, PieceKind.ADDED):
            return None
        first, last = max(start, piece.start), min(end, piece.end)
        if piece.kind is PieceKind.ESCAPED:
            if (first, last) != (piece.start, piece.end):
                return None
            host = piece.host_start, piece.host_end
        else:
            host = piece.host_start + first - piece.start, piece.host_start + last - piece.start
        previous = planned[-1] if planned else None
        if previous is not None and previous.literal == piece.literal:
            planned[-1] = _LiteralEdit(
                piece.literal, previous.host_start, host[1], previous.value_start, last, previous.text
            )
        else:
            planned.append(_LiteralEdit(piece.literal, *host, first, last, b"" if planned else text))
    return planned or None


def _verified(value: StringValue, host: bytes, edit: _LiteralEdit, written: bytes) -> bool:
    """Whether the edited literal, when read again, has the expected value.

    `written` is the text of the edit in the literal's notation.
    """
    literal = value.literals[edit.literal]
    own = [piece for piece in value.pieces if piece.literal == edit.literal]
    before_edit = (value.data[each.start : min(each.end, edit.value_start)] for each in own)
    after_edit = (value.data[max(each.start, edit.value_end) : each.end] for each in own)
    wanted = b"".join((*before_edit, edit.text, *after_edit))
    before, after = host[literal.start : edit.host_start], host[edit.host_end : literal.end]
    # The whole literal is read, because a `\x1` before the edit must not become longer; the text around it is not read.
    read = read_literal(b"".join((before, written, after)), literal)
    return read is not None and read.data == wanted


def read_literal(data: bytes, like: StringLiteral) -> StringValue | None:
    """Reads `data` as one literal in the notation of `like`; None if it is not exactly one such literal."""
    match like.notation:
        case Notation.C | Notation.CPP_RAW | Notation.JSON:
            value = read_c_literal(data, 0)
            if value is not None and like.doubles_percent:
                value = replace_conversions(value)
        case Notation.RAW:
            value = _read_raw(data, like)
        case Notation.STRINGIFIED:
            if closing_parenthesis(b"(" + data + b")", 0) != len(data) + 1:
                return None
            return stringified_value(data, 0, len(data))
        case Notation.PYTHON | Notation.PYTHON_RAW:
            value = _read_python(data, like)
    return value if value is not None and value.literals[0].end == len(data) else None


def _read_raw(data: bytes, like: StringLiteral) -> StringValue | None:
    """Reads a raw string; None if its end is before the end of `data`."""
    content, end = like.content_start - like.start, len(data) - len(like.closing)
    if data.find(like.closing, content) != end:
        return None
    literal = StringLiteral(0, content, end, len(data), Notation.RAW, like.closing)
    piece = ValuePiece(0, end - content, content, end, PieceKind.COPIED, 0)
    return StringValue(data[content:end], (piece,), (literal,))


def _read_python(data: bytes, like: StringLiteral) -> StringValue | None:
    root = parse_host_file(data, HostLanguage.PYTHON).root
    node = root.descendant_for_byte_range(0, 0)
    while node is not None and node.type != "string":
        node = node.parent
    if node is None or node.end_byte != len(data) or root.has_error:
        return None
    formatting = Formatting.NONE
    if like.doubles_percent:
        formatting = Formatting.PERCENT
    elif like.doubles_braces and b"f" not in data[: like.content_start - like.start].lower():
        formatting = Formatting.BRACES
    return read_python_literal(data, node, formatting)
