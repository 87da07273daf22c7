"""A function that calls itself, directly or through others (OpenCL C 6.11; clang does not warn)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import Call, RecursiveCall
from openclsp.semantics.types.compatibility import may_be_overloadable

CODE = "recursion"


def check(fact: Call, dialect: Dialect) -> Iterator[Finding]:
    """Reports a direct recursive call, because a device need not have a call stack."""
    if fact.recursive and fact.function is not None and not may_be_overloadable(fact.function):
        message = (
            f"`{fact.name}` calls itself: OpenCL C does not support recursion, although clang accepts it"
        )
        yield Finding(CODE, Severity.WARNING, message, fact.place)


def check_path(fact: RecursiveCall, dialect: Dialect) -> Iterator[Finding]:
    """Reports each call in a cycle of calls, so that every function in it has a diagnostic."""
    message = f"`{fact.callee}` calls back into `{fact.function}`: OpenCL C does not support recursion, although clang accepts it"
    related = (RelatedDeclaration(fact.origin, f"`{fact.callee}` is defined here"),)
    yield Finding(CODE, Severity.WARNING, message, fact.place, related)


RULES = (
    Rule(
        CODE,
        Call,
        check,
        reads=(
            "function",
            "recursive",
        ),
    ),
    Rule(CODE, RecursiveCall, check_path),
)
