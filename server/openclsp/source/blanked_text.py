"""Blanking of ranges of text, and a pattern of type names."""

from __future__ import annotations

import re
from typing import Final

_NOT_BLANK: Final = re.compile(rb"[^\s]")
TYPE_WORDS: Final = (
    rb"(?:void|bool|size_t|signed|unsigned|u?(?:char|short|int|long)\d*|(?:half|float|double)\d*)"
)


def skip_white_space(text: bytes, start: int) -> int:
    """Returns the offset of the first byte that is not white space, from `start` on.

    Callers match their patterns from this offset, instead of letting a pattern begin with optional white
    space. If such a pattern fails, it backtracks over all the white space, which may be long: an inactive
    branch is blanked out, so a large table in it leaves tens of thousands of blank lines.
    """
    found = _NOT_BLANK.search(text, start)
    return len(text) if found is None else found.start()


def blank(text: bytes) -> bytes:
    """Replaces each byte of a text, except white space, by a space."""
    return _NOT_BLANK.sub(b" ", text)


def blank_ranges(text: bytes, blanks: list[tuple[int, int]]) -> bytes:
    """Replaces each byte in the ranges, except white space, by a space; offsets do not change."""
    if not blanks:
        return text
    pieces: list[bytes] = []
    at = 0
    for start, end in blanks:
        if start < at:
            continue
        pieces += (text[at:start], blank(text[start:end]))
        at = end
    return b"".join((*pieces, text[at:]))
