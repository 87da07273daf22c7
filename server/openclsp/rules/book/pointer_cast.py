"""A cast between pointers into disjoint address spaces (OpenCL C 6.7.9; Embedded C 5.1.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space, overlaps
from openclsp.rules.finding import Finding, Fix, RemoveCast, RemoveSpace, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_mismatches import SPACE, find_mismatches
from openclsp.rules.shared.pointer_wording import (
    default_private_pointees,
    describe_disjoint_spaces,
    describe_failed_conversion,
    pointee_origin,
    pointee_space,
    related_source_declaration,
    suggest_generic_versions,
    suggest_space_change,
)
from openclsp.semantics.facts.entities import Origin
from openclsp.semantics.facts.expressions import Conversion, ConversionKind


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a cast of a pointer, null or not, to a pointer into a disjoint space."""
    if fact.context is not ConversionKind.CAST:
        return
    source, target = pointee_space(fact.value.type), pointee_space(fact.target)
    if source is None or target is None or overlaps(source, target):
        return
    yield Finding(
        code="pointer-cast",
        severity=Severity.ERROR,
        message=f"{describe_failed_conversion(fact)}: {_reason(fact, source, target, dialect)}",
        place=fact.place,
        related=tuple(related_source_declaration(fact.value, source)),
        fixes=tuple(_fixes(fact, source, target, dialect)),
        default_private_pointees=default_private_pointees(
            dialect, (pointee_origin(fact.target_origin), target), (fact.value.space_source(1)[0], source)
        ),
    )


def _reason(fact: Conversion, source: Space, target: Space, dialect: Dialect) -> str:
    if fact.value.string:
        return "string literals are in constant"
    if Space.GENERIC in (source, target):
        return "constant is not part of the generic address space"
    return describe_disjoint_spaces(source, target, dialect)


def _fixes(fact: Conversion, source: Space, target: Space, dialect: Dialect) -> Iterator[Fix]:
    cast = fact.target_origin
    if cast is not None:
        pointee = Origin(cast.entity, cast.level + 1)
        change = RemoveSpace(pointee) if source is Space.GENERIC else SetSpace(pointee, source)
        where = "any space" if source is Space.GENERIC else source.word
        # As in `pointer_conversion`: the object itself may lack its qualifier.
        preferred = source is not Space.PRIVATE
        yield Fix(f"Cast to a pointer into {where}", (change,), preferred, adapts_target=True)
        if find_mismatches(fact) <= {SPACE}:
            # A cast that also reinterprets the object must stay: without it, the program would silently read other values.
            yield Fix("Remove the cast", (RemoveCast(cast.entity),))
    yield from suggest_space_change(*fact.value.space_source(1), target, "the value")
    if Space.CONSTANT not in (source, target):
        yield from suggest_generic_versions(dialect, source, target)


RULES = (
    Rule(
        "pointer-cast",
        Conversion,
        check,
        reads=(
            "context",
            "target",
            "value.type",
        ),
    ),
)
