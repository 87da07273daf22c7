"""Dependency cycles among the solution's flow variables, caused by recursive calls or by memory.

A flow variable is a points-to set that functions read or contribute to (see `unit_solution`). It depends on
all flow variables that its contributors read. There is one exception: the flow variables for a function's
result and effects depend only on `FunctionSolution.reads_for_result`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from openclsp.semantics.flow.function_solution import FunctionSolution
from openclsp.semantics.flow.graph import FunctionId
from openclsp.semantics.flow.value_sets import Variable

OF_RESULT = ("out", "effects")
"""The kinds of flow variables that depend only on what a function reads for its result and effects"""


class Dependencies(Protocol):
    """Which functions read each flow variable, and which contribute values to it."""

    readers: dict[Variable, set[FunctionId]]
    contributors: dict[Variable, dict[FunctionId, int]]
    work: dict[FunctionId, FunctionSolution]


def is_circular(unit: Dependencies, variable: Variable) -> bool:
    """Whether the flow variable depends on itself, directly or through others.

    The search takes one step forwards and one step backwards in turn, so that its cost is that of the cheaper
    direction.
    """
    onward, back = {variable}, {variable}
    ahead, behind = [variable], [variable]
    while ahead and behind:
        for each in fed_by(unit, ahead.pop()):
            if each in back:
                return True
            if each not in onward:
                onward.add(each)
                ahead.append(each)
        for each in _feeding(unit, behind.pop()):
            if each in onward:
                return True
            if each not in back:
                back.add(each)
                behind.append(each)
    return False


def strongly_connected_component(unit: Dependencies, variable: Variable) -> set[Variable]:
    """Returns the strongly connected component of a flow variable.

    It contains `variable` and each flow variable that both depends on `variable` and is a dependency of it.
    """
    onward = {variable}
    todo = [variable]
    while todo:
        for each in fed_by(unit, todo.pop()):
            if each not in onward:
                onward.add(each)
                todo.append(each)
    component = {variable}
    todo = [variable]
    while todo:
        for each in _feeding(unit, todo.pop()):
            if each in onward and each not in component:
                component.add(each)
                todo.append(each)
    return component


def fed_by(unit: Dependencies, variable: Variable) -> Iterator[Variable]:
    """Yields the flow variables that depend directly on `variable`."""
    for function in unit.readers.get(variable, ()):
        work = unit.work.get(function)
        if work is None:
            continue
        for each in work.contributions:
            if each[0] not in OF_RESULT or variable in work.reads_for_result:
                yield each


def _feeding(unit: Dependencies, variable: Variable) -> Iterator[Variable]:
    """Yields the flow variables on which `variable` depends directly."""
    for function in unit.contributors.get(variable, {}):
        work = unit.work.get(function)
        if work is not None:
            yield from work.reads_for_result if variable[0] in OF_RESULT else work.reads
