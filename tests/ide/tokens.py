"""Semantic tokens as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from openclsp.ide.semantic_tokens import semantic_tokens
from openclsp.ide.token_answers import Splice
from openclsp.semantics.token_words import KINDS, MODIFIERS
from openclsp.semantics.translation_unit import TranslationUnit


class Token(NamedTuple):
    """A token: row, column and length in units of the encoding, and its kind with its modifiers."""

    row: int
    column: int
    length: int
    meaning: str


def decoded(numbers: Sequence[int]) -> list[Token]:
    """The tokens that the protocol's numbers tell."""
    found = []
    row = column = 0
    for at in range(0, len(numbers), 5):
        down, across, length, kind, modifiers = numbers[at : at + 5]
        row, column = row + down, across if down else column + across
        words = [word for bit, word in enumerate(MODIFIERS) if modifiers >> bit & 1]
        found.append(Token(row, column, length, " ".join([KINDS[kind + 1], *words])))
    return found


def tokens(unit: TranslationUnit, document: str = "") -> list[Token]:
    """The tokens of a document, the root's if none is named, in bytes."""
    return decoded(semantic_tokens(unit, document or unit.document.name, "utf-8").numbers)


def patched(numbers: list[int], splices: Iterable[Splice]) -> list[int]:
    """The numbers of an answer after what has changed since, as a client applies it."""
    for splice in sorted(splices, key=lambda each: each.start, reverse=True):
        numbers[splice.start : splice.start + splice.count] = splice.numbers
    return numbers
