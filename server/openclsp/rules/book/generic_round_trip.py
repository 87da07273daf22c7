"""Casts through generic to a named address space that does not contain the object (OpenCL C 6.7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import NAMED, Space, overlaps
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import pointee_origin, pointee_space, suggest_space_change
from openclsp.rules.shared.reaching_spaces import describe_reaching_spaces, related_source_declarations
from openclsp.semantics.facts.expressions import Conversion, ConversionKind
from openclsp.semantics.facts.points_to import GenericCast
from openclsp.semantics.types.type_model import Pointer, spell
from openclsp.semantics.types.type_structure import decayed

CODE = "generic-round-trip"


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a cast through generic to a space that does not contain the object.

    The expression itself must show the object's space: `(local int *)(generic int *)p` for a global `p`.
    """
    hidden, target = fact.value.hidden, pointee_space(fact.target)
    if fact.context is not ConversionKind.CAST or hidden is None or not isinstance(fact.value.type, Pointer):
        return
    if target not in NAMED or pointee_space(fact.value.type) is not Space.GENERIC or overlaps(hidden, target):
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"the pointer that is cast through generic to `{spell(decayed(fact.target))}` points into {hidden.word}: "
        f"{hidden.word} and {target.word} are disjoint, so the result is undefined",
        fact.place,
        fixes=tuple(suggest_space_change(pointee_origin(fact.target_origin), "", hidden, "the cast")),
    )


def check_reached(fact: GenericCast, dialect: Dialect) -> Iterator[Finding]:
    """Reports a cast if no object that the pointer can point to is in the target space."""
    reaching, target = fact.reaching, fact.target
    if fact.integer or not reaching.spaces or target in reaching.spaces:
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"a generic pointer that only {describe_reaching_spaces(reaching)} objects reach is cast to a pointer into {target.word}: "
        "the result is undefined",
        fact.place,
        related=related_source_declarations(reaching),
    )


RULES = (
    Rule(
        CODE,
        Conversion,
        check,
        reads=(
            "context",
            "target",
            "value.hidden",
            "value.type",
        ),
    ),
    Rule(CODE, GenericCast, check_reached),
)
