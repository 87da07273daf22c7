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

NAME: Final = b"name"
_LENGTH: Final = len(NAME)

# Strings, comments and preprocessing numbers hold no names.
_TOKEN: Final = re.compile(
    rb"""
    "[^"\\\n]*" | //[^\n]* | /\*.*?\*/ | \.?[0-9](?:[eEpP][+-]|[\w.])*
    | ([A-Za-z_]\w*)
    | (["'\\#$\x80-\xff])
    """,
    re.DOTALL | re.VERBOSE,
)


_TYPE: Final = b"void"
_DECLARATION: Final = re.compile(
    rb"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*"
    + NAME
    + rb"\s*\((?:\s*\*)*\s*(?:(?:const|volatile|restrict)\s+)*"
    + NAME
    + rb"\s*\)\s*(?:\[[^\][(){};]*\]\s*)+;\s*\Z"
)
"""`T (*p)[4];`, a call and a subscript to the grammar"""


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
    """The text with all of its names alike, but for words that the grammar knows. A text is left as it is where a parser that
    looks for an error's end may see other tokens than names: with a character constant, a quote that nothing closes, a `\\`, a
    `#`, or other letters than ASCII's. A zero byte is a blank, as compilers take it."""
    text = text.replace(b"\0", b" ")
    pieces: list[bytes] = []
    ends: list[int] = []
    real_ends: list[int] = []
    at = size = 0
    for match in _TOKEN.finditer(text):
        word = match[1]
        if match[2] is not None:
            return Alike(text, [], [])
        if word is None or word in GRAMMAR_WORDS:
            continue
        start, end = match.span(1)
        if text[end : end + 1] == b'"':
            # the encoding of a string (C99 6.4.5)
            continue
        pieces.append(text[at:start])
        pieces.append(NAME)
        size += start - at + _LENGTH
        at = end
        ends.append(size)
        real_ends.append(end)
    pieces.append(text[at:])
    return Alike(b"".join(pieces), ends, real_ends)


def as_declaration(names: Alike) -> Alike:
    """A chunk's names with a type's keyword for the first, as long as that, where only a typedef's name can stand at program
    scope. `located` gives the name back."""
    if _DECLARATION.match(names.text) is None:
        return names
    first = names.ends[0]
    return Alike(names.text[: first - _LENGTH] + _TYPE + names.text[first:], names.ends, names.real_ends)
