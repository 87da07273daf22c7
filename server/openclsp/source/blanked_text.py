"""Patterns of types and of text between tokens, and the blanking of ranges."""

from __future__ import annotations

import re
from typing import Final

_NOT_BLANK: Final = re.compile(rb"[^\s]")
TYPE_WORDS: Final = (
    rb"(?:void|bool|size_t|signed|unsigned|u?(?:char|short|int|long)\d*|(?:half|float|double)\d*)"
)


def skip_white_space(text: bytes, start: int) -> int:
    """Returns the offset of the first byte from `start` on that is no white space.

    Patterns that begin with optional comments are matched there: a `#if` that hides a table leaves 40,000 blank
    lines, and such a pattern tries each of them again when it fails.
    """
    found = _NOT_BLANK.search(text, start)
    return len(text) if found is None else found.start()


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
