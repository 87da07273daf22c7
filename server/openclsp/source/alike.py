"""Text in which all names are the same name: what the parser is given.

A parser sees in a name a token, and which one it is it does not see: but its search for the end of an error counts the bytes
that it leaves out. With all names alike, texts that differ in names only have one and the same tree, faulty or not, so that
what is typed within a name is not parsed again; and where an error ends does not hang on how long a name is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from openclsp.source.grammar_words import GRAMMAR_WORDS

_NAME: Final = b"name"
_LENGTH: Final = len(_NAME)

# Strings, comments and preprocessing numbers hold no names; what stands before a quote is an encoding (C99 6.4.4.4, 6.4.5).
_TOKEN: Final = re.compile(
    rb"""
    "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | //[^\n]* | /\*.*?\*/ | \.?[0-9](?:[eEpP][+-]|[\w.$\x80-\xff])*
    | ([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)(?![\w$"'\x80-\xff])
    """,
    re.DOTALL | re.VERBOSE,
)


class Alike:
    """A text with its names alike. `ends` are where the names end in `text`, `real_ends` where they end in the text as it is;
    bytes from 0."""

    __slots__ = ("ends", "real_ends", "text")

    def __init__(self, text: bytes, ends: list[int], real_ends: list[int]) -> None:
        self.text, self.ends, self.real_ends = text, ends, real_ends

    def real(self, offset: int) -> int:
        """Where a byte of `text`, not within a name, stands in the text as it is."""
        behind = bisect_right(self.ends, offset)
        return self.real_ends[behind - 1] + offset - self.ends[behind - 1] if behind else offset

    def offset(self, real: int) -> int:
        """Where a byte of the text as it is, not within a name, stands in `text`."""
        behind = bisect_right(self.real_ends, real)
        return self.ends[behind - 1] + real - self.real_ends[behind - 1] if behind else real


def alike(text: bytes) -> Alike:
    """The text with all of its names alike, but for words that the grammar knows."""
    pieces: list[bytes] = []
    ends: list[int] = []
    real_ends: list[int] = []
    at = size = 0
    for match in _TOKEN.finditer(text):
        word = match[1]
        if word is None or word in GRAMMAR_WORDS:
            continue
        start, end = match.span(1)
        pieces.append(text[at:start])
        pieces.append(_NAME)
        size += start - at + _LENGTH
        at = end
        ends.append(size)
        real_ends.append(end)
    pieces.append(text[at:])
    return Alike(b"".join(pieces), ends, real_ends)
