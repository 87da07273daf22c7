"""Applies all preferred fixes of a document, checked together by re-analysis like a single fix.

Each round computes the fixes for the current text and applies them in one batch. If two fixes overlap, or are
not valid in combination, the later one is postponed: the next round computes it again for the text that this
round produced.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics.diagnostics import compute_diagnostics
from openclsp.ide.feature_results import Diagnostic, TextEdit
from openclsp.ide.fixes.changed_declarations import ChangedDeclarations
from openclsp.ide.fixes.edit_composition import EditComposition
from openclsp.ide.fixes.fault_state import FaultMark, mark_after_edits
from openclsp.ide.fixes.fix_budget import BudgetExhausted, FixBudget
from openclsp.ide.fixes.fix_checker import FixChecker, apply_edits
from openclsp.ide.fixes.fixes import compute_fixes
from openclsp.ide.fixes.shared_units import (
    NO_OTHER_UNITS,
    SharedUnits,
    UnitSource,
    contains_any_document,
)
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import DocumentName
from openclsp.source.text import Text

MAXIMUM_ROUNDS = 12


@dataclass(frozen=True, slots=True)
class PreferredFixApplication:
    """An applied fix: its diagnostic, located in the text before the fix, and its title."""

    diagnostic: Diagnostic
    title: str


@dataclass(frozen=True, slots=True)
class FixAllResult:
    """The combined edits of all rounds, and the applied fixes.

    The edits are relative to the original documents and sorted by place. The fixes are in the order of
    application. `skipped_diagnostics` counts the diagnostics whose fixes were not computed because the budget
    was spent.
    """

    edits: tuple[TextEdit, ...]
    applied: tuple[PreferredFixApplication, ...]
    skipped_diagnostics: int = 0


@dataclass(frozen=True, slots=True)
class _FixGroup:
    """The edits of a fix with the diagnostics that they fix."""

    edits: tuple[TextEdit, ...]
    fixed: tuple[PreferredFixApplication, ...]

    @property
    def marks(self) -> frozenset[FaultMark]:
        return frozenset(mark_after_edits(each.diagnostic, ()) for each in self.fixed)


def fix_all(
    unit: TranslationUnit,
    *,
    document: str,
    codes: Collection[str] = (),
    header_bodies: bool = False,
    sharing: UnitSource = NO_OTHER_UNITS,
    check: Callable[[], None] = lambda: None,
) -> FixAllResult:
    """Computes the edits of all preferred fixes in a document of the unit.

    If `codes` is not empty, only diagnostics with these codes are fixed. The edited text has none of the
    fixed faults and no new fault, neither in the unit nor in the units of `sharing` that have documents in
    common with it. Function bodies in headers are checked only with `header_bodies`. `check` is called
    between fixes and may raise to cancel.
    """
    run = _FixAllRun(unit, header_bodies, sharing, check, FixBudget(0))
    compute_diagnostics(unit, header_bodies=header_bodies)
    run.work = FixBudget.for_unit(unit)
    for _ in range(MAXIMUM_ROUNDS):
        if not run.run_round(document, codes):
            break
    return FixAllResult(run.composed_edits.edits(), tuple(run.applied), run.work.skipped_diagnostics)


class _RoundUnitSource:
    """Provides the other units of a unit that earlier rounds have changed.

    - `texts`: the texts that these rounds produced.
    - `are_checked_later`: whether the combined result of the round is checked in the other units, instead of
      each fix.
    """

    def __init__(
        self,
        unit: TranslationUnit,
        sharing: UnitSource,
        texts: Mapping[DocumentName, Text],
        *,
        are_checked_later: bool,
    ) -> None:
        self._unit, self._sharing, self._texts = unit, sharing, texts
        self._are_checked_later = are_checked_later
        self._changed: dict[TranslationUnit, TranslationUnit] = {}

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixBudget | None) -> SharedUnits:
        """Returns the other units that contain one of the documents.

        Units that are to be checked later have the original texts.
        """
        found = self._sharing.units(self._unit, documents, work)
        if self._are_checked_later:
            return replace(found, are_checked_later=True)
        return replace(found, units=tuple([self._as_changed(each) for each in found.units]))

    def _as_changed(self, other: TranslationUnit) -> TranslationUnit:
        if not contains_any_document(other, self._texts):
            return other
        if other not in self._changed:
            self._changed[other] = other.with_texts(self._texts)
        return self._changed[other]

    def describe_other_use(
        self, units: Collection[TranslationUnit], changed: ChangedDeclarations, work: FixBudget | None
    ) -> str:
        """Describes code that uses a changed declaration and is in none of the units; empty if there is none."""
        return self._sharing.describe_other_use(units, changed, work)


class _FixAllRun:
    """Applies batches of preferred fixes to one document.

    - `current` is the unit with all batches that have been applied so far.
    - `checks_singly` is whether each fix is checked in the other units. A batch that does not hold there is
      computed again in this way, because another fix of a diagnostic may hold.
    """

    def __init__(
        self,
        unit: TranslationUnit,
        header_bodies: bool,
        sharing: UnitSource,
        check: Callable[[], None],
        work: FixBudget,
    ) -> None:
        self.unit, self.current = unit, unit
        self.checks_singly = False
        self.header_bodies, self.sharing, self.check, self.work = header_bodies, sharing, check, work
        self.composed_edits, self.applied, self.texts = (
            EditComposition(),
            list[PreferredFixApplication](),
            dict[str, Text](),
        )

    def run_round(self, document: str, codes: Collection[str]) -> bool:
        """Applies the fixes that are valid in combination; returns whether another round may find more."""
        found = self._select_compatible(self._compute_preferred_fixes(document, codes))
        attempt = self._compose(found)
        if found and not self._holds_elsewhere(attempt):
            if not self.checks_singly:
                self.checks_singly = True
                return True
            found = self._select_greedily(found, lambda some: self._holds_elsewhere(self._compose(some)))
            attempt = self._compose(found)
        if not found:
            return False
        self.composed_edits = attempt
        self.texts.update(apply_edits(self.current, _merge_edits(found) or ()))
        self.applied += [applied for each in found for applied in each.fixed]
        if self.work.skipped_diagnostics:
            return False
        self.current = self.unit.with_texts(self.texts)
        self.current.database.checkpoint = self.unit.database.checkpoint
        return True

    def _compute_preferred_fixes(self, document: str, codes: Collection[str]) -> list[_FixGroup]:
        """Computes the preferred fixes, each with all diagnostics that it fixes.

        The computation spends at most half of the budget; the other half is reserved for checking
        combinations.
        """
        half = FixBudget(self.work.remaining // 2, self.work.other_programs)
        found: dict[tuple[TextEdit, ...], list[PreferredFixApplication]] = {}
        sharing = _RoundUnitSource(
            self.unit, self.sharing, self.texts, are_checked_later=not self.checks_singly
        )
        for diagnostic in compute_diagnostics(self.current, header_bodies=self.header_bodies):
            if diagnostic.location.document != document or (codes and diagnostic.code not in codes):
                continue
            self.check()
            for fix in compute_fixes(
                self.current,
                diagnostic,
                header_bodies=self.header_bodies,
                sharing=sharing,
                preferred_only=True,
                work=half,
            ):
                if fix.edits:
                    found.setdefault(fix.edits, []).append(PreferredFixApplication(diagnostic, fix.title))
        self.work.remaining, self.work.skipped_diagnostics = (
            self.work.remaining - (self.work.remaining // 2 - half.remaining),
            half.skipped_diagnostics,
        )
        return [_FixGroup(edits, tuple(fixed)) for edits, fixed in found.items()]

    def _select_compatible(self, found: list[_FixGroup]) -> list[_FixGroup]:
        """Selects, in order, the fixes that are valid in combination."""
        # The common case is a single check of all fixes that do not overlap. Only if it fails are the fixes
        # added one by one, which takes a check for each.
        disjoint: list[_FixGroup] = []
        for each in found:
            if _merge_edits([*disjoint, each]) is not None:
                disjoint.append(each)
        return disjoint if self._holds(disjoint) else self._select_greedily(disjoint, self._holds)

    def _select_greedily(
        self, found: list[_FixGroup], holds: Callable[[list[_FixGroup]], bool]
    ) -> list[_FixGroup]:
        """Selects fixes greedily: each fix that is valid together with the fixes selected before it.

        `holds` returns whether the given fixes are valid together.
        """
        kept: list[_FixGroup] = []
        for each in found:
            self.check()
            if holds([*kept, each]):
                kept.append(each)
        return kept

    def _holds(self, found: list[_FixGroup]) -> bool:
        edits = _merge_edits(found)
        if not edits:
            return False
        checker = FixChecker.for_unit(self.current, self.header_bodies)
        removed_marks = frozenset(mark for each in found for mark in each.marks)
        try:
            return checker.edits_hold(edits, removed_marks, self.work)
        except BudgetExhausted:
            return False

    def _compose(self, found: list[_FixGroup]) -> EditComposition:
        sizes = {
            each.document.name: len(each.document.text.data)
            for each in self.current.preprocessed.with_included()
        }
        attempt = self.composed_edits.copy()
        attempt.apply(_merge_edits(found) or (), sizes)
        return attempt

    def _holds_elsewhere(self, attempt: EditComposition) -> bool:
        edits = attempt.edits()
        shared = self.sharing.units(self.unit, {edit.location.document for edit in edits}, self.work)
        try:
            outcomes = [
                FixChecker.for_unit(other, self.header_bodies).check_edits(
                    edits, frozenset(), self.work.other_programs
                )
                for other in (() if shared.unchecked else shared.units)
            ]
        except BudgetExhausted:
            return False
        return not shared.unchecked and all(each.holds and each.clean for each in outcomes)


def _merge_edits(found: Iterable[_FixGroup]) -> tuple[TextEdit, ...] | None:
    """Merges the edits of the fixes: removes duplicates and sorts by place; None if two edits conflict."""
    edits = dict.fromkeys(edit for each in found for edit in each.edits)
    ordered = sorted(edits, key=lambda edit: (edit.location.document, edit.location.start, edit.location.end))
    for before, after in pairwise(ordered):
        one, other = before.location, after.location
        if one.document == other.document and (other.start < one.end or one.start == other.start):
            return None
    return tuple(ordered)
