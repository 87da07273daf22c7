"""A member of a structure or union that is qualified with an address space (OpenCL C 6.7; Embedded C 5.1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    create_qualifier_removal_fix,
    has_valid_explicit_space,
    qualifier_place,
    related_typedef,
    suggest_move_to_pointee,
)
from openclsp.semantics.facts.declarations import Declaration, Scope

CODE = "member-space"


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an address space qualifier of a member itself; only the member's pointee can have one."""
    entity = fact.entity
    if (
        fact.scope is not Scope.MEMBER
        or not entity.levels
        or not has_valid_explicit_space(entity.levels[0], dialect)
    ):
        return
    word = entity.levels[0].space.word
    yield Finding(
        CODE,
        Severity.ERROR,
        f"member `{entity.name}` cannot be in {word}: it is in the address space of its structure or union",
        qualifier_place(entity, 0),
        related_typedef(entity, 0),
        (
            *suggest_move_to_pointee(entity),
            create_qualifier_removal_fix(entity, 0, f"Remove `{word}` from the member"),
        ),
    )


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.levels[].reason",
            "entity.levels[].space",
            "scope",
        ),
        invalidates=True,
    ),
)
