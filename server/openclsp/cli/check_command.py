"""The command `check`: analyses each input in its builds and merges their diagnostics.

A fragment is analysed through a kernel that includes it. Diagnostics common to several builds or programs are
reported once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from openclsp.cli.builds import RequestedBuilds, plan_builds
from openclsp.cli.check_report import (
    CheckReport,
    FileReport,
    OptionsReport,
    OutputLocation,
    ReportedDiagnostic,
    UncheckedFile,
)
from openclsp.cli.command_error import CommandError, suggest_name
from openclsp.cli.depfile import option_files_of
from openclsp.cli.dialect_counts import DialectCounts
from openclsp.cli.inputs import CheckInput, CheckInputs
from openclsp.cli.kernel_collection import KernelCollection
from openclsp.cli.merged_diagnostics import MergedDiagnostics
from openclsp.cli.options_output import options_report
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.planning_notices import planning_notices
from openclsp.cli.progress_line import ProgressStep, ignore_progress
from openclsp.cli.project_units import NO_DOCUMENTS, make_project_sharing
from openclsp.cli.rejection_reasons import HOST_STRINGS, explain_not_opencl
from openclsp.cli.scanned_projects import MAXIMUM_SEPARATE_INPUTS, ScannedProjects
from openclsp.cli.unit_check import UnitCheck, UnitCheckContext
from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics.unsupported_languages import (
    UnsupportedLanguage,
    create_cpp_for_opencl_diagnostic,
)
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore
from openclsp.project.option_parser import BuildOptions
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.includer_units import find_includer_unit
from openclsp.workspace.units import PlannedUnit

if TYPE_CHECKING:
    from openclsp.cli.html.source_page import SourcePage

_ReportKey = tuple[str, str]
"""The key of a report's entry: path and dialect; the dialect is empty if several builds are checked."""


def check(
    inputs: CheckInputs,
    options: BuildOptions,
    *,
    with_fixes: bool,
    requested: RequestedBuilds | None = None,
    with_kernels: bool = False,
    with_pages: bool = False,
    open_documents: Mapping[DocumentName, Document] = NO_DOCUMENTS,
    step: ProgressStep = ignore_progress,
) -> CheckReport:
    """Checks the inputs and the headers that they include.

    An input that another input includes, and that is not a program of its own, is checked as part of that
    one. `with_kernels`: also summarises the resources of each kernel. `with_pages`: also
    makes the pages of the HTML report. `open_documents` take precedence over files. `step` is called for each file.
    """
    projects = ScannedProjects(for_many_inputs=len(inputs.inputs) > MAXIMUM_SEPARATE_INPUTS)
    run = _CheckRun(
        OutputPaths(inputs.inputs),
        options,
        with_fixes,
        requested or RequestedBuilds(),
        projects,
        with_kernels,
        with_pages,
        open_documents,
    )
    # Programs are checked first: what they include is then known, so that `check_fragment` need not check it
    # again.
    programs: list[CheckInput] = []
    fragments: list[CheckInput] = []
    for each in inputs.inputs:
        (programs if each.is_opencl and not run.is_fragment(each) else fragments).append(each)
    for number, each in enumerate((*programs, *fragments), 1):
        step("checking", each.path, number, len(inputs.inputs))
        if number <= len(programs):
            run.check_program(each)
        else:
            run.check_fragment(each)
    run.require_variant()
    return CheckReport(
        tuple(
            FileReport(
                path,
                ", ".join(entry.dialects),
                tuple(sorted(entry.reported(), key=_order)),
                entry.names(),
                run.context.skipped_fixes.get(path, 0),
            )
            for (path, _), entry in sorted(run.entries.items())
        ),
        run.checked_as.counts(),
        run.cpp_for_opencl_count,
        run.other_language_count,
        tuple(sorted((*inputs.not_checked, *run.not_checked), key=lambda each: each.path)),
        inputs.truncated,
        (*inputs.notices, *run.notices),
        inputs.excluded,
        run.checked,
        tuple(run.options_shown),
        tuple(run.kernels.reports()),
        pages=tuple(run.pages.values()),
        dependencies=frozenset(run.dependencies),
    )


