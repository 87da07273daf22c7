"""Images, samplers and pipes cannot be assigned (OpenCL C 6.11, restriction b; 6.13.16)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.expressions import Access, AccessKind
from openclsp.semantics.types.type_model import Opaque, spell

_FIXED = ("image", "sampler", "pipe")


def check(fact: Access, dialect: Dialect) -> Iterator[Finding]:
    """Reports an assignment to an image, sampler or pipe: its value comes from the host or an initialiser."""
    type_ = fact.value.type
    if fact.kind is not AccessKind.WRITE or not isinstance(type_, Opaque) or type_.category not in _FIXED:
        return
    who = f"`{fact.value.name}`" if fact.value.name else "this object"
    origin = fact.value.origin
    yield Finding(
        code="opaque-write",
        severity=Severity.ERROR,
        message=f"{who} cannot be written: objects of type `{spell(type_.unqualified)}` cannot be modified",
        place=fact.value.place,
        related=() if origin is None else (RelatedDeclaration(origin, f"{who} is declared here"),),
    )


RULES = (
    Rule(
        "opaque-write",
        Access,
        check,
        reads=(
            "kind",
            "value.type",
        ),
    ),
)
