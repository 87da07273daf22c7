"""Finds the declarations of program-scope functions."""

from __future__ import annotations

from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.database.unit_inputs import DECLARERS
from openclsp.semantics.facts.entities import EntityKind, EntityRef
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.compatibility import agree
from openclsp.semantics.types.type_model import Function, Type
from openclsp.semantics.typing.symbols import Symbol

DEFINITION = "function_definition"
"""The item kind of function definitions."""


def declarations(unit: TranslationUnit, name: str) -> tuple[Symbol, ...]:
    """Returns all program-scope declarations of the function `name`, in source order."""
    found = (
        unit.database.get(EXPORTS, key).symbols.get(name) for _, key in unit.database.read(DECLARERS, name)
    )
    return tuple(symbol for symbol in found if symbol is not None and symbol.kind is EntityKind.FUNCTION)


def definition(symbols: tuple[Symbol, ...], type_: Type) -> Symbol | None:
    """Returns the definition with this type among the declarations of a function; None if there is none."""
    for symbol in symbols:
        if symbol.ref.item[0] == DEFINITION and agree(symbol.type, type_):
            return symbol
    return None


def function_of(unit: TranslationUnit, ref: EntityRef) -> Symbol | None:
    """Returns the program-scope function whose result or parameter is `ref`; None for any other entity."""
    if ref.item not in unit.by_key:
        return None
    for symbol in unit.database.get(EXPORTS, ref.item).symbols.values():
        if symbol.kind is not EntityKind.FUNCTION or symbol.ref.item != ref.item:
            continue
        count = len(symbol.type.parameters) if isinstance(symbol.type, Function) else 0
        if 0 <= ref.number - symbol.ref.number <= count:
            return symbol
    return None
