"""Quick fixes, confirmed by re-analysis: a fix must remove the fault and introduce none.

The faults before and after the fix are compared in the items whose findings the fix changes.
"""

from __future__ import annotations

import os.path
from collections.abc import Container, Iterator
from dataclasses import replace

from openclsp.ide.diagnostics.diagnostics import compute_all_diagnostics
from openclsp.ide.feature_results import CheckedFix, Diagnostic, ItemFinding, TextEdit
from openclsp.ide.fixes.branch_variants import describe_wrong_variant
from openclsp.ide.fixes.change_rendering import has_misplaced_space, has_valid_space
from openclsp.ide.fixes.changed_declarations import (
    LevelChange,
    describe_skipped_use,
    find_changed_declarations,
)
from openclsp.ide.fixes.dependent_changes import add_dependent_changes
from openclsp.ide.fixes.edit_plan import EditPlan
from openclsp.ide.fixes.edit_rendering import render_edit_plan
from openclsp.ide.fixes.fault_state import FAULT_SEVERITIES, FaultMark, mark_after_edits
from openclsp.ide.fixes.fix_budget import BudgetExhausted, FixBudget, creation_work
from openclsp.ide.fixes.fix_checker import FixChecker
from openclsp.ide.fixes.function_copies import plan_function_copy, plan_overloads
from openclsp.ide.fixes.shared_units import NO_OTHER_UNITS, UnitSource
from openclsp.ide.location_map import LocationMap
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import (
    AddOverloads,
    CopyFunctionForCall,
    Finding,
    Fix,
    FixChange,
    SetDialect,
)
from openclsp.semantics.facts.entities import EntityRef, ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache

MAXIMUM_ROUNDS = 12
"""The maximum number of rounds in which dependent changes are added to a fix."""


def _finding_of(unit: TranslationUnit, diagnostic: Diagnostic) -> ItemFinding | None:
    found = diagnostic.origin
    return found if found is not None and found.key in unit.by_key else None


def compute_fixes(
    unit: TranslationUnit,
    diagnostic: Diagnostic,
    *,
    header_bodies: bool = False,
    sharing: UnitSource = NO_OTHER_UNITS,
    preferred_only: bool = False,
    work: FixBudget | None = None,
) -> tuple[CheckedFix, ...]:
    """Computes the confirmed fixes of a diagnostic, in the rule's order of preference.

    At most one fix is preferred. With `preferred_only`, only this fix is returned.
    - `header_bodies`: whether function bodies in headers are checked; must have the value with which
      `diagnostic` was computed.
    - `sharing` finds the other units that contain an edited document; a fix introduces no fault in them. If
      some of them could not be analysed, the title of the fix states this, and the fix is not preferred.
    - `work` is the remaining budget for the file; if it is spent, there are no fixes.
    """
    if diagnostic.fixes:
        # comments do not affect the analysis, so their fixes need no check
        return tuple(fix for fix in diagnostic.fixes if fix.preferred or not preferred_only)
    candidate = _finding_of(unit, diagnostic)
    if candidate is None or not candidate.finding.fixes:
        return ()
    try:
        return _check_candidates(
            _FixCandidates(unit, diagnostic, *candidate, header_bodies, work, sharing), preferred_only
        )
    except BudgetExhausted:
        if work is not None:
            work.skipped_diagnostics += 1
        return ()


def _check_candidates(candidates: _FixCandidates, preferred_only: bool) -> tuple[CheckedFix, ...]:
    """Returns the candidates of a diagnostic that the checks confirm. Raises BudgetExhausted.

    With `preferred_only`, only the preferred fix is returned.
    """
    checked: dict[tuple[object, ...], tuple[CheckedFix, bool]] = {}
    for fix in candidates.candidates_to_check():
        if preferred_only and (not fix.preferred or any(found.preferred for found, _ in checked.values())):
            continue
        tried = candidates.check_candidate(fix)
        if tried is None or (tried[0].edits, tried[0].dialect) in checked:
            continue
        elsewhere = candidates.check_in_other_units(tried[0])
        if elsewhere is None:
            continue
        found, clean_elsewhere = elsewhere
        rival = found.preferred and any(each.preferred for each, _ in checked.values())
        kept = replace(found, preferred=False) if rival else found
        checked[found.edits, found.dialect] = kept, tried[1] and clean_elsewhere
    # A fix after which the place is still reported, with another message, is offered only if no fix is clean.
    has_clean_fix = any(clean and each.edits for each, clean in checked.values())
    return tuple(
        each
        for each, clean in checked.values()
        if (clean or not has_clean_fix) and (each.preferred or not preferred_only)
    )


def edits_hold_in(
    unit: TranslationUnit,
    edits: tuple[TextEdit, ...],
    *,
    header_bodies: bool,
    removed_marks: frozenset[FaultMark] = frozenset(),
) -> bool:
    """Whether the edits remove the faults with the `removed_marks` and introduce none.

    A mark consists of a fault's code, document and start before the edits. Warnings in a copied function that
    the original has as well do not count as introduced. Function bodies in headers are checked only with
    `header_bodies`.
    """
    return FixChecker.for_unit(unit, header_bodies).edits_hold(edits, removed_marks, None)


