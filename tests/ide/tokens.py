"""Semantic tokens as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from openclsp.ide.tokens.semantic_tokens import compute_semantic_tokens
from openclsp.ide.tokens.token_deltas import TokenDelta
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.semantic_token_legend import KINDS, MODIFIERS


class Token(NamedTuple):
    """A token: row, column and length in units of the encoding, and its kind with its modifiers."""

    row: int
    column: int
    length: int
    meaning: str


def decoded(numbers: Sequence[int]) -> list[Token]:
    """Decodes the tokens from the protocol's numbers."""
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
    return decoded(compute_semantic_tokens(unit, document or unit.document.name, "utf-8").numbers)


def patched(numbers: list[int], splices: Iterable[TokenDelta]) -> list[int]:
    """Applies token deltas to the numbers of a response, as a client does."""
    for splice in sorted(splices, key=lambda each: each.start, reverse=True):
        numbers[splice.start : splice.start + splice.count] = splice.numbers
    return numbers
