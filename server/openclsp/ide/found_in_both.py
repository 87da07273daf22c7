"""What two language versions have in common, for a program whose version is not known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from openclsp.ide.answers import Diagnostic
from openclsp.rules.finding import Severity

_RANK = {severity: rank for rank, severity in enumerate(Severity)}
"""The lower, the worse"""


def found_in_both(found: Sequence[Diagnostic], others: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """The diagnostics of one version that another has as well, as severe as in the milder of the two.

    Two are the same where they have the same code and their places touch. An error is also the same as any other
    error there: a program that is refused for another reason is refused.
    """
    by_document: dict[str, list[Diagnostic]] = defaultdict(list)
    for each in others:
        by_document[each.location.document].append(each)
    kept = []
    for each in found:
        severities = [
            other.severity for other in by_document[each.location.document] if _is_same(each, other)
        ]
        if severities:
            worst = min(severities, key=_RANK.__getitem__)
            milder = max(each.severity, worst, key=_RANK.__getitem__)
            kept.append(each if milder is each.severity else replace(each, severity=milder))
    return kept


def _is_same(one: Diagnostic, other: Diagnostic) -> bool:
    a, b = one.location, other.location
    if one.code != other.code and not (one.severity is other.severity is Severity.ERROR):
        return False
    said_once = one.severity is Severity.HINT and one.message == other.message
    return said_once or (a.start <= b.end and b.start <= a.end)
