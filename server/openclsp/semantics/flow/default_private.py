"""Finds the address spaces that would reach a pointer if its pointee were not private by default.

In dialects without the generic address space, a pointee without a qualifier is private by default (OpenCL C
6.7.8). On demand, the flow of the unit is solved a second time; in this solution, pointers to such pointees
may point into any space.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from openclsp.language.spaces import Space
from openclsp.semantics.database.declared_functions import (
    DEFINITION,
    declarations,
    definition,
    function_of,
)
from openclsp.semantics.database.query_database import Input, Query
from openclsp.semantics.database.typed_body import typed_body
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    EntityRef,
    ItemKey,
    Origin,
    Place,
    Reason,
)
from openclsp.semantics.flow.flow_queries import CARRYING, current_solution, forget
from openclsp.semantics.flow.function_flow import function_flows
from openclsp.semantics.flow.graph import (
    BASE,
    CELL,
    COPY,
    LOAD,
    Atom,
    Flow,
    FunctionFlow,
    NodeInfo,
    ObjectId,
)
from openclsp.semantics.flow.member_cells import ENTITIES, cells_of_member, element_type
from openclsp.semantics.flow.relevant_functions import relevant_functions
from openclsp.semantics.flow.transfers import IDENTITY, NULL, SPACE_BITS, SPACE_OF_BIT, UNKNOWN
from openclsp.semantics.flow.unit_solution import Solution
from openclsp.semantics.flow.witness import witness
from openclsp.semantics.flow.witness_steps import WitnessStep
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import (
    Pointer,
)
from openclsp.semantics.unit_caches import UnitCache

_BY_DEFAULT = (Reason.POINTEE_PRIVATE, Reason.ARRAY_PARAMETER)
_NAME = "flow as if generic"
"""Key under which the unit keeps this solution"""
_EXCLUDED: UnitCache[set[ItemKey]] = UnitCache("irrelevant functions")
"""The functions for which `_IS_EXCLUDED` is set."""


_IS_EXCLUDED: Input[ItemKey, bool] = Input("is excluded", False, published=True)
"""Whether a function is irrelevant for the queried pointees, so that its graph is not built"""


def _flows(unit: TranslationUnit, key: ItemKey) -> tuple[FunctionFlow, ...]:
    if unit.database.read(_IS_EXCLUDED, key):
        return (_unread(key),)
    typed = typed_body(unit, key)
    if typed is None or typed.trace is None:
        return ()
    carrying = unit.database.read(CARRYING, _NAME)
    return function_flows(typed, typed.trace, as_if_generic=True, carrying=carrying)[0]


def _unread(key: ItemKey) -> FunctionFlow:
    """Returns the graph used for a function that is not analysed: an unknown result and no effects."""
    place = Place(0, 1)
    result = (Atom(BASE, UNKNOWN, None, IDENTITY, place),)
    info = NodeInfo("result", "", place)
    return FunctionFlow((key, 0), key[1], False, (), (result,), (info,), 0, (), (), (), place)


_FLOWS: Query[ItemKey, tuple[FunctionFlow, ...]] = Query("flow as if generic", _flows, ())


class Chain(NamedTuple):
    """A witness path, which is the shortest path by which an address space reaches a pointer.

    The path begins at the object and ends where the object's address is passed or assigned to the pointer.
    `function` is the name of the function that contains the first step; `kernel` tells whether that function
    is a kernel.
    """

    space: Space
    steps: tuple[WitnessStep, ...]
    function: str
    kernel: bool


class ReachingSpaces(NamedTuple):
    """The spaces that would reach a pointer if it could point into any space.

    `null` and `unknown` tell whether a null pointer and an unknown pointer would reach it too. `chains` has a
    witness path for each space for which one was found.
    """

    name: str
    spaces: tuple[Space, ...]
    null: bool
    unknown: bool
    chains: tuple[Chain, ...]


def default_private_solution(unit: TranslationUnit, pointees: Iterable[Origin]) -> Solution:
    """Returns an up-to-date solution in which a pointee that is private by default may be in any space.

    The solution covers the functions that are relevant to `pointees`, but not those relevant to pointees of
    earlier calls: a call of a function that is left out has an unknown result, so an answer would depend on
    what was asked before. It is cached until `drop_solution` is called.
    """
    excluded = unit.caches.get_or_make(_EXCLUDED, set)
    now = _irrelevant_functions(unit, pointees)
    for key in excluded - now:
        unit.database.set(_IS_EXCLUDED, key, False)
    for key in now - excluded:
        unit.database.set(_IS_EXCLUDED, key, True)
    unit.caches.set(_EXCLUDED, now)
    found = current_solution(unit, _FLOWS, _NAME)
    found.changed.clear()
    return found


def _irrelevant_functions(unit: TranslationUnit, queried: Iterable[Origin]) -> set[ItemKey]:
    """Returns the functions that cannot affect the pointers to the pointees `queried`."""
    every = {key for key in unit.by_key if key[0] == DEFINITION}
    items = {origin.entity.item for origin in queried if origin.entity.item in unit.by_key}
    names = {key[1] for key in items}
    if any(not name or not declarations(unit, name) for name in names):
        # any function may write to a member of a struct or a variable at program scope
        return set()
    return every - relevant_functions(unit, names)


def drop_solution(unit: TranslationUnit) -> None:
    """Drops the cached solution of `default_private_solution`."""
    forget(unit, _NAME)


def is_private_by_default(unit: TranslationUnit, pointee: Origin) -> bool:
    """Whether a pointee is private only by default; False if its pointer's declaration is not found."""
    entity = _entity(unit, pointee.entity)
    return entity is not None and pointee.level in (1, 2) and _is_default(unit, entity, pointee.level)


