"""What would reach a pointer if it were generic, where it is private only because no space is written for what it points to
(OpenCL C 6.7.8, before the generic address space).

The unit's flow is read once more for this, with such pointers open to whatever is given to them. Nobody pays for that but
those who ask.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from openclsp.language.spaces import Space
from openclsp.semantics.declared_functions import DEFINITION, declarations, definition, function_of
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import Entity, EntityKind, EntityRef, ItemKey, Origin, Reason
from openclsp.semantics.flow.functions import function_flows
from openclsp.semantics.flow.graph import CELL, COPY, Atom, Flow, FunctionFlow, ObjectId
from openclsp.semantics.flow.queries import followed, forget
from openclsp.semantics.flow.solution import Solution
from openclsp.semantics.flow.transfers import IDENTITY, SPACE_BITS, SPACE_OF_BIT, UNKNOWN
from openclsp.semantics.flow.witness import Step, witness
from openclsp.semantics.translation_unit import CONTENT, TranslationUnit
from openclsp.semantics.types import Array, Pointer, Type

_BY_DEFAULT = (Reason.POINTEE_PRIVATE, Reason.ARRAY_PARAMETER)
_NAME = "flow as if generic"
"""Under which the unit keeps this solution."""


def _flows(unit: TranslationUnit, key: ItemKey) -> tuple[FunctionFlow, ...]:
    if not unit.engine.read(CONTENT, key):
        return ()
    typed = unit.typed(key, bodies=True, deferring=True, trace=True)
    return function_flows(typed, typed.trace, as_if_generic=True)[0] if typed.trace is not None else ()


_FLOWS: Query[ItemKey, tuple[FunctionFlow, ...]] = Query("flow as if generic", _flows, ())


class Chain(NamedTuple):
    """The shortest way by which a space reaches a pointer, the object first, to where it is passed or assigned. `function` is
    the one that the first step stands in, `kernel` whether that is a kernel."""

    space: Space
    steps: tuple[Step, ...]
    function: str
    kernel: bool


class Reach(NamedTuple):
    """What would reach a pointer: into which spaces, and whether there is more that is not known. Of a space the chain may be
    missing."""

    name: str
    spaces: tuple[Space, ...]
    unknown: bool
    chains: tuple[Chain, ...]


def solved(unit: TranslationUnit) -> Solution:
    """The flow of the unit as it is now, with such pointers open. Kept until `forget_it`."""
    found = followed(unit, _FLOWS, _NAME)
    found.changed.clear()
    return found


def forget_it(unit: TranslationUnit) -> None:
    """Nobody asks for now."""
    forget(unit, _NAME)


def reach(unit: TranslationUnit, solution: Solution, pointee: Origin) -> Reach | None:
    """What would reach the pointer whose pointee stands at that level; None where its space is written, or the pointer is
    not one that is told apart."""
    entity = _entity(unit, pointee.entity)
    if entity is None or pointee.level != 1 or not _is_default(unit, entity, 1):
        return None
    asked = next(_asked(unit, solution, entity), None)
    if asked is None:
        return None
    function, value = asked
    solver = solution.solver(function)
    bits = solution.sets.basic(solver.concrete(value))
    spaces = [bit for bit in SPACE_BITS if bits & bit]
    chains = []
    for bit in spaces:
        steps = witness(solution, function, value, bit, lambda key: unit.by_key[key].order)
        if steps:
            if entity.kind is EntityKind.PARAMETER and len(steps) > 1:
                # the parameter itself
                steps = steps[:-1]
            first = solution.functions[steps[0].function]
            chains.append(Chain(SPACE_OF_BIT[bit], steps, first.name, first.kernel and bool(first.name)))
    name = f"the result of `{entity.name}`" if entity.kind is EntityKind.FUNCTION else f"`{entity.name}`"
    return Reach(name, tuple(SPACE_OF_BIT[bit] for bit in spaces), bool(bits & UNKNOWN), tuple(chains))


def _entity(unit: TranslationUnit, ref: EntityRef) -> Entity | None:
    if ref.item not in unit.by_key:
        return None
    return unit.typed(ref.item, bodies=True).entities.get(ref.number)


def _is_default(unit: TranslationUnit, entity: Entity, number: int) -> bool:
    """Whether the level is private because no space is written, here or in the typedef that gives it."""
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


def _asked(
    unit: TranslationUnit, solution: Solution, entity: Entity
) -> Iterator[tuple[tuple[ItemKey, int], Flow]]:
    """The values, each with the function that it is of, of all that is ever given to the entity."""
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


def _of_nodes(flow: FunctionFlow, nodes: list[int]) -> Flow:
    return tuple(Atom(COPY, node, (), IDENTITY, flow.infos[node].place) for node in nodes)


def _cell(entity: Entity) -> Atom | None:
    """What lies in a variable that is not followed: a pointer whose address is taken, or an array of pointers."""
    type_: Type = entity.type
    while isinstance(type_, Array):
        type_ = type_.element
    if not isinstance(type_, Pointer) or entity.kind not in (EntityKind.VARIABLE, EntityKind.PARAMETER):
        return None
    made = ObjectId("variable", entity.ref, entity.type.space, ((),), entity.name)
    return Atom(CELL, made, (), IDENTITY, entity.place)


def _defined(unit: TranslationUnit, entity: Entity) -> Entity:
    """Of a function's result or parameter, that of the definition, where there is one."""
    declared = function_of(unit, entity.ref)
    if declared is None or entity.ref.item[0] == DEFINITION:
        return entity
    defined = definition(declarations(unit, declared.name), declared.type)
    if defined is None:
        return entity
    number = entity.ref.number - declared.ref.number + defined.ref.number
    found = _entity(unit, EntityRef(defined.ref.item, number))
    return entity if found is None else found
