"""Splits the chains of a flow into visits, which the drawings of the flow show.

A visit consists of the consecutive steps of a chain in one function.
"""

from __future__ import annotations

from itertools import groupby

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import FlowStep, PointerFlow
from openclsp.ide.flow.pointer_flow import describe_caveat, describe_flow

PROGRAM_NAME = "the program"
"""The name used for steps outside of functions."""


@dataclass(frozen=True, slots=True)
class FunctionVisit:
    """A visit: consecutive steps of a chain in one function.

    `step_indices` and `leaving_step` are indices in `FlowVisits.steps`. `leaving_step` is the last step of
    the visit, which leads to the next visit; `step_indices` contains the other steps. If the visit has only
    one step or is the last one of its chain, `leaving_step` is None and `step_indices` contains all steps.
    """

    function: str
    kernel: bool
    step_indices: tuple[int, ...]
    leaving_step: int | None = None


@dataclass(frozen=True, slots=True)
class VisitChain:
    """A chain from an object in one address space to the pointer, split into visits of functions.

    The last visit is in the function that contains the pointer; it may have no steps.
    """

    space: str
    visits: tuple[FunctionVisit, ...]


@dataclass(frozen=True, slots=True)
class FlowVisits:
    """All chains of a flow, with their steps in one sequence."""

    steps: tuple[FlowStep, ...]
    chains: tuple[VisitChain, ...]


def split_chains(flow: PointerFlow) -> FlowVisits:
    """Splits each chain of a flow into visits of functions: runs of consecutive steps in the same function."""
    steps: list[FlowStep] = []
    found = []
    for witness in flow.witnesses:
        start = len(steps)
        steps += witness.steps
        numbered = list(enumerate(witness.steps, start))
        visits = [
            _visit(name, kernel, tuple(number for number, _ in part))
            for (name, kernel), part in groupby(numbered, lambda each: (each[1].function, each[1].kernel))
        ]
        target_function = flow.function or PROGRAM_NAME
        if not visits or visits[-1].function != target_function:
            visits.append(FunctionVisit(target_function, False, ()))
        else:
            visits[-1] = FunctionVisit(target_function, visits[-1].kernel, _all_steps(visits[-1]))
        found.append(VisitChain(witness.space.word, tuple(visits)))
    return FlowVisits(tuple(steps), tuple(found))


def _visit(name: str, kernel: bool, numbers: tuple[int, ...]) -> FunctionVisit:
    if len(numbers) > 1:
        return FunctionVisit(name or PROGRAM_NAME, kernel, numbers[:-1], numbers[-1])
    return FunctionVisit(name or PROGRAM_NAME, kernel, numbers)


def _all_steps(visit: FunctionVisit) -> tuple[int, ...]:
    return visit.step_indices if visit.leaving_step is None else (*visit.step_indices, visit.leaving_step)


def flow_description_lines(flow: PointerFlow) -> tuple[str, ...]:
    """Describes the pointer's address spaces in one line, and a caveat, if there is one, in a second line."""
    return tuple(filter(None, (describe_flow(flow), strip_backticks(describe_caveat(flow)))))


def strip_backticks(what: str) -> str:
    """Removes the backticks around names from the description of a step."""
    return what.replace("`", "")
