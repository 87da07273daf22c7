"""A function that nothing calls."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import UnusedFunction

CODE = "unused-function"


def _check(fact: UnusedFunction, dialect: Dialect) -> Iterator[Finding]:
    yield Finding(CODE, Severity.HINT, f"the function `{fact.name}` is not used", fact.place)


RULES = (Rule(CODE, UnusedFunction, _check),)
