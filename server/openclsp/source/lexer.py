"""Preprocessing tokens (C99 6.4) as clang cuts them in OpenCL C."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

IDENTIFIER: Final = 1
NUMBER: Final = 2
STRING: Final = 3
CHARACTER: Final = 4
PUNCTUATOR: Final = 5
OTHER: Final = 6
_COMMENT: Final = 7
_NEWLINE: Final = 8

SPACE: Final = 1
"""The token follows white space or a comment."""
NO_EXPAND: Final = 2
"""The name of a macro that was met inside its own expansion (C99 6.10.3.4p2)."""
SHARED: Final = 4
"""The token belongs to a macro argument that the macro's body uses more than once."""


class Spliced(NamedTuple):
    """The bytes of a token with a backslash-newline in its middle."""

    start: int
    end: int


# A token is a plain tuple because half a million of them are made for one large kernel; origin is where it was
# written: an offset in bytes, the two ends of a spliced token, or the expansion that brought it.
Token: TypeAlias = tuple[int, bytes, int, object]
"""kind, spelling, flags, origin"""

_PATTERN: Final = rb"""[ \t\f\v\0]*(?:
  ((?!L["']|R"[^()\\\s"]{0,16}\()[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*)
 |(\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_$.\x80-\xff])*)
 |(L?"(?:[^"\\\r\n]|\\[^\r\n])*"|R"([^()\\\s"]{0,16})\([\s\S]*?\)\4")
 |(L?'(?:[^'\\\r\n]|\\[^\r\n])+')
 |(//[^\r\n]*|/\*[\s\S]*?(?:\*/|\Z))
 |(\.\.\.|<<=|>>=|%:%:|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|<:|:>|<%|%>|%:|::
   |[-+*/%&|^~!<>=?:;,.(){}\[\]\#])
 |(\r\n|\n|\r)
 |("[^\r\n]*|'[^\r\n]*)
 |([^ \t\f\v\0])
)"""
TOKEN: Final = re.compile(_PATTERN, re.VERBOSE)
_KINDS: Final = (
    0,
    IDENTIFIER,
    NUMBER,
    STRING,
    STRING,
    CHARACTER,
    _COMMENT,
    PUNCTUATOR,
    _NEWLINE,
    OTHER,
    OTHER,
)
_SPLICE: Final = re.compile(rb"\\[ \t\f\v]*(?:\r\n|\n|\r)")
_LINE_REST: Final = re.compile(rb"[^\r\n]*")

WORD: Final = re.compile(rb"[A-Za-z_]\w*")
"""Every identifier of a line, and now and then a piece of something else: enough to see that a line holds no macro."""


def lex_line(data: bytes, start: int) -> tuple[list[Token], int]:
    """The tokens from `start` to the end of the logical line, and the offset of the next line.

    A block comment or raw string that spans lines makes them one logical line, as translation phases 2 and 3
    (C99 5.1.1.2) do. Origins are offsets in `data`.
    """
    rest = _LINE_REST.match(data, start)
    line_end = rest.end() if rest else start
    if b"\\" in data[start:line_end] and _SPLICE.search(data, start, min(line_end + 2, len(data))):
        return _lex_spliced(data, start)
    tokens: list[Token] = []
    end, _ = _lex(data, start, tokens)
    return tokens, end


def lex_spelling(data: bytes) -> list[Token]:
    """The tokens of `data`, line ends counting as white space."""
    tokens: list[Token] = []
    at = 0
    while at < len(data):
        line, at = lex_line(data, at)
        if line and tokens:
            kind, text, flags, origin = line[0]
            line[0] = (kind, text, flags | SPACE, origin)
        tokens += line
    return tokens


def open_comment(data: bytes, start: int) -> int:
    """Where a block comment begins that the text from `start`, outside comments, does not close; -1 for none."""
    return _open_construct(data, start) if data.find(b"/*", start) >= 0 else -1


