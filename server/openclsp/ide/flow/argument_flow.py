"""The generic pointers that receive the arguments of a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.ide.flow.pointer_flow import is_generic
from openclsp.ide.location_map import LocationMap
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.facts.entities import EntityRef, ItemKey
from openclsp.semantics.flow.flow_queries import solution
from openclsp.semantics.flow.graph import COPY, Flow, FunctionFlow, FunctionId
from openclsp.semantics.flow.unit_solution import Solution
from openclsp.semantics.translation_unit import TranslationUnit

MAXIMUM_RECEIVERS: Final = 64
"""The maximum number of pointers that are listed for a kernel."""


@dataclass(frozen=True, slots=True)
class ArgumentReceiver:
    """A generic pointer that receives arguments of a kernel.

    - `name`: the name of the pointer.
    - `function`, `location`: the function that declares the pointer, and the location of the declaration.
    - `arguments`: the names of the kernel's parameters whose arguments the pointer receives, in order.
    """

    name: str
    function: str
    location: Location
    arguments: tuple[str, ...]


def find_argument_receivers(unit: TranslationUnit, kernel: ItemKey) -> tuple[ArgumentReceiver, ...]:
    """Finds the generic pointers that receive arguments of a kernel.

    The result lists the generic variables of the kernel, then the generic parameters of the functions that it
    calls: first those of functions that the kernel calls directly, then those of functions that these call,
    and so on. Arguments are followed through assignments and calls, not through memory. The result is empty
    in a language version without the generic address space.
    """
    start = (kernel, 0)
    if not unit.dialect.generic:
        return ()
    solved = solution(unit, FLOW)
    if start not in solved.work:
        return ()
    return tuple(islice(_receivers(LocationMap(unit), solved, start), MAXIMUM_RECEIVERS))


def _receivers(places: LocationMap, solved: Solution, start: FunctionId) -> Iterator[ArgumentReceiver]:
    names = [each.name for each in solved.functions[start].parameters]
    for function, parameters in _receiving_parameters(solved, start).items():
        flow = solved.functions[function]
        pointers = dict(_assigned_variables(flow, parameters)) if function == start else parameters
        for entity, arguments in sorted(pointers.items()):
            declared = places.entity(EntityRef(function[0], entity))
            if declared is not None and is_generic(declared.type):
                yield ArgumentReceiver(
                    declared.name,
                    flow.name,
                    places.location(declared.ref.item, declared.place),
                    tuple(names[each] for each in sorted(arguments)),
                )


def _receiving_parameters(solved: Solution, start: FunctionId) -> dict[FunctionId, dict[int, frozenset[int]]]:
    """Returns the parameters that receive arguments of the kernel, by function.

    The first key is the kernel, `start`. Then come the functions that it calls directly, then those that
    these call, and so on. Each value maps the entity number of a parameter to the indices of the kernel's
    parameters whose arguments it receives.
    """
    own = {
        each.number: frozenset((position,))
        for position, each in enumerate(solved.functions[start].parameters)
    }
    received: dict[FunctionId, dict[int, frozenset[int]]] = {start: own}
    pending = [start]
    # a function is visited again when it receives a further argument; it ends because the sets only grow
    for function in pending:
        flow, solver = solved.functions[function], solved.solver(function)
        for call in flow.calls:
            passed = [_arguments_in(flow, each, received[function]) for each in call.arguments]
            if call.block is not None or not any(passed):
                continue
            for callee in solver.callees(call):
                known = received.setdefault(callee.id, {})
                before = dict(known)
                for parameter, arguments in zip(callee.parameters, passed, strict=False):
                    if arguments and not parameter.captured:
                        known[parameter.number] = known.get(parameter.number, frozenset()) | arguments
                if known != before:
                    pending.append(callee.id)
    return received


def _assigned_variables(
    flow: FunctionFlow, parameters: dict[int, frozenset[int]]
) -> Iterator[tuple[int, frozenset[int]]]:
    """Yields the variables of a function that receive arguments of the kernel by assignment.

    A variable is yielded as its entity number, with the indices of the kernel's parameters. `parameters` maps
    the function's own parameters to these indices.
    """
    assigned: dict[int, frozenset[int]] = {}
    for node, info in zip(flow.nodes, flow.infos, strict=True):
        arguments = _arguments_in(flow, node, parameters)
        assigned[info.entity] = assigned.get(info.entity, frozenset()) | arguments
    for entity, _, _ in flow.variables:
        if assigned.get(entity):
            yield entity, assigned[entity]


def _arguments_in(flow: FunctionFlow, value: Flow, parameters: dict[int, frozenset[int]]) -> frozenset[int]:
    """Returns the arguments of the kernel from which a value may come, as indices of the kernel's parameters.

    `flow` is the function that contains the value, and `parameters` maps the entity number of each of its
    parameters to the arguments that it receives.
    """
    by_node = {each.node: each.number for each in flow.parameters}
    found: frozenset[int] = frozenset()
    seen: set[int] = set()
    pending = [value]
    while pending:
        for atom in pending.pop():
            if atom.kind != COPY or atom.a in seen:
                continue
            seen.add(atom.a)
            if atom.a in by_node:
                found |= parameters.get(by_node[atom.a], frozenset())
            else:
                pending.append(flow.nodes[atom.a])
    return found
