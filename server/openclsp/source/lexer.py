"""Lexer for preprocessing tokens (C99 6.4), as clang lexes OpenCL C."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

IDENTIFIER: Final = 1
NUMBER: Final = 2
STRING: Final = 3
CHARACTER: Final = 4
PUNCTUATOR: Final = 5
OTHER: Final = 6
_COMMENT: Final = 7
_NEWLINE: Final = 8
_RAW_STRING: Final = 9
_END: Final = 10
_MAX_DELIMITERS: Final = 64

SPACE: Final = 1
"""The token follows white space or a comment"""
NO_EXPAND: Final = 2
"""The name of a macro found inside its own expansion (C99 6.10.3.4p2)"""
SHARED: Final = 4
"""The token belongs to a macro argument that the macro's body uses more than once"""


class Spliced(NamedTuple):
    """The byte range of a token that contains a backslash-newline."""

    start: int
    end: int


# A token is a plain tuple because a large kernel has half a million of them. Its origin is where it was
# written: a byte offset, the range of a spliced token, or the expansion that produced it.
Token: TypeAlias = tuple[int, bytes, int, object]
"""kind, spelling, flags, origin"""

_IDENTIFIER: Final = rb"""
    (?:[A-Za-z_$\x80-\xff]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})[A-Za-z0-9_$\x80-\xff]*
    (?:(?:\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})[A-Za-z0-9_$\x80-\xff]*)*"""
"""An identifier, also with universal character names (C99 6.4.3)"""
_PATTERN: Final = (
    rb"""[ \t\f\v\0]*(?:
  ((?!L["']|R"[^()\\\s]{0,16}\()"""
    + _IDENTIFIER
    + rb""")
 |(\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_$.\x80-\xff])*)
 |(L?"(?:[^"\\\r\n]|\\[^\r\n])*")
 |(R"([^()\\\s]{0,16})\()
 |(L?'(?:[^'\\\r\n]|\\[^\r\n])*')
 |(//[^\r\n]*|/\*(?:[^*]{0,128}\*/)?)
 |(\.\.\.|<<=|>>=|%:%:|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|<:|:>|<%|%>|%:|::
   |[-+*/%&|^~!<>=?:;,.(){}\[\]\#])
 |(\r\n|\n|\r)
 |("[^\r\n]*|'[^\r\n]*)
 |([^ \t\f\v\0])
 |(\Z)
)"""
)
# A longer comment is matched only up to its opening mark: `bytes.find` finds its end faster than the pattern
# would. The last group keeps trailing white space from being matched again at each of its bytes.
TOKEN: Final = re.compile(_PATTERN, re.VERBOSE)
# The token kind of each group of the pattern; a raw string's delimiter is no token of its own.
_KINDS: Final = (
    0, IDENTIFIER, NUMBER, STRING, _RAW_STRING, 0, CHARACTER, _COMMENT, PUNCTUATOR, _NEWLINE, OTHER, OTHER, _END
)  # fmt: skip
_SPLICE: Final = re.compile(rb"\\[ \t\f\v]*(?:\r\n|\n|\r)")
NAME: Final = re.compile(
    rb"""((?!L["'])"""
    + _IDENTIFIER
    + rb""")
        |"(?:[^"\\\r\n]|\\[^\r\n])*"?|'(?:[^'\\\r\n]|\\[^\r\n])*'?
        |\.?[0-9](?:[eEpP][+-]|[A-Za-z0-9_$.\x80-\xff])*|//[^\r\n]*""",
    re.VERBOSE,
)
"""Matches the identifiers of a simple line in its first group.

A simple line has no block comment, splice or raw string.
"""

_COMMENTS: Final = re.compile(rb"//[^\r\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)")
_LINE_REST: Final = re.compile(rb"[^\r\n]*")

_SEPARATED: Final = bytes(
    byte if byte >= 0x80 or byte in b"_$" or chr(byte).isalnum() else 0x20 for byte in range(256)
)
_UNIVERSAL: Final = re.compile(
    rb"(?<![A-Za-z0-9_$\x80-\xff])[A-Za-z0-9_$\x80-\xff]*(?:\\[uU][0-9A-Fa-f]{4}[A-Za-z0-9_$\x80-\xff]*)+"
)
"""A word with universal character names"""


def words(data: bytes) -> list[bytes]:
    """Returns the identifiers in a text, and parts of other tokens.

    A macro whose name is not in the result is not used in the text.
    """
    found = data.translate(_SEPARATED).split()
    if b"\\u" in data or b"\\U" in data:
        found += _UNIVERSAL.findall(data)
    return found


def lex_line(data: bytes, start: int) -> tuple[list[Token], int]:
    """Lexes the logical line that begins at `start`.

    Returns its tokens, and the offset of the next line. A block comment or raw string with several lines
    continues the logical line, as in translation phases 2 and 3 (C99 5.1.1.2). The origins of the tokens are
    offsets in `data`.
    """
    rest = _LINE_REST.match(data, start)
    line_end = rest.end() if rest else start
    if b"\\" in data[start:line_end] and _SPLICE.search(data, start, min(line_end + 2, len(data))):
        return _lex_spliced(data, start)
    tokens: list[Token] = []
    end, _ = _lex(data, start, tokens)
    if end > line_end + 2 and _ends_spliced(data, start, end):
        return _lex_spliced(data, start)
    return tokens, end


