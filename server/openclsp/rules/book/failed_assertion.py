"""A static assertion whose condition is zero (C11 6.7.10p3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import FailedAssertion

CODE = "failed-assertion"


def _check(fact: FailedAssertion, dialect: Dialect) -> Iterator[Finding]:
    yield Finding(CODE, Severity.ERROR, f"static assertion failed: `{fact.text}` is zero", fact.place)


RULES = (Rule(CODE, FailedAssertion, _check),)
