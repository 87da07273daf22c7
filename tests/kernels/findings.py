"""Counts findings in unconfigured projects and samples them for manual review.

    python -m tests.kernels.findings FOLDER… [--list] [--sample 100 --seed N --write FILE]

Each FOLDER is a project, checked as `openclsp check FOLDER` does. The output has a line for each: its files, their
lines, errors, other findings that the terminal shows and their number per 1,000 lines, CPU seconds of the slowest file
and the peak memory of the largest. Then follow the findings of all projects by code, and the median project. A finding
in a header counts once, however many files include it.

`--sample` draws findings that are not errors, at most a tenth of the sample from one project, and writes them with
their source lines and the first sentence of the rule's page. `docs/noise.md` has the criterion by which they are
judged.
"""

from __future__ import annotations

import argparse
import os
import pickle
import random
import re
import signal
import statistics
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from resource import struct_rusage

from openclsp.cli.hidden_diagnostics import COUNTED_INFORMATION
from openclsp.cli.inputs import CheckInput, CheckInputs, read_inputs
from openclsp.cli.one_compiler import is_moot
from openclsp.cli.redefined_macros import (
    REDEFINED,
    defines_language,
    is_defined_anew,
    keeps_constant,
    overrides_default,
)
from openclsp.cli.redundant_diagnostics import (
    RedundancyKey,
    find_redundant,
    is_about_analysis,
    is_about_generic_pointer,
    is_about_outside_file,
)
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.cli.secondary_files import is_secondary
from openclsp.cli.unit_check import function_of
from openclsp.host_code.program_document import program_documents
from openclsp.host_code.program_names import host_of_program
from openclsp.host_code.string_value import UNKNOWN_PART
from openclsp.ide.diagnostics.diagnostic_folding import host_names_of
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import Location
from openclsp.ide.location_map import EXPANDED
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore
from openclsp.project.option_parser import BuildOptions
from openclsp.rules.finding import Severity
from openclsp.rules.runner.page import read_page
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.workspace.includer_units import find_includer_unit
from openclsp.workspace.units import PlannedUnit

PATIENCE = 60
"""CPU seconds after which a file is given up."""
AROUND = 10
"""Source lines before and after a finding in the sample."""
SHARE = 10
"""One project gives at most this part (one tenth) of a sample."""


