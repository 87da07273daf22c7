"""A parameter qualified with an address space (OpenCL C 6.7: parameters are private; Embedded C 5.1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    create_qualifier_removal_fix,
    has_valid_explicit_space,
    opaque_category,
    qualifier_place,
    related_typedef,
    suggest_move_to_pointee,
)
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import Entity
from openclsp.semantics.types.type_model import Unknown

CODE = "parameter-space"


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an address space qualifier of a parameter itself; only the parameter's pointee can have one.

    `opaque-type-space` checks parameters of opaque types.
    """
    entity = fact.entity
    if fact.scope not in (Scope.PARAMETER, Scope.KERNEL_PARAMETER) or not entity.levels:
        return
    if not has_valid_explicit_space(entity.levels[0], dialect):
        return
    if isinstance(entity.type, Unknown):
        # The type may be an array, whose qualifiers are those of its elements.
        return
    space = entity.levels[0].space
    if space is Space.PRIVATE:
        if entity.levels[0].written_spaces:
            message = (
                f"{_name(entity)} has a redundant `private`: the specification allows no address space here"
            )
            yield Finding(
                CODE, Severity.INFORMATION, message, qualifier_place(entity, 0), fixes=_fixes(entity)
            )
    elif not opaque_category(entity.type):
        message = f"{_name(entity)} cannot be in {space.word}: every parameter is a private variable of its function"
        yield Finding(
            CODE,
            Severity.ERROR,
            message,
            qualifier_place(entity, 0),
            related_typedef(entity, 0),
            _fixes(entity),
        )


def _name(entity: Entity) -> str:
    return f"parameter `{entity.name}`" if entity.name else "a parameter"


def _fixes(entity: Entity) -> tuple[Fix, ...]:
    word = entity.levels[0].space.word
    return (
        *suggest_move_to_pointee(entity),
        create_qualifier_removal_fix(entity, 0, f"Remove `{word}` from the parameter"),
    )


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.levels[].reason",
            "entity.levels[].space",
            "entity.levels[].written_spaces?",
            "entity.type",
            "scope",
        ),
        invalidates=True,
    ),
)
