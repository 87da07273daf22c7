"""Replaces trigraphs (C99 5.2.1.1), which clang translates in every version of OpenCL C.

The text keeps its length and its lines: two spaces follow the token that contains the character.
"""

from __future__ import annotations

import re
from typing import Final

_CHARACTERS: Final = {
    b"??=": b"#", b"??(": b"[", b"??/": b"\\", b"??)": b"]", b"??'": b"^", b"??<": b"{", b"??!": b"|", b"??>": b"}",
    b"??-": b"~",
}  # fmt: skip
_TRIGRAPH: Final = re.compile(rb"\?\?[=(/)'<!>-]")
_ESCAPE: Final = rb"(?:\?\?/|\\)[^\r\n]"
_TOKEN: Final = re.compile(
    rb"//[^\r\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)"
    rb'|"(?:' + _ESCAPE + rb'|(?!\?\?/)[^"\\\r\n])*"?'
    rb"|'(?:" + _ESCAPE + rb"|\?\?'|(?!\?\?[/'])[^'\\\r\n]){0,16}'"
    rb"|(?P<pair>(?:\?\?!|\|)(?:\?\?!|[|=])|\?\?'=|(?:\?\?=|\#)(?:\?\?=|\#))"
    rb"|\?\?[=(/)'<!>-]",
)  # fmt: skip
"""A comment, a literal, an operator of several characters, or a trigraph"""


def has_trigraph(data: bytes, start: int, end: int) -> bool:
    """Whether a range of a text contains a trigraph."""
    return data.find(b"??", start, end) >= 0 and _TRIGRAPH.search(data, start, end) is not None


def replace_trigraphs(data: bytes) -> bytes:
    """Returns the text with its trigraphs replaced by the characters that they stand for."""
    return _TOKEN.sub(_replace_in_token, data)


def _replace_in_token(match: re.Match[bytes]) -> bytes:
    token = match[0]
    if b"??" not in token:
        return token
    if token.startswith((b"//", b"/*")):
        # a backslash-newline in a comment has to stay in its line
        return _TRIGRAPH.sub(lambda each: _CHARACTERS[each[0]] + b"  ", token)
    return _TRIGRAPH.sub(lambda each: _CHARACTERS[each[0]], token).ljust(len(token))
