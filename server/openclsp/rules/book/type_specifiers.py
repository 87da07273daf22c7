"""Type specifiers that together name no type (C99 6.7.2p2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import InvalidSpecifiers

CODE = "type-specifiers"


def _check(fact: InvalidSpecifiers, dialect: Dialect) -> Iterator[Finding]:
    yield Finding(CODE, Severity.ERROR, f"there is no type `{fact.text}`", fact.place)


RULES = (Rule(CODE, InvalidSpecifiers, _check),)
