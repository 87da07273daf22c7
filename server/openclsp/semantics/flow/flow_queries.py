"""Queries of the flow layer: update a unit's solution and publish the points-to sets."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.semantics.database.query_database import Input, Query
from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.database.unit_inputs import DECLARERS
from openclsp.semantics.facts.entities import EntityRef, ItemKey
from openclsp.semantics.flow.graph import EventKind, Flow, FunctionFlow
from openclsp.semantics.flow.points_to_values import FunctionPointsTo, PointsTo
from openclsp.semantics.flow.program_summary import (
    OtherPrograms,
    ProgramFlow,
    SummarisedFunction,
    join_programs,
)
from openclsp.semantics.flow.shared_symbols import sharing
from openclsp.semantics.flow.unit_solution import Solution
from openclsp.semantics.items.item import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache
from openclsp.source.document import DocumentName
from openclsp.source.other_files import DeclarationsElsewhere
from openclsp.source.parser import kind

_FUNCTION_DEFINITION, _DECLARATION = kind("function_definition"), kind("declaration")
_DEFINITION = "function_definition"
Flows = Query[ItemKey, "tuple[FunctionFlow, ...]"]
_MANY = 100
"""Number of changed items from which a new solution is cheaper than an update"""
_MAXIMUM_SET_MEMBERS = 50_000
"""Number of objects and symbols from which a solution is rebuilt.

That drops those of deleted text.
"""


CARRYING: Input[str, bool] = Input("carrying", False, published=True)
"""Whether the graphs track pointers through integers and other plain data; by the solution's name"""

POINTS_TO: Input[ItemKey, PointsTo] = Input("points-to sets", PointsTo(), published=True)
"""The points-to sets of an item, published by the solution"""

SOLUTION = "flow"
"""The name of the solution of a unit's flow"""
_WHOLE_SOLUTION = "flow as a whole program"


@dataclass(slots=True)
class KeptSolution:
    """A cached solution of a unit, with the data that the next update of the solution needs."""

    name: str
    flows: Flows
    outside: DeclarationsElsewhere
    """The other files of the project, as this solution takes them"""
    touched: set[ItemKey]
    """The items added, removed or moved since the last update, and those whose graphs may have changed"""
    solution: Solution | None = None
    published: dict[ItemKey, PointsTo] = field(default_factory=dict)
    """The points-to sets in this solution of the published items, not joined with those of other programs"""
    unjoined: set[ItemKey] = field(default_factory=set)
    """The items to publish again, because the flow of other programs has changed"""


SOLUTIONS: UnitCache[dict[str, KeptSolution]] = UnitCache("solutions")
"""The solutions of a unit by name"""


def solution(unit: TranslationUnit, flows: Flows) -> Solution:
    """Returns the updated solution, and sets the query inputs of the points-to sets that changed.

    `flows` is the query that yields the flow graphs of an item.
    """
    found = current_solution(unit, flows, SOLUTION)
    kept = unit.caches.get_or_make(SOLUTIONS, dict)[SOLUTION]
    while found.changed or kept.unjoined:
        # one item at a time: if the checkpoint cancels this run, the next run continues with the other items
        unit.database.checkpoint()
        key = next(iter(found.changed or kept.unjoined))
        if key in found.changed:
            kept.published[key] = _held(found, key)
        unit.database.set(POINTS_TO, key, _joined_with_others(unit, key, kept.published[key]))
        if key not in found.of_item:
            del kept.published[key]
        found.changed.discard(key)
        kept.unjoined.discard(key)
    return found


def current_solution(unit: TranslationUnit, flows: Flows, name: str) -> Solution:
    """Returns the up-to-date solution that is cached under `name`."""
    kept = _kept_solution(unit, flows, name, unit.outside)
    found = _take_changes(unit, kept, unit.other_programs)
    turned_on = False
    # Terminates: once `CARRYING` is turned on here, it stays on until the return.
    while True:
        if unit.database.read(CARRYING, name) == (bool(found.carriers) or turned_on):
            found.settle(unit.database.checkpoint)
            if _unload_uncalled(unit, kept, found):
                _take_pending(unit, kept, found)
                continue
            # settling may load functions of headers, one of which may need plain data to be tracked
            if unit.database.read(CARRYING, name) == (bool(found.carriers) or turned_on):
                return found
        # cannot oscillate: `carries` depends on the text, not on what is tracked
        turned_on = bool(found.carriers)
        unit.database.set(CARRYING, name, turned_on)
        _take_pending(unit, kept, found)


