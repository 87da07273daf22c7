"""Re-analysis of a unit with candidate edits.

The result is cached, because several diagnostics may propose the same edits.
"""

from __future__ import annotations

from collections.abc import Iterable

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location, TextEdit
from openclsp.ide.fixes.dependent_changes import DependentFault, find_dependent_changes
from openclsp.ide.fixes.fault_state import (
    FaultMark,
    FindingsByItem,
    get_fault_state,
    mark_faults,
    reduces_mismatches,
    snapshot_findings,
    snapshot_problems,
    start_after_edits,
)
from openclsp.ide.fixes.fix_budget import BYTES_PER_TOKEN, FixBudget, preprocessing_cost
from openclsp.ide.location_map import LocationMap
from openclsp.rules.finding import Finding
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache
from openclsp.source.text import Text


@dataclass(frozen=True, slots=True)
class FixOutcome:
    """The result of evaluating a fix of one finding.

    `dependent_faults` contains the faults that the fix introduces and that further changes could remove (see
    `dependent_changes`). `clean` is whether the fix adds no fault and changes no message of another
    fault; it is False if there are dependent faults.
    """

    dependent_faults: tuple[DependentFault, ...]
    clean: bool


@dataclass(frozen=True, slots=True)
class _RemainingFault:
    """A fault in the edited text, in an item that is new or whose findings changed.

    `known` is whether a fault with the same mark existed before the edits, and `clean` whether it also had
    the same message. `dependent_fault` describes the dependent changes that could remove the fault if it is
    new.
    """

    mark: FaultMark
    finding: Finding
    dependent_fault: DependentFault | None
    known: bool
    clean: bool


@dataclass(frozen=True, slots=True)
class _EditEffect:
    """The effect of some edits on the findings of a unit.

    `changed` contains the items that the edits removed or whose findings they changed. `left` contains the
    faults after the edits, in items that are new or whose findings changed.
    """

    changed: frozenset[ItemKey]
    left: tuple[_RemainingFault, ...]


@dataclass(frozen=True, slots=True)
class EditsOutcome:
    """The result of checking edits in a unit.

    - `holds`: whether the edits remove the required faults and introduce none.
    - `clean`: whether all faults that remain keep their messages.
    """

    holds: bool
    clean: bool


_REJECTED = EditsOutcome(holds=False, clean=False)


