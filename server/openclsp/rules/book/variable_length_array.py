"""An array whose size is not constant (OpenCL C 6.11.d)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "variable-length-array"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports a variable length array; no dialect has them."""
    if fact.kind is ConstructKind.VARIABLE_LENGTH_ARRAY:
        name = f"`{fact.detail}`" if fact.detail else "this type"
        message = f"{name} cannot be a variable length array: OpenCL C requires a constant size"
        yield Finding(CODE, Severity.ERROR, message, fact.place)


RULES = (Rule(CODE, Construct, check),)
