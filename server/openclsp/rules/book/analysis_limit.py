"""A part of the text that exceeds a limit of the analysis and is not checked."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import LimitReached
from openclsp.semantics.limits import Limit

CODE = "analysis-limit"


def _check(fact: LimitReached, dialect: Dialect) -> Iterator[Finding]:
    yield Finding(CODE, Severity.WARNING, message(fact.bound), fact.place)


def message(bound: Limit) -> str:
    """Returns the diagnostic's message for this limit."""
    return f"not analysed: this is {bound.value}"


RULES = (Rule(CODE, LimitReached, _check),)
