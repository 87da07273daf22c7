"""The address of a vector's element (OpenCL C 6.3.7)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "address-of-vector-element"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Elements, halves and swizzles have no address."""
    if fact.kind is ConstructKind.ADDRESS_OF_VECTOR_ELEMENT:
        what = (
            f"`{fact.detail}` is an element of a vector" if fact.detail else "this is an element of a vector"
        )
        yield Finding(CODE, Severity.ERROR, f"{what}, which has no address of its own", fact.place)


RULES = (Rule(CODE, Construct, check),)
