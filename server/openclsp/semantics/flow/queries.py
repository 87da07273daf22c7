"""The flow of a unit, brought up to date: what the solution is fed with, and kept beside the unit."""

from __future__ import annotations

from typing import NamedTuple

from openclsp.semantics.engine import Input, Query
from openclsp.semantics.entities import EntityRef, ItemKey, Place
from openclsp.semantics.flow.graph import EventKind, Flow, FunctionFlow
from openclsp.semantics.flow.shared_symbols import sharing
from openclsp.semantics.flow.solution import Solution
from openclsp.semantics.heads import EXPORTS
from openclsp.semantics.inputs import DECLARERS
from openclsp.semantics.items import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.tree import kind

_FUNCTION_DEFINITION, _DECLARATION = kind("function_definition"), kind("declaration")
_DEFINITION = "function_definition"
Flows = Query[ItemKey, "tuple[FunctionFlow, ...]"]
_MANY = 100
"""How many items may come, go or change at once before it is cheaper to work out everything again."""
_MAXIMUM_THINGS = 50_000
"""How many objects and symbols a solution tells apart before it is made anew: those of texts that are gone go too."""


class Held(NamedTuple):
    """What the pointers of an item hold, in basic bits. For each of its functions and blocks (`functions`, in the order of
    their flow) whether a kernel reaches it and whether anything calls it, what its parameters hold, and the values of its
    events, of its stores (address, value), of its nodes and of the names that are shown."""

    functions: tuple[HeldByFunction, ...] = ()


class HeldByFunction(NamedTuple):
    """What the pointers of one function hold, in basic bits: parallel to its flow. `certain` is whether a kernel runs the
    function whenever it runs itself."""

    reached: bool
    called: bool
    certain: bool
    parameters: tuple[int, ...]
    events: tuple[tuple[int, int], ...]
    stores: tuple[tuple[int, int], ...]
    nodes: tuple[int, ...]
    accesses: tuple[tuple[Place, int], ...] = ()
    """By the place of the pointer, through what memory is touched by a generic one"""
    names: tuple[tuple[int, int], ...] = ()
    """By leaf, what the generic pointers hold where they are named."""


CARRYING: Input[str, bool] = Input("carrying", False)
"""Whether the flow of the unit's items follows pointers through integers and other plain data; by the solution's name."""

HELD: Input[ItemKey, Held] = Input("held", Held())
"""What the pointers of an item hold, by the solution."""

FOLLOWED: Input[ItemKey, int] = Input("followed", 0)
"""How often the flow of an item was followed anew of which something was told, by an earlier flow, after an edit."""

SOLUTION = "flow"
"""Under which the unit keeps the solution of its flow."""
_BEHIND = "told by an earlier flow"


def told_by_earlier_flow(unit: TranslationUnit, key: ItemKey) -> None:
    """Of this item something is told by a flow from before an edit: `FOLLOWED` changes with the next solution."""
    unit.kept.setdefault(_BEHIND, set()).add(key)


def solution(unit: TranslationUnit, flows: Flows) -> Solution:
    """The flow of the unit as it is now. `flows` is the query that reads an item's."""
    found = followed(unit, flows, SOLUTION)
    while found.changed:
        # whoever is superseded here goes on with the others the next time
        unit.engine.checkpoint()
        key = next(iter(found.changed))
        unit.engine.set(HELD, key, _held(found, key))
        found.changed.discard(key)
    behind: set[ItemKey] = unit.kept.get(_BEHIND, set())
    while behind:
        key = behind.pop()
        unit.engine.set(FOLLOWED, key, unit.engine.read(FOLLOWED, key) + 1)
    return found


