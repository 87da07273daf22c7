"""Conversions of pointers to pointers whose inner address spaces differ (OpenCL C 6.7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space, encloses
from openclsp.rules.finding import Finding, Fix, RelatedDeclaration, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.nested_spaces import NestedMismatch, find_nested_mismatch
from openclsp.rules.shared.pointer_mismatches import find_mismatches
from openclsp.rules.shared.pointer_wording import (
    default_private_pointees,
    describe_failed_conversion,
    pointee_origin,
    pointee_space,
    suggest_space_change,
)
from openclsp.semantics.facts.expressions import Conversion, ConversionKind


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """Reports a conversion between pointers to pointers whose spaces differ below the first level.

    The program could store a pointer into a wrong space through the converted pointer.
    """
    if fact.context is ConversionKind.CAST or fact.value.null:
        return
    source, target = pointee_space(fact.value.type), pointee_space(fact.target)
    if source is None or target is None or not encloses(target, source):
        return
    mismatch = find_nested_mismatch(fact.value.type, fact.target)
    if mismatch is None:
        return
    yield Finding(
        code="nested-pointer-conversion",
        severity=Severity.ERROR,
        message=f"{describe_failed_conversion(fact)}: {nested_words(mismatch)}; below the first level the spaces must be equal",
        place=fact.place,
        related=tuple(_related(fact, mismatch)),
        fixes=tuple(_fixes(fact, mismatch)),
        default_private_pointees=default_private_pointees(
            dialect,
            (pointee_origin(fact.target_origin, mismatch.level), mismatch.target),
            (fact.value.space_source(mismatch.level)[0], mismatch.source),
        ),
        mismatches=find_mismatches(fact),
    )


def nested_words(mismatch: NestedMismatch) -> str:
    """Describes a mismatch of address spaces for a message."""
    inner = "the inner pointer" if mismatch.level == 2 else f"the pointer {mismatch.level - 1} levels down"
    return f"{inner} points into {mismatch.source.word}, not into {mismatch.target.word}"


def _related(fact: Conversion, mismatch: NestedMismatch) -> Iterator[RelatedDeclaration]:
    to = pointee_origin(fact.target_origin, mismatch.level)
    if to is not None:
        yield RelatedDeclaration(to, f"{mismatch.target.word} here")
    of, _ = fact.value.space_source(mismatch.level)
    if of is not None:
        yield RelatedDeclaration(of, f"{mismatch.source.word} here")


def _fixes(fact: Conversion, mismatch: NestedMismatch) -> Iterator[Fix]:
    name = "" if fact.context is ConversionKind.RETURN else fact.target_name
    to = pointee_origin(fact.target_origin, mismatch.level)
    yield from suggest_space_change(
        to,
        f"*{name}" if name else "",
        mismatch.source,
        "the target's pointee",
        # As in `pointer_conversion`: if the target names another space, the object itself may lack its qualifier.
        preferred=mismatch.source is not Space.PRIVATE or mismatch.target is Space.GENERIC,
        onward=True,
    )
    of, source_name = fact.value.space_source(mismatch.level)
    who = f"*{source_name}" if source_name and of is not None and of.level > 1 else source_name
    yield from suggest_space_change(of, who, mismatch.target, "the value's pointee")


RULES = (
    Rule(
        "nested-pointer-conversion",
        Conversion,
        check,
        reads=(
            "context",
            "target",
            "value.null",
            "value.type",
        ),
    ),
)
