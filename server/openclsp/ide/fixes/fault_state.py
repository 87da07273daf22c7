"""The errors and warnings of a unit's current state, and fault marks that identify them across edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Diagnostic, Location, TextEdit
from openclsp.ide.fixes.copy_edits import map_to_original
from openclsp.ide.location_map import LocationMap
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.runner.unit_findings import update_unit_findings
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache

FAULT_SEVERITIES = (Severity.ERROR, Severity.WARNING)
FindingsByItem = Mapping[ItemKey, tuple[Finding, ...]]
FaultMark = tuple[str, str, int]
"""(code, document, start in bytes): identifies a diagnostic across an edit."""


@dataclass(frozen=True, slots=True)
class PlacedFault:
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
    findings: FindingsByItem
    faults: Mapping[ItemKey, tuple[PlacedFault, ...]]
    problems: frozenset[tuple[str, str]]

    def changed_items(self, after: FindingsByItem) -> list[ItemKey]:
        """Returns the items in `after` that are new, or whose findings differ from those in this state."""
        # Identity first: unchanged items keep the same tuple, so that comparing thousands of items is cheap.
        before = self.findings
        return [
            key for key, found in after.items() if before.get(key) is not found and before.get(key) != found
        ]

    def outdated_items(self, after: FindingsByItem) -> list[ItemKey]:
        """Returns the items of this state that are missing in `after`, or whose findings differ there."""
        before = self.findings
        return [
            key for key, found in before.items() if after.get(key) is not found and after.get(key) != found
        ]

    def is_copied(self, finding: Finding, mark: FaultMark, edits: tuple[TextEdit, ...]) -> bool:
        """Whether a finding is a warning in a copied function, and the original has the same warning.

        `mark` is the finding's code, document and start in the text after the `edits`.
        """
        if finding.severity is not Severity.WARNING:
            return False
        code, document, start = mark
        copy, at = map_to_original(edits, document, start)
        return copy is not None and (code, document, at) in self.marks(self.faults, ())

    def marks(self, keys: Iterable[ItemKey], edits: tuple[TextEdit, ...]) -> dict[FaultMark, set[str]]:
        """Returns the messages of the faults of these items, by mark.

        The mark of a fault consists of its code, its document and its start in the text after the edits.
        """
        found: dict[FaultMark, set[str]] = {}
        for key in keys:
            for each in self.faults.get(key, ()):
                mark = each.code, each.location.document, start_after_edits(each.location, edits)
                found.setdefault(mark, set()).add(each.message)
        return found

    def mismatches(
        self, keys: Iterable[ItemKey], edits: tuple[TextEdit, ...]
    ) -> dict[tuple[str, int], list[frozenset[str]]]:
        """Returns the mismatches, such as SPACE, of the faulty pointer conversions in these items.

        Each conversion has one set of mismatches. A key of the result consists of a document and the byte at
        which a conversion starts after the edits. If the edits insert text, such as a cast, at this byte, the
        conversion is listed under two keys: the start and the end of the inserted text.
        """
        found: dict[tuple[str, int], list[frozenset[str]]] = {}
        for key in keys:
            for each in self.faults.get(key, ()):
                if each.mismatches:
                    for behind in (True, False):
                        start = start_after_edits(each.location, edits, behind_insertions=behind)
                        found.setdefault((each.location.document, start), []).append(each.mismatches)
        return found


_FAULT_STATE: UnitCache[FaultState] = UnitCache("state for fixes")


def get_fault_state(unit: TranslationUnit, header_bodies: bool) -> FaultState:
    """Returns the faults of the unit's current revision, with which the result of a fix is compared.

    The result is cached, because many diagnostics of one revision have fixes. Function bodies in headers are
    included only with `header_bodies`.
    """
    kept = unit.caches.get(_FAULT_STATE)
    if kept is not None and (kept.revision, kept.header_bodies) == (unit.revision, header_bodies):
        return kept
    places = LocationMap(unit)
    found = snapshot_findings(unit, header_bodies)
    faults = {
        key: tuple(
            PlacedFault(each.code, places.location(key, each.place), each.message, each.mismatches)
            for each in those
            if each.severity in FAULT_SEVERITIES
        )
        for key, those in found.items()
        if those
    }
    made = FaultState(unit.revision, header_bodies, found, faults, snapshot_problems(unit))
    return unit.caches.set(_FAULT_STATE, made)


def snapshot_findings(unit: TranslationUnit, header_bodies: bool) -> FindingsByItem:
    """Returns a snapshot of the findings of each item, which later updates do not modify.

    Function bodies in headers are included only with `header_bodies`.
    """
    return dict(update_unit_findings(unit, header_bodies=header_bodies))


def snapshot_problems(unit: TranslationUnit) -> frozenset[tuple[str, str]]:
    """Returns the codes and messages of the preprocessor's current problems."""
    return frozenset((each.code, each.message) for each in unit.preprocessed.all_problems)


def reduces_mismatches(now: frozenset[str], before: Iterable[frozenset[str]]) -> bool:
    """Whether an edit removed some mismatches of a conversion but not all.

    The rule then reports the next mismatch of the same conversion; this is not a new fault. `now` contains
    the mismatches after the edit. `before` contains the mismatches of each conversion that started at the
    same place before the edit.
    """
    return bool(now) and any(now < each for each in before)


def mark_faults(
    places: LocationMap, key: ItemKey, found: tuple[Finding, ...]
) -> Iterable[tuple[FaultMark, Finding]]:
    """Yields the faults among an item's findings, each with its mark: its code, document and start."""
    for finding in found:
        if finding.severity in FAULT_SEVERITIES:
            location = places.location(key, finding.place)
            yield (finding.code, location.document, location.start), finding


def mark_after_edits(diagnostic: Diagnostic, edits: tuple[TextEdit, ...]) -> FaultMark:
    """Returns the mark of a diagnostic after the edits: its code, its document and its new start."""
    return diagnostic.code, diagnostic.location.document, start_after_edits(diagnostic.location, edits)


def start_after_edits(
    location: Location, edits: Iterable[TextEdit], *, behind_insertions: bool = True
) -> int:
    """Maps the start of a location to the text after the edits.

    With `behind_insertions`, text inserted exactly at the start is before the returned offset; otherwise, it
    is after the offset.
    """
    shift = 0
    for edit in edits:
        where = edit.location
        if where.document != location.document or where.end > location.start:
            continue
        if behind_insertions or where.end < location.start:
            shift += len(edit.text.encode("utf-8", "surrogateescape")) - (where.end - where.start)
    return location.start + shift
