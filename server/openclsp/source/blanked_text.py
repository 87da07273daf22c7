"""Patterns of types and of text between tokens, and the blanking of ranges."""

from __future__ import annotations

import re
from typing import Final

_NOT_BLANK: Final = re.compile(rb"[^\s]")
TYPE_WORDS: Final = (
    rb"(?:void|bool|size_t|signed|unsigned|u?(?:char|short|int|long)\d*|(?:half|float|double)\d*)"
)


def blank_ranges(text: bytes, blanks: list[tuple[int, int]]) -> bytes:
    """Replaces the bytes in these ranges by spaces, except white space: lines and offsets stay the same."""
    if not blanks:
        return text
    pieces: list[bytes] = []
    at = 0
    for start, end in blanks:
        if start < at:
            continue
        pieces += (text[at:start], _NOT_BLANK.sub(b" ", text[start:end]))
        at = end
    return b"".join((*pieces, text[at:]))
