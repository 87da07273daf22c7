"""`__func__` before OpenCL C 1.2 (6.11: predefined identifiers are not supported) or outside of a function."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, SetDialect, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "predefined-identifier"
_SINCE = 120


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports `__func__` before OpenCL C 1.2, and any predefined identifier outside of a function."""
    if fact.kind is ConstructKind.PREDEFINED_OUTSIDE:
        message = f"`{fact.detail}` is only valid in a function"
        yield Finding(CODE, Severity.WARNING, message, fact.place)
    # the other names are compilers' extensions, in OpenCL C 1.2 as well as before it
    elif (
        fact.kind is ConstructKind.PREDEFINED_IDENTIFIER
        and fact.detail == "__func__"
        and dialect.version < _SINCE
    ):
        yield Finding(
            CODE,
            Severity.WARNING,
            f"{dialect.title} has no predefined identifier `__func__`: it was added in OpenCL C 1.2; clang accepts it",
            fact.place,
            fixes=(Fix("Check this workspace as OpenCL C 1.2", (SetDialect("CL1.2"),)),),
        )


RULES = (Rule(CODE, Construct, check),)
