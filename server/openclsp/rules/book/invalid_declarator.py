"""A declarator of a type that C does not have (C99 6.7.5.2p1, 6.7.5.3p1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import DeclaratorFault, InvalidDeclarator

CODE = "invalid-declarator"


def _check(fact: InvalidDeclarator, dialect: Dialect) -> Iterator[Finding]:
    if fact.fault is DeclaratorFault.FUNCTION_ARRAY:
        message = f"`{fact.name}` is an array of functions, which C does not have"
    else:
        message = f"the function `{fact.name}` cannot return an array"
    yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, InvalidDeclarator, _check),)
