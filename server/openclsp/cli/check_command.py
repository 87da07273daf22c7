"""The command `check_program`: analyses each input in its builds and merges their diagnostics.

A fragment is analysed through a kernel that includes it. Diagnostics common to several builds or programs are
reported once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from openclsp.cli.builds import RequestedBuilds, plan_builds
from openclsp.cli.check_report import (
    CheckReport,
    FileReport,
    OptionsReport,
    OutputEdit,
    OutputLocation,
    RelatedOutputLocation,
    ReportedDiagnostic,
    ReportedFix,
    UncheckedFile,
)
from openclsp.cli.command_error import CommandError, suggest_name
from openclsp.cli.dialect_counts import DialectCounts
from openclsp.cli.inputs import CheckInput, CheckInputs
from openclsp.cli.kernel_collection import KernelCollection
from openclsp.cli.language_version_edit import language_version_edit
from openclsp.cli.options_output import options_report
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.progress_line import ProgressStep, ignore_progress
from openclsp.cli.project_units import make_project_sharing
from openclsp.cli.rejection_reasons import HOST_STRINGS, explain_not_opencl
from openclsp.cli.scanned_projects import MAXIMUM_SEPARATE_INPUTS, ScannedProjects
from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics.diagnostic_folding import host_names_of
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.diagnostics.severity_settings import list_project_problems
from openclsp.ide.diagnostics.unsupported_languages import (
    UnsupportedLanguage,
    create_cpp_for_opencl_diagnostic,
    detect_unsupported_language,
)
from openclsp.ide.feature_results import CheckedFix, Diagnostic, Location
from openclsp.ide.fixes.fix_budget import FixBudget
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.ide.fixes.project_units import ProjectUnitSource
from openclsp.ide.kernels.kernel_summary import KernelSummary, compute_kernel_summaries
from openclsp.ide.location_map import EXPANDED
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore, FileProblem
from openclsp.project.option_parser import BuildOptions
from openclsp.rules.finding import Finding
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.source.text import Text
from openclsp.workspace.include_loader import IncludeLoader
from openclsp.workspace.includer_units import find_includer_unit
from openclsp.workspace.units import PlannedUnit

_DiagnosticIdentity = tuple[str, str, Location, str]
"""The identity of a diagnostic across programs: dialect, code, location, message."""

_ReportKey = tuple[str, str]
"""The key of a report's entry: path and dialect; the dialect is empty if several builds are checked."""


def check(
    inputs: CheckInputs,
    options: BuildOptions,
    *,
    with_fixes: bool,
    asked: RequestedBuilds | None = None,
    with_kernels: bool = False,
    step: ProgressStep = ignore_progress,
) -> CheckReport:
    """Checks the inputs and the headers that they include.

    An input that another input includes, and that is not a program of its own, is checked as part of that
    one. `with_kernels`: also summarises the resources of each kernel. `step` is called for each file.
    """
    projects = ScannedProjects(for_many_inputs=len(inputs.inputs) > MAXIMUM_SEPARATE_INPUTS)
    run = _CheckRun(
        OutputPaths(inputs.inputs), options, with_fixes, asked or RequestedBuilds(), projects, with_kernels
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
                run.fixes_left_out.get(path, 0),
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
    )


def _order(diagnostic: ReportedDiagnostic) -> tuple[int, int, str, str]:
    return diagnostic.location.start, diagnostic.location.end, diagnostic.code, diagnostic.message


