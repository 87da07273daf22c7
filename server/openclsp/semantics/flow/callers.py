"""The callers of a function, each with the argument that it passes for a parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from openclsp.semantics.facts.entities import ItemKey, Place
from openclsp.semantics.flow.graph import Flow, FunctionId
from openclsp.semantics.flow.points_to_sets import SetSymbol
from openclsp.semantics.flow.unit_solution import Solution


class PassedArgument(NamedTuple):
    """An argument of a call.

    `caller` is the calling function, and `place` the argument's place in it. `bits` contains the address
    spaces in the argument's points-to set, and whether the set contains null or unknown pointers (see
    `transfers`).
    """

    caller: FunctionId
    place: Place
    bits: int


def passed_arguments(
    solution: Solution, function: FunctionId, value: Flow, order: Callable[[ItemKey], int]
) -> Iterator[PassedArgument]:
    """Yields the arguments, in text order, that callers pass for the parameter from which `value` comes.

    Yields nothing if the value comes from several parameters, or from none. `order` returns the position of
    an item in the text.
    """
    symbols = [
        set_member
        for set_member in solution.sets.listed(solution.solver(function).value(value))
        if isinstance(set_member, SetSymbol)
    ]
    numbers = {each.parameter for each in symbols}
    if len(numbers) != 1:
        return
    number = numbers.pop()
    if solution.functions[function].parameters[number].captured:
        return
    givers = solution.contributors.get(("in", function, number), {})
    reached = solution.is_reached(function)
    for caller in sorted(givers, key=lambda each: (order(each[0]), each[1])):
        if reached and not solution.is_reached(caller):
            continue
        solver = solution.solver(caller)
        for call in solution.functions[caller].calls:
            if number >= len(call.arguments) or call.block is not None or call.enqueued:
                continue
            if all(callee.id != function for callee in solver.callees(call)):
                continue
            held = solver.substituted(call.arguments[number])
            bits = 0
            for symbol in symbols:
                bits |= solution.sets.basic(solution.sets.applied(symbol.transfer, held))
            yield PassedArgument(caller, call.argument_places[number], bits)
