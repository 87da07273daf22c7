"""Applies all preferred fixes of a document, checked together by re-analysis like a single fix.

Each round computes the fixes for the current text and applies them in one batch. If two fixes overlap or do
not hold together, the later one is postponed: the next round computes it again for the text that this round
produced.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import pairwise

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Diagnostic, TextEdit
from openclsp.ide.diagnostics import diagnostics
from openclsp.ide.fault_state import Mark, mark_of
from openclsp.ide.fix_work import FixWork, NoWorkLeft
from openclsp.ide.fixes import fixes
from openclsp.ide.revised import Revised
from openclsp.ide.sharing import ALONE, Shared, Sharing
from openclsp.ide.trials import Trials, edited
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.text import Text

MAXIMUM_ROUNDS = 12


@dataclass(frozen=True, slots=True)
class Applied:
    """A fix that was applied: the diagnostic at its place in that round, and the fix's title."""

    diagnostic: Diagnostic
    title: str


@dataclass(frozen=True, slots=True)
class FixedAll:
    """The combined edits of all rounds, and the applied fixes.

    The edits are relative to the original documents and sorted by place; the fixes are in the order of
    application. `left_out` counts the diagnostics whose fixes were not computed because the budget was spent.
    """

    edits: tuple[TextEdit, ...]
    applied: tuple[Applied, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class _Found:
    """The edits of a fix with the diagnostics that they fix."""

    edits: tuple[TextEdit, ...]
    fixed: tuple[Applied, ...]

    @property
    def marks(self) -> frozenset[Mark]:
        return frozenset(mark_of(each.diagnostic, ()) for each in self.fixed)


def fix_all(
    unit: TranslationUnit,
    *,
    document: str,
    code: str = "",
    header_bodies: bool = False,
    sharing: Sharing = ALONE,
    check: Callable[[], None] = lambda: None,
) -> FixedAll:
    """Computes every preferred fix of the diagnostics in a document of the unit, of one `code` or of all.

    The result has none of the fixed faults and no new one, in the unit and in the units `sharing` a document
    with it. `check` is called between fixes and may raise to cancel.
    """
    run = _Run(unit, header_bodies, sharing, check, FixWork(0))
    diagnostics(unit, header_bodies=header_bodies)
    run.work = FixWork.of(unit)
    for _ in range(MAXIMUM_ROUNDS):
        if not run.round(document, code):
            break
    return FixedAll(run.revised.edits(), tuple(run.applied), run.work.left_out)


class _Unshared:
    """Hides other files from the checks of single fixes.

    The result of a whole round, together with the rounds before, is checked in the other files at once.
    """

    def __init__(self, unit: TranslationUnit, sharing: Sharing) -> None:
        self._unit, self._sharing = unit, sharing
        self._others: tuple[TranslationUnit, ...] = ()

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixWork | None) -> Shared:
        """Returns no units, but the description of those that could not be analysed."""
        found = self._sharing.units(self._unit, documents, work)
        self._others = found.units
        return Shared((), found.missed)

    def declaring(self, units: Collection[TranslationUnit], functions: Collection[str]) -> str:
        """Finds a declaration outside of the units in which the round will be checked."""
        return self._sharing.declaring((*units, *self._others), functions)


