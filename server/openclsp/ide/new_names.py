"""Names for what a fix adds: words that no document of the unit has and that mean nothing in the language."""

from __future__ import annotations

import re

from openclsp.language.builtin_functions import in_any_dialect
from openclsp.semantics.inputs import DECLARERS
from openclsp.semantics.translation_unit import TranslationUnit

_MOST = 9
"""Names that are tried before a fix is given up."""


def new_name(unit: TranslationUnit, wanted: str, taken: frozenset[str] = frozenset()) -> str | None:
    """`wanted`, or else the first of `wanted_2` … that is new in the unit and not `taken`; None where none is.

    Text in inactive branches counts, and so do names that a guess hides: they may be compiled elsewhere."""
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
    """Whether a variable of a function could be called the same at program scope: nothing there has the name."""
    if (
        in_any_dialect(name)
        or name.encode() in unit.preprocessed.macros
        or name in unit.preprocessed.hidden_names
    ):
        return False
    return not unit.engine.read(DECLARERS, name)
