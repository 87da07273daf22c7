"""A `return` without a value in a function that has a result (C99 6.8.6.4p1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import ValuelessReturn
from openclsp.semantics.types.type_model import spell

CODE = "missing-return-value"


def _check(fact: ValuelessReturn, dialect: Dialect) -> Iterator[Finding]:
    name = f"`{fact.name}`" if fact.name else "the block"
    message = f"{name} returns `{spell(fact.result.unqualified)}`, so its `return` needs a value"
    related = (RelatedDeclaration(fact.function, f"{name} is declared here"),) if fact.name else ()
    yield Finding(CODE, Severity.ERROR, message, fact.place, related)


RULES = (Rule(CODE, ValuelessReturn, _check),)
