"""The faults of a unit as it is, and what tells one of them from another across an edit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Diagnostic, Location, TextEdit
from openclsp.ide.copied_text import origin_of
from openclsp.ide.places import Places
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.standing import standing
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit

FAULTS = (Severity.ERROR, Severity.WARNING)
Findings = Mapping[ItemKey, tuple[Finding, ...]]
Mark = tuple[str, str, int]
"""(code, document, start): what tells one diagnostic from another across an edit."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An error or a warning at its place."""

    code: str
    location: Location
    message: str
    mismatches: frozenset[str]


@dataclass(frozen=True, slots=True)
class FaultState:
    """The findings of a unit as it is, with the places of its faults by item."""

    revision: int
    header_bodies: bool
    findings: Findings
    faults: Mapping[ItemKey, tuple[Fault, ...]]
    problems: frozenset[tuple[str, str]]

    def changed(self, after: Findings) -> list[ItemKey]:
        """The items that have other findings than before, or are new."""
        before = self.findings
        return [
            key for key, found in after.items() if before.get(key) is not found and before.get(key) != found
        ]

    def known(self, after: Findings) -> list[ItemKey]:
        """The items that had other findings, or are gone: items that came in their place may have the same."""
        before = self.findings
        return [
            key for key, found in before.items() if after.get(key) is not found and after.get(key) != found
        ]

    def is_copied(self, finding: Finding, mark: Mark, edits: tuple[TextEdit, ...]) -> bool:
        """Whether this is a warning in a copy that its original has as well."""
        if finding.severity is not Severity.WARNING:
            return False
        code, document, start = mark
        copy, at = origin_of(edits, document, start)
        return copy is not None and (code, document, at) in self.marks(self.faults, ())

    def marks(self, keys: Iterable[ItemKey], edits: tuple[TextEdit, ...]) -> dict[Mark, set[str]]:
        """The marks of these items' faults as they are after the edits, with their messages."""
        found: dict[Mark, set[str]] = {}
        for key in keys:
            for each in self.faults.get(key, ()):
                mark = each.code, each.location.document, moved(each.location, edits)
                found.setdefault(mark, set()).add(each.message)
        return found

    def mismatches(
        self, keys: Iterable[ItemKey], edits: tuple[TextEdit, ...]
    ) -> dict[tuple[str, int], list[frozenset[str]]]:
        """The mismatches of these items' conversions by their places after the edits. A cast that was written before a value
        is where the conversion stands now."""
        found: dict[tuple[str, int], list[frozenset[str]]] = {}
        for key in keys:
            for each in self.faults.get(key, ()):
                if each.mismatches:
                    for behind in (True, False):
                        start = moved(each.location, edits, behind_insertions=behind)
                        found.setdefault((each.location.document, start), []).append(each.mismatches)
        return found


_STATE = "state for fixes"


def fault_state(unit: TranslationUnit, header_bodies: bool) -> FaultState:
    """The state of the unit's last revision, kept: many diagnostics of one text have fixes."""
    kept: FaultState | None = unit.kept.get(_STATE)
    if kept is not None and (kept.revision, kept.header_bodies) == (unit.revision, header_bodies):
        return kept
    places = Places(unit)
    found = current_findings(unit, header_bodies)
    faults = {
        key: tuple(
            Fault(each.code, places.location(key, each.place), each.message, each.mismatches)
            for each in those
            if each.severity in FAULTS
        )
        for key, those in found.items()
        if those
    }
    kept = FaultState(unit.revision, header_bodies, found, faults, current_problems(unit))
    unit.kept[_STATE] = kept
    return kept


def current_findings(unit: TranslationUnit, header_bodies: bool) -> Findings:
    """The findings of each item, which stay as they are when the unit changes."""
    return dict(standing(unit, header_bodies=header_bodies))


def current_problems(unit: TranslationUnit) -> frozenset[tuple[str, str]]:
    """The codes and messages of the preprocessor."""
    return frozenset((each.code, each.message) for each in unit.preprocessed.all_problems)


def lessens(now: frozenset[str], before: Iterable[frozenset[str]]) -> bool:
    """Whether a conversion lost some of its mismatches, so that the compiler reports the next of them."""
    return bool(now) and any(now < each for each in before)


def marked(places: Places, key: ItemKey, found: tuple[Finding, ...]) -> Iterable[tuple[Mark, Finding]]:
    """The faults of an item, each with its mark."""
    for finding in found:
        if finding.severity in FAULTS:
            location = places.location(key, finding.place)
            yield (finding.code, location.document, location.start), finding


def mark_of(diagnostic: Diagnostic, edits: tuple[TextEdit, ...]) -> Mark:
    """The mark of a diagnostic after the edits."""
    return diagnostic.code, diagnostic.location.document, moved(diagnostic.location, edits)


def moved(location: Location, edits: Iterable[TextEdit], *, behind_insertions: bool = True) -> int:
    """Where the start of a location is after the edits; what is inserted right there comes before it, or behind."""
    shift = 0
    for edit in edits:
        where = edit.location
        if where.document != location.document or where.end > location.start:
            continue
        if behind_insertions or where.end < location.start:
            shift += len(edit.text.encode("utf-8", "surrogateescape")) - (where.end - where.start)
    return location.start + shift
