"""All fixes that are clearly right, made together, and checked together as each of them is alone.

Fixes are found for the text as it is and made in one batch. Where two of them meet, or do not hold together, the later
one waits for the next round, which finds it anew in the text that the first round made.
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
    """A fix that was made: of which diagnostic, as it was in its round, and its title."""

    diagnostic: Diagnostic
    title: str


@dataclass(frozen=True, slots=True)
class FixedAll:
    """All edits together, of the documents as they are, sorted by place; and what was made, round by round. `left_out` counts
    the diagnostics whose fixes would have cost too much."""

    edits: tuple[TextEdit, ...]
    applied: tuple[Applied, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class _Found:
    """Edits, and the diagnostics that they fix, each with the title of its fix."""

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
    """Make every preferred fix of the diagnostics in a document of the unit, those of one `code` or of all.

    The result has none of the faults that were fixed, and no new one, in the unit and in those `sharing` a document with it.
    `check` is called between the fixes, and may raise to give it all up.
    """
    run = _Run(unit, header_bodies, sharing, check, FixWork(0))
    diagnostics(unit, header_bodies=header_bodies)
    run.work = FixWork.of(unit)
    for _ in range(MAXIMUM_ROUNDS):
        if not run.round(document, code):
            break
    return FixedAll(run.revised.edits(), tuple(run.applied), run.work.left_out)


class _Unshared:
    """The rounds' view of the other files: what a round makes is checked in them as a whole, with the rounds before."""

    def __init__(self, unit: TranslationUnit, sharing: Sharing) -> None:
        self._unit, self._sharing = unit, sharing
        self._others: tuple[TranslationUnit, ...] = ()

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixWork | None) -> Shared:
        """None, with what could not be analysed."""
        found = self._sharing.units(self._unit, documents, work)
        self._others = found.units
        return Shared((), found.missed)

    def declaring(self, units: Collection[TranslationUnit], functions: Collection[str]) -> str:
        """Beside the units in which the last fix is going to be checked."""
        return self._sharing.declaring((*units, *self._others), functions)


class _Run:
    """The rounds of one document; `now` is the unit as the rounds have made it."""

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
        """Makes the fixes that hold together in the text as it is now; whether there were any."""
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
        """The preferred fixes, each with all diagnostics that it fixes. Half of the work is left for making them together."""
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
        """Those of the fixes, in their order, that hold together."""
        apart: list[_Found] = []
        for each in found:
            if _joined([*apart, each]) is not None:
                apart.append(each)
        return apart if self._holds(apart) else self._growing(apart, self._holds)

    def _growing(self, found: list[_Found], holds: Callable[[list[_Found]], bool]) -> list[_Found]:
        """Those of the fixes that hold with the ones before them."""
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
    """All edits, each once, sorted by place; None where two of them meet."""
    edits = dict.fromkeys(edit for each in found for edit in each.edits)
    ordered = sorted(edits, key=lambda edit: (edit.location.document, edit.location.start, edit.location.end))
    for before, after in pairwise(ordered):
        one, other = before.location, after.location
        if one.document == other.document and (other.start < one.end or one.start == other.start):
            return None
    return tuple(ordered)