@dataclass(slots=True)
class _FileEntry:
    """The diagnostics of one file, merged over builds.

    `diagnostics` maps a diagnostic's identity to the diagnostic and the builds that report it; `builds` are all
    builds of the file. The name of an only build is empty. `message_numbers` numbers the different messages at a
    location, by build.
    """

    dialects: dict[str, None] = field(default_factory=dict)
    diagnostics: dict[tuple[object, ...], tuple[ReportedDiagnostic, dict[str, None]]] = field(
        default_factory=dict
    )
    builds: dict[str, None] = field(default_factory=dict)
    message_numbers: dict[tuple[object, ...], dict[str, int]] = field(default_factory=dict)

    def add(self, found: ReportedDiagnostic, build: str) -> None:
        """Adds a diagnostic of a build. If other units report it too, only their common fixes are kept.

        Diagnostics of different builds are the same if they have the same code and location, even if their
        messages name different types.
        """
        # The n-th distinct message at a location in one build corresponds to the n-th in another, so that
        # several diagnostics of one rule at one location stay separate.
        place = found.code, found.severity, found.location.start, found.location.end
        messages = self.message_numbers.setdefault((build, *place), {})
        identity = *place, messages.setdefault(found.message, len(messages))
        same, having = self.diagnostics.get(identity, (None, {}))
        if same is not None:
            titles = {fix.title for fix in found.fixes}
            found = replace(same, fixes=tuple(fix for fix in same.fixes if fix.title in titles))
        self.diagnostics[identity] = found, {**having, build: None}

    def names(self) -> tuple[str, ...]:
        """The names of the builds, if they have names."""
        return tuple(name for name in self.builds if name)

    def reported(self) -> Iterator[ReportedDiagnostic]:
        """The diagnostics, each with the builds that report it."""
        for found, having in self.diagnostics.values():
            everywhere = len(having) == len(self.builds)
            yield replace(found, build_names=tuple(name for name in having if name), in_all_builds=everywhere)


@dataclass(slots=True)
class _CheckRun:
    paths: OutputPaths
    options: BuildOptions
    with_fixes: bool
    requested: RequestedBuilds
    projects: ScannedProjects
    with_kernels: bool
    entries: dict[_ReportKey, _FileEntry] = field(default_factory=dict)
    kernels: KernelCollection = field(default_factory=KernelCollection)
    checked_as: DialectCounts = field(default_factory=DialectCounts)
    notices: dict[str, None] = field(default_factory=dict)
    cpp_for_opencl_count: int = 0
    other_language_count: int = 0
    checked: int = 0
    not_checked: list[UncheckedFile] = field(default_factory=list)
    _checked_documents: dict[DocumentName, dict[tuple[str, str], None]] = field(default_factory=dict)
    options_shown: list[OptionsReport] = field(default_factory=list)
    _variants: dict[str, None] = field(default_factory=dict)
    header_fixes: dict[_DiagnosticIdentity, tuple[CheckedFix, ...]] = field(default_factory=dict)
    fixes_left_out: dict[str, int] = field(default_factory=dict)
    sharing: ProjectUnitSource = field(init=False)

    def __post_init__(self) -> None:
        self.sharing = make_project_sharing(self.projects, self.options, self.requested)

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
            foreign = self._analyse(
                _UnitCheck(self, root, root.document, planned, self.projects.include_cache(root.document)),
                dialect,
                name,
            )
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
        documents = DocumentStore(LOCAL_FILE_SYSTEM, {name: subject.document})

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

        def again(options: BuildOptions, variant: str | None) -> PlannedUnit:
            return self.projects.plan(root, options, variant, name)

        others: list[UnsupportedLanguage] = []
        counted = False
        for build, planned in plan_builds(again, self.options, self.requested):
            dialect = planned.unit_config.configuration.dialect.name
            self._record_plan(planned)
            self.options_shown.append(options_report(planned, subject, self.paths))
            check = _UnitCheck(self, subject, root, planned, through.cache)
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

    def _count_other_language(self, asked: CheckInput, other: UnsupportedLanguage) -> None:
        """Counts a file in another language, which is not checked.

        Host code found in a folder is not counted.
        """
        if other.diagnostic is not None:
            self.other_language_count += 1
        elif asked.is_named:
            self.not_checked.append(UncheckedFile(asked.path, HOST_STRINGS))

    def _analyse(self, unit: _UnitCheck, dialect: str, build: str) -> UnsupportedLanguage | None:
        """Adds the diagnostics of a unit to the report; returns a value only if it is not OpenCL C."""
        try:
            for found in unit.reported():
                self._entry(found.location.path, dialect, build).add(found, build)
            if self.with_kernels and unit.another_language is None:
                for spot, summary in unit.kernels():
                    self.kernels.add(spot, summary, build or dialect)
            if unit.another_language is not None:
                return unit.another_language
            for name in unit.documents():
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

    def _entry(self, path: str, dialect: str, build: str) -> _FileEntry:
        key = path, "" if self.requested.has_several_builds else dialect
        entry = self.entries.setdefault(key, _FileEntry())
        entry.dialects[dialect] = None
        entry.builds[build] = None
        return entry

    def _record_plan(self, planned: PlannedUnit) -> None:
        self.notices.update(dict.fromkeys(planning_notices(planned)))
        self._variants.update(dict.fromkeys(each.name for each in planned.unit_config.variants))

    def require_variant(self) -> None:
        """Raises CannotRun if no file has the requested variant."""
        wanted = self.requested.variant
        if wanted is not None and wanted not in self._variants:
            known = f"there is no variant '{wanted}'{suggest_name(wanted, self._variants)}"
            none = "; openclsp.toml defines none" if not self._variants else ""
            raise CommandError(known + none)

    def _report_cpp_for_opencl(self, root: CheckInput, planned: PlannedUnit, dialect: str) -> None:
        self.cpp_for_opencl_count += 1
        told = create_cpp_for_opencl_diagnostic(planned.unit_config.project, root.document)
        if told is not None:
            place = told.location
            spot = OutputLocation.of(root.path, root.document.text, place.start, place.end)
            found = ReportedDiagnostic(told.code, told.severity, told.message, spot, (), ())
            self._entry(root.path, dialect, "").add(found, "")


