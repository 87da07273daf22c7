"""Calls as the program has them: which lead back to their caller, and which run a kernel that has local variables.

The graph is one of names, read from outlines. A name with several definitions, as overloads have, is not followed: which
of them a call means only its types tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.semantics.entities import ItemKey, Origin
from openclsp.semantics.facts.calls import Call, DeferredCall, KernelCall, RecursiveCall
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.heads import EXPORTS
from openclsp.semantics.inputs import CIRCLE, DECLARERS, LOCAL_VARIABLES
from openclsp.semantics.translation_unit import TranslationUnit

_DEFINITION = "function_definition"


def _definition(unit: TranslationUnit, name: str) -> ItemKey | None:
    """The item that defines the function, if exactly one does."""
    found = [key for _, key in unit.engine.read(DECLARERS, name) if key[0] == _DEFINITION and key[1] == name]
    return found[0] if len(found) == 1 else None


def call_facts(unit: TranslationUnit, key: ItemKey, calls: Iterable[Call | DeferredCall]) -> Iterator[Fact]:
    """What the program's other functions add to an item's calls."""
    own = key[1] if key[0] == _DEFINITION else ""
    circle = unit.engine.read(CIRCLE, own)
    for call in calls:
        if not call.name or (isinstance(call, Call) and call.recursive):
            continue
        definition = _definition(unit, call.name)
        if definition is None:
            continue
        variables = unit.engine.read(LOCAL_VARIABLES, definition)
        if call.name not in circle and not variables:
            continue
        symbol = unit.engine.get(EXPORTS, definition).symbols.get(call.name)
        if symbol is None or (isinstance(call, Call) and symbol.type is not call.function):
            continue
        origin = Origin(symbol.ref, 0)
        if call.name in circle:
            yield RecursiveCall(call.name, call.place, own, origin)
        if variables and symbol.kernel:
            yield KernelCall(call.name, call.place, variables, origin)
