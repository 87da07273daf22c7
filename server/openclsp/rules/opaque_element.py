"""An opaque object has no elements, no pointee and no members (OpenCL C 6.3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """An image, a sampler or an event is subscripted, dereferenced or asked for a member."""
    if fact.kind is not ConstructKind.OPAQUE_ELEMENT:
        return
    how = ": use the functions that read and write images" if fact.detail.startswith("image") else ""
    yield Finding(
        code="opaque-element",
        severity=Severity.ERROR,
        message=f"`{fact.detail}` is opaque, and its contents cannot be accessed directly{how}",
        place=fact.place,
    )


RULES = (Rule("opaque-element", Construct, check),)
