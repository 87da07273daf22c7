"""`check`: each input is analysed as a unit of its own; what lies in headers is put together by header."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from openclsp.cli.checked_as import CheckedAs
from openclsp.cli.flags_edit import flags_edit
from openclsp.cli.inputs import Input, Inputs
from openclsp.cli.paths import Paths
from openclsp.cli.report import (
    CheckReport,
    FileReport,
    RelatedSpot,
    ReportedDiagnostic,
    ReportedFix,
    Spot,
    SpotEdit,
)
from openclsp.ide.answers import CheckedFix, Diagnostic, Location
from openclsp.ide.diagnostics import diagnostics
from openclsp.ide.fixes import fixes
from openclsp.ide.severities import project_problems
from openclsp.ide.unsupported import cpp_for_opencl
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import DocumentName
from openclsp.source.text import Text
from openclsp.workspace.files import LOCAL_FILES, Documents, FileProblem
from openclsp.workspace.options import Options
from openclsp.workspace.units import PlannedUnit, plan_unit

MAXIMUM_FIXED = 500
"""Diagnostics of one unit that fixes are looked for: each fix costs an analysis."""

_Key = tuple[str, str]
"""(path, dialect): what has an entry of its own in the answer."""


def check(inputs: Inputs, options: Options, *, with_fixes: bool) -> CheckReport:
    """Everything that is wrong in the inputs and the headers that they include."""
    run = _Run(Paths(inputs.inputs), options, with_fixes)
    for each in inputs.inputs:
        run.check(each)
    return CheckReport(
        tuple(
            FileReport(path, dialect, tuple(sorted(found.values(), key=_order)))
            for (path, dialect), found in sorted(run.found.items())
        ),
        run.checked_as.told(),
        run.unsupported,
        run.failed or inputs.unread,
        (*inputs.notices, *run.notices),
        inputs.excluded,
    )


def _order(diagnostic: ReportedDiagnostic) -> tuple[int, int, str, str]:
    return diagnostic.spot.start, diagnostic.spot.end, diagnostic.code, diagnostic.message


@dataclass(slots=True)
class _Run:
    paths: Paths
    options: Options
    with_fixes: bool
    found: dict[_Key, dict[tuple[object, ...], ReportedDiagnostic]] = field(default_factory=dict)
    checked_as: CheckedAs = field(default_factory=CheckedAs)
    notices: dict[str, None] = field(default_factory=dict)
    unsupported: int = 0
    failed: bool = False

    def check(self, root: Input) -> None:
        planned = plan_unit(root.document.name, command_line=self.options, document=root.document)
        self.notices.update(dict.fromkeys(planning_notices(planned)))
        dialect = planned.unit.configuration.dialect.name
        entry = self.found.setdefault((root.path, dialect), {})
        if planned.cpp_for_opencl:
            self.unsupported += 1
            told = cpp_for_opencl(planned.unit.project, root.document)
            if told is not None:
                place = told.location
                spot = Spot.of(root.path, root.document.text, place.start, place.end)
                found = ReportedDiagnostic(told.code, told.severity, told.message, spot, (), ())
                entry[_identity(found)] = found
            return
        self.checked_as.add(planned, root.path)
        try:
            for found in _UnitCheck(self, root, planned).reported():
                self.add((found.spot.path, dialect), found)
        except Exception as error:  # noqa: BLE001 - one file's analysis is lost, not the run
            self.failed = True
            self.notices[
                f"internal error in the analysis of {root.path}: {type(error).__name__}: {error}"
            ] = None

    def add(self, key: _Key, found: ReportedDiagnostic) -> None:
        """Put a diagnostic into its file's entry; one that other units have as well keeps the fixes of them all."""
        entry = self.found.setdefault(key, {})
        same = entry.get(_identity(found))
        if same is not None:
            titles = {fix.title for fix in found.fixes}
            kept = tuple(fix for fix in same.fixes if fix.title in titles)
            found = ReportedDiagnostic(same.code, same.severity, same.message, same.spot, same.related, kept)
        entry[_identity(found)] = found


def planning_notices(planned: PlannedUnit) -> Iterator[str]:
    """What is to be said of the unit's options."""
    for problem in planned.problems:
        yield f"{problem.message} (in {planned.compile_flags}; the option is ignored)"
    yield from project_problems(planned.unit.project)
    yield from planned.notes


def _identity(found: ReportedDiagnostic) -> tuple[object, ...]:
    return found.code, found.severity, found.message, found.spot.start, found.spot.end


class _UnitCheck:
    """The check of one unit."""

    def __init__(self, run: _Run, root: Input, planned: PlannedUnit) -> None:
        self._run, self._root, self._planned = run, root, planned
        self._documents = Documents(LOCAL_FILES, {root.document.name: root.document})
        self._texts: dict[DocumentName, Text] = {root.document.name: root.document.text}

    def reported(self) -> Iterator[ReportedDiagnostic]:
        unit = TranslationUnit(self._planned.unit, self._root.document, self._planned.loader(self._documents))
        everything = diagnostics(unit, header_bodies=True)
        if self._run.with_fixes and len(everything) > MAXIMUM_FIXED:
            told = f"{self._root.path}: fixes are given for the first {MAXIMUM_FIXED} diagnostics only"
            self._run.notices[told] = None
        for number, found in enumerate(everything):
            checked: tuple[CheckedFix, ...] = ()
            if self._run.with_fixes and number < MAXIMUM_FIXED:
                checked = fixes(unit, found, header_bodies=True)
            yield self._reported(found, checked)

    def _reported(self, found: Diagnostic, checked: tuple[CheckedFix, ...]) -> ReportedDiagnostic:
        related = tuple(RelatedSpot(self._spot(each.location), each.message) for each in found.related)
        # a version that the unit already has mends nothing: there it is a feature that is switched off
        standard = self._planned.unit.configuration.dialect.standard
        return ReportedDiagnostic(
            found.code,
            found.severity,
            found.message,
            self._spot(found.location),
            related,
            tuple(self._fix(each) for each in checked if each.dialect != standard),
        )

    def _fix(self, fix: CheckedFix) -> ReportedFix:
        if fix.dialect:
            path, text, start, end, written = flags_edit(self._planned, fix.dialect)
            spot = Spot.of(self._run.paths.path(path, self._root), text, start, end)
            return ReportedFix(fix.title, fix.preferred, (SpotEdit(spot, written),), fix.dialect)
        edits = tuple(SpotEdit(self._spot(edit.location), edit.text) for edit in fix.edits)
        return ReportedFix(fix.title, fix.preferred, edits)

    def _spot(self, location: Location) -> Spot:
        name = location.document
        if name not in self._texts:
            found = self._documents.read(name)
            self._texts[name] = Text.of(b"") if isinstance(found, FileProblem) else found.text
        return Spot.of(
            self._run.paths.path(name, self._root), self._texts[name], location.start, location.end
        )