def _order(diagnostic: ReportedDiagnostic) -> tuple[int, int, str, str]:
    return diagnostic.location.start, diagnostic.location.end, diagnostic.code, diagnostic.message


@dataclass(slots=True)
class _CheckRun:
    paths: OutputPaths
    options: BuildOptions
    with_fixes: bool
    requested: RequestedBuilds
    projects: ScannedProjects
    with_kernels: bool
    with_pages: bool
    open_documents: Mapping[DocumentName, Document]
    pages: dict[str, SourcePage] = field(default_factory=dict)
    entries: dict[_ReportKey, MergedDiagnostics] = field(default_factory=dict)
    kernels: KernelCollection = field(default_factory=KernelCollection)
    checked_as: DialectCounts = field(default_factory=DialectCounts)
    notices: dict[str, None] = field(default_factory=dict)
    cpp_for_opencl_count: int = 0
    other_language_count: int = 0
    checked: int = 0
    not_checked: list[UncheckedFile] = field(default_factory=list)
    _checked_documents: dict[DocumentName, dict[tuple[str, str], None]] = field(default_factory=dict)
    dependencies: set[str] = field(default_factory=set)
    options_shown: list[OptionsReport] = field(default_factory=list)
    _variants: dict[str, None] = field(default_factory=dict)
    context: UnitCheckContext = field(init=False)

    def __post_init__(self) -> None:
        sharing = make_project_sharing(self.projects, self.options, self.requested, self.open_documents)
        self.context = UnitCheckContext(
            self.paths,
            self.projects,
            sharing,
            self.with_fixes,
            self.with_kernels,
            open_documents=self.open_documents,
        )

    def is_fragment(self, root: CheckInput) -> bool:
        """Whether the document is analysed through a file that includes it."""
        return bool(
            self.projects.includers(root.document).candidate_programs(
                root.document.name, root.document.text.data
            )
        )

    def check_program(self, root: CheckInput) -> None:
        """Checks an input that is a program of its own."""

        def plan(options: BuildOptions, variant: str | None) -> PlannedUnit:
            return self.projects.plan(root.document, options, variant)

        others: list[UnsupportedLanguage] = []
        counted = False
        for name, planned in plan_builds(plan, self.options, self.requested):
            dialect = planned.unit_config.configuration.dialect.name
            self._record_plan(planned)
            self.options_shown.append(options_report(planned, root, self.paths))
            if planned.cpp_for_opencl:
                self._report_cpp_for_opencl(root, planned, dialect)
                return
            check = UnitCheck(self.context, root, root.document, planned)
            foreign = self._analyse(check, dialect, name)
            if foreign is not None:
                others.append(foreign)
                continue
            self._entry(root.path, dialect, name)
            self.checked_as.add(planned, root.path)
            self.checked += not counted
            counted = True
        if others and not counted:
            self._count_other_language(root, others[0])

    def check_fragment(self, subject: CheckInput) -> None:
        """Checks an input that other files include.

        If a checked program includes it, it has been checked there. Otherwise it is checked through a file
        that includes it, or as a program of its own if it is certain to be OpenCL C.
        """
        name = subject.document.name
        reached = self._checked_documents.get(name)
        if reached is not None:
            for dialect, build in reached:
                self._entry(subject.path, dialect, build)
            self.checked += 1
            self.checked_as.add_included()
            return
        documents = DocumentStore(LOCAL_FILE_SYSTEM, {**self.open_documents, name: subject.document})

        def plan(root: Document) -> PlannedUnit:
            return self.projects.plan(root, self.options, self.requested.variant, name)

        through = find_includer_unit(
            subject.document,
            self.projects.includers(subject.document),
            plan,
            documents,
            self.projects.include_cache,
        )
        if through is None and not subject.is_opencl:
            self.not_checked.append(UncheckedFile(subject.path, explain_not_opencl(name)))
            return
        if through is None:
            self.check_program(subject)
            return
        # The including file is chosen once, for the first build; the others are planned through the same
        # file.
        root = through.root

        def plan_fragment(options: BuildOptions, variant: str | None) -> PlannedUnit:
            return self.projects.plan(root, options, variant, name)

        others: list[UnsupportedLanguage] = []
        counted = False
        for build, planned in plan_builds(plan_fragment, self.options, self.requested):
            dialect = planned.unit_config.configuration.dialect.name
            self._record_plan(planned)
            self.options_shown.append(options_report(planned, subject, self.paths))
            check = UnitCheck(self.context, subject, root, planned)
            foreign = self._analyse(check, dialect, build)
            if foreign is not None:
                others.append(foreign)
                continue
            self._entry(subject.path, dialect, build)
            self.checked_as.add(planned, subject.path)
            self.checked += not counted
            counted = True
        if others and not counted:
            self._count_other_language(subject, others[0])

    def _count_other_language(self, check_input: CheckInput, other: UnsupportedLanguage) -> None:
        """Counts a file in another language, which is not checked.

        Host code found in a folder is not counted.
        """
        if other.diagnostic is not None:
            self.other_language_count += 1
        elif check_input.is_named:
            self.not_checked.append(UncheckedFile(check_input.path, HOST_STRINGS))

    def _analyse(self, unit: UnitCheck, dialect: str, build: str) -> UnsupportedLanguage | None:
        """Adds the diagnostics of a unit to the report; returns a value only if it is not OpenCL C."""
        try:
            for found in unit.reported():
                self._entry(found.location.path, dialect, build).add(found, build)
            self.dependencies.update(unit.documents_read())
            if self.with_kernels and unit.another_language is None:
                for location, summary in unit.kernels():
                    self.kernels.add(location, summary, build or dialect)
            if self.with_pages and unit.another_language is None:
                for page in unit.source_pages(self.pages):
                    self.pages[page.path] = page
            documents = unit.documents()
            unit.release_unit()
            if unit.another_language is not None:
                return unit.another_language
            for name in documents:
                self._checked_documents.setdefault(name, {})[dialect, build] = None
                path = self.paths.input_path(name)
                if path is not None and self.requested.has_several_builds:
                    self._entry(path, dialect, build)
        except Exception as error:  # noqa: BLE001 - one file's analysis is lost, not the run
            self.not_checked.append(
                UncheckedFile(
                    unit.path,
                    f"caused an internal error in the analysis: {type(error).__name__}: {error}",
                )
            )
        return None

    def _entry(self, path: str, dialect: str, build: str) -> MergedDiagnostics:
        key = path, "" if self.requested.has_several_builds else dialect
        entry = self.entries.setdefault(key, MergedDiagnostics())
        entry.dialects[dialect] = None
        entry.builds[build] = None
        return entry

    def _record_plan(self, planned: PlannedUnit) -> None:
        self.dependencies.update(layer.path for layer in planned.layers if layer.path)
        self.dependencies.update(option_files_of(planned.unit_config.subject or planned.unit_config.root))
        self.notices.update(dict.fromkeys(planning_notices(planned)))
        self._variants.update(dict.fromkeys(each.name for each in planned.unit_config.variants))

    def require_variant(self) -> None:
        """Raises CommandError if no file has the requested variant."""
        wanted = self.requested.variant
        if wanted is not None and wanted not in self._variants:
            known = f"there is no variant '{wanted}'{suggest_name(wanted, self._variants)}"
            none = "; openclsp.toml defines none" if not self._variants else ""
            raise CommandError(known + none)

    def _report_cpp_for_opencl(self, root: CheckInput, planned: PlannedUnit, dialect: str) -> None:
        self.cpp_for_opencl_count += 1
        diagnostic = create_cpp_for_opencl_diagnostic(planned.unit_config.project, root.document)
        if diagnostic is not None:
            origin = diagnostic.location
            location = OutputLocation.of(root.path, root.document.text, origin.start, origin.end)
            found = ReportedDiagnostic(
                diagnostic.code, diagnostic.severity, diagnostic.message, location, (), ()
            )
            self._entry(root.path, dialect, "").add(found, "")
