"""Checks one unit: its diagnostics, fixes and kernels, in the form in which they are reported."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Final, NamedTuple

from openclsp.cli.check_report import (
    OutputEdit,
    OutputLocation,
    RelatedOutputLocation,
    ReportedDiagnostic,
    ReportedFix,
)
from openclsp.cli.host_locations import host_location, output_edits
from openclsp.cli.inputs import CheckInput
from openclsp.cli.language_version_edit import language_version_edit
from openclsp.cli.output_paths import OutputPaths
from openclsp.cli.project_flows import ProjectFlows
from openclsp.cli.reusable_units import ReusableUnits
from openclsp.cli.scanned_projects import ScannedProjects
from openclsp.cli.unit_loader import UnitLoader
from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics.diagnostic_folding import host_names_of
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.diagnostics.unsupported_languages import UnsupportedLanguage, detect_unsupported_language
from openclsp.ide.feature_results import CheckedFix, Diagnostic, Location
from openclsp.ide.fixes.fix_budget import FixBudget
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.ide.fixes.project_units import ProjectUnitSource
from openclsp.ide.kernels.kernel_summary import KernelSummary, compute_kernel_summaries
from openclsp.ide.location_map import EXPANDED
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore, FileProblem
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document, DocumentName
from openclsp.source.options import Loader
from openclsp.source.parser import kind
from openclsp.source.text import Text
from openclsp.workspace.units import PlannedUnit

if TYPE_CHECKING:
    from openclsp.cli.html.source_page import SourcePage

_DiagnosticIdentity = tuple[str, str, Location, str]
"""The identity of a diagnostic across programs: dialect, code, location, message."""

_FUNCTION_DEFINITION: Final = kind("function_definition")
_ORDERING_BUILTINS = b"barrier", b"fence"


@dataclass(slots=True)
class UnitCheckContext:
    """The state that the units of one run of `check` share.

    `header_fixes` are the fixes computed so far for diagnostics in headers. Texts in `open_documents` take
    precedence over files.
    """

    paths: OutputPaths
    projects: ScannedProjects
    sharing: ProjectUnitSource
    flows: ProjectFlows
    with_fixes: bool
    with_kernels: bool
    units: ReusableUnits = field(default_factory=ReusableUnits)
    header_fixes: dict[_DiagnosticIdentity, _SearchedFixes] = field(default_factory=dict)
    open_documents: Mapping[DocumentName, Document] = field(default_factory=dict)


class _SearchedFixes(NamedTuple):
    """The fixes of a diagnostic.

    - `program`: the program in which they were searched, if others may use them; else empty
    - `skipped`: whether they were not searched, because that would take too long
    """

    fixes: tuple[CheckedFix, ...] = ()
    program: DocumentName = ""
    skipped: bool = False


_NOT_SEARCHED: Final = _SearchedFixes()


def needs_other_bodies(found: Diagnostic) -> bool:
    """Whether a diagnostic's message or fixes may depend on the bodies of other functions."""
    if found.origin is not None:
        finding = found.origin.finding
        return bool(finding.fixes or finding.default_private_pointees or finding.chain)
    return bool(found.fixes)


def function_of(unit: TranslationUnit, found: Diagnostic) -> str:
    """Returns the name of the function that contains a diagnostic; empty for a kernel and outside of functions."""
    item = None if found.origin is None else unit.by_key.get(found.origin.key)
    if item is None or item.kind != _FUNCTION_DEFINITION or item.summary.kernel:
        return ""
    return item.name


