"""Search for whole identifiers in a text.

`bytes.find` skips to the candidates. A regular expression that begins with a lookbehind stops at every byte:
on 160 KB it takes 4 ms instead of 0.05.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_IS_PART: Final = bytes(
    byte >= 0x80 or byte in b"_$" or (chr(byte).isascii() and chr(byte).isalnum()) for byte in range(256)
)
"""For each byte, whether it can be part of an identifier, as the lexer defines it"""


def find_word(data: bytes, word: bytes, start: int = 0, end: int = -1) -> int:
    """Returns the first byte from `start` on at which an identifier is written; -1 if there is none.

    The identifier ends before `end`; the bytes around the range decide whether it is a whole one.
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
    """Yields the bytes at which an identifier is written, in ascending order; see `find_word`."""
    at = find_word(data, word, start, end)
    while at >= 0:
        yield at
        at = find_word(data, word, at + len(word), end)
