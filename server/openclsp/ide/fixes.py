"""Fixes that were tried: a fix is offered only if the unit analysed with it has lost the fault and gained none.

Only the items whose findings are other ones with the fix are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.ide.answers import CheckedFix, Diagnostic, Location, TextEdit
from openclsp.ide.copied_text import origin_of
from openclsp.ide.copying import copy_draft, split_draft
from openclsp.ide.diagnostics import all_diagnostics
from openclsp.ide.draft import Draft
from openclsp.ide.drafts import written
from openclsp.ide.following import Lead, grown, lead
from openclsp.ide.ignoring import UnusedIgnore
from openclsp.ide.places import Places
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import CallCopy, Finding, Fix, SetDialect, Severity, SplitFunction
from openclsp.rules.standing import standing
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.text import Text

MAXIMUM_ROUNDS = 12
"""How often a fix may grow by what follows from it."""

_FAULTS = (Severity.ERROR, Severity.WARNING)
_Findings = Mapping[ItemKey, tuple[Finding, ...]]
_Mark = tuple[str, str, int]
"""(code, document, start): what tells one diagnostic from another across an edit."""


def fixes(
    unit: TranslationUnit,
    diagnostic: Diagnostic,
    *,
    header_bodies: bool = False,
    others: Iterable[TranslationUnit] = (),
    preferred_only: bool = False,
) -> tuple[CheckedFix, ...]:
    """The fixes of one of the unit's diagnostics that hold, in the order of the rule's preference, at most one preferred.

    `header_bodies` as it was for the diagnostics. `others` are units that may have documents with this one in common:
    a fix of such a document makes no fault in them either. With `preferred_only` only the one that is preferred.
    """
    identity = diagnostic.identity
    if isinstance(identity, UnusedIgnore):
        # a comment is no part of the analysis: there is nothing to be tried
        return tuple(fix for fix in identity.fixes if fix.preferred or not preferred_only)
    if not (isinstance(identity, tuple) and len(identity) == 2 and isinstance(identity[1], Finding)):
        return ()
    key, finding = identity
    if not finding.fixes or key not in unit.by_key:
        return ()
    trial = _Trial(unit, diagnostic, key, header_bodies)
    checked: dict[tuple[object, ...], tuple[CheckedFix, bool]] = {}
    for fix in finding.fixes:
        if preferred_only and (not fix.preferred or any(found.preferred for found, _ in checked.values())):
            continue
        tried = trial.checked(fix)
        if tried is None or (tried[0].edits, tried[0].dialect) in checked:
            continue
        found, clean = tried
        if all(holds_in(other, found.edits, header_bodies=header_bodies) for other in others):
            rival = found.preferred and any(each.preferred for each, _ in checked.values())
            kept = replace(found, preferred=False) if rival else found
            checked[found.edits, found.dialect] = kept, clean
    # what leaves another fault, in other words, gives way to what leaves none
    mending = any(clean and each.edits for each, clean in checked.values())
    return tuple(
        each
        for each, clean in checked.values()
        if (clean or not mending) and (each.preferred or not preferred_only)
    )


def holds_in(
    unit: TranslationUnit,
    edits: tuple[TextEdit, ...],
    *,
    header_bodies: bool,
    mended: frozenset[_Mark] = frozenset(),
) -> bool:
    """Whether the edits make no fault in the unit, and leave none of those that are `mended`: marks of the text before. A
    copy may be warned of as its original is."""
    texts = edited(unit, edits)
    if not texts:
        return not mended
    before = _state(unit, header_bodies)
    with unit.attempt(texts):
        after = _findings(unit, header_bodies)
        changed = before.changed(after)
        now = Places(unit)
        left = {
            mark
            for key in changed
            for mark, finding in _marked(now, key, after[key])
            if not before.is_copied(finding, mark, edits)
        }
        problems = _problems(unit)
    if not problems <= before.problems:
        return False
    known = before.marks(before.known(after), edits)
    gone = {
        (code, document, _moved(Location(document, start, start), edits)) for code, document, start in mended
    }
    return left <= known.keys() and not left & gone


@dataclass(frozen=True, slots=True)
class _State:
    """The findings of a unit as it is, with the places of its faults."""

    revision: int
    header_bodies: bool
    findings: _Findings
    faults: Mapping[ItemKey, tuple[tuple[str, Location, str], ...]]
    """By item, the code, the place and the message of each."""
    problems: frozenset[tuple[str, str]]

    def changed(self, after: _Findings) -> list[ItemKey]:
        """The items that say something else, or are new."""
        before = self.findings
        return [
            key for key, found in after.items() if before.get(key) is not found and before.get(key) != found
        ]

    def known(self, after: _Findings) -> list[ItemKey]:
        """The items of before that say something else, or are gone: what these said may be said by those that came in
        their place."""
        before = self.findings
        return [
            key for key, found in before.items() if after.get(key) is not found and after.get(key) != found
        ]

    def is_copied(self, finding: Finding, mark: _Mark, edits: tuple[TextEdit, ...]) -> bool:
        """Whether this is a warning in a copy that its original has as well."""
        if finding.severity is not Severity.WARNING:
            return False
        code, document, start = mark
        copy, at = origin_of(edits, document, start)
        return copy is not None and (code, document, at) in self.marks(self.faults, ())

    def marks(self, keys: Iterable[ItemKey], edits: tuple[TextEdit, ...]) -> dict[_Mark, set[str]]:
        """The marks of these items' faults as they are after the edits, with what is said there."""
        found: dict[_Mark, set[str]] = {}
        for key in keys:
            for code, location, message in self.faults.get(key, ()):
                found.setdefault((code, location.document, _moved(location, edits)), set()).add(message)
        return found


