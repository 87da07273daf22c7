"""Fixes that were tried: a fix is offered only if the unit analysed with it has lost the fault and gained none.

Only the items whose findings are other ones with the fix are compared: for all others the engine gives the very same
object back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from weakref import WeakKeyDictionary

from openclsp.ide.answers import CheckedFix, Diagnostic, Location, TextEdit
from openclsp.ide.changes import edits_of
from openclsp.ide.diagnostics import all_diagnostics, is_looked_at
from openclsp.ide.ignoring import UnusedIgnore
from openclsp.ide.places import Places
from openclsp.language.dialect import Dialect
from openclsp.rules.checking import findings
from openclsp.rules.finding import Finding, Fix, SetDialect, Severity
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.text import Text

_FAULTS = (Severity.ERROR, Severity.WARNING)
_Findings = Mapping[ItemKey, tuple[Finding, ...]]
_Mark = tuple[str, str, int]
"""(code, document, start): what tells one diagnostic from another across an edit."""


def fixes(
    unit: TranslationUnit, diagnostic: Diagnostic, *, header_bodies: bool = False
) -> tuple[CheckedFix, ...]:
    """The fixes of one of the unit's diagnostics that hold, in the order of the rule's preference, at most one preferred.

    `header_bodies` as it was for the diagnostics.
    """
    identity = diagnostic.identity
    if isinstance(identity, UnusedIgnore):
        # a comment is no part of the analysis: there is nothing to be tried
        return identity.fixes
    if not (isinstance(identity, tuple) and len(identity) == 2 and isinstance(identity[1], Finding)):
        return ()
    key, finding = identity
    if not finding.fixes or key not in unit.by_key:
        return ()
    trial = _Trial(unit, diagnostic, key, header_bodies)
    checked: list[CheckedFix] = []
    for fix in finding.fixes:
        found = trial.checked(fix)
        if found is not None and all(
            (found.edits, found.dialect) != (each.edits, each.dialect) for each in checked
        ):
            rival = found.preferred and any(each.preferred for each in checked)
            checked.append(replace(found, preferred=False) if rival else found)
    return tuple(checked)


class _Trial:
    """The fixes of one diagnostic, tried one after the other on the unit as it is."""

    def __init__(
        self, unit: TranslationUnit, diagnostic: Diagnostic, key: ItemKey, header_bodies: bool
    ) -> None:
        self.unit, self.diagnostic, self.key, self.header_bodies = unit, diagnostic, key, header_bodies
        self.places = Places(unit)
        self.before = self._findings()

    def checked(self, fix: Fix) -> CheckedFix | None:
        """The fix with its edits, if it holds."""
        for change in fix.changes:
            if isinstance(change, SetDialect):
                return self._as_dialect(fix, change.name)
        return self._as_text(fix)

    def _findings(self) -> _Findings:
        return {
            item.key: findings(self.unit, item)
            for item in self.unit.items
            if is_looked_at(item, self.header_bodies)
        }

    def _as_dialect(self, fix: Fix, name: str) -> CheckedFix | None:
        dialect = _newer(self.unit.dialect, name)
        if dialect is None:
            return None
        other = self.unit.as_dialect(dialect)
        before, _ = _all_marks(self.unit, self.header_bodies)
        _, after = _all_marks(other, self.header_bodies)
        if _mark(self.diagnostic, ()) in after or not after <= before:
            return None
        return CheckedFix(fix.title, fix.preferred, dialect=name)

    def _as_text(self, fix: Fix) -> CheckedFix | None:
        edits = edits_of(self.places, self.key, fix)
        texts = _edited(self.unit, edits) if edits else None
        if edits is None or texts is None:
            return None
        problems = {(each.code, each.message) for each in self.unit.preprocessed.all_problems}
        with self.unit.attempt(texts):
            after = self._findings()
            changed = [key for key, found in after.items() if self.before.get(key) is not found]
            now = Places(self.unit)
            left = {mark for key in changed for mark in _marks(now, key, after[key], ())}
            after_problems = {(each.code, each.message) for each in self.unit.preprocessed.all_problems}
        if not after_problems <= problems or self.key not in changed:
            return None
        # an item that is gone was changed, too: what it said may be said by the one that came in its place
        known = [key for key in self.before if key in changed or key not in after]
        before = {mark for key in known for mark in _marks(self.places, key, self.before[key], edits)}
        if _mark(self.diagnostic, edits) in left or not left <= before:
            return None
        return CheckedFix(fix.title, fix.preferred, edits)


def _newer(dialect: Dialect, name: str) -> Dialect | None:
    """The dialect of that name, without what is switched off in this one; None where it is not a later version."""
    newer = Dialect.of(name)
    if newer.version <= dialect.version:
        return None
    switched_off = Dialect.of(dialect.standard).extensions - dialect.extensions
    return replace(newer, extensions=newer.extensions - switched_off)


_KEPT: WeakKeyDictionary[TranslationUnit, tuple[int, bool, frozenset[_Mark], frozenset[_Mark]]] = (
    WeakKeyDictionary()
)
"""The marks of a unit's last revision that was asked for: many diagnostics of one text have fixes of this kind."""


def _all_marks(unit: TranslationUnit, header_bodies: bool) -> tuple[frozenset[_Mark], frozenset[_Mark]]:
    """The marks of all diagnostics of a unit, and of its faults alone."""
    kept = _KEPT.get(unit)
    if kept is None or kept[:2] != (unit.revision, header_bodies):
        every = all_diagnostics(unit, header_bodies=header_bodies)
        marks = frozenset(_mark(each, ()) for each in every)
        faults = frozenset(_mark(each, ()) for each in every if each.severity in _FAULTS)
        kept = _KEPT[unit] = unit.revision, header_bodies, marks, faults
    return kept[2], kept[3]


def _marks(
    places: Places, key: ItemKey, found: tuple[Finding, ...], edits: tuple[TextEdit, ...]
) -> Iterable[_Mark]:
    for finding in found:
        if finding.severity in _FAULTS:
            location = places.location(key, finding.place)
            yield finding.code, location.document, _moved(location, edits)


def _mark(diagnostic: Diagnostic, edits: tuple[TextEdit, ...]) -> _Mark:
    return diagnostic.code, diagnostic.location.document, _moved(diagnostic.location, edits)


def _moved(location: Location, edits: Iterable[TextEdit]) -> int:
    """Where the start of a location is after the edits."""
    shift = 0
    for edit in edits:
        if edit.location.document == location.document and edit.location.end <= location.start:
            shift += len(edit.text.encode("utf-8")) - (edit.location.end - edit.location.start)
    return location.start + shift


def _edited(unit: TranslationUnit, edits: Iterable[TextEdit]) -> dict[str, Text] | None:
    documents: dict[str, Document] = {
        each.preprocessed.document.name: each.preprocessed.document for each in unit.fragments()
    }
    texts: dict[str, Text] = {}
    for edit in reversed(tuple(edits)):
        name = edit.location.document
        if name not in documents:
            return None
        text = texts.get(name, documents[name].text)
        texts[name] = text.replace(edit.location.start, edit.location.end, edit.text.encode("utf-8"))
    return texts
