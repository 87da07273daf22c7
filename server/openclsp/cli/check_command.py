"""The command `check`: checks the inputs and merges their results.

A fragment (a file that is no program of its own) is analysed through a kernel file that includes it.
Diagnostics common to several builds or programs are reported once.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from operator import itemgetter
from typing import TYPE_CHECKING

from openclsp.cli.builds import RequestedBuilds
from openclsp.cli.caller_check import CallerChecker, CallerResult
from openclsp.cli.check_order import order_by_headers
from openclsp.cli.check_report import (
    CheckReport,
    FileReport,
    OptionsReport,
    ReportedDiagnostic,
    UncheckedFile,
)
from openclsp.cli.command_error import CommandError, suggest_name
from openclsp.cli.dialect_counts import DialectCounts
from openclsp.cli.input_check import BuildOfFile, InputChecker, InputResult
from openclsp.cli.inputs import CheckInput, CheckInputs
from openclsp.cli.kernel_collection import KernelCollection
from openclsp.cli.merged_diagnostics import MergedDiagnostics
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.progress_line import ProgressStep, ignore_progress
from openclsp.cli.project_units import NO_DOCUMENTS
from openclsp.cli.rejection_reasons import explain_host_name
from openclsp.cli.scanned_projects import MAXIMUM_SEPARATE_INPUTS, ScannedProjects
from openclsp.cli.worker_processes import run_tasks
from openclsp.dataclass import dataclass
from openclsp.project.option_parser import BuildOptions
from openclsp.source.document import Document, DocumentName

if TYPE_CHECKING:
    from openclsp.cli.html.source_page import SourcePage

_Results = tuple[InputResult, CallerResult]
_Task = tuple[CheckInput, Callable[[CheckInput], _Results]]
"""An input and the function that checks it."""

_ReportKey = tuple[str, str]
"""The key of a report's entry: path and dialect. The dialect is empty if several builds are checked."""


def check(
    inputs: CheckInputs,
    options: BuildOptions,
    *,
    with_fixes: bool,
    requested: RequestedBuilds | None = None,
    with_kernels: bool = False,
    with_pages: bool = False,
    open_documents: Mapping[DocumentName, Document] = NO_DOCUMENTS,
    jobs: int = 1,
    step: ProgressStep = ignore_progress,
) -> CheckReport:
    """Checks the inputs and the headers that they include, and returns the report.

    If one input includes another that is no program of its own, the included one is checked as part of the
    first.

    - `with_kernels`: whether to summarise the resources of each kernel
    - `with_pages`: whether to make the pages of the HTML report
    - `open_documents`: texts that take precedence over files
    - `jobs`: the maximum number of processes
    - `step`: is called for each file
    """
    requested = requested or RequestedBuilds()
    paths = OutputPaths((*inputs.inputs, *inputs.callers))
    projects = ScannedProjects(
        for_many_inputs=len(inputs.inputs) > MAXIMUM_SEPARATE_INPUTS, named_folders=inputs.named_folders
    )
    checker = InputChecker(
        paths,
        options,
        requested,
        projects,
        with_fixes=with_fixes,
        with_kernels=with_kernels,
        with_pages=with_pages,
        open_documents=open_documents,
    )
    run = _CheckRun(requested)
    # Programs are checked first: what they include is then known and need not be checked again.
    programs: list[CheckInput] = []
    fragments: list[CheckInput] = []
    for each in inputs.inputs:
        (programs if each.is_opencl and not checker.is_fragment(each) else fragments).append(each)

    def begin(number: int, path: str) -> None:
        step("checking", path, number, len(inputs.inputs))

    callers = CallerChecker(paths, projects, open_documents)
    # A finding is reported only once: in the host file, or at the parameter if the host file is not checked.
    hosts = frozenset(each.document.name for each in inputs.callers)
    calls: list[CallerResult] = []

    def check_program(given: CheckInput) -> _Results:
        # Both in one task: a second distribution among processes would repeat what the first one analysed.
        return checker.check_program(given), callers.check_kernels(given, hosts)

    def check_calls_only(given: CheckInput) -> _Results:
        return InputResult(), callers.check_kernels(given, hosts)

    def check_fragment(given: CheckInput) -> _Results:
        return checker.check_fragment(given), CallerResult(given.path, "")

    def check_all(tasks: list[_Task], before: int) -> None:
        # Programs first, because the other processes inherit the headers that the first task has analysed.
        order = sorted(
            order_by_headers([given for given, _ in tasks]),
            key=lambda number: tasks[number][1] is check_calls_only,
        )
        results = run_tasks(
            lambda number: tasks[order[number]][1](tasks[order[number]][0]),
            len(tasks),
            jobs,
            begin=lambda number: begin(before + number + 1, tasks[order[number]][0].path),
            lost=lambda number: _lost_result(tasks[order[number]][0]),
        )
        # The report does not depend on the order of the checks.
        for _, (result, found) in sorted(zip(order, results, strict=True), key=itemgetter(0)):
            run.add(result)
            calls.append(found)

    check_all(
        [*((each, check_program) for each in programs), *((each, check_calls_only) for each in fragments)], 0
    )
    remaining = [each for each in fragments if not run.add_if_checked(each)]
    check_all([(each, check_fragment) for each in remaining], len(inputs.inputs) - len(remaining))
    for called in run_tasks(
        lambda number: callers.check(inputs.callers[number]),
        len(inputs.callers),
        jobs,
        begin=lambda number: step("checking", inputs.callers[number].path, number + 1, len(inputs.callers)),
        lost=lambda number: CallerResult(inputs.callers[number].path, ""),
    ):
        run.add_caller(called)
    for found in calls:
        run.add_caller(found)
    run.require_variant()
    return CheckReport(
        tuple(_file_report(path, entry) for (path, _), entry in sorted(run.entries.items())),
        run.checked_as.counts(),
        run.cpp_for_opencl_count,
        run.other_language_count,
        tuple(sorted((*inputs.not_checked, *run.not_checked), key=lambda each: each.path)),
        inputs.truncated,
        (*inputs.notices, *run.notices, *_unchecked_kernels(inputs, projects)),
        inputs.excluded,
        run.checked,
        not any(each.is_named for each in (*inputs.inputs, *inputs.callers)),
        inputs.paths,
        lambda found: projects.is_unused(os.path.abspath(found.location.path), found.function),
        tuple(run.options),
        tuple(callers.with_local_sizes(each) for each in run.kernels.reports()),
        pages=tuple(run.pages.values()),
        dependencies=frozenset(run.dependencies),
        unrecognisable=tuple(sorted(run.unrecognisable)),
    )


