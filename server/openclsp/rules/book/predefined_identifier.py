"""`__func__` before OpenCL C 1.2 (6.11: predefined identifiers are not supported)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, SetDialect, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "predefined-identifier"
_SINCE = 120


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports `__func__` in versions before OpenCL C 1.2; clang accepts it in every version."""
    if fact.kind is not ConstructKind.PREDEFINED_IDENTIFIER or dialect.version >= _SINCE:
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"{dialect.title} has no predefined identifier `{fact.detail}`: it was added in OpenCL C 1.2; clang accepts it",
        fact.place,
        fixes=(Fix("Check this workspace as OpenCL C 1.2", (SetDialect("CL1.2"),)),),
    )


RULES = (Rule(CODE, Construct, check),)