class UnitCheck:
    """The check of one unit for an input. The input is the unit's root or a fragment included by it."""

    def __init__(
        self,
        context: UnitCheckContext,
        check_input: CheckInput,
        root: Document,
        planned: PlannedUnit,
    ) -> None:
        self._context, self._input, self._root, self._planned = context, check_input, root, planned
        own = check_input.document
        self._documents = DocumentStore(
            LOCAL_FILE_SYSTEM, {**context.open_documents, own.name: own, root.name: root}
        )
        self._texts: dict[DocumentName, Text] = {own.name: own.text, root.name: root.text}
        self._output_paths: dict[DocumentName, str] = {}
        self._unit: TranslationUnit | None = None
        self._located: dict[DocumentName, None] = {}
        self.another_language: UnsupportedLanguage | None = None
        """The evidence, after analysis, that the unit is not OpenCL C; None if it is."""

    @property
    def path(self) -> str:
        """The path of the input."""
        return self._input.path

    def documents(self) -> frozenset[DocumentName]:
        """Returns the documents that count as checked: all documents of the unit.

        The result is empty if the unit is a kernel file that is only analysed because it includes the input,
        which is a fragment.
        """
        if self._unit is None or self._planned.unit_config.subject:
            return frozenset()
        return self._unit.preprocessed.documents()

    def documents_read(self) -> frozenset[DocumentName]:
        """Returns all documents of the analysed unit; a program in a string is replaced by its host file."""
        if self._unit is None:
            return frozenset()
        names = self._unit.preprocessed.documents()
        return names - {self._input.document.name} | {self._input.file_name}

    def reported(self) -> Iterator[ReportedDiagnostic]:
        """Yields the diagnostics of the unit.

        If the unit was chosen for a fragment, yields only the diagnostics located in the fragment.
        """
        # The first analysis omits the bodies of functions in other documents if possible. If a diagnostic
        # turns out to depend on these bodies, a second analysis includes them.
        loader = UnitLoader(self._planned.make_include_loader(self._documents))
        unit, everything = self._diagnose(loader, declared=self._can_omit_other_bodies())
        if any(needs_other_bodies(found) for found in everything) and self._can_omit_other_bodies():
            unit.close()
            unit, everything = self._diagnose(loader, declared=False)
        self._unit = unit
        self.another_language = detect_unsupported_language(unit)
        work = FixBudget.for_unit(unit)
        for found in everything:
            if self._is_silent(found):
                continue
            self._located[found.location.document] = None
            yield self._report_diagnostic(
                found, self._fixes(unit, found, work) if self._context.with_fixes else _NOT_SEARCHED
            )

    def _fixes(self, unit: TranslationUnit, found: Diagnostic, work: FixBudget) -> _SearchedFixes:
        """Returns the checked fixes of a diagnostic.

        A search in each of the programs that include a header would multiply the time of a run. Each fix is
        checked in all these programs, so that it is right in each, but another program may offer other fixes.
        The report has those of the program whose name is the first (`MergedDiagnostics`); a search in a later
        program is therefore not needed.
        """
        context, program, document = self._context, unit.document.name, found.location.document
        bodies = not self._planned.unit_config.subject
        # The fixes of other programs are not checked in a program that is not known to include the header.
        if (
            document == program
            or not bodies
            or program not in context.sharing.including_programs((document,))
        ):
            return self._search_fixes(unit, found, work, "")
        identity = unit.dialect.name, found.code, found.location, found.message
        known = context.header_fixes.get(identity)
        if known is None or program < known.program:
            known = context.header_fixes[identity] = self._search_fixes(unit, found, work, program)
        return known

    def _search_fixes(
        self, unit: TranslationUnit, found: Diagnostic, work: FixBudget, program: DocumentName
    ) -> _SearchedFixes:
        before = work.skipped_diagnostics
        bodies = not self._planned.unit_config.subject
        fixes = compute_fixes(unit, found, header_bodies=bodies, sharing=self._context.sharing, work=work)
        return _SearchedFixes(fixes, program, work.skipped_diagnostics != before)

    def _diagnose(self, loader: Loader, *, declared: bool) -> tuple[TranslationUnit, list[Diagnostic]]:
        unit = self._planned.unit_config
        cache = self._context.projects.include_cache
        if unit.subject:
            made = TranslationUnit(unit, self._root, loader, cache, declared=declared, tracks_numbers=False)
        else:
            made = self._context.units.take(unit, self._root, loader, cache)
        self._context.flows.attach(made)
        found = compute_diagnostics(made, header_bodies=not unit.subject)
        return made, [each for each in found if not unit.subject or each.location.document == unit.subject]

    def _can_omit_other_bodies(self) -> bool:
        """Whether a fragment can be analysed without the function bodies of other documents.

        The checks of generic pointers and of barriers need the bodies of all functions.
        """
        unit = self._planned.unit_config
        if (
            not unit.subject
            or unit.configuration.dialect.generic
            or unit.other_dialects
            or self._context.with_kernels
        ):
            return False
        return not any(word in self._input.document.text.data for word in _ORDERING_BUILTINS)

    def release_unit(self) -> None:
        """Releases the unit, so that the next file can reuse it. The check must not be used afterwards.

        A unit that was chosen for a fragment is closed instead.
        """
        unit, self._unit = self._unit, None
        if unit is not None:
            self._context.units.give_back(unit)

    def kernels(self) -> Iterator[tuple[OutputLocation, KernelSummary]]:
        """Yields the kernels of the analysed unit.

        If the unit was chosen for a fragment, yields only the kernels that the fragment defines.
        """
        if self._unit is not None:
            for summary in compute_kernel_summaries(self._unit, self._planned.unit_config.subject):
                yield self._output_location(summary.location), summary

    def source_pages(self, known: Collection[str]) -> Iterator[SourcePage]:
        """Yields the pages of the unit's documents that are inputs of the run or have diagnostics.

        Documents whose paths are in `known` are omitted.
        """
        from openclsp.cli.html.source_page import make_source_page

        if self._unit is None or self._input.program is not None:
            return
        inputs = (
            name for name in sorted(self.documents()) if self._context.paths.input_path(name) is not None
        )
        for name in dict.fromkeys((self._input.document.name, *inputs, *self._located)):
            whole = self._output_location(Location(name, 0, 0))
            if whole.path not in known:
                yield make_source_page(self._unit, name, whole.path, whole.text)

    def _report_diagnostic(self, found: Diagnostic, searched: _SearchedFixes) -> ReportedDiagnostic:
        related = tuple(
            RelatedOutputLocation(self._output_location(each.location), each.message)
            for each in found.related
        )
        macros = [each.location for each in related if each.message.startswith(EXPANDED)]
        # A fix that sets the current version is useless: in this version, an option disables the feature.
        standard = self._planned.unit_config.configuration.dialect.standard
        return ReportedDiagnostic(
            found.code,
            found.severity,
            found.message,
            self._output_location(found.location),
            related,
            tuple(
                fix
                for each in searched.fixes
                if each.dialect != standard and (fix := self._report_fix(each)) is not None
            ),
            names=host_names_of(found),
            may_be_in_missing_header=self._unit is not None and self._unit.preprocessed.has_unknown_include,
            cause=(macros[-1].path, macros[-1].first.line) if macros else None,
            function="" if self._unit is None else function_of(self._unit, found),
            fixes_from=searched.program,
            fixes_skipped=searched.skipped,
        )

    def _report_fix(self, fix: CheckedFix) -> ReportedFix | None:
        """Converts a fix to edits of files.

        Returns None if the edits cannot be written in the strings of a host file.
        """
        if fix.dialect:
            path, text, start, end, written = language_version_edit(self._planned, fix.dialect)
            location = OutputLocation.of(self._context.paths.output_path(path, self._input), text, start, end)
            return ReportedFix(fix.title, fix.preferred, (OutputEdit(location, written),), fix.dialect)
        program = self._input.program
        edits = tuple(
            OutputEdit(self._output_location(edit.location), edit.text)
            for edit in fix.edits
            if program is None or edit.location.document != program.document.name
        )
        if program is not None:
            own = output_edits(program, self._input.path, fix.edits)
            if own is None:
                return None
            edits += own
        return ReportedFix(fix.title, fix.preferred, edits)

    def _is_silent(self, found: Diagnostic) -> bool:
        """Whether `ProgramDocument.reports` suppresses a diagnostic that is in a program of a host file."""
        program, location = self._input.program, found.location
        if program is None or location.document != program.document.name:
            return False
        return not program.reports(found.code, location.start, location.end)

    def _output_location(self, location: Location) -> OutputLocation:
        name = location.document
        program = self._input.program
        if program is not None and name == program.document.name:
            return host_location(program, self._input.path, location.start, location.end)
        if name not in self._texts:
            found = self._documents.read(name, self._planned.permission)
            self._texts[name] = Text.of(b"") if isinstance(found, FileProblem) else found.text
        if name not in self._output_paths:
            # A header can have thousands of locations, and relative paths take time to compute.
            self._output_paths[name] = self._context.paths.output_path(name, self._input)
        return OutputLocation.of(self._output_paths[name], self._texts[name], location.start, location.end)