_STATE = "state for fixes"


def _state(unit: TranslationUnit, header_bodies: bool) -> _State:
    """The state of the unit's last revision, kept: many diagnostics of one text have fixes."""
    kept: _State | None = unit.kept.get(_STATE)
    if kept is not None and (kept.revision, kept.header_bodies) == (unit.revision, header_bodies):
        return kept
    places = Places(unit)
    found = _findings(unit, header_bodies)
    faults = {
        key: tuple(
            (each.code, places.location(key, each.place), each.message)
            for each in said
            if each.severity in _FAULTS
        )
        for key, said in found.items()
        if said
    }
    kept = unit.kept[_STATE] = _State(unit.revision, header_bodies, found, faults, _problems(unit))
    return kept


def _findings(unit: TranslationUnit, header_bodies: bool) -> _Findings:
    return dict(standing(unit, header_bodies=header_bodies))


def _problems(unit: TranslationUnit) -> frozenset[tuple[str, str]]:
    return frozenset((each.code, each.message) for each in unit.preprocessed.all_problems)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What comes of a fix's edits: what the faults that they make lead to, and whether each fault that is left is said in
    the words in which it was."""

    leads: tuple[Lead, ...]
    clean: bool


class _Trial:
    """The fixes of one diagnostic, tried one after the other on the unit as it is."""

    def __init__(
        self, unit: TranslationUnit, diagnostic: Diagnostic, key: ItemKey, header_bodies: bool
    ) -> None:
        self.unit, self.diagnostic, self.key, self.header_bodies = unit, diagnostic, key, header_bodies
        self.places = Places(unit)
        self.tried: dict[tuple[TextEdit, ...], _Outcome | None] = {}
        self.met_call = False
        """Whether the fix that is tried makes a call wrong, which could mean a copy of its function instead."""

    def checked(self, fix: Fix) -> tuple[CheckedFix, bool] | None:
        """The fix with its edits, if it holds; and whether nothing that it leaves is said in other words."""
        for change in fix.changes:
            if isinstance(change, SetDialect):
                return self._as_dialect(fix, change.name)
        draft = self._first_draft(fix)
        self.met_call = False
        found = self._grown(fix, draft, copying=False)
        return self._grown(fix, draft, copying=True) if found is None and self.met_call else found

    def _as_dialect(self, fix: Fix, name: str) -> tuple[CheckedFix, bool] | None:
        dialect = _newer(self.unit.dialect, name)
        if dialect is None:
            return None
        other = self.unit.as_dialect(dialect)
        before, _ = _all_marks(self.unit, self.header_bodies)
        _, after = _all_marks(other, self.header_bodies)
        if _mark(self.diagnostic, ()) in after or not after <= before:
            return None
        return CheckedFix(fix.title, fix.preferred, dialect=name), True

    def _first_draft(self, fix: Fix) -> Draft | None:
        for change in fix.changes:
            if isinstance(change, CallCopy):
                return copy_draft(self.places, self.key, change)
            if isinstance(change, SplitFunction):
                return split_draft(self.places, self.key, change)
        return Draft(fix.title, tuple((self.key, change) for change in fix.changes))

    def _grown(self, fix: Fix, draft: Draft | None, *, copying: bool) -> tuple[CheckedFix, bool] | None:
        """The fix as it is when nothing more has to follow it, if that comes to be."""
        first = draft
        for _ in range(MAXIMUM_ROUNDS):
            text = written(self.places, draft) if draft is not None else None
            if draft is None or text is None:
                return None
            if text.edits not in self.tried:
                self.tried[text.edits] = self._attempt(text.edits)
            outcome = self.tried[text.edits]
            if outcome is None:
                return None
            if not outcome.leads:
                title = draft.title if draft is first else f"{draft.title}, and what follows"
                return CheckedFix(title, fix.preferred and outcome.clean, text.edits), outcome.clean
            draft = grown(self.places, draft, text, outcome.leads, copying=copying)
        return None

    def _attempt(self, edits: tuple[TextEdit, ...]) -> _Outcome | None:
        """What comes of the edits; None where they do not mend the fault, or make one that leads nowhere. A copy may be
        warned of as its original is."""
        texts = edited(self.unit, edits)
        if {edit.location.document for edit in edits} != texts.keys():
            return None
        before = _state(self.unit, self.header_bodies)
        own = _mark(self.diagnostic, edits)
        with self.unit.attempt(texts):
            after = _findings(self.unit, self.header_bodies)
            known = before.known(after)
            if self.key not in known or not _problems(self.unit) <= before.problems:
                return None
            old = before.marks(known, edits)
            now = Places(self.unit)
            leads: list[Lead] = []
            clean = True
            for key in before.changed(after):
                for mark, finding in _marked(now, key, after[key]):
                    if mark in old and mark != own:
                        clean = clean and finding.message in old[mark]
                        continue
                    if before.is_copied(finding, mark, edits):
                        continue
                    found = None if mark == own else lead(now, key, finding)
                    if found is None:
                        return None
                    self.met_call = self.met_call or found.call is not None
                    leads.append(found)
        return _Outcome(tuple(leads), clean)


def _newer(dialect: Dialect, name: str) -> Dialect | None:
    """The dialect of that name, without what is switched off in this one; None where it is not a later version."""
    newer = Dialect.of(name)
    if newer.version <= dialect.version:
        return None
    switched_off = Dialect.of(dialect.standard).extensions - dialect.extensions
    return replace(newer, extensions=newer.extensions - switched_off)


_MARKS = "marks for fixes"
"""Under which are the marks of a unit's last revision that was asked for: many diagnostics of one text have fixes of this kind."""