def planning_notices(planned: PlannedUnit) -> Iterator[str]:
    """The notices about the unit's options."""
    for problem in planned.problems:
        yield f"{problem.message} (in {planned.compile_flags}; the option is ignored)"
    yield from list_project_problems(planned.unit_config.project)
    yield from planned.refused
    yield from planned.host_options.problems
    yield from planned.permission_advice
    yield from planned.notes


_ORDERING_BUILTINS = b"barrier", b"fence"


def needs_other_bodies(found: Diagnostic) -> bool:
    """Whether a diagnostic's message or fixes may depend on the bodies of other functions."""
    if isinstance(found.identity, tuple):
        finding = found.identity[1]
        return not isinstance(finding, Finding) or bool(
            finding.fixes or finding.default_private_pointees or finding.chain
        )
    return found.identity is not None


class _UnitCheck:
    """The check of one unit for an input, which is the unit's root or included by it."""

    def __init__(
        self,
        run: _CheckRun,
        asked: CheckInput,
        root: Document,
        planned: PlannedUnit,
        include_cache: IncludeCache | None = None,
    ) -> None:
        self._run, self._input, self._root, self._planned = run, asked, root, planned
        self._include_cache = include_cache
        own = asked.document
        self._documents = DocumentStore(LOCAL_FILE_SYSTEM, {own.name: own, root.name: root})
        self._texts: dict[DocumentName, Text] = {own.name: own.text, root.name: root.text}
        self._unit: TranslationUnit | None = None
        self.another_language: UnsupportedLanguage | None = None
        """The evidence, after analysis, that the unit is not OpenCL C; None if it is."""

    @property
    def path(self) -> str:
        """The path of the input."""
        return self._input.path

    def documents(self) -> frozenset[DocumentName]:
        """The documents of the analysed unit that count as checked."""
        if self._unit is None or self._planned.unit_config.subject:
            return frozenset()
        return self._unit.preprocessed.documents()

    def reported(self) -> Iterator[ReportedDiagnostic]:
        """The diagnostics of the unit.

        If it was chosen for a fragment, only those located in the fragment.
        """
        # If possible, the first analysis skips the bodies of other functions. A second one includes them if a
        # diagnostic turns out to depend on them.
        loader = self._planned.make_include_loader(self._documents)
        unit, everything = self._diagnose(loader, declared=self._can_omit_other_bodies())
        if any(needs_other_bodies(found) for found in everything) and self._can_omit_other_bodies():
            unit, everything = self._diagnose(loader, declared=False)
        self._unit = unit
        self.another_language = detect_unsupported_language(unit)
        work = FixBudget.for_unit(unit)
        for found in everything:
            yield self._report_diagnostic(
                found, self._fixes(unit, found, work) if self._run.with_fixes else ()
            )
        if work.skipped_diagnostics:
            self._run.fixes_left_out[self.path] = work.skipped_diagnostics

    def _fixes(self, unit: TranslationUnit, found: Diagnostic, work: FixBudget) -> tuple[CheckedFix, ...]:
        """The checked fixes of a diagnostic.

        Fixes in a header that several programs include are computed once, in the first of them. That is
        sufficient, because each fix is checked in all programs (`sharing`).
        """
        run, document = self._run, found.location.document
        bodies = not self._planned.unit_config.subject
        if document == unit.document.name or not bodies:
            return compute_fixes(unit, found, header_bodies=bodies, sharing=run.sharing, work=work)
        shown = unit.dialect.name, found.code, found.location, found.message
        known = run.header_fixes.get(shown)
        if known is None or unit.document.name not in run.sharing.including_programs((document,)):
            before = work.skipped_diagnostics
            known = compute_fixes(unit, found, header_bodies=bodies, sharing=run.sharing, work=work)
            if work.skipped_diagnostics == before:
                run.header_fixes[shown] = known
        return known

    def _diagnose(self, loader: IncludeLoader, *, declared: bool) -> tuple[TranslationUnit, list[Diagnostic]]:
        unit = self._planned.unit_config
        made = TranslationUnit(unit, self._root, loader, self._include_cache, declared=declared)
        made.outside = self._run.projects.outside_uses(self._root)
        found = compute_diagnostics(made, header_bodies=not unit.subject)
        return made, [each for each in found if not unit.subject or each.location.document == unit.subject]

    def _can_omit_other_bodies(self) -> bool:
        """Whether a fragment can be analysed without the bodies of other functions.

        The flow of generic pointers and the order that barriers impose need all bodies.
        """
        unit = self._planned.unit_config
        if (
            not unit.subject
            or unit.configuration.dialect.generic
            or unit.other_dialects
            or self._run.with_kernels
        ):
            return False
        return not any(word in self._input.document.text.data for word in _ORDERING_BUILTINS)

    def kernels(self) -> Iterator[tuple[OutputLocation, KernelSummary]]:
        """The kernels of the analysed unit.

        If it was chosen for a fragment, those defined in the fragment.
        """
        if self._unit is not None:
            for summary in compute_kernel_summaries(self._unit, self._planned.unit_config.subject):
                yield self._output_location(summary.location), summary

    def _report_diagnostic(self, found: Diagnostic, checked: tuple[CheckedFix, ...]) -> ReportedDiagnostic:
        related = tuple(
            RelatedOutputLocation(self._output_location(each.location), each.message)
            for each in found.related
        )
        macros = [each.location for each in related if each.message.startswith(EXPANDED)]
        # A fix that sets the present version is useless: there, the feature is disabled by an option.
        standard = self._planned.unit_config.configuration.dialect.standard
        return ReportedDiagnostic(
            found.code,
            found.severity,
            found.message,
            self._output_location(found.location),
            related,
            tuple(self._report_fix(each) for each in checked if each.dialect != standard),
            names=host_names_of(found),
            may_be_in_missing_header=self._unit is not None and self._unit.preprocessed.has_unknown_include,
            cause=(macros[-1].path, macros[-1].first.line) if macros else None,
        )

    def _report_fix(self, fix: CheckedFix) -> ReportedFix:
        if fix.dialect:
            path, text, start, end, written = language_version_edit(self._planned, fix.dialect)
            spot = OutputLocation.of(self._run.paths.output_path(path, self._input), text, start, end)
            return ReportedFix(fix.title, fix.preferred, (OutputEdit(spot, written),), fix.dialect)
        edits = tuple(OutputEdit(self._output_location(edit.location), edit.text) for edit in fix.edits)
        return ReportedFix(fix.title, fix.preferred, edits)

    def _output_location(self, location: Location) -> OutputLocation:
        name = location.document
        if name not in self._texts:
            found = self._documents.read(name, self._planned.permission)
            self._texts[name] = Text.of(b"") if isinstance(found, FileProblem) else found.text
        return OutputLocation.of(
            self._run.paths.output_path(name, self._input), self._texts[name], location.start, location.end
        )
