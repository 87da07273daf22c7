"""A call of a value that is not a function (C99 6.5.2.2p1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import CalledObject
from openclsp.semantics.types.type_model import spell

CODE = "not-a-function"


def _check(fact: CalledObject, dialect: Dialect) -> Iterator[Finding]:
    value = fact.value
    related: tuple[RelatedDeclaration, ...] = ()
    if value.origin is not None and value.name:
        related = (RelatedDeclaration(value.origin, f"`{value.name}` is declared here"),)
    message = f"`{spell(value.type, value.name)}` is not a function and cannot be called"
    yield Finding(CODE, Severity.ERROR, message, fact.place, related)


RULES = (Rule(CODE, CalledObject, _check),)
