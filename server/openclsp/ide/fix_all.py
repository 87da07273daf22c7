"""All fixes that are clearly right, made together, and checked together as each of them is alone.

Fixes are found for the text as it is and made in one batch. Where two of them meet, or do not hold together, the later
one waits for the next round, which finds it anew in the text that the first round made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Diagnostic, TextEdit
from openclsp.ide.diagnostics import diagnostics
from openclsp.ide.fixes import edited, fixes, holds_in
from openclsp.ide.revised import Revised
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.text import Text

MAXIMUM_ROUNDS = 12
MAXIMUM_TRIED = 500
"""Diagnostics of a round that fixes are looked for: each costs an analysis or more."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A fix that was made: of which diagnostic, as it was in its round, and its title."""

    diagnostic: Diagnostic
    title: str


@dataclass(frozen=True, slots=True)
class FixedAll:
    """All edits together, of the documents as they are, sorted by place; and what was made, round by round."""

    edits: tuple[TextEdit, ...]
    applied: tuple[Applied, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    diagnostic: Diagnostic
    title: str
    edits: tuple[TextEdit, ...]

    @property
    def mark(self) -> tuple[str, str, int]:
        return self.diagnostic.code, self.diagnostic.location.document, self.diagnostic.location.start


def fix_all(
    unit: TranslationUnit,
    *,
    document: str,
    code: str = "",
    header_bodies: bool = False,
    others: Sequence[TranslationUnit] = (),
    check: Callable[[], None] = lambda: None,
) -> FixedAll:
    """Make every preferred fix of the diagnostics in a document of the unit, those of one `code` or of all.

    The result has none of the faults that were fixed, and no new one, in the unit and in the `others`. `check` is called
    between the fixes, and may raise to give it all up.
    """
    revised, applied, texts = Revised(), list[Applied](), dict[str, Text]()
    now = unit
    for _ in range(MAXIMUM_ROUNDS):
        found = _together(now, _preferred(now, document, code, header_bodies, check), header_bodies, check)
        if not found:
            break
        edits = _joined(found) or ()
        before = {each.document.name: each.document.text for each in now.preprocessed.units()}
        attempt = revised.copy()
        attempt.apply(edits, {name: len(text.data) for name, text in before.items()})
        if not all(holds_in(other, attempt.edits(), header_bodies=header_bodies) for other in others):
            break
        revised = attempt
        texts.update(edited(now, edits))
        applied += [Applied(each.diagnostic, each.title) for each in found]
        now = unit.with_texts(texts)
        now.engine.checkpoint = unit.engine.checkpoint
    return FixedAll(revised.edits(), tuple(applied))


def _preferred(
    unit: TranslationUnit, document: str, code: str, header_bodies: bool, check: Callable[[], None]
) -> list[_Found]:
    """The preferred fix of each diagnostic that has one."""
    found: list[_Found] = []
    wanted = [
        each
        for each in diagnostics(unit, header_bodies=header_bodies)
        if each.location.document == document and (not code or each.code == code)
    ]
    for diagnostic in wanted[:MAXIMUM_TRIED]:
        check()
        for fix in fixes(unit, diagnostic, header_bodies=header_bodies, preferred_only=True):
            if fix.edits:
                found.append(_Found(diagnostic, fix.title, fix.edits))
    return found


def _together(
    unit: TranslationUnit, found: list[_Found], header_bodies: bool, check: Callable[[], None]
) -> list[_Found]:
    """Those of the fixes, in their order, that hold together."""
    apart: list[_Found] = []
    for each in found:
        if _joined([*apart, each]) is not None:
            apart.append(each)
    if _hold(unit, apart, header_bodies):
        return apart
    kept: list[_Found] = []
    for each in apart:
        check()
        if _hold(unit, [*kept, each], header_bodies):
            kept.append(each)
    return kept


def _hold(unit: TranslationUnit, found: list[_Found], header_bodies: bool) -> bool:
    edits = _joined(found)
    mended = frozenset(each.mark for each in found)
    return bool(edits) and holds_in(unit, edits or (), header_bodies=header_bodies, mended=mended)


def _joined(found: Iterable[_Found]) -> tuple[TextEdit, ...] | None:
    """All edits, each once, sorted by place; None where two of them meet."""
    edits = dict.fromkeys(edit for each in found for edit in each.edits)
    ordered = sorted(edits, key=lambda edit: (edit.location.document, edit.location.start, edit.location.end))
    for before, after in pairwise(ordered):
        one, other = before.location, after.location
        if one.document == other.document and (other.start < one.end or one.start == other.start):
            return None
    return tuple(ordered)