class _FixCandidates:
    """The candidate fixes of one diagnostic, checked one after the other on the current state of the unit."""

    def __init__(
        self,
        unit: TranslationUnit,
        diagnostic: Diagnostic,
        key: ItemKey,
        finding: Finding,
        header_bodies: bool,
        work: FixBudget | None,
        sharing: UnitSource,
    ) -> None:
        self.unit, self.diagnostic, self.key, self.finding = unit, diagnostic, key, finding
        self.header_bodies, self.work, self.sharing = header_bodies, work, sharing
        self.checker = FixChecker.for_unit(unit, header_bodies)
        self.places = self.checker.places
        self._plans: dict[tuple[TextEdit, ...], EditPlan] = {}
        self.broke_call = False
        """Whether the checked fix breaks a call that could call a copy of its function instead."""

    def candidates_to_check(self) -> tuple[Fix, ...]:
        """Returns the candidates to be checked.

        If the fault involves an invalid declaration, such as one with two address spaces, only the candidates
        that repair this declaration are returned. Its type is uncertain, so valid declarations should not be
        adapted to it.
        """
        found = tuple(fix for fix in self.finding.fixes if not self._leaves_misplaced_space(fix))
        origins = [related.origin for related in self.finding.related]
        origins += [each.origin for fix in found for each in fix.changes if isinstance(each, LevelChange)]
        faulty = {
            origin.entity for origin in dict.fromkeys(origins) if not has_valid_space(self.places, origin)
        }
        if not faulty:
            return found
        return tuple(
            fix for fix in found if all(_repairs_declaration(change, faulty) for change in fix.changes)
        )

    def _leaves_misplaced_space(self, fix: Fix) -> bool:
        """Whether a fix changes the pointee of a pointer that is itself declared in global memory in a function.

        Its qualifier is probably meant for the pointee: `float *global p`.
        """
        origins = [change.origin for change in fix.changes if isinstance(change, LevelChange)]
        repaired = {origin.entity for origin in origins if origin.level == 0}
        return any(
            origin.entity not in repaired and has_misplaced_space(self.places, origin.entity)
            for origin in origins
        )

    def check_candidate(self, fix: Fix) -> tuple[CheckedFix, bool] | None:
        """Checks a fix in the unit; None if the fix is rejected.

        Returns the fix with its edits, and whether all remaining faults keep their messages.
        """
        for change in fix.changes:
            if isinstance(change, SetDialect):
                return self._as_dialect(fix, change.name)
        plan = self._create_plan(fix)
        self.broke_call = False
        found = self._complete_plan(fix, plan, copying=False)
        return self._complete_plan(fix, plan, copying=True) if found is None and self.broke_call else found

    def check_in_other_units(self, fix: CheckedFix) -> tuple[CheckedFix, bool] | None:
        """Checks a fix in the other units that share an edited document.

        See the function `check_in_other_units`. None if the fix introduces a fault in one of the units.
        """
        plan = self._plans.get(fix.edits)
        return check_in_other_units(self.places, fix, plan, self.sharing, self.work, self.header_bodies)

    def _as_dialect(self, fix: Fix, name: str) -> tuple[CheckedFix, bool] | None:
        dialect = _newer_dialect(self.unit.dialect, name)
        if dialect is None:
            return None
        if self.work is not None and not self.unit.is_created_as(dialect):
            self.work.require_remaining(creation_work(self.unit))
            self.work.spend(creation_work(self.unit))
        other = self.unit.as_dialect(dialect)
        before, _ = _collect_marks(self.unit, self.header_bodies, self.work)
        _, after = _collect_marks(other, self.header_bodies, self.work)
        if mark_after_edits(self.diagnostic, ()) in after or not after <= before:
            return None
        return CheckedFix(fix.title, fix.preferred, dialect=name), True

    def _create_plan(self, fix: Fix) -> EditPlan | None:
        for change in fix.changes:
            if isinstance(change, CopyFunctionForCall):
                return plan_function_copy(self.places, self.key, change, self._other_places)
            if isinstance(change, AddOverloads):
                return plan_overloads(self.places, self.key, change, self._other_places)
        return EditPlan(fix.title, tuple((self.key, change) for change in fix.changes))

    def _other_places(self, item: ItemKey) -> Iterator[LocationMap]:
        """Yields the location maps of the other units that contain the document of an item."""
        document = self.unit.by_key[item].group.part.preprocessed.document.name
        for other in self.sharing.units(self.unit, (document,), self.work).units:
            yield FixChecker.for_unit(other, self.header_bodies).places

    def _complete_plan(
        self, fix: Fix, plan: EditPlan | None, *, copying: bool
    ) -> tuple[CheckedFix, bool] | None:
        """Adds dependent changes to the plan of a fix until the fix introduces no fault.

        Returns the fix with its edits, and whether all remaining faults keep their messages; None if there is
        no plan or no such fix. With `copying`, a function that must stay unchanged for its other callers is
        copied.
        """
        # Each round applies the plan and re-analyses the unit. The compatible fixes of the new faults
        # become changes of the next round's plan, so the fix converges as type changes propagate along
        # calls.
        first = plan
        for _ in range(MAXIMUM_ROUNDS):
            text = render_edit_plan(self.places, plan) if plan is not None else None
            if plan is None or text is None:
                return None
            where = self.diagnostic.location
            outcome = self.checker.evaluate_fix(text.edits, self.key, where, self.finding, self.work)
            if outcome is None:
                return None
            self.broke_call = self.broke_call or any(
                each.call is not None for each in outcome.dependent_faults
            )
            if not outcome.dependent_faults:
                title = plan.title if plan is first else f"{plan.title} and update dependent code"
                self._plans[text.edits] = plan
                return CheckedFix(title, fix.preferred and outcome.clean, text.edits), outcome.clean
            plan = add_dependent_changes(self.places, plan, text, outcome.dependent_faults, copying=copying)
        return None


