"""Calls as the program has them: which lead back to their caller, and which run a kernel that has local variables.

The graph is one of names, read from outlines. A name with several definitions, as overloads have, is not followed: which
of them a call means only its types tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.semantics.engine import Query
from openclsp.semantics.entities import ItemKey, Origin
from openclsp.semantics.facts import Call, Fact, KernelCall, RecursiveCall
from openclsp.semantics.translation_unit import DECLARERS, EXPORTS, OUTLINE, TranslationUnit

_DEFINITION = "function_definition"


def _definition(unit: TranslationUnit, name: str) -> ItemKey | None:
    """The item that defines the function, if exactly one does."""
    found = [key for _, key in unit.engine.read(DECLARERS, name) if key[0] == _DEFINITION and key[1] == name]
    return found[0] if len(found) == 1 else None


def _reached(unit: TranslationUnit, key: ItemKey) -> frozenset[str]:
    seen: set[str] = set()
    todo = [key]
    while todo:
        for name in unit.engine.read(OUTLINE, todo.pop()).calls:
            definition = None if name in seen else _definition(unit, name)
            if definition is not None:
                seen.add(name)
                todo.append(definition)
    return frozenset(seen)


REACHED: Query[ItemKey, frozenset[str]] = Query("reached", _reached, frozenset())
"""The functions of the program that a definition calls, directly or not."""


def _leads_to(unit: TranslationUnit, key: tuple[ItemKey, str]) -> bool:
    return key[1] in unit.engine.get(REACHED, key[0])


LEADS_TO: Query[tuple[ItemKey, str], bool] = Query("leads to", _leads_to, False)
"""Whether a definition calls the function of that name, directly or not. Apart from REACHED so that a call which is
added somewhere below wakes nobody whose answer stays."""


def _local_variables(unit: TranslationUnit, key: ItemKey) -> tuple[str, ...]:
    return unit.engine.read(OUTLINE, key).local_variables


LOCAL_VARIABLES: Query[ItemKey, tuple[str, ...]] = Query("local variables", _local_variables, ())
"""The variables in local memory of a function's definition."""


def call_facts(unit: TranslationUnit, key: ItemKey, facts: Iterable[Fact]) -> Iterator[Fact]:
    """What the program's other functions add to the calls among an item's facts."""
    own = key[1] if key[0] == _DEFINITION else ""
    for fact in facts:
        if not isinstance(fact, Call) or fact.function is None or not fact.name or fact.recursive:
            continue
        definition = _definition(unit, fact.name)
        if definition is None:
            continue
        symbol = unit.engine.get(EXPORTS, definition).symbols.get(fact.name)
        if symbol is None or symbol.type is not fact.function:
            continue
        origin = Origin(symbol.ref, 0)
        if own and _definition(unit, own) == key and unit.engine.get(LEADS_TO, (definition, own)):
            yield RecursiveCall(fact, own, origin)
        variables = unit.engine.get(LOCAL_VARIABLES, definition) if symbol.kernel else ()
        if variables:
            yield KernelCall(fact, variables, origin)
