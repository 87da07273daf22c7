"""The head of a declaration as a sequence of tokens and parenthesised groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from openclsp.source.grammar_words import GRAMMAR_WORDS
from openclsp.source.head_tokens import HeadToken

WORD: Final = re.compile(rb"[A-Za-z_]")


class HeadPart(NamedTuple):
    """A token, or a parenthesised group of tokens, in the head of a declaration.

    It consists of the tokens `first` to `last`.
    """

    text: bytes
    first: int
    last: int
    is_name: bool


def head_parts(tokens: list[HeadToken], closing: Mapping[int, int]) -> Iterator[HeadPart]:
    """Yields the parts of a declaration's head; stops at a parenthesis that is not closed."""
    number = 0
    while number < len(tokens):
        token = tokens[number]
        last = closing.get(number, -1) if token.text == b"(" else number
        if last < 0:
            return
        yield HeadPart(token.text, number, last, token.is_name)
        number = last + 1


def closing_parentheses(tokens: list[HeadToken]) -> Mapping[int, int]:
    """Maps the index of each closed `(` to the index of its `)`."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for number, token in enumerate(tokens):
        if token.text == b"(":
            opened.append(number)
        elif token.text == b")" and opened:
            found[opened.pop()] = number
    return found


def are_parameters(inside: list[HeadToken]) -> bool:
    """Whether tokens in parentheses look like parameters: none, two adjacent words, or a keyword."""
    words = [WORD.match(token.text) is not None for token in inside]
    pairs = any(one and other for one, other in pairwise(words))
    return not inside or pairs or any(token.text in GRAMMAR_WORDS for token in inside)
