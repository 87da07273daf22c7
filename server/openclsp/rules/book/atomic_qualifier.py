"""`_Atomic`, which OpenCL C does not have (OpenCL C 6.15.12, restrictions)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "atomic-qualifier"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports `_Atomic`, as a qualifier or as a type specifier."""
    if fact.kind is ConstructKind.ATOMIC_QUALIFIER:
        since = "" if dialect.version >= 200 else " from OpenCL C 2.0 on"
        message = f"OpenCL C has no `_Atomic`: it has atomic types, such as `atomic_int`{since}"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, Construct, check),)