class FixChecker:
    """Checks the effects of edits on one state of a unit, and caches the results."""

    def __init__(self, unit: TranslationUnit, header_bodies: bool, *, both_sides: bool = False) -> None:
        self.unit, self.header_bodies, self._both_sides = unit, header_bodies, both_sides
        self.before = get_fault_state(unit, header_bodies)
        self.places = LocationMap(unit)
        self._tried: dict[tuple[TextEdit, ...], _EditEffect | None] = {}
        self._outcomes: dict[tuple[tuple[TextEdit, ...], frozenset[FaultMark]], EditsOutcome] = {}

    @staticmethod
    def for_unit(unit: TranslationUnit, header_bodies: bool) -> FixChecker:
        """Returns the cached checker for the current state of the unit; creates it if there is none.

        Function bodies in headers are checked only with `header_bodies`.
        """
        kept = unit.caches.get(_FIX_CHECKER)
        if kept is None or kept.before.revision != unit.revision or kept.header_bodies != header_bodies:
            kept = unit.caches.set(_FIX_CHECKER, FixChecker(unit, header_bodies))
        return kept

    def evaluate_fix(
        self,
        edits: tuple[TextEdit, ...],
        key: ItemKey,
        location: Location,
        finding: Finding,
        work: FixBudget | None,
    ) -> FixOutcome | None:
        """Evaluates the edits as a fix of a finding of the item `key`, at the expense of the budget `work`.

        None if the edits do not remove the fault, or introduce a fault that no dependent change can remove.
        If the fault is a conversion with several mismatches, it is enough that the edits remove one of them.
        Raises BudgetExhausted.
        """
        own = finding.code, location.document, start_after_edits(location, edits)
        if edits not in self._tried:
            self._tried[edits] = self._analyse_edits(edits, work)
        tried = self._tried[edits]
        if tried is None or key not in tried.changed:
            return None
        # if the edits insert a cast before the value, the conversion starts at the cast
        there = {(own[1], own[2]), (own[1], start_after_edits(location, edits, behind_insertions=False))}
        dependent: list[DependentFault] = []
        clean = True
        for each in tried.left:
            if each.mark == own and not (each.clean and each.finding.message != finding.message):
                if not reduces_mismatches(each.finding.mismatches, (finding.mismatches,)):
                    return None
                clean = False
            elif each.dependent_fault is not None:
                dependent.append(each.dependent_fault)
            elif each.known:
                clean = clean and each.clean
            elif each.mark[1:] in there and reduces_mismatches(
                each.finding.mismatches, (finding.mismatches,)
            ):
                clean = False
            else:
                return None
        return FixOutcome(tuple(dependent), clean)

    def evaluate_edits(
        self, edits: tuple[TextEdit, ...], work: FixBudget | None
    ) -> tuple[DependentFault, ...] | None:
        """Evaluates edits that need not remove a fault, at the expense of the budget `work`.

        Returns the new faults that dependent changes could remove; None if there are other new faults. Raises
        BudgetExhausted.
        """
        if edits not in self._tried:
            self._tried[edits] = self._analyse_edits(edits, work)
        tried = self._tried[edits]
        if tried is None or any(not each.known and each.dependent_fault is None for each in tried.left):
            return None
        return tuple(each.dependent_fault for each in tried.left if each.dependent_fault is not None)

    def _analyse_edits(self, edits: tuple[TextEdit, ...], work: FixBudget | None) -> _EditEffect | None:
        """Analyses the unit with the edits; returns their effect on the findings.

        None if the edits introduce a fault that no dependent change can remove. Warnings in a copied function
        that the original has as well do not count.
        """
        texts = apply_edits(self.unit, edits)
        if {edit.location.document for edit in edits} != texts.keys():
            return None
        before = self.before
        with _BudgetMeter(self.unit, texts, work), self.unit.with_edits(texts):
            after = snapshot_findings(self.unit, self.header_bodies)
            if not snapshot_problems(self.unit) <= before.problems:
                return None
            # Only items whose findings changed are compared: all others have the same faults as before. The
            # marks are those of changed and removed items, because an edited item may replace a removed one.
            known = before.outdated_items(after)
            old, weaker = before.marks(known, edits), before.mismatches(known, edits)
            now = LocationMap(self.unit)
            left: list[_RemainingFault] = []
            for key in before.changed_items(after):
                for mark, finding in mark_faults(now, key, after[key]):
                    if mark in old:
                        left.append(
                            _RemainingFault(
                                mark, finding, None, known=True, clean=finding.message in old[mark]
                            )
                        )
                        continue
                    if before.is_copied(finding, mark, edits):
                        continue
                    found = find_dependent_changes(now, key, finding, both_sides=self._both_sides)
                    if found is None and not reduces_mismatches(finding.mismatches, weaker.get(mark[1:], ())):
                        return None
                    left.append(_RemainingFault(mark, finding, found, known=False, clean=False))
        return _EditEffect(frozenset(known), tuple(left))

    def edits_hold(
        self, edits: tuple[TextEdit, ...], removed_marks: frozenset[FaultMark], work: FixBudget | None
    ) -> bool:
        """Whether `check_edits` confirms the edits. Raises BudgetExhausted."""
        return self.check_edits(edits, removed_marks, work).holds

    def check_edits(
        self, edits: tuple[TextEdit, ...], removed_marks: frozenset[FaultMark], work: FixBudget | None
    ) -> EditsOutcome:
        """Checks whether the edits remove the faults with the `removed_marks` and introduce none.

        See `edits_hold_in`. The cost is subtracted from `work`. Raises BudgetExhausted.
        """
        question = edits, removed_marks
        if question not in self._outcomes:
            self._outcomes[question] = self._check_edits(edits, removed_marks, work)
        return self._outcomes[question]

    def _check_edits(
        self, edits: tuple[TextEdit, ...], removed_marks: frozenset[FaultMark], work: FixBudget | None
    ) -> EditsOutcome:
        texts = apply_edits(self.unit, edits)
        if not texts:
            return EditsOutcome(not removed_marks, clean=True)
        before = self.before
        with _BudgetMeter(self.unit, texts, work), self.unit.with_edits(texts):
            after: FindingsByItem = snapshot_findings(self.unit, self.header_bodies)
            known = before.outdated_items(after)
            weaker = before.mismatches(known, edits)
            now = LocationMap(self.unit)
            left = {
                mark: finding
                for key in before.changed_items(after)
                for mark, finding in mark_faults(now, key, after[key])
                if not before.is_copied(finding, mark, edits)
            }
            problems = snapshot_problems(self.unit)
        gone = {
            (code, document, start_after_edits(Location(document, start, start), edits))
            for code, document, start in removed_marks
        }
        if not problems <= before.problems or not gone.isdisjoint(left):
            return _REJECTED
        old = before.marks(known, edits)
        holds = all(
            mark in old
            or (not removed_marks and reduces_mismatches(finding.mismatches, weaker.get(mark[1:], ())))
            for mark, finding in left.items()
        )
        return EditsOutcome(
            holds, holds and all(finding.message in old.get(mark, ()) for mark, finding in left.items())
        )


_FIX_CHECKER: UnitCache[FixChecker] = UnitCache("trials of fixes")


class _BudgetMeter:
    """Context manager that subtracts the cost of a re-analysis from a budget.

    Raises BudgetExhausted at the start if the budget is already spent.
    """

    def __init__(self, unit: TranslationUnit, texts: Iterable[str], work: FixBudget | None) -> None:
        self._unit, self._work = unit, work
        self._tokens_before = unit.typed_tokens
        self._headers = any(name != unit.document.name for name in texts)

    def __enter__(self) -> None:
        if self._work is not None:
            self._work.require_remaining()

    def __exit__(self, *raised: object) -> None:
        if self._work is None:
            return
        unit = self._unit
        # the text is preprocessed twice: with the edits, and to restore the unit
        text = 2 * preprocessing_cost(unit) if self._headers else 0
        self._work.spend(
            unit.typed_tokens - self._tokens_before + text + len(unit.by_key) // BYTES_PER_TOKEN + 1
        )


def apply_edits(unit: TranslationUnit, edits: Iterable[TextEdit]) -> dict[str, Text]:
    """Applies the edits; returns the new texts of the changed documents of the unit."""
    documents = {each.document.name: each.document for each in unit.preprocessed.with_included()}
    texts: dict[str, Text] = {}
    for edit in reversed(tuple(edits)):
        name = edit.location.document
        if name in documents:
            text = texts.get(name, documents[name].text)
            data = edit.text.encode("utf-8", "surrogateescape")
            texts[name] = text.replace(edit.location.start, edit.location.end, data)
    return texts
