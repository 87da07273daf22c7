"""The uses of names around the cursor, weighted by their distance and by the tokens before them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple

from openclsp.ide.completion.token_context import WORD_BYTES, tokens_before
from openclsp.ide.completion.unfinished_code import is_in_comment_or_literal
from openclsp.source.source_map import SourceMap

MAXIMUM_DISTANCE = 40_000
"""The number of bytes before and after the cursor in which uses are counted."""
_MAXIMUM_USES = 200
"""The maximum number of uses that are weighed; the nearest ones are chosen."""
_MAXIMUM_WORDS = 40
_NEAR_BYTES = 600.0
_NEAR = 6.0
_SAME_TOKEN = 3.0
_SAME_TWO_TOKENS = 8.0
_DECLARATION = 0.5
_AFTER_CURSOR = 0.6
"""A use after the cursor counts less: it may not be declared yet."""
_NAME = re.compile(rb"\w*")
_STATEMENT = b";"
_NO_TYPES = frozenset(
    b"""return else do case goto sizeof struct union enum const volatile restrict static extern inline typedef
    global local constant private generic __global __local __constant __private __generic kernel __kernel
    read_only write_only read_write __read_only __write_only __read_write define undef ifdef ifndef if elif
    defined include pragma""".split()
)
"""Words after which a name is no declared one: it is a value, a type or a macro."""


class CompletionUse(NamedTuple):
    """An occurrence of a name, and the two tokens before it.

    `distance` is its distance in bytes from the typed word, and `at` is its byte offset. `last_token` is
    directly before the name, and `token_before` precedes that token.
    """

    distance: int
    at: int
    name: bytes
    last_token: bytes
    token_before: bytes

    @property
    def follows_word(self) -> bool:
        """Whether the token before the name is a word, such as the type in a declaration."""
        token = self.last_token
        return (token[:1].isalpha() or token[:1] == b"_") and token not in _NO_TYPES

    @property
    def is_member(self) -> bool:
        """Whether the name is the right operand of `.` or `->`."""
        return self.last_token in (b".", b"->")


def find_uses(data: bytes, start: int, end: int, word: str) -> Sequence[CompletionUse]:
    """Finds names near the cursor that begin with the typed word, the nearest first.

    The word is at bytes `start` to `end`, and is not itself in the result. Names that begin with the word in
    lower case, in upper case or capitalised are found too. Without a word, nothing is found.
    """
    if not word or not word.isascii():
        return ()
    low, high = max(start - MAXIMUM_DISTANCE, 0), min(end + MAXIMUM_DISTANCE, len(data))
    found: list[tuple[int, int, bytes]] = []
    for spelling in dict.fromkeys((word, word.lower(), word.upper(), word.capitalize())):
        prefix = spelling.encode()
        for at in (*_names_before(data, prefix, low, start), *_names_after(data, prefix, start + 1, high)):
            name = _NAME.match(data, at, high)
            assert name is not None
            found.append((abs(at - start), at, name[0]))
    found.sort()
    return [
        CompletionUse(distance, at, name, *tokens_before(data, at))
        for distance, at, name in found[:_MAXIMUM_USES]
    ]


def _names_before(data: bytes, prefix: bytes, low: int, end: int) -> list[int]:
    """Returns the starts of names with this prefix in bytes `low` to `end`, at most `_MAXIMUM_USES`.

    The last names are returned, the nearest to `end` first.
    """
    found: list[int] = []
    at = end
    while len(found) < _MAXIMUM_USES:
        at = data.rfind(prefix, low, at - 1 + len(prefix))
        if at < 0:
            break
        if at == 0 or data[at - 1] not in WORD_BYTES:
            found.append(at)
    return found


def _names_after(data: bytes, prefix: bytes, start: int, high: int) -> list[int]:
    """Returns the starts of names with this prefix in bytes `start` to `high`, at most `_MAXIMUM_USES`."""
    found: list[int] = []
    at = start - 1
    while len(found) < _MAXIMUM_USES:
        at = data.find(prefix, at + 1, high)
        if at < 0:
            break
        if at == 0 or data[at - 1] not in WORD_BYTES:
            found.append(at)
    return found


def weigh_uses(uses: Sequence[CompletionUse], data: bytes, start: int) -> Mapping[str, float]:
    """Returns the weight of each name: the sum of the weights of its uses.

    A use weighs more if it is near the cursor, and if it follows the same tokens as the cursor.
    """
    last_token, token_before = tokens_before(data, start)
    if last_token in (b"{", b"}"):
        last_token = _STATEMENT
    weights: dict[str, float] = defaultdict(float)
    for use in uses:
        weight = 1.0 + _NEAR * exp(-use.distance / _NEAR_BYTES)
        own = _STATEMENT if use.last_token == b"{" else use.last_token
        if own == last_token:
            weight *= _SAME_TWO_TOKENS if use.token_before == token_before else _SAME_TOKEN
        if use.follows_word and own != last_token:
            weight *= _DECLARATION
        weights[use.name.decode("utf-8", "replace")] += weight * (_AFTER_CURSOR if use.at > start else 1.0)
    return weights


def words_of_code(uses: Sequence[CompletionUse], source_map: SourceMap, *, after_member: bool) -> list[str]:
    """Returns the identifiers that the code uses and does not seem to declare, the nearest first.

    An identifier counts as declared if another word directly precedes one of its occurrences, as in `int n`.
    With `after_member`, all identifiers after `.` or `->` are returned; otherwise all others. Names in
    comments and strings do not count.
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
