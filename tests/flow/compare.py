"""Compares the flow analysis with runs of generated programs on the CPU, and prints the differences.

    python -m tests.flow.compare [--profile NAME]… [--count N] [--seed N] [--runs N] [--details N] [--jobs N] [--reduce]
        [--files including|linked]…

`--profile` is one of the profiles of random programs or one of the shapes; the default is all of them, with `--count`
programs each. Of the uses, those are *decided* at which a reference that ignores conditions allows just what runs observe;
*exact* are those of them at which our answer is that one. The exit status is 1 if the analysis misses a space that a run
observed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from . import program as p
from .judging import Judgement, expected, judge, judge_project
from .program import copies_several_shapes
from .projects import FORMS, project_of
from .random_programs import PROFILES, random_program
from .reducing import reduced
from .shapes import SHAPES, shaped_program

_BATCH = 50
_TOO_MUCH = ("larger", "null", "unknown")


@dataclass(frozen=True, slots=True)
class Batch:
    """Several programs of one profile: the seeds `first` to `first + count`."""

    profile: str
    first: int
    count: int
    runs: int
    form: str = ""
    """The form of the projects of several files that the programs are made into, or empty"""


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a batch: its judgements."""

    profile: str
    judged: tuple[Judgement, ...]


def made(profile: str, seed: int) -> p.Program:
    """Returns the program of a profile of random programs, or of a shape."""
    return random_program(seed, profile) if profile in PROFILES else shaped_program(profile, seed)


def report(batch: Batch) -> Report:
    """Generates, runs and judges the programs of a batch."""
    if batch.form:
        return _report_on_projects(batch)
    programs = [made(batch.profile, batch.first + number) for number in range(batch.count)]
    known = expected(programs, batch.runs)
    return Report(batch.profile, tuple(map(judge, known)))


def _report_on_projects(batch: Batch) -> Report:
    seeds = range(batch.first, batch.first + batch.count)
    projects = [project_of(made(batch.profile, seed), batch.form, seed) for seed in seeds]
    # all at once: the compiler takes longer to start than to compile a program
    known = iter(expected([program for each in projects for program in each.programs], batch.runs))
    judged: list[Judgement] = []
    for project in projects:
        own = [next(known) for _ in project.programs]
        with tempfile.TemporaryDirectory() as folder:
            judged.append(judge_project(project, own, Path(folder)))
    return Report(f"{batch.profile}, {batch.form}", tuple(judged))


def batches(
    profiles: Sequence[str], count: int, seed: int, runs: int, forms: Sequence[str]
) -> Iterator[Batch]:
    for profile in profiles:
        for form in forms:
            for first in range(0, count, _BATCH):
                yield Batch(profile, seed + first, min(_BATCH, count - first), runs, form)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profile", action="append", choices=[*PROFILES, *SHAPES])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--details", type=int, default=3, help="faults shown of each kind and profile")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--reduce", action="store_true", help="show the faults in programs made small")
    parser.add_argument(
        "--files", action="append", choices=FORMS, help="make projects of several files of the programs"
    )
    options = parser.parse_args()
    if options.files and options.reduce:
        parser.error("--reduce takes programs of one file")
    profiles = options.profile or [*PROFILES, *SHAPES]
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    shown: Counter[tuple[str, str]] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        for each in pool.map(
            report, batches(profiles, options.count, options.seed, options.runs, options.files or [""])
        ):
            for judged in each.judged:
                totals[each.profile] += Counter(
                    programs=1, uses=judged.asked, decided=judged.decided, exact=judged.exact
                )
            for fault in (fault for judged in each.judged for fault in judged.faults):
                kind = fault.kind
                if kind in _TOO_MUCH and copies_several_shapes(fault.program):
                    kind += " where shapes are mixed"
                totals[each.profile][kind] += 1
                shown[each.profile, kind] += 1
                if shown[each.profile, kind] <= options.details:
                    print(reduced(fault, options.runs) if options.reduce else fault, flush=True)
    for profile, counted in totals.items():
        print(profile.ljust(24), *(f"{number} {kind}" for kind, number in counted.items()))
    everything = sum(totals.values(), Counter[str]())
    print("all".ljust(24), *(f"{number} {kind}" for kind, number in everything.items()))
    return 1 if everything["missed"] + everything["no-null"] else 0


if __name__ == "__main__":
    sys.exit(main())
