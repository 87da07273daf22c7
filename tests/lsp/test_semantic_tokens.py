"""The legend that clients are told is that of the meanings."""

from __future__ import annotations

from openclsp.lsp.semantic_tokens import MODIFIERS, TYPES
from openclsp.semantics import meanings


def test_the_legend_is_that_of_the_meanings() -> None:
    assert meanings.KINDS[1:] == TYPES
    assert meanings.MODIFIERS == MODIFIERS
