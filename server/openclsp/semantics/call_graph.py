"""Calls as the program has them: which lead back to their caller, and which run a kernel that has local variables.

The graph is one of names, read from outlines. A name with several definitions, as overloads have, is not followed: which
of them a call means only its types tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.semantics.entities import ItemKey, Origin
from openclsp.semantics.facts import Call, Fact, KernelCall, RecursiveCall
from openclsp.semantics.translation_unit import CIRCLE, DECLARERS, EXPORTS, LOCAL_VARIABLES, TranslationUnit

_DEFINITION = "function_definition"


def _definition(unit: TranslationUnit, name: str) -> ItemKey | None:
    """The item that defines the function, if exactly one does."""
    found = [key for _, key in unit.engine.read(DECLARERS, name) if key[0] == _DEFINITION and key[1] == name]
    return found[0] if len(found) == 1 else None


def call_facts(unit: TranslationUnit, key: ItemKey, facts: Iterable[Fact]) -> Iterator[Fact]:
    """What the program's other functions add to the calls among an item's facts."""
    own = key[1] if key[0] == _DEFINITION else ""
    circle = unit.engine.read(CIRCLE, own)
    for fact in facts:
        if not isinstance(fact, Call) or fact.function is None or not fact.name or fact.recursive:
            continue
        definition = _definition(unit, fact.name)
        if definition is None:
            continue
        variables = unit.engine.read(LOCAL_VARIABLES, definition)
        if fact.name not in circle and not variables:
            continue
        symbol = unit.engine.get(EXPORTS, definition).symbols.get(fact.name)
        if symbol is None or symbol.type is not fact.function:
            continue
        origin = Origin(symbol.ref, 0)
        if fact.name in circle:
            yield RecursiveCall(fact, own, origin)
        if variables and symbol.kernel:
            yield KernelCall(fact, variables, origin)
