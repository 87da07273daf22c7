"""Replaces digraphs (C99 6.4.6p3) by the brackets that they spell, because the parser knows no digraphs.

A bracket is followed by a space, so that all other text keeps its place.
"""

from __future__ import annotations

import re
from typing import Final

BRACKETS: Final = {b"<%": b"{ ", b"%>": b"} ", b"<:": b"[ ", b":>": b"] "}

_TOKEN: Final = re.compile(
    rb"\"(?:[^\"\\\r\n]|\\.)*\"?|'(?:[^'\\\r\n]|\\.)*'?|//[^\r\n]*|/\*.*?(?:\*/|\Z)"
    rb"|<<=?|>>=?|%:|::|<%|%>|<:|:>",
    re.DOTALL,
)
"""Digraphs, and longer tokens that contain their characters"""


def has_digraph(data: bytes, start: int, end: int) -> bool:
    """Whether a range of a text contains the characters of a digraph, even in a string or a comment."""
    # searches for literals take a third of the time of one for a pattern
    find = data.find
    return (
        find(b"%", start, end) >= 0 and (find(b"<%", start, end) >= 0 or find(b"%>", start, end) >= 0)
    ) or (find(b":", start, end) >= 0 and (find(b"<:", start, end) >= 0 or find(b":>", start, end) >= 0))


def replace_digraphs(text: bytes) -> bytes:
    """Returns the text with digraphs replaced by brackets; `text` must not begin within a token."""
    return _TOKEN.sub(lambda match: BRACKETS.get(match[0], match[0]), text)
