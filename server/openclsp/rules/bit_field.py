"""A bit-field (OpenCL C 6.11.c)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, Part, RemovePart, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind

CODE = "bit-field"


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """No dialect has bit-fields."""
    if fact.kind is ConstructKind.BIT_FIELD:
        name = f"member `{fact.detail}`" if fact.detail else "an unnamed member"
        yield Finding(
            CODE,
            Severity.ERROR,
            f"{name} is a bit-field: OpenCL C structures have none",
            fact.place,
            fixes=tuple(_fixes(fact)),
        )


def _fixes(fact: Construct) -> Iterator[Fix]:
    """The values that the member can have become more, and the structure may become larger: nobody's only wish."""
    if fact.entity is not None and fact.detail:
        yield Fix(f"Declare `{fact.detail}` without a width", (RemovePart(fact.entity.ref, Part.WIDTH),))


RULES = (Rule(CODE, Construct, check),)
