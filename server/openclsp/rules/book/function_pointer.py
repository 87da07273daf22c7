"""Pointers to functions, and functions whose address is taken (OpenCL C 6.11.a)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "function-pointer"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports a pointer to a function; functions can only be called by their names."""
    if fact.kind is ConstructKind.FUNCTION_POINTER:
        name = f"`{fact.detail}`: " if fact.detail else ""
        message = f"{name}OpenCL C has no pointers to functions: call the function by its name"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, Construct, check),)