def _unchecked_kernels(inputs: CheckInputs, projects: ScannedProjects) -> Iterator[str]:
    """Yields a notice about the files that are named like host code and that no kernel includes, if there are any."""
    documents = ((each.path, each.document) for each in inputs.named_like_host_code)
    paths = [
        path
        for path, document in documents
        if not projects.include_graph(document).candidate_programs(document.name, document.text.data)
    ]
    if paths:
        yield explain_host_name(paths)


def _file_report(path: str, merged: MergedDiagnostics) -> FileReport:
    diagnostics = tuple(sorted(merged.reported(), key=_order))
    skipped = sum(each.fixes_skipped for each in diagnostics)
    return FileReport(path, ", ".join(merged.dialects), diagnostics, merged.names(), skipped)


def _order(diagnostic: ReportedDiagnostic) -> tuple[int, int, str, str]:
    return diagnostic.location.start, diagnostic.location.end, diagnostic.code, diagnostic.message


def _lost_result(lost: CheckInput) -> _Results:
    """Returns results that list an input as not checked, because its worker process died."""
    result = InputResult()
    result.not_checked.append(UncheckedFile(lost.path, "was being checked when its process ended"))
    return result, CallerResult(lost.path, "")


@dataclass(slots=True)
class _CheckRun:
    """The results of the inputs, merged for the report."""

    requested: RequestedBuilds
    entries: dict[_ReportKey, MergedDiagnostics] = field(default_factory=dict)
    kernels: KernelCollection = field(default_factory=KernelCollection)
    checked_as: DialectCounts = field(default_factory=DialectCounts)
    notices: dict[str, None] = field(default_factory=dict)
    cpp_for_opencl_count: int = 0
    other_language_count: int = 0
    unrecognisable: list[str] = field(default_factory=list)
    checked: int = 0
    not_checked: list[UncheckedFile] = field(default_factory=list)
    options: list[OptionsReport] = field(default_factory=list)
    pages: dict[str, SourcePage] = field(default_factory=dict)
    dependencies: set[str] = field(default_factory=set)
    _checked_documents: dict[DocumentName, dict[tuple[str, str], None]] = field(default_factory=dict)
    _variants: dict[str, None] = field(default_factory=dict)

    def add(self, result: InputResult) -> None:
        """Adds the result of the next input."""
        for each in result.builds:
            entry = self._entry(each)
            if each.diagnostic is not None:
                entry.add(each.diagnostic, each.build)
        for location, summary, build in result.kernels:
            self.kernels.add(location, summary, build)
        for checked in result.dialects:
            self.checked_as.add(checked)
        for name, dialect, build in result.documents:
            self._checked_documents.setdefault(name, {})[dialect, build] = None
        self.notices.update(dict.fromkeys(result.notices))
        self._variants.update(dict.fromkeys(result.variants))
        self.options += result.options
        for page in result.pages:
            self.pages.setdefault(page.path, page)
        self.dependencies.update(result.dependencies)
        self.not_checked += result.not_checked
        self.cpp_for_opencl_count += result.cpp_for_opencl_count
        self.other_language_count += result.other_language_count
        self.unrecognisable += result.unrecognisable
        self.checked += result.checked

    def add_if_checked(self, fragment: CheckInput) -> bool:
        """Counts the fragment as checked if a checked program includes it; returns whether one does."""
        reached = self._checked_documents.get(fragment.document.name)
        if reached is None:
            return False
        for dialect, build in reached:
            self._entry(BuildOfFile(fragment.path, dialect, build))
        self.checked += 1
        self.checked_as.add_included()
        return True

    def add_caller(self, result: CallerResult) -> None:
        """Adds diagnostics about kernel calls to the other diagnostics of the same file.

        A file without an entry in the report, such as a host file without programs, is counted as checked.
        """
        self.notices.update(dict.fromkeys(result.notices))
        self.dependencies.update(result.dependencies)
        if not result.names_kernels:
            return
        entry = next((each for (path, _), each in self.entries.items() if path == result.path), None)
        if entry is None:
            entry = self._entry(BuildOfFile(result.path, result.language, ""))
            self.checked += 1
            self.checked_as.add_host(result.language)
        for found in result.diagnostics:
            for build in entry.builds:
                entry.add(found, build)

    def _entry(self, file: BuildOfFile) -> MergedDiagnostics:
        key = file.path, "" if self.requested.has_several_builds else file.dialect
        entry = self.entries.setdefault(key, MergedDiagnostics())
        entry.dialects[file.dialect] = None
        entry.builds[file.build] = None
        return entry

    def require_variant(self) -> None:
        """Raises CommandError if no file has the requested variant."""
        wanted = self.requested.variant
        if wanted is not None and wanted not in self._variants:
            known = f"there is no variant '{wanted}'{suggest_name(wanted, self._variants)}"
            none = "; openclsp.toml defines none" if not self._variants else ""
            raise CommandError(known + none)
