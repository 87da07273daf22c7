"""Compares the flow analysis at each use of a program with observed runs and with the allowed answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from openclsp.ide.feature_results import PointerFlow
from openclsp.ide.flow.pointer_flow import compute_flow_of_token
from openclsp.ide.location_map import LocationMap

from ..rules.analysis import analyse
from . import program as p
from .exact import exact_spaces
from .inclusion import spaces_by_inclusion
from .printing import Printed, Use, printed
from .projects import Project, flows_of
from .running import spaces_seen
from .shapes import BOUNDED

Spaces = frozenset[str]
_NOTHING: Spaces = frozenset()


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of one answer.

    `kind` is `missed` for a space that a run observed and the answer lacks (unsound), `no-null` for a missing null,
    `larger` for a space that is impossible, `null` for an impossible null, `unknown` for an unknown set, `silent` for
    no answer, `reached` for a wrong statement about kernels, and `witness` for a space without a chain or a superfluous
    chain.
    """

    kind: str
    program: p.Program
    use: Use
    line: str
    answer: str
    expected: str

    def __str__(self) -> str:
        place = f"{self.program.name}:{self.use.line}:{self.use.column}"
        return (
            f"{self.kind}: {place}: {self.line.strip()}\n    answer {self.answer}, expected {self.expected}"
        )


@dataclass(frozen=True, slots=True)
class Expected:
    """The expectations for a program's uses: observed in runs, allowed, and required without a run."""

    program: p.Program
    printed: Printed
    seen: Mapping[int, Spaces]
    allowed: Mapping[int, Spaces]
    required: Mapping[int, Spaces]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is wrong with the answers about one program or project, and how many of them are exact.

    `decided` counts the uses at which the reference, which ignores conditions, allows just what runs observe: its answer is
    exact. `exact` counts those of them at which ours is that answer.
    """

    faults: tuple[Fault, ...]
    asked: int
    decided: int
    exact: int


def expected(programs: Sequence[p.Program], runs: int, seed: int = 1) -> list[Expected]:
    """Returns the expectations for each program; without runs, those from its generation and the reference analyses alone."""
    texts = [printed(each) for each in programs]
    seen: Sequence[Mapping[int, Spaces]] = [{}] * len(programs)
    if runs:
        seen = spaces_seen(programs, [each.count for each in texts], runs, seed)
    return [
        Expected(program, text, saw, *_known(program))
        for program, text, saw in zip(programs, texts, seen, strict=True)
    ]


def _known(program: p.Program) -> tuple[Mapping[int, Spaces], Mapping[int, Spaces]]:
    family = program.name.partition("-")[0]
    by_inclusion = spaces_by_inclusion(program)
    if program.known:
        known = {use: spaces for use, spaces in program.known.items() if use in by_inclusion}
        return known, {} if family in BOUNDED else known
    if not p.uses_memory(program):
        # a test of a copy, or of a condition that another branch read, may tell less
        return exact_spaces(program), {}
    return by_inclusion, {}


def judge_project(project: Project, known: Sequence[Expected], folder: Path) -> Judgement:
    """Judges the answers about a project of several files.

    `known` are the expectations of its programs: a use holds what it does in any of them.
    """
    uses = sorted({number for each in known for number in each.allowed} & project.uses.keys())
    joined = Expected(
        project.programs[0],
        known[0].printed,
        {number: _joined(number, (each.seen for each in known)) for number in uses},
        {number: _joined(number, (each.allowed for each in known)) for number in uses},
        {number: _joined(number, (each.required for each in known)) for number in uses},
    )
    found: list[Fault] = []
    answers = dict(flows_of(project, folder, uses))
    for number, flow in answers.items():
        place = project.uses[number]
        use = Use(number, place.offset, place.line, 1, place.file)
        line = project.files[place.file].splitlines()[place.line - 1]
        for kind, wanted in _wrong(joined, number, flow):
            found.append(Fault(kind, project.programs[0], use, f"{place.file}: {line}", _shown(flow), wanted))
    return _judgement(joined, answers, found)


def _joined(number: int, known: Iterable[Mapping[int, Spaces]]) -> Spaces:
    return _NOTHING.union(*(each.get(number, _NOTHING) for each in known))


def faults(each: Expected) -> tuple[Fault, ...]:
    """Returns the faults of the flow analysis's answers about a program."""
    return judge(each).faults


def judge(each: Expected) -> Judgement:
    """Judges the flow analysis's answers about a program."""
    unit = analyse(each.printed.text, "CL2.0")
    places = LocationMap(unit)
    lines = each.printed.text.splitlines()
    found: list[Fault] = []
    answers: dict[int, PointerFlow | None] = {}
    for number, use in each.printed.uses.items():
        if number not in each.allowed:
            continue
        token = places.item_at(unit.document.name, use.offset)
        assert token is not None
        flow = answers[number] = compute_flow_of_token(places, token[0].key, token[1])
        for kind, wanted in _wrong(each, number, flow):
            found.append(Fault(kind, each.program, use, lines[use.line - 1], _shown(flow), wanted))
    return _judgement(each, answers, found)


def _judgement(
    each: Expected, answers: Mapping[int, PointerFlow | None], found: Sequence[Fault]
) -> Judgement:
    decided = [number for number in answers if _observed(each, number) == each.allowed[number]]
    exact = 0
    for number in decided:
        flow = answers[number]
        exact += flow is not None and not flow.unknown and _held(flow) == each.allowed[number]
    return Judgement(tuple(found), len(answers), len(decided), exact)


def _observed(each: Expected, number: int) -> Spaces:
    return each.seen.get(number, _NOTHING) | each.required.get(number, _NOTHING)


def _held(flow: PointerFlow) -> Spaces:
    """The spaces in an answer, and null."""
    return frozenset(space.word for space in flow.spaces) | (frozenset((p.NULL,)) if flow.null else _NOTHING)


def _wrong(each: Expected, number: int, flow: PointerFlow | None) -> Iterator[tuple[str, str]]:
    seen = _observed(each, number)
    allowed = each.allowed[number]
    if flow is None:
        yield "silent", _set(seen)
        return
    held = _held(flow)
    answer = held - {p.NULL}
    if not flow.unknown and not seen <= held:
        yield ("missed" if not seen - {p.NULL} <= held else "no-null"), f"at least {_set(seen)}"
    if not answer <= allowed:
        yield "larger", f"at most {_set(allowed)}"
    if flow.null and p.NULL not in allowed:
        yield "null", f"at most {_set(allowed)}"
    if flow.unknown:
        yield "unknown", f"at most {_set(allowed)}"
    if not flow.reached_by_kernel:
        yield "reached", "a kernel that reaches it"
    chains = sorted(each.space.word for each in flow.witnesses)
    if chains != sorted(answer) or not all(each.steps for each in flow.witnesses):
        yield "witness", f"one chain for each of {_set(answer)}, not for {chains}"


def _set(spaces: Spaces) -> str:
    return "{" + ", ".join(sorted(spaces)) + "}"


def _shown(flow: PointerFlow | None) -> str:
    if flow is None:
        return "none"
    words = frozenset(space.word for space in flow.spaces)
    extra = [word for word, there in (("null", flow.null), ("unknown", flow.unknown)) if there]
    return _set(words | frozenset(extra))
