"""A value that must be an integer constant expression, but is not one (C99 6.6p6)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.faults import NotConstant

CODE = "integer-constant"


def _check(fact: NotConstant, dialect: Dialect) -> Iterator[Finding]:
    needed = "be known at compile time" if fact.integer else "be an integer"
    yield Finding(CODE, Severity.ERROR, f"{fact.role} must {needed}: `{fact.text}` is not", fact.place)


RULES = (Rule(CODE, NotConstant, _check),)