def _all_marks(unit: TranslationUnit, header_bodies: bool) -> tuple[frozenset[_Mark], frozenset[_Mark]]:
    """The marks of all diagnostics of a unit, and of its faults alone."""
    kept: tuple[int, bool, frozenset[_Mark], frozenset[_Mark]] | None = unit.kept.get(_MARKS)
    if kept is None or kept[:2] != (unit.revision, header_bodies):
        every = all_diagnostics(unit, header_bodies=header_bodies)
        marks = frozenset(_mark(each, ()) for each in every)
        faults = frozenset(_mark(each, ()) for each in every if each.severity in _FAULTS)
        kept = unit.kept[_MARKS] = unit.revision, header_bodies, marks, faults
    return kept[2], kept[3]


def _marked(places: Places, key: ItemKey, found: tuple[Finding, ...]) -> Iterable[tuple[_Mark, Finding]]:
    """The faults of an item, each with its mark."""
    for finding in found:
        if finding.severity in _FAULTS:
            location = places.location(key, finding.place)
            yield (finding.code, location.document, location.start), finding


def _mark(diagnostic: Diagnostic, edits: tuple[TextEdit, ...]) -> _Mark:
    return diagnostic.code, diagnostic.location.document, _moved(diagnostic.location, edits)


def _moved(location: Location, edits: Iterable[TextEdit]) -> int:
    """Where the start of a location is after the edits."""
    shift = 0
    for edit in edits:
        if edit.location.document == location.document and edit.location.end <= location.start:
            shift += len(edit.text.encode("utf-8", "surrogateescape")) - (
                edit.location.end - edit.location.start
            )
    return location.start + shift


def edited(unit: TranslationUnit, edits: Iterable[TextEdit]) -> dict[str, Text]:
    """The documents of the unit that the edits change, as they are after them."""
    documents = {each.document.name: each.document for each in unit.preprocessed.units()}
    texts: dict[str, Text] = {}
    for edit in reversed(tuple(edits)):
        name = edit.location.document
        if name in documents:
            text = texts.get(name, documents[name].text)
            data = edit.text.encode("utf-8", "surrogateescape")
            texts[name] = text.replace(edit.location.start, edit.location.end, data)
    return texts
