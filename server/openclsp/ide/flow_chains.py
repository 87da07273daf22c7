"""The chains of a flow, cut into visits: a visit is what stands in one function before the chain goes on in another. What
pictures are drawn from."""

from __future__ import annotations

from itertools import groupby

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Flow, FlowStep
from openclsp.ide.flow import caveat, said

PROGRAM = "the program"
"""Where a step stands that stands in no function."""


@dataclass(frozen=True, slots=True)
class Visit:
    """`rows` are numbers of steps of the picture; `leaving` is the step that goes on to the next visit, where it is one of
    this visit and not its only one."""

    function: str
    kernel: bool
    rows: tuple[int, ...]
    leaving: int | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """How one space reaches the pointer. The last visit is that of the function in which the pointer stands; it may have no
    rows."""

    space: str
    visits: tuple[Visit, ...]


@dataclass(frozen=True, slots=True)
class Chains:
    """All of them, with their steps one after the other."""

    steps: tuple[FlowStep, ...]
    chains: tuple[Chain, ...]


def chains_of(flow: Flow) -> Chains:
    """The chains of a flow, in its order."""
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
    """What the pointer holds, a line for each thing that is to be said."""
    return tuple(filter(None, (said(flow), plain(caveat(flow)))))


def plain(what: str) -> str:
    """The words of a step without the marks around its names."""
    return what.replace("`", "")
