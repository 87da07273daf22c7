"""Operands that point into disjoint address spaces (OpenCL C 6.5.8, 6.5.9, 6.5.15)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space, encloses, overlaps
from openclsp.rules.finding import Finding, Fix, Severity
from openclsp.rules.pointers import (
    defaulted,
    disjoint,
    newer_version,
    pointee_space,
    related_source,
    repoint,
    value_words,
)
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.expressions import Operation
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types import Void, decayed, pointee_of

_WHAT = {"-": "cannot be subtracted", "?:": "cannot be the operands of one `?:`"}


def check(fact: Operation, dialect: Dialect) -> Iterator[Finding]:
    """Reports two pointer operands whose spaces have no object in common."""
    if fact.left.null or fact.right.null:
        return
    left, right = pointee_space(fact.left.type), pointee_space(fact.right.type)
    if left is None or right is None or overlaps(left, right):
        return
    what = _WHAT.get(fact.operator, f"cannot be compared with `{fact.operator}`")
    tolerated = fact.operator == "?:" and (_points_to_void(fact.left) or _points_to_void(fact.right))
    yield Finding(
        code="pointer-operands",
        severity=Severity.WARNING if tolerated else Severity.ERROR,
        message=f"{value_words(fact.left)} and {value_words(fact.right)} {what}: {_reason(left, right, dialect)}",
        place=fact.place,
        related=(*related_source(fact.left, left), *related_source(fact.right, right)),
        fixes=(
            *_repoint(fact.right, left),
            *_repoint(fact.left, right),
            *_opened(fact, left, right, dialect),
            *(newer_version(dialect, left, right) if Space.CONSTANT not in (left, right) else ()),
        ),
        defaulted=defaulted(dialect, (fact.left.given(1)[0], left), (fact.right.given(1)[0], right)),
    )


def _points_to_void(value: Value) -> bool:
    return isinstance(pointee_of(decayed(value.type)), Void)


def _reason(left: Space, right: Space, dialect: Dialect) -> str:
    if Space.GENERIC in (left, right):
        return "constant is not part of the generic address space"
    return disjoint(right, left, dialect) if left is Space.PRIVATE else disjoint(left, right, dialect)


def _repoint(value: Value, space: Space) -> Iterator[Fix]:
    yield from repoint(*value.given(1), space, "the operand", onward=True)


def _opened(fact: Operation, left: Space, right: Space, dialect: Dialect) -> Iterator[Fix]:
    """Yields the fixes that make one operand generic."""
    if dialect.generic and encloses(Space.GENERIC, left) and encloses(Space.GENERIC, right):
        for value in (fact.right, fact.left):
            yield from repoint(*value.given(1), Space.GENERIC, "the operand")


RULES = (Rule("pointer-operands", Operation, check),)
