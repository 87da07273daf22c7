"""A parameter that its function does not use."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import UnusedName

CODE = "unused-parameter"


def _check(fact: UnusedName, dialect: Dialect) -> Iterator[Finding]:
    if fact.parameter:
        yield Finding(CODE, Severity.HINT, f"the parameter `{fact.name}` is not used", fact.place)


RULES = (Rule(CODE, UnusedName, _check),)
