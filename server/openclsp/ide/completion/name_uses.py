"""The uses of names around the cursor, weighted by how much they resemble the place of the cursor."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple

from openclsp.ide.completion.token_context import tokens_before
from openclsp.ide.completion.unfinished_code import is_in_comment_or_literal
from openclsp.source.source_map import SourceMap

MAXIMUM_DISTANCE = 60_000
"""The number of bytes before and after the cursor in which uses are counted."""
_MAXIMUM_USES = 400
"""The number of uses that are compared with the place of the cursor: the nearest ones."""
_MAXIMUM_WORDS = 40
_NEAR_BYTES = 600.0
_NEAR = 6.0
_SAME_TOKEN = 3.0
_SAME_TWO_TOKENS = 8.0
_DECLARATION = 0.5
_AFTER_CURSOR = 0.6
"""A use after the cursor counts less: it may not be declared yet."""
_CONTEXT = 96
_STATEMENT = b";"
_NO_TYPES = frozenset((b"return", b"else", b"do", b"case", b"goto", b"sizeof", b"struct", b"union", b"enum"))


class NameUse(NamedTuple):
    """An occurrence of a name: its distance from the cursor, its first byte, and the tokens before it."""

    distance: int
    at: int
    name: bytes
    last_token: bytes
    two_tokens: bytes

    @property
    def follows_word(self) -> bool:
        """Whether a word is before the name, as the type is in a declaration."""
        token = self.last_token
        return (token[:1].isalpha() or token[:1] == b"_") and token not in _NO_TYPES

    @property
    def is_member(self) -> bool:
        """Whether the name is the right operand of `.` or `->`."""
        return self.last_token in (b".", b"->")


def find_uses(data: bytes, start: int, end: int, word: str) -> Sequence[NameUse]:
    """The other occurrences of names that begin with the word at bytes `start` to `end`, the nearest first.

    Case is ignored. Empty without a word.
    """
    if not word or not word.isascii():
        return ()
    pattern = b"".join(b"[%c%c]" % (ord(each.lower()), ord(each.upper())) for each in word)
    names = re.compile(rb"(?<!\w)" + pattern + rb"\w*")
    low, high = max(start - MAXIMUM_DISTANCE, 0), min(end + MAXIMUM_DISTANCE, len(data))
    found = [
        (abs(match.start() - start), match.start(), match[0])
        for match in names.finditer(data, low, high)
        if match.start() != start
    ]
    found.sort()
    return [
        NameUse(distance, at, name, *tokens_before(data[max(at - _CONTEXT, 0) : at]))
        for distance, at, name in found[:_MAXIMUM_USES]
    ]


def weigh_uses(uses: Sequence[NameUse], data: bytes, start: int) -> Mapping[str, float]:
    """The weight of each name: the sum over its uses.

    A use weighs 1 far from the cursor, and more if it is near or follows the same tokens as the cursor.
    """
    last_token, two_tokens = tokens_before(data[max(start - _CONTEXT, 0) : start])
    if last_token in (b"{", b"}"):
        last_token = _STATEMENT
    weights: dict[str, float] = defaultdict(float)
    for use in uses:
        weight = 1.0 + _NEAR * exp(-use.distance / _NEAR_BYTES)
        own = _STATEMENT if use.last_token == b"{" else use.last_token
        if own == last_token:
            weight *= _SAME_TWO_TOKENS if use.two_tokens == two_tokens else _SAME_TOKEN
        if use.follows_word and own != last_token:
            weight *= _DECLARATION
        weights[use.name.decode("utf-8", "replace")] += weight * (_AFTER_CURSOR if use.at > start else 1.0)
    return weights


def words_of_code(uses: Sequence[NameUse], source_map: SourceMap, *, after_member: bool) -> list[str]:
    """The identifiers that the code uses and, as far as the text tells, does not declare.

    Those after `.` or `->`, or only the others; the nearest come first. Names in comments and strings do not
    count.
    """
    declared = set() if after_member else {use.name for use in uses if use.follows_word}
    found: dict[bytes, None] = {}
    for use in uses:
        if use.name in found or use.name in declared or use.is_member is not after_member:
            continue
        if _is_code(use.at, source_map):
            found[use.name] = None
            if len(found) == _MAXIMUM_WORDS:
                break
    return [name.decode("utf-8", "replace") for name in found]


def _is_code(at: int, source_map: SourceMap) -> bool:
    """Whether a byte of the document is outside of comments and literals."""
    text = source_map.document.text
    row = text.line_of(at)
    mapped = source_map.rows[row] if row < len(source_map.rows) else None
    opened = mapped is not None and mapped.comment
    return not is_in_comment_or_literal(text.line(row), at - text.line_start(row) + 1, opened)
