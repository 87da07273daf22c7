"""Generates unused names for declarations that a fix adds."""

from __future__ import annotations

import re

from openclsp.language.builtin_functions import in_any_dialect
from openclsp.semantics.inputs import DECLARERS
from openclsp.semantics.translation_unit import TranslationUnit

_MOST = 9
"""The maximum number of names that are tried."""


def new_name(unit: TranslationUnit, wanted: str, taken: frozenset[str] = frozenset()) -> str | None:
    """Returns an unused name: `wanted`, or the first possible `wanted_2` ….

    The name is not in `taken` either. None if all tried names are used. Names in inactive branches and in
    text excluded by a guessed condition count as used: they may be compiled elsewhere.
    """
    for number in range(1, _MOST + 1):
        name = wanted if number == 1 else f"{wanted}_{number}"
        if name not in taken and _is_new(unit, name):
            return name
    return None


def _is_new(unit: TranslationUnit, name: str) -> bool:
    if in_any_dialect(name) or name.encode() in unit.preprocessed.macros:
        return False
    word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
    return not any(word.search(each.document.text.data) for each in unit.preprocessed.units())


def is_new_at_program_scope(unit: TranslationUnit, name: str) -> bool:
    """Whether no declaration at program scope, macro or built-in function has this name."""
    if (
        in_any_dialect(name)
        or name.encode() in unit.preprocessed.macros
        or name in unit.preprocessed.hidden_names
    ):
        return False
    return not unit.engine.read(DECLARERS, name)
