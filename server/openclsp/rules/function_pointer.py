"""A pointer to a function, or a function whose address is taken (OpenCL C 6.11.a)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "function-pointer"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Functions can only be called by their names."""
    if fact.kind is ConstructKind.FUNCTION_POINTER:
        name = f"`{fact.detail}`: " if fact.detail else ""
        message = f"{name}OpenCL C has no pointers to functions, a function is called by its name"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, Construct, check),)