def _whole_solution(unit: TranslationUnit, flows: Flows, outside: DeclarationsElsewhere) -> Solution | None:
    """Solves the unit as a whole program, with the flow graphs of the unit's own solution.

    `outside` contains the declarations in the other files of the whole program. Returns None if the whole
    program needs other flow graphs.
    """
    current_solution(unit, flows, SOLUTION)
    kept = _kept_solution(unit, flows, _WHOLE_SOLUTION, outside)
    found = _take_changes(unit, kept, None)
    found.settle(unit.database.checkpoint)
    while _unload_uncalled(unit, kept, found):
        _take_pending(unit, kept, found)
        found.settle(unit.database.checkpoint)
    found.changed.clear()
    # The graphs were built for the value of `CARRYING` that the unit's own solution requires. The solution of
    # the whole program may require the other value, because it also contains the variables of headers.
    return found if bool(found.carriers) == unit.database.read(CARRYING, SOLUTION) else None


def _kept_solution(
    unit: TranslationUnit, flows: Flows, name: str, outside: DeclarationsElsewhere
) -> KeptSolution:
    """Returns the solution that is cached under `name`, not yet updated.

    Creates an empty one if none is cached, or if `outside.is_whole` has changed since its last update.
    """
    solutions = unit.caches.get_or_make(SOLUTIONS, dict)
    kept = solutions.get(name)
    if kept is not None and kept.outside.is_whole != outside.is_whole:
        # the solution now contains other items, see `_is_root`; this is rare: it happens after a project scan
        forget(unit, name)
        kept = None
    if kept is None:
        kept = solutions[name] = KeptSolution(name, flows, outside, set())
        unit.change_listeners.append(kept.touched)
    kept.outside = outside
    return kept


def _take_changes(
    unit: TranslationUnit, kept: KeptSolution, other_programs: OtherPrograms | None
) -> Solution:
    """Records in a solution all changes since its last update; `Solution.settle` must be called next."""
    found = kept.solution
    if found is None or len(found.sets.set_members) > _MAXIMUM_SET_MEMBERS:
        flows, name = kept.flows, kept.name
        # The functions do not refer to `kept`: such a cycle would keep a closed unit until the next garbage collection.
        found = kept.solution = Solution(
            lambda key: unit.database.get(flows, key),
            lambda ref: _definitions(unit, ref),
            lambda key, declared: sharing(unit, _outside_of(unit, name), key, declared),
        )
        kept.published.clear()
        kept.unjoined.clear()
        kept.touched.update(item.key for item in unit.items if _is_root(unit, kept, item))
        found.defined.update(key for key in unit.by_key if key[0] == _DEFINITION)
        found.declared.update((item.key, item.names) for item in unit.items if item.kind == _DECLARATION)
    surroundings = kept.outside, unit.is_part, unit.preprocessed.has_unknown_include, other_programs
    if found.surroundings and other_programs is not found.surroundings[3]:
        # the items that were not published yet are in `found.changed`
        kept.unjoined.update(kept.published)
    if any(now is not before for now, before in zip(surroundings, found.surroundings, strict=False)):
        found.redeclared()
    found.surroundings = surroundings
    _take_pending(unit, kept, found)
    return found


def _outside_of(unit: TranslationUnit, name: str) -> DeclarationsElsewhere:
    """Returns the declarations in other files of the project that the solution `name` takes into account."""
    return unit.caches.get_or_make(SOLUTIONS, dict)[name].outside


def _take_pending(unit: TranslationUnit, kept: KeptSolution, found: Solution) -> None:
    """Replaces in `found` the flow graphs of items that were edited or whose graphs may have changed."""
    suspects = unit.database.watch(kept.flows)
    if suspects:
        # the solutions of the same graphs share this set
        for each in unit.caches.get_or_make(SOLUTIONS, dict).values():
            if each.flows is kept.flows:
                each.touched |= suspects
        suspects.clear()
    if kept.touched:
        _take(unit, kept, found)
        kept.touched.clear()


def _unload_uncalled(unit: TranslationUnit, kept: KeptSolution, found: Solution) -> bool:
    """Unloads header functions that are no longer called; returns whether there were any.

    Header functions are loaded when they are first called. An uncalled function that stayed in the solution
    would still contribute arguments to the functions that it calls.
    """
    if not found.reach.has_lost_calls:
        return False
    found.reach.has_lost_calls = False
    known = unit.by_key
    counting = {key for key in found.of_item if key in known and _is_root(unit, kept, known[key])}
    if len(counting) == len(found.of_item):
        return False
    needed = found.reach.callees_of(flow.id for key in counting for flow in found.of_item[key])
    others = [
        key
        for key, flows in found.of_item.items()
        if key not in counting and not any(flow.id in needed for flow in flows)
    ]
    for key in others:
        found.replace(key, ())
    return bool(others)


def forget(unit: TranslationUnit, name: str) -> None:
    """Drops the solution that is cached under `name`."""
    kept = unit.caches.get_or_make(SOLUTIONS, dict).pop(name, None)
    if kept is not None:
        unit.change_listeners[:] = [each for each in unit.change_listeners if each is not kept.touched]


def _joined_with_others(unit: TranslationUnit, key: ItemKey, held: PointsTo) -> PointsTo:
    """Returns an item's points-to sets `held`, joined with those of the project's other programs."""
    item = unit.by_key.get(key)
    if unit.other_programs is None or item is None:
        return held
    return join_programs(unit.other_programs, _document_of(item), key, item.digest, held)