def find_reaching(unit: TranslationUnit, solution: Solution, pointee: Origin) -> ReachingSpaces | None:
    """Returns the address spaces that the pointer to this pointee may point into, according to `solution`.

    None if the pointee is not private by default, or if the functions in `solution` do not use the pointer.
    """
    entity = _entity(unit, pointee.entity)
    if entity is None or not is_private_by_default(unit, pointee):
        return None
    if (queried := next(_tracked_values(unit, solution, entity), None)) is None:
        return None
    function, value = queried
    if pointee.level == 2:
        value = _pointed_to(value)
    solver = solution.solver(function)
    bits = solution.sets.basic(solver.substituted(value))
    spaces = [bit for bit in SPACE_BITS if bits & bit]
    chains = []
    for bit in spaces:
        steps = witness(solution, function, value, bit, lambda key: unit.by_key[key].order)
        if steps:
            if entity.kind is EntityKind.PARAMETER and pointee.level == 1 and len(steps) > 1:
                # drop the step of the parameter itself
                steps = steps[:-1]
            first = solution.functions[steps[0].function]
            chains.append(Chain(SPACE_OF_BIT[bit], steps, first.name, first.kernel and bool(first.name)))
    name = f"`{'*' * (pointee.level - 1)}{entity.name}`"
    if entity.kind is EntityKind.FUNCTION:
        name = f"the result of {name}"
    elif entity.kind is EntityKind.CAST:
        name = "the result of the cast"
    return ReachingSpaces(
        name,
        tuple(SPACE_OF_BIT[bit] for bit in spaces),
        bool(bits & NULL),
        bool(bits & UNKNOWN),
        tuple(chains),
    )


def _entity(unit: TranslationUnit, ref: EntityRef) -> Entity | None:
    """Returns the entity if its type has a private pointee at any level, else None."""
    return unit.database.get(ENTITIES, ref.item).pointers.get(ref.number) if ref.item in unit.by_key else None


def _is_default(unit: TranslationUnit, entity: Entity, number: int) -> bool:
    """Whether `entity.levels[number]` is private because no declaration or typedef names its space."""
    for _ in range(32):
        if number >= len(entity.levels):
            return False
        level = entity.levels[number]
        if level.written or level.space is not Space.PRIVATE:
            return False
        if level.via is None:
            return level.reason in _BY_DEFAULT
        inner = _entity(unit, level.via.entity)
        if inner is None:
            return False
        entity, number = inner, level.via.level
    return False


def _tracked_values(
    unit: TranslationUnit, solution: Solution, entity: Entity
) -> Iterator[tuple[tuple[ItemKey, int], Flow]]:
    """Yields the values that the entity may hold, each with the id of the function that contains it."""
    if entity.kind is EntityKind.MEMBER:
        function = next(filter(solution.is_reached, solution.work), next(iter(solution.work), None))
        cells = tuple(cells_of_member(unit, solution, entity))
        if function is not None and cells:
            yield function, cells
        return
    if entity.kind is EntityKind.FUNCTION or entity.kind is EntityKind.PARAMETER:
        entity = _defined(unit, entity)
    number = entity.ref.number
    for flow in solution.of_item.get(entity.ref.item, ()):
        if flow.id not in solution.work:
            continue
        if entity.kind is EntityKind.FUNCTION:
            yield flow.id, _of_nodes(flow, [flow.result])
            return
        own = [each.node for each in flow.parameters if each.number == number and not each.captured]
        assigned = [node for node, info in enumerate(flow.infos) if info.entity == number]
        if own or assigned:
            yield flow.id, _of_nodes(flow, own + assigned)
        cell = _cell(entity)
        if cell is not None and any(store.address and store.address[0].a == cell.a for store in flow.stores):
            yield flow.id, (cell,)


def _pointed_to(value: Flow) -> Flow:
    """Returns the contents of the memory that a value points to.

    Only pointers that are nodes of the flow graph are followed.
    """
    return tuple(atom._replace(kind=LOAD) for atom in value if atom.kind == COPY)


def _of_nodes(flow: FunctionFlow, nodes: list[int]) -> Flow:
    return tuple(Atom(COPY, node, (), IDENTITY, flow.infos[node].place) for node in nodes)


def _cell(entity: Entity) -> Atom | None:
    """Returns an atom that loads from a variable which is a pointer or an array of pointers.

    None for any other entity.
    """
    followed_kinds = EntityKind.VARIABLE, EntityKind.PARAMETER
    if not isinstance(element_type(entity.type), Pointer) or entity.kind not in followed_kinds:
        return None
    made = ObjectId("variable", entity.ref, entity.type.space, ((),), entity.name)
    return Atom(CELL, made, (), IDENTITY, entity.place)


def _defined(unit: TranslationUnit, entity: Entity) -> Entity:
    """Maps the result or a parameter of a function declaration to that of the function's definition.

    Returns `entity` itself if it belongs to the definition, or if there is no definition.
    """
    declared = function_of(unit, entity.ref)
    if declared is None or entity.ref.item[0] == DEFINITION:
        return entity
    defined = definition(declarations(unit, declared.name), declared.type)
    if defined is None:
        return entity
    number = entity.ref.number - declared.ref.number + defined.ref.number
    return _entity(unit, EntityRef(defined.ref.item, number)) or entity
