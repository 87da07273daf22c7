"""The address of a vector element is taken (OpenCL C 6.3.7)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "address-of-vector-element"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports `&` on an element, a half or a swizzle of a vector."""
    if fact.kind is ConstructKind.ADDRESS_OF_VECTOR_ELEMENT:
        what = f"`{fact.detail}`" if fact.detail else "this expression"
        message = f"cannot take the address of {what}: the elements of a vector have no address"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, Construct, check),)
