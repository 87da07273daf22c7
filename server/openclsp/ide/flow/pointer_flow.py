"""The address spaces that a generic pointer can point into at a position, from the flow analysis."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from openclsp.ide.feature_results import FlowCaller, FlowStep, FlowWitness, Location, PointerFlow
from openclsp.ide.flow.project_flow import ProgramsBesideUnit
from openclsp.ide.location_map import LocationMap, nodes_around
from openclsp.language.spaces import Space
from openclsp.rules.runner.flow_explanations import find_reaching_spaces
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.database.unit_inputs import HEAD_CONTENT
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    ItemKey,
    Origin,
)
from openclsp.semantics.flow import witness as chains
from openclsp.semantics.flow.callers import passed_arguments
from openclsp.semantics.flow.default_private import default_private_solution as solved_as_if_generic
from openclsp.semantics.flow.flow_queries import CARRYING, SOLUTION, solution
from openclsp.semantics.flow.function_flow import function_flows
from openclsp.semantics.flow.graph import Flow as Value
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.transfers import BIT_OF_SPACE, NULL, SPACE_BITS, SPACE_OF_BIT, UNKNOWN
from openclsp.semantics.flow.unit_solution import Solution
from openclsp.semantics.flow.witness_steps import WitnessStep
from openclsp.semantics.items.item import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Pointer, Type, spell
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.unit_caches import UnitCache
from openclsp.source.parser import FIELDS

MAXIMUM_CALLERS: Final = 64
"""The maximum number of calls that are listed for a pointer."""
MAXIMUM_CHAINS: Final = 24
"""The maximum number of chains of one address space."""
_LOCATION_MAP: UnitCache[LocationMap] = UnitCache("places of its flow")
_DEFINITION = "function_definition"
_BODY = FIELDS["body"]


def compute_flow_at(
    unit: TranslationUnit, document: str, offset: int, *, every_chain: bool = False
) -> PointerFlow | None:
    """Computes the flow of the generic pointer at a byte of a document; None if there is none.

    With `every_chain`, all chains are returned instead of the shortest chain of each address space.
    """
    places = LocationMap(unit)
    found = places.item_at(document, offset)
    if found is None:
        return None
    item, token_index = found
    return compute_flow_of_token(places, item.key, token_index, every_chain=every_chain)


def compute_flow_of_token(
    places: LocationMap, key: ItemKey, token_index: int, *, every_chain: bool = False
) -> PointerFlow | None:
    """Computes the flow of the generic pointer at a token; None if there is none.

    The pointer is the variable that the token names, or else the innermost expression around the token. If
    other programs of the project contain the function, the result is the union of the flows in all of them.
    """
    own = _flow_in_unit(places, key, token_index, every_chain)
    others = places.unit.other_programs
    item = places.unit.by_key.get(key)
    if own is None or not isinstance(others, ProgramsBesideUnit) or item is None or key[0] != _DEFINITION:
        return own
    document = item.group.part.preprocessed.document.name
    units = others.units_containing(document)
    if units is None:
        return own if others.includes_unit else replace(own, unknown=True)
    flows = [] if others.includes_unit else [own]
    for unit in units:
        same = [
            each
            for each in unit.items
            if each.key[:2] == key[:2] and each.group.part.preprocessed.document.name == document
        ]
        if len(same) > 1 or not all(_is_same_to(places, item, token_index, unit, each) for each in same):
            return replace(own, unknown=True, differs_in=os.path.basename(unit.document.name))
        found = (
            _flow_in_unit(_kept_location_map(unit), same[0].key, token_index, every_chain) if same else None
        )
        if found is not None:
            flows.append(found)
    return join_flows(flows, every_chain=every_chain) if flows else own


def _is_same_to(
    places: LocationMap, item: Item, token_index: int, unit: TranslationUnit, other: Item
) -> bool:
    """Whether a function has the same tokens in this unit and in another one.

    If `token_index` is before the body, only the tokens of the head are compared.
    """
    if other.digest == item.digest:
        return True
    table = places.context(item.key).table
    body = table.child(0, _BODY)
    if body < 0 or token_index >= table.first[body]:
        return False
    return unit.database.read(HEAD_CONTENT, other.key) == places.unit.database.read(HEAD_CONTENT, item.key)


def _kept_location_map(unit: TranslationUnit) -> LocationMap:
    """Returns the cached location map of another program's unit.

    That unit is never edited, so the types that its map computes stay valid.
    """
    return unit.caches.get_or_make(_LOCATION_MAP, lambda: LocationMap(unit))


def join_flows(flows: Sequence[PointerFlow], *, every_chain: bool = False) -> PointerFlow:
    """Joins the flows of one pointer in several programs.

    Of each address space, the shortest chain is kept or, with `every_chain`, every chain. As within one
    program, a flow counts only if a kernel calls its function directly or indirectly. If this holds for no
    flow, all flows count.
    """
    counted = [each for each in flows if each.reached_by_kernel] or flows
    chains: dict[Space, dict[FlowWitness, None]] = {}
    for each in sorted(
        (chain for flow in counted for chain in flow.witnesses), key=lambda chain: len(chain.steps)
    ):
        of_space = chains.setdefault(each.space, {})
        if not of_space or every_chain:
            of_space[each] = None
    spaces = [space for space in SPACE_OF_BIT.values() if any(space in each.spaces for each in counted)]
    return replace(
        counted[0],
        spaces=tuple(spaces),
        null=any(each.null for each in counted),
        unknown=any(each.unknown for each in counted),
        witnesses=tuple(chain for space in spaces for chain in [*chains.get(space, ())][:MAXIMUM_CHAINS]),
        more_chains=any(each.more_chains for each in counted)
        or any(len(each) > MAXIMUM_CHAINS for each in chains.values()),
        callable_from_other_files=any(each.callable_from_other_files for each in counted),
        callers=tuple(dict.fromkeys(caller for each in counted for caller in each.callers)),
    )


def _flow_in_unit(
    places: LocationMap, key: ItemKey, token_index: int, every_chain: bool
) -> PointerFlow | None:
    unit = places.unit
    if not unit.dialect.generic:
        return None
    ctx = places.context(key)
    if ctx.trace is None or not _may_be_generic(ctx, token_index):
        return None
    solved = solution(unit, FLOW)
    _, builders = function_flows(ctx, ctx.trace, carrying=unit.database.read(CARRYING, SOLUTION))
    found = _value_at(ctx, builders, token_index)
    if found is None:
        return None
    builder, value, type_, name = found
    if builder.id not in solved.work:
        return None
    found_flow = _flow(places, solved, builder, value, type_, name)
    return _with_every_chain(places, solved, builder, value, found_flow) if every_chain else found_flow


def _may_be_generic(ctx: TypingContext, token_index: int) -> bool:
    """Whether a generic pointer is declared or used at a token. Otherwise the flow need not be solved."""
    trace = ctx.trace or {}
    return any(
        node in trace and is_generic(trace[node].type) for node in nodes_around(ctx.table, token_index)
    ) or any(is_generic(each.type) for each in _declared_at(ctx, token_index))


def _declared_at(ctx: TypingContext, token_index: int) -> list[Entity]:
    """Returns the variables and parameters that are declared at a token."""
    return [
        each
        for each in ctx.entities.values()
        if each.place.first == token_index and each.kind in (EntityKind.VARIABLE, EntityKind.PARAMETER)
    ]


def _value_at(
    ctx: TypingContext, builders: list[Builder], token_index: int
) -> tuple[Builder, Value, Type, str] | None:
    """Finds the generic pointer at a token; returns its graph builder, value, type and name.

    The pointer is the variable that the token names, or else the innermost expression. None if this is not a
    generic pointer.
    """
    table, trace = ctx.table, ctx.trace or {}
    for builder in reversed(builders):
        if token_index not in builder.names:
            continue
        named = _declared_at(ctx, token_index)
        nodes = [node for node in builder.values if table.first[node] <= token_index == table.last[node] - 1]
        types = [each.type for each in named] + [
            trace[node].type
            for node in sorted(nodes, key=lambda node: table.first[node], reverse=True)
            if node in trace
        ]
        if types:
            return (
                (builder, builder.names[token_index], types[0], table.token(token_index))
                if is_generic(types[0])
                else None
            )
    node = next((node for node in reversed(nodes_around(table, token_index)) if node in trace), -1)
    if node < 0 or not is_generic(trace[node].type):
        return None
    for builder in builders:
        if node in builder.values:
            name = table.text(node) if table.last[node] - table.first[node] == 1 else ""
            return builder, builder.values[node], trace[node].type, name
    return None


def is_generic(type_: Type) -> bool:
    """Whether the type is a pointer whose pointee is generic."""
    return isinstance(type_, Pointer) and type_.pointee.space is Space.GENERIC


def _flow(
    places: LocationMap, solved: Solution, builder: Builder, value: Value, type_: Type, name: str
) -> PointerFlow:
    solver = solved.solver(builder.id)
    bits = solved.sets.basic(solver.substituted(value))
    spaces = [bit for bit in SPACE_BITS if bits & bit]
    witnesses = []
    for bit in spaces:
        steps = chains.witness(solved, builder.id, value, bit, lambda key: places.unit.by_key[key].order)
        if steps is not None:
            found = tuple(_step(places, solved, step) for step in steps)
            witnesses.append(FlowWitness(SPACE_OF_BIT[bit], found))
    function = solved.functions[builder.id]
    return PointerFlow(
        name,
        spell(type_, name),
        tuple(SPACE_OF_BIT[bit] for bit in spaces),
        bool(bits & NULL),
        bool(bits & UNKNOWN),
        solver.reached,
        function.name,
        tuple(witnesses),
        not builder.id[1] and not function.kernel and solved.is_shared(builder.id[0], function.name),
        tuple(_callers(places, solved, builder, value)),
    )


def _with_every_chain(
    places: LocationMap, solved: Solution, builder: Builder, value: Value, flow: PointerFlow
) -> PointerFlow:
    found: list[FlowWitness] = []
    complete = True
    for space in flow.spaces:
        paths, all_of_space = chains.witnesses(
            solved,
            builder.id,
            value,
            BIT_OF_SPACE[space],
            lambda key: places.unit.by_key[key].order,
            MAXIMUM_CHAINS,
        )
        complete = complete and all_of_space
        found += (FlowWitness(space, tuple(_step(places, solved, step) for step in path)) for path in paths)
    return replace(flow, witnesses=tuple(found), more_chains=not complete)


def _callers(places: LocationMap, solved: Solution, builder: Builder, value: Value) -> Iterator[FlowCaller]:
    unit = places.unit
    passed = passed_arguments(solved, builder.id, value, lambda key: unit.by_key[key].order)
    for each in islice(passed, MAXIMUM_CALLERS):
        location = places.location(each.caller[0], each.place)
        caller = solved.functions[each.caller]
        yield FlowCaller(
            location,
            _line_of(unit, location),
            caller.name,
            caller.kernel,
            tuple(SPACE_OF_BIT[bit] for bit in SPACE_BITS if each.bits & bit),
            bool(each.bits & NULL),
            bool(each.bits & UNKNOWN),
        )


def compute_flow_if_generic(
    places: LocationMap, pointee: Origin, type_: Type, name: str
) -> PointerFlow | None:
    """Computes the flow that a pointer would have if it were generic.

    None unless `pointee` is private by default, and the pointer is known to get a value that points into
    another address space.
    """
    found = find_reaching_spaces(places.unit, pointee)
    if found is None or all(space is Space.PRIVATE for space in found.spaces):
        return None
    solved = solved_as_if_generic(places.unit, (pointee,))
    witnesses = tuple(
        FlowWitness(each.space, tuple(_step(places, solved, step) for step in each.steps))
        for each in found.chains
    )
    return PointerFlow(name, spell(type_, name), found.spaces, found.null, found.unknown, True, "", witnesses)


def _step(places: LocationMap, solved: Solution, step: WitnessStep) -> FlowStep:
    function = solved.functions[step.function]
    declared = places.entity(step.declared) if step.declared is not None else None
    if declared is not None:
        location = places.location(declared.ref.item, declared.place)
    else:
        location = places.location(step.function[0], step.place)
    return FlowStep(location, _line_of(places.unit, location), function.name, function.kernel, step.what)


def _line_of(unit: TranslationUnit, location: Location) -> int:
    document = unit.document_named(location.document)
    return document.text.line_of(location.start) + 1 if document is not None else 1


def describe_flow(flow: PointerFlow) -> str:
    """Describes the address spaces that the pointer may hold, such as `holds {global, local} or null`."""
    held = ", ".join(space.word for space in flow.spaces)
    more = [word for word, is_so in (("null", flow.null), ("an unknown pointer", flow.unknown)) if is_so]
    if flow.spaces:
        return " or ".join([f"holds {{{held}}}", *more])
    return f"holds {' or '.join(more)}" if more else "holds nothing yet"


def describe_flow_if_generic(flow: PointerFlow) -> str:
    """Describes the flow that a pointer whose pointee is private by default would have if it were generic."""
    return f"no address space is specified: if it were generic, it {describe_flow(flow).replace('holds', 'would hold', 1)}"


def group_callers(flow: PointerFlow) -> list[tuple[str, tuple[FlowCaller, ...]]]:
    """Groups the callers in a flow by the address spaces that they pass.

    Each group has a description of these address spaces, such as `global or null`. The result is empty if the
    pointer holds at most one address space; an unknown address space counts as one.
    """
    if len(flow.spaces) + flow.unknown < 2:
        return []
    groups: dict[str, list[FlowCaller]] = {}
    for each in flow.callers:
        words = [space.word for space in each.spaces]
        words += [word for word, is_so in (("null", each.null), ("unknown", each.unknown)) if is_so]
        groups.setdefault(" or ".join(words) or "nothing", []).append(each)
    return [(words, tuple(callers)) for words, callers in groups.items()]


def describe_caveat(flow: PointerFlow) -> str:
    """Returns the reason why the result may be incomplete; empty if there is none.

    Possible reasons: another program expands the function differently, no kernel calls the function directly
    or indirectly, or other files may call it.
    """
    if flow.differs_in:
        return f"`{flow.function}` expands differently in `{flow.differs_in}`"
    if not flow.reached_by_kernel:
        return f"no kernel of this file reaches `{flow.function}`"
    return (
        f"other files may call `{flow.function}` with other pointers"
        if flow.callable_from_other_files and flow.unknown
        else ""
    )