class _Run:
    """The rounds for one document. `now` is the unit after the rounds so far."""

    def __init__(
        self,
        unit: TranslationUnit,
        header_bodies: bool,
        sharing: Sharing,
        check: Callable[[], None],
        work: FixWork,
    ) -> None:
        self.unit, self.now = unit, unit
        self.header_bodies, self.sharing, self.check, self.work = header_bodies, sharing, check, work
        self.revised, self.applied, self.texts = Revised(), list[Applied](), dict[str, Text]()

    def round(self, document: str, code: str) -> bool:
        """Applies the fixes that hold together in the current text; whether another round may find more."""
        found = self._together(self._preferred(document, code))
        attempt = self._revised(found)
        if found and not self._holds_elsewhere(attempt):
            found = self._growing(found, lambda some: self._holds_elsewhere(self._revised(some)))
            attempt = self._revised(found)
        if not found:
            return False
        self.revised = attempt
        self.texts.update(edited(self.now, _joined(found) or ()))
        self.applied += [applied for each in found for applied in each.fixed]
        if self.work.left_out:
            return False
        self.now = self.unit.with_texts(self.texts)
        self.now.engine.checkpoint = self.unit.engine.checkpoint
        return True

    def _preferred(self, document: str, code: str) -> list[_Found]:
        """Computes the preferred fixes, each with all diagnostics that it fixes.

        It spends at most half of the budget; the other half is reserved for checking the combinations.
        """
        half = FixWork(self.work.left // 2, self.work.elsewhere)
        found: dict[tuple[TextEdit, ...], list[Applied]] = {}
        unshared = _Unshared(self.unit, self.sharing)
        for diagnostic in diagnostics(self.now, header_bodies=self.header_bodies):
            if diagnostic.location.document != document or (code and diagnostic.code != code):
                continue
            self.check()
            for fix in fixes(
                self.now,
                diagnostic,
                header_bodies=self.header_bodies,
                sharing=unshared,
                preferred_only=True,
                work=half,
            ):
                if fix.edits:
                    found.setdefault(fix.edits, []).append(Applied(diagnostic, fix.title))
        self.work.left, self.work.left_out = self.work.left - (self.work.left // 2 - half.left), half.left_out
        return [_Found(edits, tuple(fixed)) for edits, fixed in found.items()]

    def _together(self, found: list[_Found]) -> list[_Found]:
        """Selects the fixes, in order, that hold together."""
        # The common case is a single check of all fixes that do not overlap. Only if it fails are the fixes
        # added one by one, which takes a check for each.
        apart: list[_Found] = []
        for each in found:
            if _joined([*apart, each]) is not None:
                apart.append(each)
        return apart if self._holds(apart) else self._growing(apart, self._holds)

    def _growing(self, found: list[_Found], holds: Callable[[list[_Found]], bool]) -> list[_Found]:
        """Selects the fixes greedily: each one that holds together with those selected before it."""
        kept: list[_Found] = []
        for each in found:
            self.check()
            if holds([*kept, each]):
                kept.append(each)
        return kept

    def _holds(self, found: list[_Found]) -> bool:
        edits = _joined(found)
        if not edits:
            return False
        trials = Trials.of(self.now, self.header_bodies)
        mended = frozenset(mark for each in found for mark in each.marks)
        try:
            return trials.hold(edits, mended, self.work)
        except NoWorkLeft:
            return False

    def _revised(self, found: list[_Found]) -> Revised:
        sizes = {each.document.name: len(each.document.text.data) for each in self.now.preprocessed.units()}
        attempt = self.revised.copy()
        attempt.apply(_joined(found) or (), sizes)
        return attempt

    def _holds_elsewhere(self, attempt: Revised) -> bool:
        edits = attempt.edits()
        shared = self.sharing.units(self.unit, {edit.location.document for edit in edits}, self.work)
        try:
            return not shared.missed and all(
                Trials.of(other, self.header_bodies).hold(edits, frozenset(), self.work.elsewhere)
                for other in shared.units
            )
        except NoWorkLeft:
            return False


def _joined(found: Iterable[_Found]) -> tuple[TextEdit, ...] | None:
    """Merges the edits of the fixes without duplicates, sorted by place; None if two of them conflict."""
    edits = dict.fromkeys(edit for each in found for edit in each.edits)
    ordered = sorted(edits, key=lambda edit: (edit.location.document, edit.location.start, edit.location.end))
    for before, after in pairwise(ordered):
        one, other = before.location, after.location
        if one.document == other.document and (other.start < one.end or one.start == other.start):
            return None
    return tuple(ordered)
