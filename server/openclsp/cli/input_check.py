"""Checks one input in all its builds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from openclsp.cli.builds import RequestedBuilds, plan_builds
from openclsp.cli.check_report import (
    OptionsReport,
    OutputLocation,
    ReportedDiagnostic,
    UncheckedFile,
)
from openclsp.cli.depfile import option_files_of
from openclsp.cli.dialect_counts import CheckedDialect
from openclsp.cli.inputs import CheckInput
from openclsp.cli.options_output import options_report
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.planning_notices import planning_notices
from openclsp.cli.project_flows import ProjectFlows
from openclsp.cli.project_units import NO_DOCUMENTS, make_project_sharing
from openclsp.cli.rejection_reasons import (
    HOST_STRINGS,
    explain_no_kernel,
    explain_not_opencl,
    is_host_code,
)
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.cli.unit_check import UnitCheck, UnitCheckContext
from openclsp.cli.unrecognisable_files import is_unrecognisable_file
from openclsp.dataclass import dataclass
from openclsp.host_code.host_words import may_use_kernel
from openclsp.ide.diagnostics.unsupported_languages import (
    UnsupportedLanguage,
    create_cpp_for_opencl_diagnostic,
    create_unrecognisable_diagnostic,
)
from openclsp.ide.feature_results import Diagnostic
from openclsp.ide.kernels.kernel_summary import KernelSummary
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore
from openclsp.project.option_parser import BuildOptions
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.includer_units import IncluderUnit, find_includer_unit
from openclsp.workspace.units import PlannedUnit

if TYPE_CHECKING:
    from openclsp.cli.html.source_page import SourcePage


@dataclass(frozen=True, slots=True)
class BuildOfFile:
    """A diagnostic that a build reports in a file, or the mere fact that the build checked the file.

    In the second case, `diagnostic` is None.
    """

    path: str
    dialect: str
    build: str
    diagnostic: ReportedDiagnostic | None = None


@dataclass(slots=True)
class InputResult:
    """The result of checking one input; it can be pickled, so that another process can compute it.

    - `documents`: the documents that were checked, each with its dialect and build
    - `unrecognisable`: the paths of files that are not recognised as OpenCL C
    - `variants`: the names of all variants of the input
    - `dependencies`: the files that the result depends on
    """

    builds: list[BuildOfFile] = field(default_factory=list)
    kernels: list[tuple[OutputLocation, KernelSummary, str]] = field(default_factory=list)
    dialects: list[CheckedDialect] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    variants: list[str] = field(default_factory=list)
    options: list[OptionsReport] = field(default_factory=list)
    pages: list[SourcePage] = field(default_factory=list)
    documents: list[tuple[DocumentName, str, str]] = field(default_factory=list)
    not_checked: list[UncheckedFile] = field(default_factory=list)
    dependencies: set[str] = field(default_factory=set)
    cpp_for_opencl_count: int = 0
    other_language_count: int = 0
    unrecognisable: list[str] = field(default_factory=list)
    checked: int = 0


class InputChecker:
    """Checks the inputs of a run one by one.

    The state kept between inputs is only a cache: no result depends on the inputs before it, once the results of
    all inputs are merged (`MergedDiagnostics`).

    - `with_kernels`: whether to summarise the resources of each kernel
    - `with_pages`: whether to make the pages of the HTML report, once for each file
    - `open_documents`: texts that take precedence over files
    """

    def __init__(
        self,
        paths: OutputPaths,
        options: BuildOptions,
        requested: RequestedBuilds,
        projects: ScannedProjects,
        *,
        with_fixes: bool,
        with_kernels: bool,
        with_pages: bool = False,
        open_documents: Mapping[DocumentName, Document] = NO_DOCUMENTS,
    ) -> None:
        self._paths, self._options, self._requested, self._projects = paths, options, requested, projects
        self._with_kernels, self._with_pages, self._open_documents = with_kernels, with_pages, open_documents
        self._paths_of_pages: set[str] = set()
        sharing = make_project_sharing(projects, options, requested, open_documents)
        flows = ProjectFlows(projects, options, requested, open_documents)
        self._context = UnitCheckContext(
            paths, projects, sharing, flows, with_fixes, with_kernels, open_documents=open_documents
        )

    def is_fragment(self, root: CheckInput) -> bool:
        """Whether the document is analysed through a file that includes it."""
        return bool(
            self._projects.include_graph(root.document).candidate_programs(
                root.document.name, root.document.text.data
            )
        )

    def check_program(self, root: CheckInput) -> InputResult:
        """Checks an input that is a program of its own."""

        def plan(options: BuildOptions, variant: str | None) -> PlannedUnit:
            return self._projects.plan(root.document, options, variant)

        return self._check_builds(root, root.document, plan)

    def check_fragment(self, subject: CheckInput) -> InputResult:
        """Checks a fragment: an input that is not a program, and that no checked program includes.

        The fragment is checked through a file that includes it, or as a program of its own if it is certain
        to be OpenCL C.
        """
        name = subject.document.name
        documents = DocumentStore(LOCAL_FILE_SYSTEM, {**self._open_documents, name: subject.document})

        def plan(root: Document) -> PlannedUnit:
            return self._projects.plan(root, self._options, self._requested.variant, name)

        found = find_includer_unit(
            subject.document,
            self._projects.include_graph(subject.document),
            plan,
            documents,
            self._projects.include_cache,
        )
        through = found.certain
        if through is None and not subject.is_opencl:
            result = InputResult()
            if may_use_kernel(subject.document.text.data):
                # The check of the file's kernel calls decides whether it names kernels.
                pass
            elif is_host_code(name, subject.document.text.data):
                result.notices.append(f"{subject.path} {explain_no_kernel(name, subject.document.text.data)}")
            else:
                result.not_checked.append(UncheckedFile(subject.path, explain_not_opencl(name)))
            return result
        if through is None:
            return self._check_alone(subject, found.possible)
        # The including file is chosen once, for the first build; the other builds use the same file.
        root = through.root

        def plan_fragment(options: BuildOptions, variant: str | None) -> PlannedUnit:
            return self._projects.plan(root, options, variant, name)

        return self._check_builds(subject, root, plan_fragment)

    def _check_alone(self, subject: CheckInput, includer: IncluderUnit | None) -> InputResult:
        """Checks a fragment as a program of its own; `includer` may include it after text that is not read."""
        if includer is None:
            return self.check_program(subject)
        root, name = includer.root, subject.document.name

        def plan(options: BuildOptions, variant: str | None) -> PlannedUnit:
            alone = self._projects.plan(subject.document, options, variant)
            return alone.after_unread_text(self._projects.plan(root, options, variant, name))

        return self._check_builds(subject, subject.document, plan)

    def _check_builds(
        self,
        check_input: CheckInput,
        root: Document,
        plan: Callable[[BuildOptions, str | None], PlannedUnit],
    ) -> InputResult:
        """Checks all builds of an input.

        `plan` returns the unit of a build. The root document of all units is `root`.
        """
        result = InputResult()
        others: list[UnsupportedLanguage] = []
        for build, planned in plan_builds(plan, self._options, self._requested):
            dialect = planned.unit_config.configuration.dialect.name
            result.dependencies.update(layer.path for layer in planned.layers if layer.path)
            name = check_input.file_name
            result.dependencies.update(option_files_of(name, self._projects.root_of(name)))
            result.notices += planning_notices(planned)
            result.variants += (each.name for each in planned.unit_config.variants)
            result.options.append(options_report(planned, check_input, self._paths))
            if planned.cpp_for_opencl and root is check_input.document:
                result.cpp_for_opencl_count += 1
                found = create_cpp_for_opencl_diagnostic(planned.unit_config.project, root)
                _report_unchecked(result, check_input, found, dialect)
                return result
            if root is check_input.document and is_unrecognisable_file(check_input, self._projects):
                result.unrecognisable.append(check_input.path)
                found = create_unrecognisable_diagnostic(planned.unit_config.project, root)
                _report_unchecked(result, check_input, found, dialect)
                return result
            foreign = self._analyse(
                result, UnitCheck(self._context, check_input, root, planned), dialect, build
            )
            if foreign is not None:
                others.append(foreign)
                continue
            result.builds.append(BuildOfFile(check_input.path, dialect, build))
            # The programs of a host file count as one file.
            if check_input.program is None or check_input.program.index == 0:
                result.dialects.append(CheckedDialect.of(planned, check_input.path))
                result.checked = 1
        if others and not result.checked:
            # Host code found in a folder is not counted.
            if others[0].diagnostic is not None:
                result.other_language_count += 1
            elif check_input.is_named:
                result.not_checked.append(UncheckedFile(check_input.path, HOST_STRINGS))
        return result

    def _analyse(
        self, result: InputResult, unit: UnitCheck, dialect: str, build: str
    ) -> UnsupportedLanguage | None:
        """Adds the diagnostics of a unit to the result, with the names of the dialect and of the build.

        Returns an UnsupportedLanguage if the unit is not OpenCL C, otherwise None.
        """
        try:
            for found in unit.reported():
                result.builds.append(BuildOfFile(found.location.path, dialect, build, found))
            result.dependencies.update(unit.documents_read())
            if self._with_kernels and unit.another_language is None:
                for location, summary in unit.kernels():
                    result.kernels.append((location, summary, build or dialect))
            if self._with_pages and unit.another_language is None:
                for page in unit.source_pages(self._paths_of_pages):
                    self._paths_of_pages.add(page.path)
                    result.pages.append(page)
            documents = unit.documents()
            unit.release_unit()
        except Exception as error:  # noqa: BLE001 - one file's analysis is lost, not the run
            message = f"caused an internal error in the analysis: {type(error).__name__}: {error}"
            result.not_checked.append(UncheckedFile(unit.path, message))
            return None
        if unit.another_language is not None:
            return unit.another_language
        result.documents += ((name, dialect, build) for name in documents)
        if self._requested.has_several_builds:
            paths = (self._paths.input_path(name) for name in documents)
            result.builds += (BuildOfFile(path, dialect, build) for path in paths if path is not None)
        return None


def _report_unchecked(result: InputResult, root: CheckInput, found: Diagnostic | None, dialect: str) -> None:
    """Adds the diagnostic which says that a file is not checked, unless the project disables it."""
    if found is not None:
        origin = found.location
        location = OutputLocation.of(root.path, root.document.text, origin.start, origin.end)
        reported = ReportedDiagnostic(found.code, found.severity, found.message, location, (), ())
        result.builds.append(BuildOfFile(root.path, dialect, "", reported))
