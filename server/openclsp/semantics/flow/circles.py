"""Which shared sets hang on which, and which on themselves: around a circle of calls, or of memory.

A set hangs on those that the functions read which contribute to it; what a function returns, only on those that it read
for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from openclsp.semantics.flow.graph import FunctionId
from openclsp.semantics.flow.solving import Variable, Work


class Dependencies(Protocol):
    """Who reads and who contributes."""

    readers: dict[Variable, set[FunctionId]]
    contributors: dict[Variable, dict[FunctionId, int]]
    work: dict[FunctionId, Work]


def is_circular(unit: Dependencies, variable: Variable) -> bool:
    """Whether the variable hangs on itself. Looks from both ends in turn, so that it costs what the smaller side has."""
    onward, back = {variable}, {variable}
    ahead, behind = [variable], [variable]
    while ahead and behind:
        for each in _fed_by(unit, ahead.pop()):
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


def circle_of(unit: Dependencies, variable: Variable) -> set[Variable]:
    """The variables that hang on this one and on which it hangs, itself among them."""
    onward = {variable}
    todo = [variable]
    while todo:
        for each in _fed_by(unit, todo.pop()):
            if each not in onward:
                onward.add(each)
                todo.append(each)
    circle = {variable}
    todo = [variable]
    while todo:
        for each in _feeding(unit, todo.pop()):
            if each in onward and each not in circle:
                circle.add(each)
                todo.append(each)
    return circle


def _fed_by(unit: Dependencies, variable: Variable) -> Iterator[Variable]:
    """The variables to which those contribute who read this one."""
    for function in unit.readers.get(variable, ()):
        work = unit.work.get(function)
        if work is None:
            continue
        for each in work.contributions:
            if each[0] != "out" or variable in work.reads_for_result:
                yield each


def _feeding(unit: Dependencies, variable: Variable) -> Iterator[Variable]:
    """The variables that those read who contribute to this one."""
    for function in unit.contributors.get(variable, {}):
        work = unit.work.get(function)
        if work is not None:
            yield from work.reads_for_result if variable[0] == "out" else work.reads
