"""The text of an OpenCL file at program scope: outside of comments, directives and braces."""

from __future__ import annotations

import re
from typing import Final

_NOT_CODE: Final = re.compile(
    rb"//[^\r\n]*|/\*[\s\S]*?(?:\*/|\Z)|'(?:[^'\\\r\n]|\\.)*'?|\"(?:[^\"\\\r\n]|\\.)*\"?"
    rb"|^[ \t]*\#(?:[^\\\r\n]|\\\r?\n|\\.)*",
    re.MULTILINE,
)
_BRACE: Final = re.compile(rb"[{}]")
_LINE_END: Final = ord("\n")
_BRACES: Final = b"$"
"""Replaces braces and the text between them; `$` is in no token of OpenCL C."""


def without_comments_and_directives(data: bytes) -> bytes:
    """Returns the code with a space for each comment, literal and directive."""
    return _NOT_CODE.sub(b" ", data)


def outside_braces(code: bytes) -> bytes:
    """Replaces each pair of braces and its content by `_BRACES`, and returns the resulting code.

    A closing brace in the first column ends all open braces. Otherwise the count would be wrong where both
    branches of a conditional directive open a brace that is closed once, after the `#endif`.
    """
    pieces: list[bytes] = []
    depth = begin = 0
    for match in _BRACE.finditer(code):
        start = match.start()
        if depth == 0:
            pieces.append(code[begin:start])
        if match[0] == b"{":
            depth += 1
            continue
        in_first_column = start == 0 or code[start - 1] == _LINE_END
        depth = 0 if in_first_column else max(depth - 1, 0)
        if depth == 0:
            pieces.append(_BRACES)
            begin = match.end()
    if depth == 0:
        pieces.append(code[begin:])
    return b"".join(pieces)
