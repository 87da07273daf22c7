"""Intersection of the diagnostics of two language versions, for programs whose version is unknown."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

from openclsp.ide.feature_results import Diagnostic
from openclsp.rules.finding import Severity

_RANK = {severity: rank for rank, severity in enumerate(Severity)}
"""Severities by rank; a lower rank is more severe"""


def intersect_diagnostics(found: Sequence[Diagnostic], others: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """Selects the diagnostics of one version that another version also has, with the milder severity.

    Two diagnostics are equal if they have the same code and their ranges touch. Two errors are also equal if
    their codes differ but their ranges touch, because both versions reject the program. A hint also equals a
    hint with the same message anywhere in the document.

    Equal diagnostics are found by binary search. Comparing all pairs took half of the time of checking pocl's
    `convert_type.cl`, which has 2,500 hints.
    """
    by_document: dict[str, list[Diagnostic]] = defaultdict(list)
    for each in others:
        by_document[each.location.document].append(each)
    indexed = {document: _DiagnosticIndex(each) for document, each in by_document.items()}
    kept = []
    for each in found:
        index = indexed.get(each.location.document)
        worst = None if index is None else index.worst_equal_severity(each)
        if worst is not None:
            milder = max(each.severity, worst, key=_RANK.__getitem__)
            kept.append(each if milder is each.severity else replace(each, severity=milder))
    return kept


def one_hint_per_message(found: Iterable[Diagnostic]) -> Sequence[Diagnostic]:
    """Leaves out each hint that has the code and message of an earlier hint in the same document.

    Hints with the same message are equal (`intersect_diagnostics`). If the other version has the first of
    them, the items of the later ones need not be checked in that version. In pocl's `convert_type.cl`, a
    macro of the host gives 5,000 functions the same hint; checking them all in a second version took a fifth
    of the time.
    """
    first: dict[tuple[str, str, str], Diagnostic] = {}
    return [
        each
        for each in found
        if each.severity is not Severity.HINT or first.setdefault(_message_key(each), each) is each
    ]


def has_hints_of(others: Iterable[Diagnostic], found: Iterable[Diagnostic]) -> bool:
    """Whether `others` has a diagnostic with the code and message of each hint in `found`."""
    said = {_message_key(each) for each in others}
    return all(_message_key(each) in said for each in found if each.severity is Severity.HINT)


def _message_key(diagnostic: Diagnostic) -> tuple[str, str, str]:
    return diagnostic.location.document, diagnostic.code, diagnostic.message


class _DiagnosticIndex:
    """The diagnostics of one document in one version, indexed by range."""

    def __init__(self, found: Iterable[Diagnostic]) -> None:
        by_code: dict[tuple[str, Severity], list[Diagnostic]] = defaultdict(list)
        errors: list[Diagnostic] = []
        self._said: set[tuple[str, str, Severity]] = set()
        for each in found:
            by_code[each.code, each.severity].append(each)
            self._said.add((each.code, each.message, each.severity))
            if each.severity is Severity.ERROR:
                errors.append(each)
        self._by_code = {key: _RangeIndex(those) for key, those in by_code.items()}
        self._errors = _RangeIndex(errors)

    def worst_equal_severity(self, one: Diagnostic) -> Severity | None:
        """Returns the worst severity among the diagnostics of this version that equal `one`.

        `one` is a diagnostic of the other version. None if no diagnostic equals it.
        """
        if one.severity is Severity.ERROR and self._errors.touches(one):
            return Severity.ERROR
        for severity in Severity:
            places = self._by_code.get((one.code, severity))
            if places is not None and places.touches(one):
                return severity
            if one.severity is Severity.HINT and (one.code, one.message, severity) in self._said:
                return severity
        return None


class _RangeIndex:
    """The ranges of diagnostics in one document, sorted by start."""

    def __init__(self, found: Iterable[Diagnostic]) -> None:
        places = sorted((each.location.start, each.location.end) for each in found)
        self._starts = [start for start, _ in places]
        self._largest_ends = list(accumulate((end for _, end in places), max))
        """The largest end among each range and those before it.

        Ranges may nest, so the last start is not enough.
        """

    def touches(self, one: Diagnostic) -> bool:
        """Whether the range of a diagnostic touches one of these ranges."""
        last = bisect_right(self._starts, one.location.end) - 1
        return last >= 0 and self._largest_ends[last] >= one.location.start
