"""Operands that point into disjoint address spaces (OpenCL C 6.5.8, 6.5.9, 6.5.15)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space, encloses, overlaps
from openclsp.rules.finding import Finding, Fix, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.pointer_wording import (
    default_private_pointees,
    describe_disjoint_spaces,
    describe_value,
    pointee_space,
    related_source_declaration,
    suggest_generic_versions,
    suggest_space_change,
)
from openclsp.semantics.facts.expressions import Operation
from openclsp.semantics.facts.values import Value

_WHAT = {"-": "cannot be subtracted", "?:": "cannot be the operands of one `?:`"}


def check(fact: Operation, dialect: Dialect) -> Iterator[Finding]:
    """Reports two pointer operands that point into disjoint spaces."""
    if fact.left.null or fact.right.null:
        return
    left, right = pointee_space(fact.left.type), pointee_space(fact.right.type)
    if left is None or right is None or overlaps(left, right):
        return
    what = _WHAT.get(fact.operator, f"cannot be compared with `{fact.operator}`")
    yield Finding(
        code="pointer-operands",
        severity=Severity.ERROR,
        message=f"{describe_value(fact.left)} and {describe_value(fact.right)} {what}: {_reason(left, right, dialect)}",
        place=fact.place,
        related=(
            *related_source_declaration(fact.left, left),
            *related_source_declaration(fact.right, right),
        ),
        fixes=(
            *_repoint(fact.right, left),
            *_repoint(fact.left, right),
            *_opened(fact, left, right, dialect),
            *(suggest_generic_versions(dialect, left, right) if Space.CONSTANT not in (left, right) else ()),
        ),
        default_private_pointees=default_private_pointees(
            dialect, (fact.left.space_source(1)[0], left), (fact.right.space_source(1)[0], right)
        ),
    )


def _reason(left: Space, right: Space, dialect: Dialect) -> str:
    if Space.GENERIC in (left, right):
        return "constant is not part of the generic address space"
    return (
        describe_disjoint_spaces(right, left, dialect)
        if left is Space.PRIVATE
        else describe_disjoint_spaces(left, right, dialect)
    )


def _repoint(value: Value, space: Space) -> Iterator[Fix]:
    yield from suggest_space_change(*value.space_source(1), space, "the operand", onward=True)


def _opened(fact: Operation, left: Space, right: Space, dialect: Dialect) -> Iterator[Fix]:
    """Yields the fixes that each make one operand a generic pointer."""
    if dialect.generic and encloses(Space.GENERIC, left) and encloses(Space.GENERIC, right):
        for value in (fact.right, fact.left):
            yield from suggest_space_change(*value.space_source(1), Space.GENERIC, "the operand")


RULES = (Rule("pointer-operands", Operation, check),)
