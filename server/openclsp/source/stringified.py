"""Extracts kernels from files that a host reads as string literals.

Such a file is a literal of many lines, `const char *source = "` … `";`, or the argument of a stringifying
macro, `STRINGIFY(` … `)`. All text but the content is replaced by blanks of the same length, and so are line
ends that are written as escape sequences (`\\n#define X`). So offsets, lines and columns of the content do
not change.
"""

from __future__ import annotations

import re
from typing import Final

from openclsp.source.raw_strings import blanked

_BLANK: Final = re.compile(rb"[\s\0]+|//[^\r\n]*|/\*[\s\S]*?\*/|\#[^\r\n]*")
_CONDITIONAL: Final = re.compile(rb"\#[ \t]*(?:(?P<opens>if|ifdef|ifndef)|(?P<closes>endif)|elif|else)\b")
_HEAD: Final = re.compile(
    rb"(?:[A-Za-z_][\w \t:*&<>]{0,200}(?:\[ *\] *)?= *)?[A-Za-z_]\w{0,60} *\((?=[ \t]*[\r\n])", re.IGNORECASE
)
_MACRO: Final = re.compile(rb"STRING|QUOTE", re.IGNORECASE)
_TAIL: Final = re.compile(rb"\)[ \t]*;?")
_LINE_ENDS_CALL: Final = re.compile(rb"\)[ \t]*(?:;[ \t]*)?(?=\r?\n)")
_WRITTEN_LINE_END: Final = re.compile(rb"(?<!\\)\\n(?=[ \t]*(?:\#|\r?$|\\n))", re.MULTILINE)
_QUOTED: Final = re.compile(
    rb"(?:static[ \t]+)?(?:const[ \t]+)?char[ \t]*(?:const[ \t]*)?\*[ \t]*(?:const[ \t]+)?\w+[ \t]*=[ \t]*\""
    rb"(?=[ \t]*[\r\n])"
)
_PLACEHOLDER: Final = re.compile(rb"%(?=[A-Z]{2})")
"""`%TYPE *x`: a placeholder that the host replaces, and that nothing declares"""
_QUOTE_ENDS: Final = re.compile(rb"\"[ \t]*;[ \t]*\r?$", re.MULTILINE)
_LONGEST_TAIL: Final = 4096


def begins_stringified(data: bytes) -> bool:
    """Whether the text begins like a file that a host reads as a string literal."""
    at = _after_blanks(data, 0)
    return _head(data, at) is not None or _QUOTED.match(data, at) is not None


def content_of_stringified(data: bytes) -> bytes | None:
    """Returns the text with everything but the content of its string blanked.

    Returns None if the text is not of this kind. Directives before and after the argument of a macro are
    kept. If there are several strings, which are programs of their own, only the first one is kept. The text
    after the string is then blank, and so are the conditionals before it that end there.
    """
    at = _after_blanks(data, 0)
    quoted = _QUOTED.match(data, at)
    if quoted is not None:
        start = quoted.end()
        ends = _QUOTE_ENDS.search(data, start)
        end = ends.start() if ends is not None else len(data)
        content = _PLACEHOLDER.sub(b" ", data[start:end])
        return b"".join((_closed_before(data, at), blanked(data[at:start]), content, blanked(data[end:])))
    head = _head(data, at)
    if head is None:
        return None
    start = head.end()
    for match in _LINE_ENDS_CALL.finditer(data, start):
        if _head(data, _after_blanks(data, match.end())) is not None:
            content = _WRITTEN_LINE_END.sub(b"  ", data[start : match.start()])
            tail = blanked(data[match.start() :])
            return b"".join((_closed_before(data, at), blanked(data[at:start]), content, tail))
    closing = data.rfind(b")", max(start, len(data) - _LONGEST_TAIL))
    while closing >= 0:
        last = _TAIL.match(data, closing)
        if last is not None and _after_blanks(data, last.end()) == len(data):
            content = _WRITTEN_LINE_END.sub(b"  ", data[start:closing])
            behind = blanked(last[0]) + data[last.end() :]
            return b"".join((data[:at], blanked(data[at:start]), content, behind))
        closing = data.rfind(b")", max(start, len(data) - _LONGEST_TAIL), closing)
    return None


def _head(data: bytes, at: int) -> re.Match[bytes] | None:
    head = _HEAD.match(data, at)
    return head if head is not None and _MACRO.search(head[0]) is not None else None


def _after_blanks(data: bytes, at: int) -> int:
    """Returns the offset after white space, comments and directives."""
    while (piece := _BLANK.match(data, at)) is not None:
        at = piece.end()
    return at


def _closed_before(data: bytes, end: int) -> bytes:
    """Returns the text before `end` without the directives of the conditionals that are still open at `end`.

    The text has only white space, comments and directives. An open conditional is blanked up to its last `#elif`
    or `#else`.
    """
    opened: list[tuple[int, int]] = []
    at = 0
    while (piece := _BLANK.match(data, at, end)) is not None and piece.end() > at:
        at = piece.end()
        directive = _CONDITIONAL.match(piece[0])
        if directive is None:
            continue
        if directive["opens"] is not None:
            opened.append(piece.span())
        elif opened:
            start, _ = opened.pop()
            if directive["closes"] is None:
                opened.append((start, at))
    pieces: list[bytes] = []
    at = 0
    for start, stop in opened:
        pieces += (data[at:start], blanked(data[start:stop]))
        at = stop
    return b"".join((*pieces, data[at:end]))
