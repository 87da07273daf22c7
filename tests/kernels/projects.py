"""Measures false errors in unconfigured projects whose kernels are known to build.

    python -m tests.kernels.projects FOLDER… [--list] [--only-bare] [--largest BYTES]
    python -m tests.kernels.projects --mutants FILE --corpus FOLDER [--index FILE] [--list] [--only-bare]

Each FOLDER is a project. The output has a line for each: its files, their lines, files with error nodes after
expansion, errors per 1,000 lines without any configuration, errors with the options found in the project, CPU seconds,
and those of the slowest file. An error in a header counts once, however many files include it. `--list` prints every
error (those without options, and those that only the found options cause).

With `--mutants`, every mutant of real kernels is analysed without options; see `silence.py`.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.project.file_discovery import discover_files
from openclsp.project.file_system import DocumentStore
from openclsp.rules.finding import Severity
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.parser import parse
from openclsp.source.text import Text
from openclsp.workspace.unit_preparation import plan_unit
from openclsp.workspace.units import PlannedUnit

from . import silence

LARGEST = 2_000_000
PATIENCE = 60
"""CPU seconds after which a file is given up."""


@dataclass(frozen=True, slots=True, order=True)
class Error:
    """One diagnostic of severity error; `line` is counted from 1."""

    file: str
    line: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: [{self.code}] {self.message}"


@dataclass
class Outcome:
    """The result of one file."""

    lines: int = 0
    faulty: bool = False
    bare: set[Error] = field(default_factory=set)
    found: set[Error] = field(default_factory=set)
    seconds: float = 0.0
    crashes: list[str] = field(default_factory=list)


class _Collecting(logging.Handler):
    """Counts logged failures as crashes: if a rule fails, the analysis continues and logs the failure."""

    def __init__(self, crashes: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._crashes = crashes

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps the message with its traceback."""
        self._crashes.append(self.format(record))


def examine(path: str, project: str, options_too: bool) -> Outcome:
    """Analyses a file, for at most `PATIENCE` seconds."""
    outcome = Outcome()
    logging.getLogger().handlers = [_Collecting(outcome.crashes)]
    signal.signal(signal.SIGPROF, _give_up)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        data = Path(path).read_bytes()
        document = Document.of(path, data)
        outcome.lines = data.count(b"\n") + (not data.endswith(b"\n"))
        before = time.process_time()
        bare = _planned(document, project)
        unit = TranslationUnit(bare.unit_config, document, bare.make_include_loader(DocumentStore()))
        outcome.bare = set(_errors(unit))
        outcome.seconds = time.process_time() - before
        outcome.faulty = any(
            parse(group.text).root_node.has_error
            for fragment in unit.parts()
            if fragment.checks_bodies
            for group in fragment.groups
        )
        if options_too:
            planned = plan_unit(
                path, workspace_folders=(project,), document=document, hosts=_looked_over(project)
            )
            outcome.found = outcome.bare
            if planned.unit_config.configuration != bare.unit_config.configuration:
                outcome.found = set(
                    _errors(
                        TranslationUnit(
                            planned.unit_config, document, planned.make_include_loader(DocumentStore())
                        )
                    )
                )
    except TimeoutError:
        outcome.crashes.append(f"{path}: not done within {PATIENCE} s of CPU time")
        outcome.seconds = PATIENCE
    except Exception:
        logging.getLogger().exception("%s", path)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return outcome


def _planned(document: Document, project: str) -> PlannedUnit:
    """Plans the unit as if only the file itself determined its options."""
    return plan_unit(document.name, workspace_folders=(project,), document=document)


@cache
def _looked_over(project: str) -> ScannedProjects:
    """The scanned project with its host code, scanned once in each process."""
    return ScannedProjects(for_many_inputs=True)


def _give_up(number: int, frame: object) -> None:
    raise TimeoutError


def _errors(unit: TranslationUnit) -> Iterator[Error]:
    texts: dict[str, Text] = {unit.document.name: unit.document.text}
    for each in compute_diagnostics(unit, header_bodies=True):
        if each.severity is not Severity.ERROR:
            continue
        name = each.location.document
        if name not in texts:
            there = unit.document_named(name)
            texts[name] = Text.of(b"") if there is None else there.text
        yield Error(name, texts[name].line_of(each.location.start) + 1, each.code, each.message)


def measure(folder: Path, pool: ProcessPoolExecutor, arguments: argparse.Namespace) -> Counter[str]:
    """Prints the line of one project, and its errors if requested; returns its totals."""
    project = str(folder.resolve())
    paths = [
        path for path in discover_files([project]).files if Path(path).stat().st_size <= arguments.largest
    ]
    count = len(paths)
    outcomes = list(pool.map(examine, paths, [project] * count, [not arguments.only_bare] * count))
    bare = set().union(*(each.bare for each in outcomes))
    found = set().union(*(each.found for each in outcomes))
    sums: Counter[str] = Counter(
        files=count,
        lines=sum(each.lines for each in outcomes),
        faulty=sum(each.faulty for each in outcomes),
        bare=len(bare),
        found=len(found),
        seconds=round(sum(each.seconds for each in outcomes)),
        slowest=round(max((each.seconds for each in outcomes), default=0)),
        crashes=sum(bool(each.crashes) for each in outcomes),
    )
    print(_row(folder.name, sums), flush=True)
    for outcome in outcomes:
        for crash in outcome.crashes:
            print(crash)
    if arguments.list:
        for error in sorted(bare):
            print(f"    {error}")
        for error in sorted(found - bare):
            print(f"    with the options found: {error}")
    return sums


def _row(name: str, sums: Counter[str]) -> str:
    rate = 1000 * sums["bare"] / max(sums["lines"], 1)
    return (
        f"{name:28} {sums['files']:6} {sums['lines']:8} {sums['faulty']:7} {sums['bare']:7} {rate:8.3f} "
        f"{sums['found']:7} {sums['seconds']:6} {sums['slowest']:4} {sums['crashes']:4}"
    )


def main() -> int:
    """Runs as the module's docstring describes; returns 1 if something crashed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--list", action="store_true", help="print every error, or every miss")
    parser.add_argument("--only-bare", action="store_true", help="do not look for options, nor give any")
    parser.add_argument("--largest", type=int, default=LARGEST, help="leave out files of more bytes")
    parser.add_argument("--mutants", type=Path, help="a list of mutants")
    parser.add_argument("--corpus", type=Path, help="where the files of the mutants are")
    parser.add_argument("--index", type=Path, help="in which folder of the corpus each repository is")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.mutants is not None:
        if arguments.corpus is None:
            parser.error("--mutants needs --corpus")
        return silence.measure(
            arguments.mutants,
            arguments.corpus,
            arguments.index,
            arguments.jobs,
            listing=arguments.list,
            only_bare=arguments.only_bare,
        )
    print(
        f"{'project':28} {'files':>6} {'lines':>8} {'faulty':>7} {'errors':>7} {'per 1000':>8} {'options':>7} "
        f"{'cpu s':>6} {'most':>4} {'fail':>4}"
    )
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for folder in arguments.folders:
            sums = measure(folder, pool, arguments)
            slowest = max(total["slowest"], sums["slowest"])
            total += sums
            total["slowest"] = slowest
    print(_row("all", total))
    return 1 if total["crashes"] else 0


if __name__ == "__main__":
    sys.exit(main())
