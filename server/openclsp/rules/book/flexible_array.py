"""Array members without a size (OpenCL C 6.11.d; clang accepts one as the last member)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "flexible-array"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports an array member without a size: as a warning if it is the last member, else as an error."""
    if fact.kind is ConstructKind.UNSIZED_MEMBER:
        message = f"member `{fact.detail}` is an array without a size, but not the last member"
        yield Finding(CODE, Severity.ERROR, message, fact.place)
    elif fact.kind is ConstructKind.FLEXIBLE_ARRAY:
        name = f"member `{fact.detail}`" if fact.detail else "this member"
        message = (
            f"{name} is an array without a size, which the specification does not allow; clang accepts it"
        )
        yield Finding(CODE, Severity.WARNING, message, fact.place)


RULES = (Rule(CODE, Construct, check),)
