"""A function that calls itself (OpenCL C 6.11.i; clang is silent)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import Call

CODE = "recursion"


def check(fact: Call, dialect: Dialect) -> Iterator[Finding]:
    """OpenCL C devices need not have a stack."""
    if fact.recursive:
        message = f"`{fact.name}` calls itself: OpenCL C does not support recursion; clang does not tell"
        yield Finding(CODE, Severity.WARNING, message, fact.place)


RULES = (Rule(CODE, Call, check),)
