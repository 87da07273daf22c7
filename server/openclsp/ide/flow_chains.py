"""The chains of a flow split into visits, as input of the drawings.

A visit consists of the consecutive steps of a chain in one function.
"""

from __future__ import annotations

from itertools import groupby

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Flow, FlowStep
from openclsp.ide.flow import caveat, said

PROGRAM = "the program"
"""The name used for steps outside of functions."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Consecutive steps of a chain in one function.

    `rows` are the indices of its steps in the picture. `leaving` is the last step, which leads to the next
    visit; None if it is the only one and therefore in `rows`.
    """

    function: str
    kernel: bool
    rows: tuple[int, ...]
    leaving: int | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """The way by which one address space reaches the pointer.

    The last visit is in the function that contains the pointer; it may have no rows.
    """

    space: str
    visits: tuple[Visit, ...]


@dataclass(frozen=True, slots=True)
class Chains:
    """All chains of a flow, with the steps of all of them in one sequence."""

    steps: tuple[FlowStep, ...]
    chains: tuple[Chain, ...]


def chains_of(flow: Flow) -> Chains:
    """Splits the chains of a flow into visits, in the flow's order."""
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
        asked = flow.function or PROGRAM
        if not visits or visits[-1].function != asked:
            visits.append(Visit(asked, False, ()))
        else:
            visits[-1] = Visit(asked, visits[-1].kernel, _whole(visits[-1]))
        found.append(Chain(witness.space.word, tuple(visits)))
    return Chains(tuple(steps), tuple(found))


def _visit(name: str, kernel: bool, numbers: tuple[int, ...]) -> Visit:
    if len(numbers) > 1:
        return Visit(name or PROGRAM, kernel, numbers[:-1], numbers[-1])
    return Visit(name or PROGRAM, kernel, numbers)


def _whole(visit: Visit) -> tuple[int, ...]:
    return visit.rows if visit.leaving is None else (*visit.rows, visit.leaving)


def holds(flow: Flow) -> tuple[str, ...]:
    """The lines that describe the pointer's address spaces, with a caveat if there is one."""
    return tuple(filter(None, (said(flow), plain(caveat(flow)))))


def plain(what: str) -> str:
    """The description of a step without the backticks around names."""
    return what.replace("`", "")
