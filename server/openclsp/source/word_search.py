"""Search for whole identifiers in a text.

It uses `bytes.find`, which skips to the candidates: 0.05 ms for 160 KB. A regular expression that begins with
a lookbehind tries every byte, and takes 4 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_IS_PART: Final = bytes(
    byte >= 0x80 or byte in b"_$" or (chr(byte).isascii() and chr(byte).isalnum()) for byte in range(256)
)
"""For each byte, whether it can be part of an identifier, as the lexer defines it"""


def find_word(data: bytes, word: bytes, start: int = 0, end: int = -1) -> int:
    """Returns the offset of the first occurrence of an identifier in a range of `data`; -1 if there is none.

    The range extends from `start` to `end` (-1: the end of `data`). The bytes before and after the range also
    decide whether an occurrence is a whole identifier.
    """
    size = len(data)
    stop = size if end < 0 else end
    at = data.find(word, start, stop)
    while at >= 0:
        behind = at + len(word)
        if not (at > 0 and _IS_PART[data[at - 1]]) and not (behind < size and _IS_PART[data[behind]]):
            return at
        at = data.find(word, at + 1, stop)
    return -1


def word_starts(data: bytes, word: bytes, start: int = 0, end: int = -1) -> Iterator[int]:
    """Yields the offsets of an identifier in a range of `data`, in ascending order; see `find_word`."""
    at = find_word(data, word, start, end)
    while at >= 0:
        yield at
        at = find_word(data, word, at + len(word), end)
