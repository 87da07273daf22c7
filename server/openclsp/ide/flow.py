"""The address spaces that reach a generic pointer at a position, from the flow analysis."""

from __future__ import annotations

from openclsp.ide.answers import Flow, FlowStep, FlowWitness
from openclsp.ide.places import Places, rows_around
from openclsp.language.spaces import Space
from openclsp.rules.explaining import would_reach
from openclsp.semantics.context import Context
from openclsp.semantics.entities import Entity, EntityKind, ItemKey, Origin
from openclsp.semantics.flow import witness as chains
from openclsp.semantics.flow.building import Builder
from openclsp.semantics.flow.functions import function_flows
from openclsp.semantics.flow.graph import Flow as Value
from openclsp.semantics.flow.queries import CARRYING, SOLUTION, solution
from openclsp.semantics.flow.solution import Solution
from openclsp.semantics.flow.transfers import NULL, SPACE_BITS, SPACE_OF_BIT, UNKNOWN
from openclsp.semantics.flow.unqualified import solved as solved_as_if_generic
from openclsp.semantics.readings import FLOW
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types import Pointer, Type, spell


def flow_at(unit: TranslationUnit, document: str, offset: int) -> Flow | None:
    """Computes the flow of the generic pointer at a byte of a document; None if there is none."""
    places = Places(unit)
    found = places.at(document, offset)
    if found is None:
        return None
    item, leaf = found
    return flow_of_leaf(places, item.key, leaf)


def flow_of_leaf(places: Places, key: ItemKey, leaf: int) -> Flow | None:
    """Computes the flow of the generic pointer that the token names or is an expression of."""
    unit = places.unit
    if not unit.dialect.generic:
        return None
    ctx = places.context(key)
    if ctx.trace is None or not _may_be_generic(ctx, leaf):
        return None
    solved = solution(unit, FLOW)
    _, builders = function_flows(ctx, ctx.trace, carrying=unit.engine.read(CARRYING, SOLUTION))
    found = _value_at(ctx, builders, leaf)
    if found is None:
        return None
    builder, value, type_, name = found
    if builder.id not in solved.work:
        return None
    return _flow(places, solved, builder, value, type_, name)


def _may_be_generic(ctx: Context, leaf: int) -> bool:
    """Whether anything at a token is a generic pointer. Otherwise the flow need not be solved."""
    trace = ctx.trace or {}
    return any(row in trace and is_generic(trace[row].type) for row in rows_around(ctx.table, leaf)) or any(
        is_generic(each.type) for each in _declared_at(ctx, leaf)
    )


def _declared_at(ctx: Context, leaf: int) -> list[Entity]:
    """The variables and parameters that are declared at a token."""
    return [
        each
        for each in ctx.entities.values()
        if each.place.first == leaf and each.kind in (EntityKind.VARIABLE, EntityKind.PARAMETER)
    ]


def _value_at(ctx: Context, builders: list[Builder], leaf: int) -> tuple[Builder, Value, Type, str] | None:
    """Finds the pointer at a token: a name, otherwise the innermost expression."""
    table, trace = ctx.table, ctx.trace or {}
    for builder in reversed(builders):
        if leaf not in builder.names:
            continue
        named = _declared_at(ctx, leaf)
        rows = [row for row in builder.values if table.first[row] <= leaf == table.last[row] - 1]
        types = [each.type for each in named] + [
            trace[row].type
            for row in sorted(rows, key=lambda row: table.first[row], reverse=True)
            if row in trace
        ]
        if types:
            return (
                (builder, builder.names[leaf], types[0], table.leaf(leaf)) if is_generic(types[0]) else None
            )
    row = next((row for row in reversed(rows_around(table, leaf)) if row in trace), -1)
    if row < 0 or not is_generic(trace[row].type):
        return None
    for builder in builders:
        if row in builder.values:
            name = table.text(row) if table.last[row] - table.first[row] == 1 else ""
            return builder, builder.values[row], trace[row].type, name
    return None


def is_generic(type_: Type) -> bool:
    """Whether the type is a pointer whose pointee is generic."""
    return isinstance(type_, Pointer) and type_.pointee.space is Space.GENERIC


def _flow(places: Places, solved: Solution, builder: Builder, value: Value, type_: Type, name: str) -> Flow:
    solver = solved.solver(builder.id)
    bits = solved.sets.basic(solver.concrete(value))
    spaces = [bit for bit in SPACE_BITS if bits & bit]
    witnesses = []
    for bit in spaces:
        steps = chains.witness(solved, builder.id, value, bit, lambda key: places.unit.by_key[key].order)
        if steps is not None:
            found = tuple(_step(places, solved, step) for step in steps)
            witnesses.append(FlowWitness(SPACE_OF_BIT[bit], found))
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
        not builder.id[1] and not function.kernel and solved.is_shared(builder.id[0], function.name),
    )


def would_hold(places: Places, pointee: Origin, type_: Type, name: str) -> Flow | None:
    """Computes the flow that a pointer would have if it were generic.

    The pointer's pointee must be private by default. None if the pointee's address space is written, or if
    only private memory is known to reach the pointer.
    """
    found = would_reach(places.unit, pointee)
    if found is None or all(space is Space.PRIVATE for space in found.spaces):
        return None
    solved = solved_as_if_generic(places.unit, (pointee,))
    witnesses = tuple(
        FlowWitness(each.space, tuple(_step(places, solved, step) for step in each.steps))
        for each in found.chains
    )
    return Flow(name, spell(type_, name), found.spaces, found.null, found.unknown, True, "", witnesses)


def _step(places: Places, solved: Solution, step: chains.Step) -> FlowStep:
    function = solved.functions[step.function]
    declared = places.entity(step.declared) if step.declared is not None else None
    if declared is not None:
        location = places.location(declared.ref.item, declared.place)
    else:
        location = places.location(step.function[0], step.place)
    document = places.unit.document_named(location.document)
    line = document.text.line_of(location.start) + 1 if document is not None else 1
    return FlowStep(location, line, function.name, function.kernel, step.what)


def said(flow: Flow) -> str:
    """Describes the address spaces that the pointer holds: `holds {global, local} or null`."""
    held = ", ".join(space.word for space in flow.spaces)
    more = [word for word, is_so in (("null", flow.null), ("an unknown pointer", flow.unknown)) if is_so]
    if flow.spaces:
        return " or ".join([f"holds {{{held}}}", *more])
    return f"holds {' or '.join(more)}" if more else "holds nothing yet"


def would_say(flow: Flow) -> str:
    """The same description for a pointer whose pointee is private by default."""
    return f"no address space is specified: if it were generic, it {said(flow).replace('holds', 'would hold', 1)}"


def caveat(flow: Flow) -> str:
    """The reason why the result may be incomplete; empty if there is none.

    Either no kernel reaches the function, or other files may call it.
    """
    if not flow.reached:
        return f"no kernel of this file reaches `{flow.function}`"
    return (
        f"other files may call `{flow.function}` with other pointers" if flow.shared and flow.unknown else ""
    )