def check_in_other_units(
    places: LocationMap,
    fix: CheckedFix,
    plan: EditPlan | None,
    sharing: UnitSource,
    work: FixBudget | None,
    header_bodies: bool,
) -> tuple[CheckedFix, bool] | None:
    """Checks a fix in the other units that share an edited document.

    None if the fix introduces a fault in one of them. Otherwise returns the fix, and whether all faults of these
    units keep their messages. The title of the returned fix names files that could not be checked, or code
    outside of all units that uses a changed declaration. The returned fix is preferred only if there is no such
    code, the fix holds in all units, and all faults keep their messages: a call in another unit may pass a pointer
    that matches the function neither before nor after the fix.
    """
    if not fix.edits:
        return fix, True
    unit = places.unit
    documents = frozenset(edit.location.document for edit in fix.edits)
    found = sharing.units(unit, documents, work)
    other_programs = None if work is None else work.other_programs
    missed = found.unchecked
    clean = True
    for other in () if found.are_checked_later else found.units:
        try:
            outcome = FixChecker.for_unit(other, header_bodies).check_edits(
                fix.edits, frozenset(), other_programs
            )
        except BudgetExhausted:
            missed = missed or f"not checked in {os.path.basename(other.document.name)}"
            continue
        if not outcome.holds:
            return None
        clean = clean and outcome.clean
    changed = find_changed_declarations(places, plan, fix.edits)
    if not fix.preferred:
        # The calls of the host decide only whether a fix is applied unasked.
        changed = replace(changed, retyped=frozenset())
    units = (unit, *found.units)
    missed = missed or sharing.describe_other_use(units, changed, other_programs)
    missed = missed or describe_skipped_use(units, changed.names)
    if fix.preferred and clean and not missed:
        missed = describe_wrong_variant(places, plan, fix.edits, work, header_bodies)
    title = f"{fix.title} ({missed})" if missed else fix.title
    return replace(fix, title=title, preferred=fix.preferred and clean and not missed), clean


def _repairs_declaration(change: FixChange, faulty: Container[EntityRef]) -> bool:
    """Whether a change edits an invalid declaration, or selects a language version that makes it valid."""
    return isinstance(change, SetDialect) or (
        isinstance(change, LevelChange) and change.origin.entity in faulty
    )


def _newer_dialect(dialect: Dialect, name: str) -> Dialect | None:
    """Returns the dialect `name`, if its version is later than that of `dialect`; otherwise None.

    Extensions that are disabled in `dialect` are disabled in the result, too.
    """
    newer = Dialect.of(name)
    if newer.version <= dialect.version:
        return None
    switched_off = Dialect.of(dialect.standard).extensions - dialect.extensions
    return replace(newer, extensions=newer.extensions - switched_off)


_MARKS: UnitCache[tuple[int, bool, frozenset[FaultMark], frozenset[FaultMark]]] = UnitCache("marks for fixes")
"""The marks of a unit's most recent revision.

They are cached because many diagnostics of one text have fixes that select a language version.
"""


def _collect_marks(
    unit: TranslationUnit, header_bodies: bool, work: FixBudget | None
) -> tuple[frozenset[FaultMark], frozenset[FaultMark]]:
    """Returns the marks (code, document and start) of all diagnostics of a unit, and those of its faults.

    Raises BudgetExhausted.
    """
    kept = unit.caches.get(_MARKS)
    if kept is None or kept[:2] != (unit.revision, header_bodies):
        tokens_before = unit.typed_tokens
        if work is not None:
            work.require_remaining()
        every = compute_all_diagnostics(unit, header_bodies=header_bodies)
        if work is not None:
            work.spend(unit.typed_tokens - tokens_before)
        marks = frozenset(mark_after_edits(each, ()) for each in every)
        faults = frozenset(mark_after_edits(each, ()) for each in every if each.severity in FAULT_SEVERITIES)
        kept = unit.caches.set(_MARKS, (unit.revision, header_bodies, marks, faults))
    return kept[2], kept[3]
