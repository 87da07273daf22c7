"""Replaces every identifier in the parser's input by the same name.

The grammar treats all identifiers alike, but tree-sitter's error recovery counts the bytes that it skips.
With a single name, texts that differ only in identifiers have the same tree, even with syntax errors: a
keystroke within an identifier needs no parse, and the length of an identifier does not affect where an error
ends.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Final

from openclsp.source.blanked_text import skip_white_space
from openclsp.source.grammar_words import GRAMMAR_WORDS

NAME: Final = b"name"
_LENGTH: Final = len(NAME)
_QUOTE: Final = ord('"')

# Strings, comments and preprocessing numbers hold no names.
_TOKEN: Final = re.compile(
    rb"""
    "[^"\\\n]*" | //[^\n]* | /\*.*?(?:\*/|\Z) | \.?[0-9](?:[eEpP][+-]|[\w.])*
    | ([A-Za-z_]\w*)
    | (["'\\#$\x80-\xff])
    """,
    re.DOTALL | re.VERBOSE,
)
_UNSAFE_GROUP: Final = 2
"""The group of `_TOKEN` that matches what makes the text unsafe to change"""
_TYPE: Final = b"void"
_DECLARATION: Final = re.compile(
    rb"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*"
    + NAME
    + rb"\s*\((?:\s*\*)*\s*(?:(?:const|volatile|restrict)\s+)*"
    + NAME
    + rb"\s*\)\s*(?:\[[^\][(){};]*\]\s*)+;\s*\Z"
)
"""`T (*p)[4];`, which the grammar parses as a call with a subscript"""


class NormalizedText:
    """A text with normalised names.

    - `ends`: the offsets after each name in `text`.
    - `real_ends`: the offsets after each name in the original text.
    - `inserted`: the separators that `text` has in place of white space (see
      `missing_separators.py`), by offset in the original text.
    """

    __slots__ = ("ends", "inserted", "real_ends", "text")

    def __init__(self, text: bytes, ends: list[int], real_ends: list[int]) -> None:
        self.text, self.ends, self.real_ends = text, ends, real_ends
        self.inserted: Mapping[int, str] = {}

    def real(self, offset: int) -> int:
        """Maps an offset of `text` to the original text; the offset must not be inside a name."""
        behind = bisect_right(self.ends, offset)
        return self.real_ends[behind - 1] + offset - self.ends[behind - 1] if behind else offset

    def offset(self, real: int) -> int:
        """Maps an offset of the original text to `text`; the offset must not be inside a name."""
        behind = bisect_right(self.real_ends, real)
        return self.ends[behind - 1] + real - self.real_ends[behind - 1] if behind else real


def normalize_identifiers(text: bytes) -> NormalizedText:
    """Replaces all names in the text by a single one, except words that the grammar knows.

    The text is returned unchanged if it has a character constant, an unclosed quote, a `\\`, a `#` or a
    non-ASCII letter, because error recovery may then depend on the names. A zero byte becomes a blank, as in
    compilers.
    """
    text = text.replace(b"\0", b" ")
    pieces: list[bytes] = []
    ends: list[int] = []
    real_ends: list[int] = []
    at = size = 0
    length = len(text)
    for match in _TOKEN.finditer(text):
        group = match.lastindex
        if group is None:
            continue
        if group == _UNSAFE_GROUP:
            return NormalizedText(text, [], [])
        if match[1] in GRAMMAR_WORDS:
            continue
        start, end = match.span(1)
        if end < length and text[end] == _QUOTE:
            # encoding prefix of a string literal (C99 6.4.5)
            continue
        pieces.append(text[at:start])
        pieces.append(NAME)
        size += start - at + _LENGTH
        at = end
        ends.append(size)
        real_ends.append(end)
    pieces.append(text[at:])
    return NormalizedText(b"".join(pieces), ends, real_ends)


def as_declaration(names: NormalizedText) -> NormalizedText:
    """Replaces the first name in a chunk by a type keyword, if the name can only denote a type.

    Declarations such as `T (*p)[4];` at program scope need this. The keyword has the length of the normalised
    name. `semantics/items/syntax_table_builder.py` makes the node a type name again.
    """
    if _DECLARATION.match(names.text, skip_white_space(names.text, 0)) is None:
        return names
    first = names.ends[0]
    return NormalizedText(
        names.text[: first - _LENGTH] + _TYPE + names.text[first:], names.ends, names.real_ends
    )