def followed(unit: TranslationUnit, flows: Flows, name: str) -> Solution:
    """A solution of the unit as it is now. Under the name the unit keeps it, and the items that came, went or moved since it
    was brought up to date."""
    kept: tuple[Solution, set[ItemKey]] | None = unit.kept.get(name)
    if kept is None or len(kept[0].sets.things) > _MAXIMUM_THINGS:
        made = Solution(
            lambda key: unit.engine.get(flows, key),
            lambda ref: _definitions(unit, ref),
            lambda key, name: sharing(unit, key, name),
        )
        touched = set() if kept is None else kept[1]
        touched.update(item.key for item in unit.items if _is_looked_at(unit, item))
        made.defined.update(key for key in unit.by_key if key[0] == _DEFINITION)
        made.declared.update((item.key, item.names) for item in unit.items if item.kind == _DECLARATION)
        if kept is None:
            unit.followers.append(touched)
        kept = unit.kept[name] = made, touched
    found, touched = kept
    turned_on = False
    surroundings = unit.outside, unit.is_part, unit.preprocessed.has_unknown_include
    if any(now is not before for now, before in zip(surroundings, found.surroundings, strict=False)):
        found.redeclared()
    found.surroundings = surroundings
    while True:
        suspects = unit.engine.watch(flows)
        pending = touched | suspects
        if pending:
            _take(unit, flows, found, pending)
            touched.clear()
            suspects.clear()
        if unit.engine.read(CARRYING, name) == (bool(found.carriers) or turned_on):
            found.settle(unit.engine.checkpoint)
            # functions of headers may have come in
            if unit.engine.read(CARRYING, name) == (bool(found.carriers) or turned_on):
                return found
        # back and forth it never goes: what makes it necessary is the text, not what is followed
        turned_on = bool(found.carriers)
        unit.engine.set(CARRYING, name, turned_on)


def forget(unit: TranslationUnit, name: str) -> None:
    """Give back what the unit keeps under the name."""
    kept: tuple[Solution, set[ItemKey]] | None = unit.kept.pop(name, None)
    if kept is not None:
        unit.followers[:] = [each for each in unit.followers if each is not kept[1]]


def _held(found: Solution, key: ItemKey) -> Held:
    return Held(tuple(_held_by(found, flow) for flow in found.of_item.get(key, ())))


def _held_by(found: Solution, flow: FunctionFlow) -> HeldByFunction:
    solver = found.solver(flow.id)

    def basic(value: Flow) -> int:
        return found.sets.basic(solver.concrete(value))

    return HeldByFunction(
        solver.reached,
        found.is_called(flow.id),
        found.is_certain(flow.id),
        tuple(found.sets.basic(solver.concrete_bits(solver.sets[each.node])) for each in flow.parameters),
        tuple((basic(event.value), basic(event.other)) for event in flow.events),
        tuple((basic(store.address), basic(store.value)) for store in flow.stores),
        tuple(found.sets.basic(solver.concrete_bits(bits)) for bits in solver.sets),
        tuple(
            (event.place, basic(event.value))
            for event in flow.events
            if event.kind in (EventKind.DEREFERENCE, EventKind.BUILTIN)
        ),
        tuple((leaf, basic(value)) for leaf, value in flow.names),
    )


def _take(unit: TranslationUnit, flows: Flows, found: Solution, pending: set[ItemKey]) -> None:
    known = [unit.by_key[key] for key in pending if key in unit.by_key]
    # in the order of the text: what a later item looks up is there
    read = [
        (item.key, unit.engine.get(flows, item.key))
        for item in sorted(known, key=lambda item: item.order)
        if item.kind in (_FUNCTION_DEFINITION, _DECLARATION)
        and (_is_looked_at(unit, item) or (item.kind == _FUNCTION_DEFINITION and item.key in found.of_item))
    ]
    # most items that an edit touches flow as they did
    others = [(key, flow) for key, flow in read if found.of_item.get(key, ()) != flow]
    # a declaration that went into a header is not looked at there
    gone = [
        key
        for key in pending
        if key in found.of_item
        and (key not in unit.by_key or (key[0] != _DEFINITION and not _is_looked_at(unit, unit.by_key[key])))
    ]
    if len(gone) + len(others) > _MANY:
        found.start_again()
    for key in gone:
        found.replace(key, ())
    # the last first: those who call stand behind those they call, and tell who is reached
    for key, flow in reversed(others):
        found.replace(key, flow)
    found.redeclared(_names_declared(unit, found, pending))
    for key in pending:
        if key[0] == _DEFINITION and (key in unit.by_key) != (key in found.defined):
            found.defined ^= {key}
            found.redefined(key[1])


def _names_declared(unit: TranslationUnit, found: Solution, pending: set[ItemKey]) -> set[str]:
    """The names that these items declare, or did."""
    names: set[str] = set()
    for key in pending:
        if key[0] == _DEFINITION:
            names.add(key[1])
            continue
        names.update(found.declared.pop(key, ()))
        item = unit.by_key.get(key)
        if item is not None and item.kind == _DECLARATION:
            found.declared[key] = item.names
            names.update(item.names)
    return names


def _is_looked_at(unit: TranslationUnit, item: Item) -> bool:
    """Whether an item's flow counts though nobody calls it: kernels, what stands in the root, and in the document that the
    unit is looked at for."""
    fragment = item.group.fragment
    return fragment.main or item.outline.kernel or fragment.preprocessed.document.name == unit.document.name


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
