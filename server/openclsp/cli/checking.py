"""The command `check`: analyses each input in its builds and merges their diagnostics.

A fragment is analysed through a kernel that includes it. Diagnostics common to several builds or programs are
reported once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

from openclsp.cli.builds import Asked, builds
from openclsp.cli.checked_as import CheckedAs
from openclsp.cli.failure import CannotRun, nearest
from openclsp.cli.flags_edit import flags_edit
from openclsp.cli.inputs import Input, Inputs
from openclsp.cli.kernels import Kernels
from openclsp.cli.not_opencl import HOST_STRINGS, not_opencl
from openclsp.cli.options_shown import options_report
from openclsp.cli.paths import Paths
from openclsp.cli.progress import Step, silent
from openclsp.cli.project_units import project_sharing
from openclsp.cli.projects import FEW, Projects
from openclsp.cli.report import (
    CheckReport,
    FileReport,
    NotChecked,
    OptionsReport,
    RelatedSpot,
    ReportedDiagnostic,
    ReportedFix,
    Spot,
    SpotEdit,
)
from openclsp.dataclass import dataclass
from openclsp.ide.answers import CheckedFix, Diagnostic, Location
from openclsp.ide.diagnostics import diagnostics
from openclsp.ide.fix_work import FixWork
from openclsp.ide.fixes import fixes
from openclsp.ide.folding import listed_names
from openclsp.ide.kernel_summary import KernelSummary, kernel_summaries
from openclsp.ide.places import EXPANDED
from openclsp.ide.project_sharing import ProjectSharing
from openclsp.ide.severities import project_problems
from openclsp.ide.unsupported import AnotherLanguage, another_language, cpp_for_opencl
from openclsp.rules.finding import Finding
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.source.text import Text
from openclsp.workspace.files import LOCAL_FILES, Documents, FileProblem
from openclsp.workspace.loader import IncludeLoader
from openclsp.workspace.options import Options
from openclsp.workspace.subjects import unit_through_includer
from openclsp.workspace.units import PlannedUnit

_Shown = tuple[str, str, Location, str]
"""The identity of a diagnostic across programs: dialect, code, location, message."""

_Key = tuple[str, str]
"""The key of a report's entry: path and dialect; the dialect is empty if several builds are checked."""


def check(
    inputs: Inputs,
    options: Options,
    *,
    with_fixes: bool,
    asked: Asked | None = None,
    with_kernels: bool = False,
    step: Step = silent,
) -> CheckReport:
    """Checks the inputs and the headers that they include.

    An input that another input includes, and that is not a program of its own, is checked as part of that
    one. `with_kernels`: also summarises the resources of each kernel. `step` is called for each file.
    """
    projects = Projects(whole=len(inputs.inputs) > FEW)
    run = _Run(Paths(inputs.inputs), options, with_fixes, asked or Asked(), projects, with_kernels)
    # Programs are checked first: what they include is then known, so that `check_fragment` need not check it
    # again.
    programs: list[Input] = []
    fragments: list[Input] = []
    for each in inputs.inputs:
        (programs if each.opencl and not run.is_fragment(each) else fragments).append(each)
    for number, each in enumerate((*programs, *fragments), 1):
        step("checking", each.path, number, len(inputs.inputs))
        if number <= len(programs):
            run.check(each)
        else:
            run.check_fragment(each)
    run.complain_of_variant()
    return CheckReport(
        tuple(
            FileReport(
                path,
                ", ".join(entry.dialects),
                tuple(sorted(entry.reported(), key=_order)),
                entry.names(),
                run.fixes_left_out.get(path, 0),
            )
            for (path, _), entry in sorted(run.found.items())
        ),
        run.checked_as.told(),
        run.unsupported,
        run.foreign,
        tuple(sorted((*inputs.not_checked, *run.not_checked), key=lambda each: each.path)),
        inputs.truncated,
        (*inputs.notices, *run.notices),
        inputs.excluded,
        run.checked,
        tuple(run.options_shown),
        tuple(run.kernels.reports()),
    )


def _order(diagnostic: ReportedDiagnostic) -> tuple[int, int, str, str]:
    return diagnostic.spot.start, diagnostic.spot.end, diagnostic.code, diagnostic.message