_RANK = [each.value for each in (Severity.ERROR, Severity.WARNING, Severity.INFORMATION, Severity.HINT)]


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """A diagnostic; `line` and `column` count from 1. `related` are its related locations as text.

    `text` is the source line without blanks at both ends. `function` is the function that contains it, see
    `function_of`. `deliberate` is true for what a run only counts without regard to the project, such as a macro that
    the file defines anew for each kernel.
    """

    file: str
    line: int
    column: int
    severity: str
    code: str
    message: str
    related: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    missing: bool = False
    cause: tuple[str, int] | None = None
    text: bytes = b""
    deliberate: bool = False
    function: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.severity}[{self.code}] {self.message}"


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking one file. `documents` were analysed with it."""

    found: tuple[Found, ...] = ()
    documents: frozenset[str] = frozenset()
    failure: str = ""


@dataclass
class Project:
    """The total of one project.

    `has_primary` is false if all files are in other projects, unused code or tests.
    """

    name: str
    folder: str = ""
    has_primary: bool = True
    projects: ScannedProjects = field(default_factory=ScannedProjects)
    files: int = 0
    lines: int = 0
    found: set[Found] = field(default_factory=set)
    seconds: float = 0.0
    slowest: str = ""
    kilobytes: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def errors(self) -> list[Found]:
        """The findings of severity error, sorted."""
        return sorted(each for each in self.found if each.severity == Severity.ERROR.value)

    @property
    def others(self) -> list[Found]:
        """All other findings that the terminal shows, sorted by severity, file and place."""
        found = [
            each
            for each in self.found
            if not each.deliberate
            and (
                each.severity == Severity.ERROR.value
                or not ((self.has_primary and self._is_secondary(each)) or self._is_unused(each))
            )
        ]
        found.sort(key=lambda each: (_RANK.index(each.severity), each))
        before = find_redundant(
            [
                RedundancyKey(
                    *_place(each),
                    each.code,
                    Severity(each.severity),
                    each.message,
                    each.names,
                    each.missing,
                    each.cause,
                    each.text,
                )
                for each in found
            ]
        )
        shown = [
            each
            for each, number in zip(found, before, strict=True)
            if number is None and each.severity != Severity.ERROR.value
        ]
        # the summary lists the other ones
        return [
            each
            for each in shown
            if not is_about_analysis(each.code, Severity(each.severity), each.names)
            and not is_about_outside_file(each.code, Severity(each.severity), each.message)
            and not is_moot(each.code, Severity(each.severity), _source(each.file))
        ]

    def _is_secondary(self, found: Found) -> bool:
        return is_secondary(_place(found)[0], (self.folder,), _source(found.file))

    def _is_unused(self, found: Found) -> bool:
        return self.projects.is_unused(_place(found)[0], found.function)

    @property
    def rate(self) -> float:
        """Findings that are no errors, per 1,000 lines."""
        return 1000 * len(self.others) / self.lines if self.lines else 0.0


def _place(found: Found) -> tuple[str, int]:
    """File and line of a finding; all programs of a host file have its path, and lines of their own."""
    program = host_of_program(found.file)
    return (found.file, found.line) if program is None else (program[0], found.line + program[1] * 1_000_000)


def measure(folder: str) -> Project:
    """Checks each file of a project in a process of its own, which inherits the options found in host code."""
    project = Project(os.path.basename(os.path.abspath(folder)), os.path.abspath(folder))
    inputs = read_inputs([folder], None, sys.stdin.buffer)
    project.files = len(inputs.inputs)
    project.has_primary = any(
        not is_secondary(each.file_name, (project.folder,), b"") for each in inputs.inputs
    )
    for each in inputs.inputs:
        data = each.document.text.data
        project.lines += data.count(b"\n") + (not data.endswith(b"\n"))
    projects = project.projects = ScannedProjects(for_many_inputs=True)
    programs, fragments = _parted(inputs, projects)
    if programs:
        projects.plan(programs[0].document, BuildOptions(), None)
        projects.outside_uses(programs[0].document).declaring_files()
    reached: set[str] = set()
    for each in programs:
        reached |= _add(project, each, projects)
    for each in fragments:
        if each.document.name not in reached:
            _add(project, each, projects, fragment=True)
    return project


def _parted(inputs: CheckInputs, projects: ScannedProjects) -> tuple[list[CheckInput], list[CheckInput]]:
    """Splits the inputs into programs and the files that others include."""
    programs, fragments = [], []
    for each in inputs.inputs:
        included = projects.include_graph(each.document).candidate_programs(
            each.document.name, each.document.text.data
        )
        (fragments if included else programs).append(each)
    return programs, fragments


def _add(
    project: Project, root: CheckInput, projects: ScannedProjects, *, fragment: bool = False
) -> frozenset[str]:
    """Checks a file in a child process and adds its findings; returns the analysed documents."""
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiving)
        _answer(root, projects, fragment, sending)
    os.close(sending)
    with os.fdopen(receiving, "rb") as stream:
        data = stream.read()
    _, status, usage = os.wait4(child, 0)
    checked = pickle.loads(data) if data else Checked(failure=f"{root.path}: ended with status {status}")
    project.found.update(checked.found)
    if checked.failure:
        project.failures.append(checked.failure)
    _add_usage(project, root.path, usage)
    return checked.documents


def _add_usage(project: Project, path: str, usage: struct_rusage) -> None:
    seconds = usage.ru_utime + usage.ru_stime
    if seconds > project.seconds:
        project.seconds, project.slowest = seconds, path
    project.kilobytes = max(project.kilobytes, usage.ru_maxrss)


def _answer(root: CheckInput, projects: ScannedProjects, fragment: bool, sending: int) -> None:
    """Runs the check in the child process; does not return."""
    signal.signal(signal.SIGPROF, _give_up)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        checked = _checked(root, projects, fragment)
    except BaseException as error:  # noqa: BLE001 - the child must end here, whatever happens
        checked = Checked(failure=f"{root.path}: {type(error).__name__}: {error}")
    signal.setitimer(signal.ITIMER_PROF, 0)
    with os.fdopen(sending, "wb") as stream:
        pickle.dump(checked, stream)
    os._exit(0)


def _give_up(number: int, frame: object) -> None:
    raise TimeoutError(f"not done within {PATIENCE} s of CPU time")


def _checked(root: CheckInput, projects: ScannedProjects, fragment: bool) -> Checked:
    own = root.document
    document, cache, subject = own, None, ""
    planned = projects.plan(own, BuildOptions(), None)
    if fragment:

        def plan(includer: Document) -> PlannedUnit:
            return projects.plan(includer, BuildOptions(), None, own.name)

        documents = DocumentStore(LOCAL_FILE_SYSTEM, {own.name: own})
        through = find_includer_unit(own, projects.include_graph(own), plan, documents)
        unit = through.certain or through.possible
        if unit is not None:
            planned, document, cache, subject = unit.planned_unit, unit.root, unit.cache, own.name
    if planned.cpp_for_opencl:
        return Checked()
    return _analysed(planned, document, subject, cache, projects)


def _analysed(
    planned: PlannedUnit,
    document: Document,
    subject: str,
    cache: IncludeCache | None,
    projects: ScannedProjects,
) -> Checked:
    documents = DocumentStore(LOCAL_FILE_SYSTEM, {document.name: document})
    unit = TranslationUnit(planned.unit_config, document, planned.make_include_loader(documents), cache)
    unit.outside = projects.outside_uses(document)
    found = []

    def place(name: str, offset: int) -> tuple[int, int]:
        there = unit.document_named(name)
        if there is None:
            return 1, 1
        position = there.text.position(offset, "utf-32")
        return position.line + 1, position.column + 1

    def line_of(name: str, offset: int) -> bytes:
        there = unit.document_named(name)
        return b"" if there is None else there.text.line(there.text.line_of(offset)).strip()

    for each in compute_diagnostics(unit, header_bodies=not subject):
        where = each.location
        # The command line does not report where the text of a program in a host file is unknown.
        if (subject and where.document != subject) or UNKNOWN_PART.decode() in each.message:
            continue
        related = []
        cause = None
        deliberate = is_about_generic_pointer(each.code, each.severity) or (
            each.code in COUNTED_INFORMATION and each.severity is Severity.INFORMATION
        )
        if each.code == REDEFINED and not each.related:
            text = unit.document_named(where.document)
            deliberate = text is not None and (
                keeps_constant(text.text, where.start, where.end) or defines_language(text.text.data)
            )
        for other in each.related:
            line, _ = place(other.location.document, other.location.start)
            if other.message.startswith(EXPANDED):
                cause = other.location.document, line
            if each.code == REDEFINED:
                deliberate = _is_defined_anew(unit, where, other.location)
            related.append(f"{other.location.document}:{line}: {other.message}")
        found.append(
            Found(
                where.document,
                *place(where.document, where.start),
                each.severity.value,
                each.code,
                each.message,
                tuple(related),
                host_names_of(each),
                unit.preprocessed.has_unknown_include,
                cause,
                line_of(where.document, where.start),
                deliberate,
                function_of(unit, each),
            )
        )
    return Checked(tuple(found), unit.preprocessed.documents())


def _is_defined_anew(unit: TranslationUnit, now: Location, before: Location) -> bool:
    """Whether a macro is defined anew on purpose: `is_defined_for_each_kernel`, `is_default_overridden`."""
    document, earlier = unit.document_named(now.document), unit.document_named(before.document)
    if document is None or earlier is None:
        return False
    definitions = (earlier.text, before.start), (document.text, now.start)
    in_one_file = now.document == before.document
    if in_one_file and overrides_default(document.text, before.start, now.start, now.end):
        return True
    return is_defined_anew(*definitions, in_one_file=in_one_file)


def sample(projects: list[Project], size: int, seed: int) -> list[Found]:
    """Draws findings that are not errors from all projects, each of which contributes at most its share."""
    chosen = random.Random(seed)
    drawn: list[Found] = []
    for project in projects:
        others = project.others
        drawn += chosen.sample(others, min(len(others), max(1, size // SHARE)))
    return sorted(chosen.sample(drawn, min(size, len(drawn))))


def excerpt(number: int, found: Found) -> Iterator[str]:
    """Renders a finding for a person who does not know the rules: message, meaning of the rule, source lines."""
    yield f"{number}. {found}"
    yield f"  rule: {_first_sentence(found.code)}"
    for each in found.related:
        yield f"    {each}"
    lines = _source(found.file).decode("utf-8", "replace").splitlines()
    for line in range(max(1, found.line - AROUND), min(len(lines), found.line + AROUND) + 1):
        mark = ">" if line == found.line else " "
        yield f"  {mark}{line:6} | {lines[line - 1][:200]}"
    yield "  verdict: "
    yield ""


@lru_cache(maxsize=64)
def _source(name: str) -> bytes:
    """The text of a file, or of a program in a host file."""
    program = host_of_program(name)
    if program is None:
        return Path(name).read_bytes()
    host = Document.of(program[0], Path(program[0]).read_bytes())
    return program_documents(host)[program[1]].document.text.data


def _first_sentence(code: str) -> str:
    """The title of the rule's page and the first sentence below its header."""
    page = read_page(code)
    paragraph = "\n".join(page.text.split("\n")[page.body_line :]).strip().split("\n\n")[0]
    return f"{page.title}. {re.split(r'(?<=[.]) ', ' '.join(paragraph.split()))[0]}"