def in_comment(data: bytes, start: int, offset: int, opened: bool) -> bool:
    """Whether `offset` lies in a comment of the line that begins at `start`, itself in a comment where `opened`."""
    if opened:
        closed = data.find(b"*/", start)
        if closed < 0 or offset < closed + 2:
            return True
        start = closed + 2
    for token in lex_line(data, start)[0]:
        if token_start(token) <= offset <= token_end(token):
            return False
        if token_start(token) > offset:
            break
    between = data[start:offset]
    return b"/*" in between or b"//" in between


def token_end(token: Token) -> int:
    """The offset after a token that was written in a document."""
    origin = token[3]
    if isinstance(origin, int):
        return origin + len(token[1])
    assert isinstance(origin, Spliced)
    return origin.end


def token_start(token: Token) -> int:
    """The offset of a token that was written in a document."""
    origin = token[3]
    if isinstance(origin, int):
        return origin
    assert isinstance(origin, Spliced)
    return origin.start


def _lex(data: bytes, start: int, tokens: list[Token], space: int = 0) -> tuple[int, int]:
    kinds = _KINDS
    for match in TOKEN.finditer(data, start):
        group = match.lastindex or 0
        kind = kinds[group]
        at = match.start(group)
        if at != match.start():
            space = SPACE
        if kind < _COMMENT:
            tokens.append((kind, match[group], space, at))
            space = 0
        elif kind == _NEWLINE:
            return match.end(), space
        else:
            space = SPACE
    return len(data), space


def _lex_spliced(data: bytes, start: int) -> tuple[list[Token], int]:
    """As lex_line, for a line that goes on after a backslash-newline."""
    tokens: list[Token] = []
    space = 0
    while True:
        joined, where, end = _joined(data, start)
        found: list[Token] = []
        _, space = _lex(joined, 0, found, space)
        for kind, text, flags, origin in found:
            assert isinstance(origin, int)
            first, last = where(origin), where(origin + len(text) - 1) + 1
            tokens.append((kind, text, flags, first if last - first == len(text) else Spliced(first, last)))
        opened = _open_construct(joined)
        if opened < 0:
            return tokens, end
        closed = data.find(b"*/", where(opened) + 2)
        if closed < 0:
            return tokens, len(data)
        start = closed + 2
        space = SPACE
        rest = _LINE_REST.match(data, start)
        line_end = rest.end() if rest else start
        if not _SPLICE.search(data, start, min(line_end + 2, len(data))):
            end, _ = _lex(data, start, tokens, space)
            return tokens, end


def _open_construct(joined: bytes, start: int = 0) -> int:
    """Where a block comment begins that `joined` does not close, or -1."""
    for match in TOKEN.finditer(joined, start):
        text = match[6]
        if text and text.startswith(b"/*") and (len(text) < 4 or not text.endswith(b"*/")):
            return match.start(6)
    return -1


def _joined(data: bytes, start: int) -> tuple[bytes, Callable[[int], int], int]:
    """The logical line from `start` without its splices, the way back to offsets in `data`, and its end."""
    pieces: list[bytes] = []
    places = [0]
    offsets = [start]
    size = 0
    at = start
    end = len(data)
    while True:
        rest = _LINE_REST.match(data, at)
        line_end = rest.end() if rest else at
        splice = _SPLICE.search(data, at, min(line_end + 2, len(data)))
        if splice is None or splice.start() >= line_end:
            pieces.append(data[at:line_end])
            end = line_end + (2 if data[line_end : line_end + 2] == b"\r\n" else 1)
            break
        pieces.append(data[at : splice.start()])
        size += splice.start() - at
        at = splice.end()
        places.append(size)
        offsets.append(at)
        if at >= len(data):
            break

    def where(place: int) -> int:
        piece = bisect_right(places, place) - 1
        return offsets[piece] + place - places[piece]

    return b"".join(pieces), where, min(end, len(data))
