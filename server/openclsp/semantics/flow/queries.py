"""The flow of a unit, brought up to date: what the solution is fed with, and kept beside the unit."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from openclsp.semantics.engine import Query
from openclsp.semantics.entities import EntityRef, ItemKey
from openclsp.semantics.flow.graph import FunctionFlow
from openclsp.semantics.flow.solution import Solution
from openclsp.semantics.flow.statements import function_flows
from openclsp.semantics.translation_unit import CONTENT, DECLARERS, EXPORTS, TranslationUnit
from openclsp.source.tree import kind

_FUNCTION_DEFINITION, _DECLARATION = kind("function_definition"), kind("declaration")
_DEFINITION = "function_definition"
_MAXIMUM_THINGS = 50_000
"""How many objects and symbols a solution tells apart before it is made anew: those of texts that are gone go too."""


def _flow(unit: TranslationUnit, key: ItemKey) -> tuple[FunctionFlow, ...]:
    if not unit.engine.read(CONTENT, key):
        return ()
    ctx = unit.typed(key, bodies=True, trace=True)
    return function_flows(ctx, ctx.trace or {})[0]


FLOW: Query[ItemKey, tuple[FunctionFlow, ...]] = Query("flow", _flow, ())
"""How pointers flow within an item."""

_SOLUTIONS: WeakKeyDictionary[TranslationUnit, tuple[Solution, set[ItemKey]]] = WeakKeyDictionary()


def solution(unit: TranslationUnit) -> Solution:
    """The flow of the unit as it is now."""
    kept = _SOLUTIONS.get(unit)
    if kept is None or len(kept[0].things) > _MAXIMUM_THINGS:
        made = Solution(lambda key: unit.engine.get(FLOW, key), lambda ref: _definitions(unit, ref))
        touched = set() if kept is None else kept[1]
        touched.update(item.key for item in unit.items if item.group.fragment.main)
        if kept is None:
            unit.followers.append(touched)
        kept = _SOLUTIONS[unit] = made, touched
    found, touched = kept
    suspects = unit.engine.watch(FLOW)
    pending = touched | suspects
    if pending:
        _take(unit, found, pending)
        touched.clear()
        suspects.clear()
    found.settle(unit.engine.checkpoint)
    return found


def _take(unit: TranslationUnit, found: Solution, pending: set[ItemKey]) -> None:
    known = [unit.by_key[key] for key in pending if key in unit.by_key]
    for key in pending - unit.by_key.keys():
        found.replace(key, ())
    # the last first: those who call stand behind those they call, and tell who is reached
    for item in sorted(known, key=lambda item: item.order, reverse=True):
        if item.kind not in (_FUNCTION_DEFINITION, _DECLARATION):
            continue
        if item.group.fragment.main or item.key in found.of_item:
            found.replace(item.key, unit.engine.get(FLOW, item.key))
    for key in pending:
        if key[0] == _DEFINITION:
            found.redefined(key[1])


def _definitions(unit: TranslationUnit, ref: EntityRef) -> tuple[ItemKey, ...]:
    """The definitions of the function that an entity declares."""
    if ref.item[0] == _DEFINITION:
        return (ref.item,)
    declared = unit.engine.get(EXPORTS, ref.item).symbols
    name = next((each.name for each in declared.values() if each.ref == ref), "")
    found = [key for _, key in unit.engine.read(DECLARERS, name) if key[0] == _DEFINITION and key[1] == name]
    if len(found) < 2:
        return tuple(found)
    type_ = declared[name].type
    same = [key for key in found if unit.engine.get(EXPORTS, key).symbols[name].type is type_]
    return tuple(same or found)
