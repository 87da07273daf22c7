"""An opaque object is accessed like an array, a pointer or a structure (OpenCL C 6.3.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.constructs import Construct, ConstructKind


def check(fact: Construct, dialect: Dialect) -> Iterator[Finding]:
    """Reports a subscript, a dereference or a member access of an opaque object."""
    if fact.kind is not ConstructKind.OPAQUE_ELEMENT:
        return
    how = ": use the functions that read and write images" if fact.detail.startswith("image") else ""
    yield Finding(
        code="opaque-element",
        severity=Severity.ERROR,
        message=f"the contents of an opaque `{fact.detail}` cannot be accessed directly{how}",
        place=fact.place,
    )


RULES = (Rule("opaque-element", Construct, check),)
