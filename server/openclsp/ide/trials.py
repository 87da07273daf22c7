"""Re-analysis of a unit with candidate edits.

The result is cached, because several diagnostics may propose them.
"""

from __future__ import annotations

from collections.abc import Iterable

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Location, TextEdit
from openclsp.ide.fault_state import (
    Findings,
    Mark,
    current_findings,
    current_problems,
    fault_state,
    lessens,
    marked,
    moved,
)
from openclsp.ide.fix_work import BYTES_OF_LEAF, FixWork, text_work
from openclsp.ide.following import Lead, lead
from openclsp.ide.places import Places
from openclsp.rules.finding import Finding
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.text import Text


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a fix's edits for one finding.

    `leads` describe the new faults that dependent changes could remove. `clean` is whether every remaining
    fault has the same message as before.
    """

    leads: tuple[Lead, ...]
    clean: bool


@dataclass(frozen=True, slots=True)
class _Left:
    """A fault in the edited text, in an item whose findings changed.

    `known` is whether a fault with that code and place existed before, `clean` whether it had the same
    message. `lead` describes the dependent changes that could remove a new fault.
    """

    mark: Mark
    finding: Finding
    lead: Lead | None
    known: bool
    clean: bool


@dataclass(frozen=True, slots=True)
class _Tried:
    """The effect of some edits on the findings of a unit.

    `changed` contains the items whose findings changed, `left` the faults in changed items afterwards.
    """

    changed: frozenset[ItemKey]
    left: tuple[_Left, ...]


class Trials:
    """A cache of the effects of edits, for one state of a unit."""

    def __init__(self, unit: TranslationUnit, header_bodies: bool) -> None:
        self.unit, self.header_bodies = unit, header_bodies
        self.before = fault_state(unit, header_bodies)
        self.places = Places(unit)
        self._tried: dict[tuple[TextEdit, ...], _Tried | None] = {}
        self._held: dict[tuple[tuple[TextEdit, ...], frozenset[Mark]], bool] = {}

    @staticmethod
    def of(unit: TranslationUnit, header_bodies: bool) -> Trials:
        """Returns the cache for the current state of the unit."""
        kept: Trials | None = unit.kept.get(_KEPT)
        if kept is None or kept.before.revision != unit.revision or kept.header_bodies != header_bodies:
            kept = unit.kept[_KEPT] = Trials(unit, header_bodies)
        return kept

    def outcome(
        self,
        edits: tuple[TextEdit, ...],
        key: ItemKey,
        location: Location,
        finding: Finding,
        work: FixWork | None,
    ) -> Outcome | None:
        """Evaluates the edits as a fix of a finding of the item `key`. Raises NoWorkLeft.

        None if they do not remove the fault, or introduce one that no dependent change can remove. A
        conversion with several mismatches may keep some of them, because only the first was reported.
        """
        own = finding.code, location.document, moved(location, edits)
        if edits not in self._tried:
            self._tried[edits] = self._try(edits, work)
        tried = self._tried[edits]
        if tried is None or key not in tried.changed:
            return None
        # if the edits insert a cast before the value, the conversion starts at the cast
        there = {(own[1], own[2]), (own[1], moved(location, edits, behind_insertions=False))}
        leads: list[Lead] = []
        clean = True
        for each in tried.left:
            if each.mark == own and not (each.clean and each.finding.message != finding.message):
                if not lessens(each.finding.mismatches, (finding.mismatches,)):
                    return None
                clean = False
            elif each.lead is not None:
                leads.append(each.lead)
            elif each.known:
                clean = clean and each.clean
            elif each.mark[1:] in there and lessens(each.finding.mismatches, (finding.mismatches,)):
                clean = False
            else:
                return None
        return Outcome(tuple(leads), clean)

    def _try(self, edits: tuple[TextEdit, ...], work: FixWork | None) -> _Tried | None:
        """Analyses the unit with the edits.

        Returns None if they introduce a fault that no dependent change can remove. A copied function may have
        the same warnings as its original.
        """
        texts = edited(self.unit, edits)
        if {edit.location.document for edit in edits} != texts.keys():
            return None
        before = self.before
        with _Measured(self.unit, texts, work), self.unit.attempt(texts):
            after = current_findings(self.unit, self.header_bodies)
            if not current_problems(self.unit) <= before.problems:
                return None
            # Only items whose findings changed are compared: all others have the same faults as before. The
            # marks are those of changed and removed items, because an edited item may replace a removed one.
            known = before.known(after)
            old, weaker = before.marks(known, edits), before.mismatches(known, edits)
            now = Places(self.unit)
            left: list[_Left] = []
            for key in before.changed(after):
                for mark, finding in marked(now, key, after[key]):
                    if mark in old:
                        left.append(
                            _Left(mark, finding, None, known=True, clean=finding.message in old[mark])
                        )
                        continue
                    if before.is_copied(finding, mark, edits):
                        continue
                    found = lead(now, key, finding)
                    if found is None and not lessens(finding.mismatches, weaker.get(mark[1:], ())):
                        return None
                    left.append(_Left(mark, finding, found, known=False, clean=False))
        return _Tried(frozenset(known), tuple(left))

    def hold(self, edits: tuple[TextEdit, ...], mended: frozenset[Mark], work: FixWork | None) -> bool:
        """Whether the edits hold, as `holds_in` defines it. Raises NoWorkLeft."""
        question = edits, mended
        if question not in self._held:
            self._held[question] = self._hold(edits, mended, work)
        return self._held[question]

    def _hold(self, edits: tuple[TextEdit, ...], mended: frozenset[Mark], work: FixWork | None) -> bool:
        texts = edited(self.unit, edits)
        if not texts:
            return not mended
        before = self.before
        with _Measured(self.unit, texts, work), self.unit.attempt(texts):
            after: Findings = current_findings(self.unit, self.header_bodies)
            known = before.known(after)
            weaker = before.mismatches(known, edits)
            now = Places(self.unit)
            left = {
                mark: finding.mismatches
                for key in before.changed(after)
                for mark, finding in marked(now, key, after[key])
                if not before.is_copied(finding, mark, edits)
            }
            problems = current_problems(self.unit)
        gone = {
            (code, document, moved(Location(document, start, start), edits))
            for code, document, start in mended
        }
        if not problems <= before.problems or not gone.isdisjoint(left):
            return False
        old = before.marks(known, edits)
        return all(
            mark in old or (not mended and lessens(mismatches, weaker.get(mark[1:], ())))
            for mark, mismatches in left.items()
        )


_KEPT = "trials of fixes"


class _Measured:
    """Context manager that subtracts the cost of an attempt from a budget.

    Raises NoWorkLeft if it is already spent.
    """

    def __init__(self, unit: TranslationUnit, texts: Iterable[str], work: FixWork | None) -> None:
        self._unit, self._work = unit, work
        self._begun = unit.work
        self._headers = any(name != unit.document.name for name in texts)

    def __enter__(self) -> None:
        if self._work is not None:
            self._work.demand()

    def __exit__(self, *raised: object) -> None:
        if self._work is None:
            return
        unit = self._unit
        # the text is preprocessed twice: with the edits, and to restore the unit
        text = 2 * text_work(unit) if self._headers else 0
        self._work.spend(unit.work - self._begun + text + len(unit.by_key) // BYTES_OF_LEAF + 1)


def edited(unit: TranslationUnit, edits: Iterable[TextEdit]) -> dict[str, Text]:
    """Applies the edits; returns the new texts of the changed documents of the unit."""
    documents = {each.document.name: each.document for each in unit.preprocessed.units()}
    texts: dict[str, Text] = {}
    for edit in reversed(tuple(edits)):
        name = edit.location.document
        if name in documents:
            text = texts.get(name, documents[name].text)
            data = edit.text.encode("utf-8", "surrogateescape")
            texts[name] = text.replace(edit.location.start, edit.location.end, data)
    return texts
