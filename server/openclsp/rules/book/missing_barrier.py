"""Unordered accesses of two work-items to one element of local memory (OpenCL C 6.15.8)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import MissingBarrier

CODE = "missing-barrier"


def check(fact: MissingBarrier, dialect: Dialect) -> Iterator[Finding]:
    """Reports two accesses of different work-items to one element if no barrier orders the accesses."""
    if fact.earlier == fact.place:
        what = f"{fact.before} and {fact.after} here by different work-items"
    else:
        what = f"{fact.after} here and {fact.before} above by another work-item"
    message = f"an element of `{fact.name}` is {what}, with no barrier for local memory between"
    yield Finding(CODE, Severity.INFORMATION, message, fact.place)


RULES = (Rule(CODE, MissingBarrier, check),)