def _row(project: Project) -> str:
    return (
        f"{project.name[:40]:40} {project.files:6} {project.lines:8} {len(project.errors):7} "
        f"{len(project.others):7} {project.rate:9.2f} {project.seconds:7.1f} {project.kilobytes // 1024:6} "
        f"{len(project.failures):5}"
    )


def main() -> int:
    """Prints the table; returns 1 if an analysis failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--list", action="store_true", help="print every finding")
    parser.add_argument("--errors", action="store_true", help="print every error")
    parser.add_argument(
        "--sample", type=int, default=0, metavar="N", help="draw N findings that are no errors"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, default=Path("sample.txt"), help="where the sample is written")
    arguments = parser.parse_args()
    print(
        f"{'project':40} {'files':>6} {'lines':>8} {'errors':>7} {'others':>7} {'per 1000':>9} "
        f"{'cpu s':>7} {'MB':>6} {'fail':>5}"
    )
    projects = []
    for folder in arguments.folders:
        project = measure(folder)
        projects.append(project)
        print(_row(project), flush=True)
        for failure in project.failures:
            print(f"    {failure}")
        if arguments.list or arguments.errors:
            for each in project.errors + (project.others if arguments.list else []):
                print(f"    {each}")
    _print_sums([each for each in projects if each.lines])
    if arguments.sample:
        drawn = sample(projects, arguments.sample, arguments.seed)
        excerpts = (line for number, each in enumerate(drawn, 1) for line in excerpt(number, each))
        arguments.write.write_text("\n".join(excerpts))
        print(f"{len(drawn)} findings written to {arguments.write}")
    return 1 if any(each.failures for each in projects) else 0


def _print_sums(projects: list[Project]) -> None:
    lines = sum(each.lines for each in projects)
    if not lines:
        return
    shown = [[*project.errors, *project.others] for project in projects]
    codes = Counter((each.code, each.severity) for found in shown for each in found)
    print(f"\n{'code':28} {'severity':12} {'findings':>8} {'per 1000':>9} {'projects':>9}")
    for (code, severity), count in sorted(codes.items(), key=lambda each: (-each[1], each[0])):
        having = sum(any((f.code, f.severity) == (code, severity) for f in found) for found in shown)
        print(f"{code:28} {severity:12} {count:8} {1000 * count / lines:9.2f} {having:9}")
    rates = [each.rate for each in projects]
    print(f"\nfindings that are no errors per 1,000 lines: median project {statistics.median(rates):.2f}")
    slowest = max(projects, key=lambda each: each.seconds)
    print(f"slowest file: {slowest.seconds:.1f} s CPU, {slowest.slowest}")
    print(f"peak memory of one file: {max(each.kilobytes for each in projects) // 1024} MB")


if __name__ == "__main__":
    sys.exit(main())