@dataclass(slots=True)
class _Entry:
    """The diagnostics of one file, merged over builds.

    `found` maps a diagnostic's identity to the diagnostic and the builds that report it; `builds` are all
    builds of the file. The name of an only build is empty. `messages` numbers the different messages at a
    location, by build.
    """

    dialects: dict[str, None] = field(default_factory=dict)
    found: dict[tuple[object, ...], tuple[ReportedDiagnostic, dict[str, None]]] = field(default_factory=dict)
    builds: dict[str, None] = field(default_factory=dict)
    messages: dict[tuple[object, ...], dict[str, int]] = field(default_factory=dict)

    def add(self, found: ReportedDiagnostic, build: str) -> None:
        """Adds a diagnostic of a build. If other units report it too, only their common fixes are kept.

        Diagnostics of different builds are the same if they have the same code and location, even if their
        messages name different types.
        """
        # The n-th distinct message at a location in one build corresponds to the n-th in another, so that
        # several diagnostics of one rule at one location stay separate.
        place = found.code, found.severity, found.spot.start, found.spot.end
        messages = self.messages.setdefault((build, *place), {})
        identity = *place, messages.setdefault(found.message, len(messages))
        same, having = self.found.get(identity, (None, {}))
        if same is not None:
            titles = {fix.title for fix in found.fixes}
            found = replace(same, fixes=tuple(fix for fix in same.fixes if fix.title in titles))
        self.found[identity] = found, {**having, build: None}

    def names(self) -> tuple[str, ...]:
        """The names of the builds, if they have names."""
        return tuple(name for name in self.builds if name)

    def reported(self) -> Iterator[ReportedDiagnostic]:
        """The diagnostics, each with the builds that report it."""
        for found, having in self.found.values():
            everywhere = len(having) == len(self.builds)
            yield replace(found, variants=tuple(name for name in having if name), everywhere=everywhere)


@dataclass(slots=True)
class _Run:
    paths: Paths
    options: Options
    with_fixes: bool
    asked: Asked
    projects: Projects
    with_kernels: bool
    found: dict[_Key, _Entry] = field(default_factory=dict)
    kernels: Kernels = field(default_factory=Kernels)
    checked_as: CheckedAs = field(default_factory=CheckedAs)
    notices: dict[str, None] = field(default_factory=dict)
    unsupported: int = 0
    foreign: int = 0
    checked: int = 0
    not_checked: list[NotChecked] = field(default_factory=list)
    _reached: dict[DocumentName, dict[tuple[str, str], None]] = field(default_factory=dict)
    options_shown: list[OptionsReport] = field(default_factory=list)
    _variants: dict[str, None] = field(default_factory=dict)
    header_fixes: dict[_Shown, tuple[CheckedFix, ...]] = field(default_factory=dict)
    fixes_left_out: dict[str, int] = field(default_factory=dict)
    sharing: ProjectSharing = field(init=False)

    def __post_init__(self) -> None:
        self.sharing = project_sharing(self.projects, self.options, self.asked)

    def is_fragment(self, root: Input) -> bool:
        """Whether the document is analysed through a file that includes it."""
        return bool(self.projects.includers(root.document).of(root.document.name, root.document.text.data))

    def check(self, root: Input) -> None:
        """Checks an input that is a program of its own."""

        def plan(options: Options, variant: str | None) -> PlannedUnit:
            return self.projects.plan(root.document, options, variant)

        others: list[AnotherLanguage] = []
        counted = False
        for name, planned in builds(plan, self.options, self.asked):
            dialect = planned.unit.configuration.dialect.name
            self._note(planned)
            self.options_shown.append(options_report(planned, root, self.paths))
            if planned.cpp_for_opencl:
                self._unsupported(root, planned, dialect)
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
            self._pass_over(root, others[0])

    def check_fragment(self, subject: Input) -> None:
        """Checks an input that other files include.

        If a checked program includes it, it has been checked there. Otherwise it is checked through a file
        that includes it, or as a program of its own if it is certain to be OpenCL C.
        """
        name = subject.document.name
        reached = self._reached.get(name)
        if reached is not None:
            for dialect, build in reached:
                self._entry(subject.path, dialect, build)
            self.checked += 1
            self.checked_as.add_included()
            return
        documents = Documents(LOCAL_FILES, {name: subject.document})

        def plan(root: Document) -> PlannedUnit:
            return self.projects.plan(root, self.options, self.asked.variant, name)

        through = unit_through_includer(
            subject.document,
            self.projects.includers(subject.document),
            plan,
            documents,
            self.projects.include_cache,
        )
        if through is None and not subject.opencl:
            self.not_checked.append(NotChecked(subject.path, not_opencl(name)))
            return
        if through is None:
            self.check(subject)
            return
        # The including file is chosen once, for the first build; the others are planned through the same
        # file.
        root = through.root

        def again(options: Options, variant: str | None) -> PlannedUnit:
            return self.projects.plan(root, options, variant, name)

        others: list[AnotherLanguage] = []
        counted = False
        for build, planned in builds(again, self.options, self.asked):
            dialect = planned.unit.configuration.dialect.name
            self._note(planned)
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
            self._pass_over(subject, others[0])

    def _pass_over(self, asked: Input, other: AnotherLanguage) -> None:
        """Counts a file in another language, which is not checked.

        Host code found in a folder is not counted.
        """
        if other.diagnostic is not None:
            self.foreign += 1
        elif asked.named:
            self.not_checked.append(NotChecked(asked.path, HOST_STRINGS))

    def _analyse(self, unit: _UnitCheck, dialect: str, build: str) -> AnotherLanguage | None:
        """Adds the diagnostics of a unit to the report; returns a value only if it is not OpenCL C."""
        try:
            for found in unit.reported():
                self._entry(found.spot.path, dialect, build).add(found, build)
            if self.with_kernels and unit.another_language is None:
                for spot, summary in unit.kernels():
                    self.kernels.add(spot, summary, build or dialect)
            if unit.another_language is not None:
                return unit.another_language
            for name in unit.documents():
                self._reached.setdefault(name, {})[dialect, build] = None
                path = self.paths.given(name)
                if path is not None and self.asked.several:
                    self._entry(path, dialect, build)
        except Exception as error:  # noqa: BLE001 - one file's analysis is lost, not the run
            self.not_checked.append(
                NotChecked(
                    unit.path,
                    f"caused an internal error in the analysis: {type(error).__name__}: {error}",
                )
            )
        return None

    def _entry(self, path: str, dialect: str, build: str) -> _Entry:
        key = path, "" if self.asked.several else dialect
        entry = self.found.setdefault(key, _Entry())
        entry.dialects[dialect] = None
        entry.builds[build] = None
        return entry

    def _note(self, planned: PlannedUnit) -> None:
        self.notices.update(dict.fromkeys(planning_notices(planned)))
        self._variants.update(dict.fromkeys(each.name for each in planned.unit.variants))

    def complain_of_variant(self) -> None:
        """Raises CannotRun if no file has the requested variant."""
        wanted = self.asked.variant
        if wanted is not None and wanted not in self._variants:
            known = f"there is no variant '{wanted}'{nearest(wanted, self._variants)}"
            none = "; openclsp.toml defines none" if not self._variants else ""
            raise CannotRun(known + none)

    def _unsupported(self, root: Input, planned: PlannedUnit, dialect: str) -> None:
        self.unsupported += 1
        told = cpp_for_opencl(planned.unit.project, root.document)
        if told is not None:
            place = told.location
            spot = Spot.of(root.path, root.document.text, place.start, place.end)
            found = ReportedDiagnostic(told.code, told.severity, told.message, spot, (), ())
            self._entry(root.path, dialect, "").add(found, "")


