"""Finds qualifiers in the place of a declared name, as in `int local;`.

Further examples are `int kernel = 1;` and `void f(int private) {}`. The parser takes such a word for a
qualifier, and the resulting error depends on what follows. The tokens around the word show that it is meant
as a name: outside of parentheses, no qualifier of OpenCL C can directly precede `;`, `,` or `=`. The only
exception is a declaration that declares nothing (C99 6.7p2), for which clang only warns.
"""

from __future__ import annotations

from typing import Final

from openclsp.dataclass import dataclass
from openclsp.language.keywords import ACCESS_QUALIFIERS, KERNEL_QUALIFIERS
from openclsp.language.spaces import QUALIFIERS, Space

_KERNEL: Final = frozenset(word.encode() for word in KERNEL_QUALIFIERS)
_ACCESS: Final = frozenset(word.encode() for word in ACCESS_QUALIFIERS)
WORDS: Final = _KERNEL | _ACCESS | frozenset(word.encode() for word in QUALIFIERS)
_NOT_OF_PARAMETERS: Final = frozenset(
    word.encode()
    for word, space in QUALIFIERS.items()
    if space in (Space.GLOBAL, Space.LOCAL, Space.CONSTANT)
)
"""Qualifiers that no parameter can have (OpenCL C 6.7)"""
_ENDS: Final = frozenset((b";", b",", b"="))
_BOUNDARIES: Final = frozenset((b";", b"{", b"}"))
_AWAITS_OPERAND: Final = frozenset((b"return", b"goto", b"case", b"sizeof"))
_FARTHEST: Final = 200
"""The number of tokens searched backwards for the start of a declaration."""


@dataclass(frozen=True, slots=True)
class ReservedWords:
    """Token indices of reserved words in the place of a name.

    A compiler takes such a word for a qualifier, and finds no name in the declaration.

    - `names`: the words whose declarations are errors without a name: `int local = 1;`.
    - `alone`: the words whose declarations are valid without a name: `int local;`.
    """

    names: frozenset[int]
    alone: frozenset[int]


_NONE: Final = ReservedWords(frozenset(), frozenset())


def reserved_words(tokens: list[bytes], *, in_function: bool) -> ReservedWords:
    """Returns the reserved words of an item that are in the place of a name.

    `in_function` means that the item defines a function.
    """
    if WORDS.isdisjoint(tokens):
        return _NONE
    if len(tokens) == 1:
        # at program scope, the parser ends the item `int` before the word
        return ReservedWords(frozenset(), frozenset((0,)))
    names: set[int] = set()
    alone: set[int] = set()
    for token_index, text in enumerate(tokens):
        after = following_token(tokens, token_index) if text in WORDS else b""
        if after not in _ENDS:
            continue
        declares = _declares_before(tokens, token_index)
        if declares is None:
            continue
        if after == b";" and not declares:
            alone.add(token_index)
        else:
            names.add(token_index)
    if in_function:
        for token_index in _last_of_parameters(tokens):
            of_pointer = tokens[token_index - 1] == b"*"
            word = tokens[token_index]
            breaks = word in _KERNEL or word in _NOT_OF_PARAMETERS or (of_pointer and word in _ACCESS)
            (names if breaks else alone).add(token_index)
    return ReservedWords(frozenset(names), frozenset(alone))


def following_token(tokens: list[bytes], token_index: int) -> bytes:
    """Returns the token after an index; empty at the end.

    Tokens without text, which the parser inserted, are skipped.
    """
    after = token_index + 1
    while after < len(tokens) and not tokens[after]:
        after += 1
    return tokens[after] if after < len(tokens) else b""


def lacks_type(tokens: list[bytes], token_index: int) -> bool:
    """Whether the name at `token_index`, which is parsed as a type, is the variable of `auto n = 0;`."""
    return (
        token_index > 0
        and tokens[token_index - 1] == b"auto"
        and following_token(tokens, token_index) == b"="
    )


def _declares_before(tokens: list[bytes], token_index: int) -> bool | None:
    """Whether tokens other than specifiers precede the token in its declaration, as in `int *local`.

    Returns None within parentheses other than those of a `for`, because a qualifier may be the last token of
    a parameter's type there.
    """
    if token_index and tokens[token_index - 1] in _AWAITS_OPERAND:
        return True
    declares = False
    depth = 0
    for at in range(token_index - 1, max(token_index - _FARTHEST, 0) - 1, -1):
        text = tokens[at]
        if text == b")" or text == b"]":
            depth += 1
            declares = declares or text == b"]"
        elif text == b"(" or text == b"[":
            if depth == 0:
                return declares if at and tokens[at - 1] == b"for" else None
            depth -= 1
        elif depth:
            continue
        elif text in _BOUNDARIES:
            return declares
        elif text and not _is_word(text):
            declares = True
    return declares


def _last_of_parameters(tokens: list[bytes]) -> list[int]:
    """Returns the token indices of reserved words in the place of a parameter's name.

    Only the parameters of a function definition are searched.
    """
    found: list[int] = []
    depth = 0
    for token_index, text in enumerate(tokens):
        if text == b"{":
            break
        depth += (text == b"(") - (text == b")")
        if depth != 1 or text not in WORDS or following_token(tokens, token_index) not in (b",", b")"):
            continue
        if _is_word(tokens[token_index - 1]) or tokens[token_index - 1] == b"*":
            found.append(token_index)
    return found


def _is_word(text: bytes) -> bool:
    return text[:1].isalpha() or text[:1] == b"_"
