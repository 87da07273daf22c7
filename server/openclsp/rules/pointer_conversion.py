"""Implicit conversion between pointers: the target's space must enclose the source's (OpenCL C 6.7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space, encloses
from openclsp.rules.finding import Finding, Fix, RemoveCast, Severity
from openclsp.rules.pointers import (
    below,
    cast_fix,
    disjoint,
    dropped_qualifiers,
    newer_version,
    pointee_space,
    refusal,
    related_spaces,
    repoint,
)
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import Context, Conversion
from openclsp.semantics.types import decayed


def check(fact: Conversion, dialect: Dialect) -> Iterator[Finding]:
    """A pointer becomes a pointer into a space that does not hold every object of its own."""
    if fact.context is Context.CAST or fact.value.null:
        return
    source, target = pointee_space(fact.value.type), pointee_space(fact.target)
    if source is None or target is None or encloses(target, source):
        return
    yield Finding(
        code="pointer-conversion",
        severity=Severity.ERROR,
        message=f"{refusal(fact)}: {_reason(fact, source, target, dialect)}",
        place=fact.place,
        related=related_spaces(fact, source, target),
        fixes=tuple(_fixes(fact, source, target, dialect)),
    )


def _reason(fact: Conversion, source: Space, target: Space, dialect: Dialect) -> str:
    if fact.value.string:
        return "string literals lie in constant"
    if source is Space.GENERIC and target is not Space.CONSTANT:
        return f"generic may hold another space than {target.word}, so it needs a cast"
    if Space.GENERIC in (source, target):
        return "constant is not part of the generic address space"
    return disjoint(source, target, dialect)


def _fixes(fact: Conversion, source: Space, target: Space, dialect: Dialect) -> Iterator[Fix]:
    value = fact.value
    to = below(fact.target_origin)
    unqualified = target is Space.PRIVATE and not dialect.generic
    result = fact.context is Context.RETURN
    yield from repoint(
        to,
        "" if result else fact.target_name,
        source,
        "the result" if result else "the target",
        preferred=unqualified or value.string or fact.context is Context.INITIALISATION,
        words=dropped_qualifiers(value.type, fact.target),
    )
    yield from repoint(*value.given(1), target, "the value")
    if value.origin is not None and not value.name:
        yield Fix("Remove the cast", (RemoveCast(value.origin.entity),))
    if source is Space.GENERIC and target is not Space.CONSTANT:
        yield cast_fix(value, decayed(fact.target))
    if source is not Space.CONSTANT:
        yield from newer_version(dialect, target)


RULES = (Rule("pointer-conversion", Conversion, check),)