def planning_notices(planned: PlannedUnit) -> Iterator[str]:
    """The notices about the unit's options."""
    for problem in planned.problems:
        yield f"{problem.message} (in {planned.compile_flags}; the option is ignored)"
    yield from project_problems(planned.unit.project)
    yield from planned.refused
    yield from planned.host.problems
    yield from planned.advice
    yield from planned.notes


_ORDERING = b"barrier", b"fence"


def needs_other_bodies(found: Diagnostic) -> bool:
    """Whether a diagnostic's message or fixes may depend on the bodies of other functions."""
    if isinstance(found.identity, tuple):
        finding = found.identity[1]
        return not isinstance(finding, Finding) or bool(finding.fixes or finding.defaulted or finding.chain)
    return found.identity is not None


class _UnitCheck:
    """The check of one unit for an input, which is the unit's root or included by it."""

    def __init__(
        self,
        run: _Run,
        asked: Input,
        root: Document,
        planned: PlannedUnit,
        include_cache: IncludeCache | None = None,
    ) -> None:
        self._run, self._asked, self._root, self._planned = run, asked, root, planned
        self._include_cache = include_cache
        own = asked.document
        self._documents = Documents(LOCAL_FILES, {own.name: own, root.name: root})
        self._texts: dict[DocumentName, Text] = {own.name: own.text, root.name: root.text}
        self._unit: TranslationUnit | None = None
        self.another_language: AnotherLanguage | None = None
        """The evidence, after analysis, that the unit is not OpenCL C; None if it is."""

    @property
    def path(self) -> str:
        """The path of the input."""
        return self._asked.path

    def documents(self) -> frozenset[DocumentName]:
        """The documents of the analysed unit that count as checked."""
        if self._unit is None or self._planned.unit.subject:
            return frozenset()
        return self._unit.preprocessed.documents()

    def reported(self) -> Iterator[ReportedDiagnostic]:
        """The diagnostics of the unit.

        If it was chosen for a fragment, only those located in the fragment.
        """
        # If possible, the first analysis skips the bodies of other functions. A second one includes them if a
        # diagnostic turns out to depend on them.
        loader = self._planned.loader(self._documents)
        unit, everything = self._found(loader, declared=self._can_be_looked_at_alone())
        if any(needs_other_bodies(found) for found in everything) and self._can_be_looked_at_alone():
            unit, everything = self._found(loader, declared=False)
        self._unit = unit
        self.another_language = another_language(unit)
        work = FixWork.of(unit)
        for found in everything:
            yield self._reported(found, self._fixes(unit, found, work) if self._run.with_fixes else ())
        if work.left_out:
            self._run.fixes_left_out[self.path] = work.left_out

    def _fixes(self, unit: TranslationUnit, found: Diagnostic, work: FixWork) -> tuple[CheckedFix, ...]:
        """The checked fixes of a diagnostic.

        Fixes in a header that several programs include are computed once, in the first of them. That is
        sufficient, because each fix is checked in all programs (`sharing`).
        """
        run, document = self._run, found.location.document
        bodies = not self._planned.unit.subject
        if document == unit.document.name or not bodies:
            return fixes(unit, found, header_bodies=bodies, sharing=run.sharing, work=work)
        shown = unit.dialect.name, found.code, found.location, found.message
        known = run.header_fixes.get(shown)
        if known is None or unit.document.name not in run.sharing.programs((document,)):
            before = work.left_out
            known = fixes(unit, found, header_bodies=bodies, sharing=run.sharing, work=work)
            if work.left_out == before:
                run.header_fixes[shown] = known
        return known

    def _found(self, loader: IncludeLoader, *, declared: bool) -> tuple[TranslationUnit, list[Diagnostic]]:
        unit = self._planned.unit
        made = TranslationUnit(unit, self._root, loader, self._include_cache, declared=declared)
        made.outside = self._run.projects.outside(self._root)
        found = diagnostics(made, header_bodies=not unit.subject)
        return made, [each for each in found if not unit.subject or each.location.document == unit.subject]

    def _can_be_looked_at_alone(self) -> bool:
        """Whether a fragment can be analysed without the bodies of other functions.

        The flow of generic pointers and the order that barriers impose need all bodies.
        """
        unit = self._planned.unit
        if (
            not unit.subject
            or unit.configuration.dialect.generic
            or unit.other_dialects
            or self._run.with_kernels
        ):
            return False
        return not any(word in self._asked.document.text.data for word in _ORDERING)

    def kernels(self) -> Iterator[tuple[Spot, KernelSummary]]:
        """The kernels of the analysed unit.

        If it was chosen for a fragment, those defined in the fragment.
        """
        if self._unit is not None:
            for summary in kernel_summaries(self._unit, self._planned.unit.subject):
                yield self._spot(summary.location), summary

    def _reported(self, found: Diagnostic, checked: tuple[CheckedFix, ...]) -> ReportedDiagnostic:
        related = tuple(RelatedSpot(self._spot(each.location), each.message) for each in found.related)
        macros = [each.spot for each in related if each.message.startswith(EXPANDED)]
        # A fix that sets the present version is useless: there, the feature is disabled by an option.
        standard = self._planned.unit.configuration.dialect.standard
        return ReportedDiagnostic(
            found.code,
            found.severity,
            found.message,
            self._spot(found.location),
            related,
            tuple(self._fix(each) for each in checked if each.dialect != standard),
            names=listed_names(found),
            missing=self._unit is not None and self._unit.preprocessed.has_unknown_include,
            cause=(macros[-1].path, macros[-1].first.line) if macros else None,
        )

    def _fix(self, fix: CheckedFix) -> ReportedFix:
        if fix.dialect:
            path, text, start, end, written = flags_edit(self._planned, fix.dialect)
            spot = Spot.of(self._run.paths.path(path, self._asked), text, start, end)
            return ReportedFix(fix.title, fix.preferred, (SpotEdit(spot, written),), fix.dialect)
        edits = tuple(SpotEdit(self._spot(edit.location), edit.text) for edit in fix.edits)
        return ReportedFix(fix.title, fix.preferred, edits)

    def _spot(self, location: Location) -> Spot:
        name = location.document
        if name not in self._texts:
            found = self._documents.read(name, self._planned.permission)
            self._texts[name] = Text.of(b"") if isinstance(found, FileProblem) else found.text
        return Spot.of(
            self._run.paths.path(name, self._asked), self._texts[name], location.start, location.end
        )