def program_flow(unit: TranslationUnit, flows: Flows, documents: Container[DocumentName]) -> ProgramFlow:
    """Returns the points-to sets of the unit's functions that are defined in these documents."""
    return _flow_in(unit, current_solution(unit, flows, SOLUTION), documents)


def flow_as_program(
    unit: TranslationUnit, flows: Flows, outside: DeclarationsElsewhere, documents: Container[DocumentName]
) -> ProgramFlow | None:
    """Returns the `program_flow` of the same text as a whole program, without creating a unit for it.

    `outside` contains the declarations in the other files of the whole program. Returns None if the whole
    program needs other flow graphs than `unit`; the caller must then create a unit and analyse it.
    """
    found = _whole_solution(unit, flows, outside)
    return None if found is None else _flow_in(unit, found, documents)


def _flow_in(unit: TranslationUnit, found: Solution, documents: Container[DocumentName]) -> ProgramFlow:
    functions: dict[tuple[DocumentName, str], SummarisedFunction | None] = {}
    for key in found.of_item:
        item = unit.by_key.get(key)
        if item is None or key[0] != _DEFINITION or _document_of(item) not in documents:
            continue
        identity = _document_of(item), key[1]
        several = identity in functions
        functions[identity] = None if several else SummarisedFunction(item.digest, _held(found, key))
    return ProgramFlow(functions)


def _document_of(item: Item) -> DocumentName:
    return item.group.part.preprocessed.document.name


def _held(found: Solution, key: ItemKey) -> PointsTo:
    return PointsTo(tuple(_held_by(found, flow) for flow in found.of_item.get(key, ())))


def _held_by(found: Solution, flow: FunctionFlow) -> FunctionPointsTo:
    solver = found.solver(flow.id)

    def basic(value: Flow) -> int:
        return found.sets.basic(solver.substituted(value))

    return FunctionPointsTo(
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
        tuple((token_index, basic(value)) for token_index, value in flow.names),
    )


def _take(unit: TranslationUnit, kept: KeptSolution, found: Solution) -> None:
    flows, pending = kept.flows, kept.touched
    known = [unit.by_key[key] for key in pending if key in unit.by_key]
    # in text order, so that the declarations which a later item looks up are already there
    read = [
        (item.key, unit.database.get(flows, item.key))
        for item in sorted(known, key=lambda item: item.order)
        if item.kind in (_FUNCTION_DEFINITION, _DECLARATION)
        and (_is_root(unit, kept, item) or (item.kind == _FUNCTION_DEFINITION and item.key in found.of_item))
    ]
    # the graphs of most items that an edit touches are unchanged
    others = [(key, flow) for key, flow in read if found.of_item.get(key, ()) != flow]
    # a solution without the variables of headers drops a declaration that has moved into a header
    gone = [
        key
        for key in pending
        if key in found.of_item
        and (key not in unit.by_key or (key[0] != _DEFINITION and not _is_root(unit, kept, unit.by_key[key])))
    ]
    if len(gone) + len(others) > _MANY:
        found.restart()
    for key in gone:
        found.replace(key, ())
    # the last first: callers follow their callees in the text, and determine which functions are reached
    for key, flow in reversed(others):
        found.replace(key, flow)
    found.redeclared(_names_declared(unit, found, pending))
    for key in pending:
        if key[0] == _DEFINITION and (key in unit.by_key) != (key in found.defined):
            found.defined ^= {key}
            found.redefined(key[1])


def _names_declared(unit: TranslationUnit, found: Solution, pending: set[ItemKey]) -> set[str]:
    """Returns the names that the `pending` items declare now or declared before."""
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


def _is_root(unit: TranslationUnit, kept: KeptSolution, item: Item) -> bool:
    """Whether the solution includes an item even if nothing calls it.

    True for kernels, and for items of the root document and of the analysed document. In a whole program,
    also True for declarations in headers: no other program can change the variables in them, so their
    initialisers give the initial values.
    """
    part = item.group.part
    if kept.outside.is_whole and item.kind == _DECLARATION:
        return True
    return part.checks_bodies or item.summary.kernel or part.preprocessed.document.name == unit.document.name


def _definitions(unit: TranslationUnit, ref: EntityRef) -> tuple[ItemKey, ...]:
    """Returns the definitions of the function that an entity declares."""
    if ref.item[0] == _DEFINITION:
        return (ref.item,)
    declared = unit.database.get(EXPORTS, ref.item).symbols
    name = next((each.name for each in declared.values() if each.ref == ref), "")
    found = [
        key for _, key in unit.database.read(DECLARERS, name) if key[0] == _DEFINITION and key[1] == name
    ]
    if len(found) < 2:
        return tuple(found)
    type_ = declared[name].type
    same = [key for key in found if unit.database.get(EXPORTS, key).symbols[name].type is type_]
    return tuple(same or found)
