"""A part of the text lies beyond a bound of the analysis: nothing is known of it, and that is said."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.bounds import Bound
from openclsp.semantics.facts.constructs import LimitReached

CODE = "analysis-limit"


def _check(fact: LimitReached, dialect: Dialect) -> Iterator[Finding]:
    yield Finding(CODE, Severity.WARNING, message(fact.bound), fact.place)


def message(bound: Bound) -> str:
    """What is said where a bound is reached."""
    return f"this is {bound.value}: it is not analysed"


RULES = (Rule(CODE, LimitReached, _check),)
