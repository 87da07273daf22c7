"""Which spaces reach a generic pointer, and why: the answer of the flow layer at a place."""

from __future__ import annotations

from dataclasses import dataclass

from openclsp.ide.answers import Location
from openclsp.ide.places import Places
from openclsp.language.spaces import Space
from openclsp.rules.checking import FLOW
from openclsp.semantics.context import Context
from openclsp.semantics.entities import EntityKind, ItemKey
from openclsp.semantics.flow import witness as chains
from openclsp.semantics.flow.building import Builder
from openclsp.semantics.flow.graph import Flow as Value
from openclsp.semantics.flow.queries import solution
from openclsp.semantics.flow.solution import Solution
from openclsp.semantics.flow.statements import function_flows
from openclsp.semantics.flow.transfers import NULL, SPACE_BITS, SPACE_OF_BIT, UNKNOWN
from openclsp.semantics.table import Table
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types import Pointer, Type, spell


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a chain. `function` is the one that it stands in, `kernel` whether that is a kernel."""

    location: Location
    function: str
    kernel: bool
    what: str


@dataclass(frozen=True, slots=True)
class Witness:
    """The shortest chain by which a space reaches the pointer, the object first."""

    space: Space
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Flow:
    """What a generic pointer may hold at a place. `reached` says whether a kernel of the unit reaches the function."""

    name: str
    declared: str
    spaces: tuple[Space, ...]
    null: bool
    unknown: bool
    reached: bool
    function: str
    witnesses: tuple[Witness, ...]


def flow_at(unit: TranslationUnit, document: str, offset: int) -> Flow | None:
    """The flow of the pointer at a byte of a document; None where no generic pointer stands there."""
    places = Places(unit)
    found = places.at(document, offset)
    if found is None:
        return None
    item, table, leaf = found
    return flow_of_leaf(places, item.key, table, leaf)


def flow_of_leaf(places: Places, key: ItemKey, table: Table, leaf: int) -> Flow | None:
    """The flow of the generic pointer whose name, or expression, the leaf is."""
    unit = places.unit
    if not unit.dialect.generic:
        return None
    ctx = places.context(key)
    if ctx.trace is None:
        return None
    _, builders = function_flows(ctx, ctx.trace)
    found = _value_at(ctx, builders, leaf)
    if found is None:
        return None
    builder, value, type_, name = found
    solved = solution(unit, FLOW)
    if builder.id not in solved.work:
        return None
    return _flow(places, solved, builder, value, type_, name)


def _value_at(ctx: Context, builders: list[Builder], leaf: int) -> tuple[Builder, Value, Type, str] | None:
    """The pointer that stands at a leaf: a name, or else the innermost expression there."""
    table, trace = ctx.table, ctx.trace or {}
    for builder in reversed(builders):
        if leaf not in builder.names:
            continue
        named = [
            each
            for each in ctx.entities.values()
            if each.place.first == leaf and each.kind in (EntityKind.VARIABLE, EntityKind.PARAMETER)
        ]
        rows = [row for row in builder.values if table.first[row] <= leaf == table.last[row] - 1]
        types = [each.type for each in named] + [
            trace[row].type for row in sorted(rows, key=lambda row: table.first[row], reverse=True) if row in trace
        ]
        if types:
            return (builder, builder.names[leaf], types[0], table.leaf(leaf)) if is_generic(types[0]) else None
    best: tuple[int, int] | None = None
    owner: Builder | None = None
    for builder in builders:
        for row in builder.values:
            first, last = table.first[row], table.last[row]
            if first <= leaf < last and row in trace and (best is None or (last - first, -row) < best):
                best, owner = (last - first, -row), builder
    if best is None or owner is None or not is_generic(trace[-best[1]].type):
        return None
    row = -best[1]
    return owner, owner.values[row], trace[row].type, table.text(row)


def is_generic(type_: Type) -> bool:
    """Whether the type is a pointer whose own space is generic."""
    return isinstance(type_, Pointer) and type_.pointee.space is Space.GENERIC


def _flow(
    places: Places, solved: Solution, builder: Builder, value: Value, type_: Type, name: str
) -> Flow:
    solver = solved.solver(builder.id)
    bits = solved.basic(solver.concrete(value))
    spaces = [bit for bit in SPACE_BITS if bits & bit]
    witnesses = []
    for bit in spaces:
        steps = chains.witness(solved, builder.id, value, bit, lambda key: places.unit.by_key[key].order)
        if steps is not None:
            found = tuple(_step(places, solved, step) for step in steps)
            witnesses.append(Witness(SPACE_OF_BIT[bit], found))
    function = solved.functions[builder.id]
    return Flow(
        name,
        spell(type_, name),
        tuple(SPACE_OF_BIT[bit] for bit in spaces),
        bool(bits & NULL),
        bool(bits & UNKNOWN),
        solver.reached,
        function.name,
        tuple(witnesses),
    )


def _step(places: Places, solved: Solution, step: chains.Step) -> Step:
    function = solved.functions[step.function]
    declared = places.entity(step.declared) if step.declared is not None else None
    if declared is not None:
        location = places.location(declared.ref.item, declared.place)
    else:
        location = places.location(step.function[0], step.place)
    return Step(location, function.name, function.kernel, step.what)
