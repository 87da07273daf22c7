"""The errors and warnings of a unit's current state, and marks that identify them across edits."""

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
"""(code, document, start in bytes): identifies a diagnostic across an edit."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An error or a warning with its location."""

    code: str
    location: Location
    message: str
    mismatches: frozenset[str]


@dataclass(frozen=True, slots=True)
class FaultState:
    """The findings of one revision of a unit, with the faults of each item."""

    revision: int
    header_bodies: bool
    findings: Findings
    faults: Mapping[ItemKey, tuple[Fault, ...]]
    problems: frozenset[tuple[str, str]]

    def changed(self, after: Findings) -> list[ItemKey]:
        """The items whose findings differ from this state, or that are new."""
        # Identity first: unchanged items keep the same tuple, so that comparing thousands of items is cheap.
        before = self.findings
        return [
            key for key, found in after.items() if before.get(key) is not found and before.get(key) != found
        ]

    def known(self, after: Findings) -> list[ItemKey]:
        """The items of this state whose findings changed or that were removed.

        A new item may replace a removed one and have the same faults.
        """
        before = self.findings
        return [
            key for key, found in before.items() if after.get(key) is not found and after.get(key) != found
        ]

    def is_copied(self, finding: Finding, mark: Mark, edits: tuple[TextEdit, ...]) -> bool:
        """Whether this is a warning in a copied function that the original has as well."""
        if finding.severity is not Severity.WARNING:
            return False
        code, document, start = mark
        copy, at = origin_of(edits, document, start)
        return copy is not None and (code, document, at) in self.marks(self.faults, ())

    def marks(self, keys: Iterable[ItemKey], edits: tuple[TextEdit, ...]) -> dict[Mark, set[str]]:
        """The marks that these items' faults have after the edits, with the messages at each mark."""
        found: dict[Mark, set[str]] = {}
        for key in keys:
            for each in self.faults.get(key, ()):
                mark = each.code, each.location.document, moved(each.location, edits)
                found.setdefault(mark, set()).add(each.message)
        return found

    def mismatches(
        self, keys: Iterable[ItemKey], edits: tuple[TextEdit, ...]
    ) -> dict[tuple[str, int], list[frozenset[str]]]:
        """The mismatches of these items' conversions, by document and start after the edits.

        A cast inserted before a value becomes the start of the conversion, so both possible starts are
        entered.
        """
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
    """Returns the state of the unit's current revision.

    It is cached because many diagnostics of one text have fixes.
    """
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
    """Returns a snapshot of the findings of each item, which later updates do not modify."""
    return dict(standing(unit, header_bodies=header_bodies))


def current_problems(unit: TranslationUnit) -> frozenset[tuple[str, str]]:
    """The codes and messages of the preprocessor's current problems."""
    return frozenset((each.code, each.message) for each in unit.preprocessed.all_problems)


def lessens(now: frozenset[str], before: Iterable[frozenset[str]]) -> bool:
    """Whether an edit removed some mismatches of a conversion, so that the next one is reported instead."""
    return bool(now) and any(now < each for each in before)


def marked(places: Places, key: ItemKey, found: tuple[Finding, ...]) -> Iterable[tuple[Mark, Finding]]:
    """Yields the faults of an item, each with its mark."""
    for finding in found:
        if finding.severity in FAULTS:
            location = places.location(key, finding.place)
            yield (finding.code, location.document, location.start), finding


def mark_of(diagnostic: Diagnostic, edits: tuple[TextEdit, ...]) -> Mark:
    """The mark that a diagnostic has after the edits."""
    return diagnostic.code, diagnostic.location.document, moved(diagnostic.location, edits)


def moved(location: Location, edits: Iterable[TextEdit], *, behind_insertions: bool = True) -> int:
    """Maps the start of a location to the text after the edits.

    Text inserted exactly at the start is placed before it with `behind_insertions`, otherwise after it.
    """
    shift = 0
    for edit in edits:
        where = edit.location
        if where.document != location.document or where.end > location.start:
            continue
        if behind_insertions or where.end < location.start:
            shift += len(edit.text.encode("utf-8", "surrogateescape")) - (where.end - where.start)
    return location.start + shift