def _ends_spliced(data: bytes, start: int, end: int) -> bool:
    """Whether a backslash joins the last line of the text from `start` to `end` to the line at `end`.

    False if the text contains a raw string, in which a backslash joins nothing.
    """
    last = max(data.rfind(b"\n", start, end - 2), data.rfind(b"\r", start, end - 2))
    return _SPLICE.search(data, last, end) is not None and b'R"' not in data[start:end]


def lex_spelling(data: bytes) -> list[Token]:
    """Returns the tokens of `data`, treating line ends as white space."""
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
    """Returns the offset of an unclosed block comment after `start`; -1 if there is none."""
    if data.find(b"/*", start) < 0:
        return -1
    at = last = start
    while at < len(data):
        tokens: list[Token] = []
        at, _ = _lex(data, at, tokens)
        if tokens:
            last = token_end(tokens[-1])
    # only white space and comments follow the last token
    for match in _COMMENTS.finditer(data, last):
        if match[0].startswith(b"/*") and not (len(match[0]) > 3 and match[0].endswith(b"*/")):
            return match.start()
    return -1


def in_comment(data: bytes, start: int, offset: int, starts_in_comment: bool) -> bool:
    """Whether `offset` is in a comment, in the line that begins at `start`.

    `starts_in_comment`: the line begins in a block comment.
    """
    if starts_in_comment:
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
    """Returns the offset after a token that is written in a document."""
    origin = token[3]
    if isinstance(origin, int):
        return origin + len(token[1])
    assert isinstance(origin, Spliced)
    return origin.end


def token_start(token: Token) -> int:
    """Returns the offset of a token that is written in a document."""
    origin = token[3]
    if isinstance(origin, int):
        return origin
    assert isinstance(origin, Spliced)
    return origin.start


def kind_of(text: bytes) -> int:
    """Returns the kind of the token that `text` spells; 0 if `text` is not exactly one token."""
    match = TOKEN.fullmatch(text)
    if match is None or match.lastindex is None or match.start(match.lastindex) != 0:
        return 0
    kind = _KINDS[match.lastindex]
    return 0 if kind >= _COMMENT or text[:1] in b"\"'" and kind == OTHER else kind


def _lex(data: bytes, start: int, tokens: list[Token], space: int = 0) -> tuple[int, int]:
    """Appends the tokens of one logical line to `tokens`.

    `space` is the `SPACE` flag of the first token. Returns the offset after the line, and the `SPACE` flag of
    the next token.
    """
    kinds = _KINDS
    at = start
    while at < len(data):
        for match in TOKEN.finditer(data, at):
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
            elif kind == _COMMENT:
                space = SPACE
                # of a longer comment or a raw string, only the beginning is matched: find the end, then
                # restart
                if match.end() - at == 2 and data[at + 1] == 0x2A:
                    closed = data.find(b"*/", at + 2)
                    at = closed + 2 if closed >= 0 else len(data)
                    break
            elif kind == _END:
                break
            else:
                # without an end, `R` is an identifier before a string
                end = _raw_string_end(data, match.end(), b")" + match[5] + b'"')
                kind = STRING if end else IDENTIFIER
                end = end or at + 1
                tokens.append((kind, data[at:end], space, at))
                space = 0
                at = end
                break
        else:
            break
    return len(data), space


def _raw_string_end(data: bytes, start: int, close: bytes) -> int:
    """Returns the offset after the next closing delimiter `close`; 0 if there is none."""
    lasts = _last_closes(data)
    last = lasts.get(close)
    if last is None:
        if len(lasts) >= _MAX_DELIMITERS:
            return 0
        last = lasts[close] = data.rfind(close)
    return 0 if last < start else data.index(close, start) + len(close)


@lru_cache(maxsize=4)
def _last_closes(data: bytes) -> dict[bytes, int]:
    """Returns the cache for `data`, which maps closing delimiters to the offsets of their last occurrences.

    It is initially empty. The caller adds each delimiter when it is needed, so that any number of unclosed
    raw strings costs one search for each delimiter.
    """
    return {}


def _lex_spliced(data: bytes, start: int) -> tuple[list[Token], int]:
    """Lexes a logical line that contains backslash-newlines; the result is as for `lex_line`."""
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
        opened = open_comment(joined, 0)
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
            read = len(tokens)
            end, _ = _lex(data, start, tokens, space)
            if end <= line_end + 2 or not _ends_spliced(data, start, end):
                return tokens, end
            del tokens[read:]


def _joined(data: bytes, start: int) -> tuple[bytes, Callable[[int], int], int]:
    """Joins a logical line at its backslash-newlines.

    Returns the joined line, a function from its offsets to offsets in `data`, and the line's end in `data`.
    """
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
