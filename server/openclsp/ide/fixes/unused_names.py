"""Generates unused names for declarations that a fix adds."""

from __future__ import annotations

import re

from openclsp.language.builtin_functions import is_builtin_function_name
from openclsp.semantics.database.unit_inputs import DECLARERS
from openclsp.semantics.translation_unit import TranslationUnit

_MAXIMUM_TRIED_NAMES = 9
"""The maximum number of names that are tried."""


def find_unused_name(unit: TranslationUnit, wanted: str, taken: frozenset[str] = frozenset()) -> str | None:
    """Returns an unused name: `wanted`, or else the first unused one of `wanted_2`, `wanted_3`, ….

    Names in `taken` count as used, and so does every word in the unit's documents, even in inactive branches,
    because another build may compile these. None if all tried names are used.
    """
    for number in range(1, _MAXIMUM_TRIED_NAMES + 1):
        name = wanted if number == 1 else f"{wanted}_{number}"
        if name not in taken and _is_unused(unit, name):
            return name
    return None


def _is_unused(unit: TranslationUnit, name: str) -> bool:
    if is_builtin_function_name(name) or name.encode() in unit.preprocessed.macros:
        return False
    word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
    return not any(word.search(each.document.text.data) for each in unit.preprocessed.with_included())


def is_unused_at_program_scope(unit: TranslationUnit, name: str) -> bool:
    """Whether no declaration at program scope, macro or built-in function has this name."""
    if (
        is_builtin_function_name(name)
        or name.encode() in unit.preprocessed.macros
        or name in unit.preprocessed.hidden_names
    ):
        return False
    return not unit.database.read(DECLARERS, name)
