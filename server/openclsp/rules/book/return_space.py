"""A return type qualified with an address space (OpenCL C 6.7)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    create_qualifier_removal_fix,
    has_valid_explicit_space,
    qualifier_place,
    related_typedef,
    suggest_move_to_pointee,
)
from openclsp.semantics.facts.declarations import FunctionDeclaration

CODE = "return-space"


def check(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an address space qualifier of a return type itself; only its pointee can have one."""
    entity = fact.entity
    if not entity.levels:
        # the whole function type comes from a typedef
        space = fact.result.space
        if space is not None and space is not Space.UNKNOWN:
            yield Finding(CODE, Severity.ERROR, _message(entity.name, space), entity.place)
        return
    if not has_valid_explicit_space(entity.levels[0], dialect):
        return
    word = entity.levels[0].space.word
    yield Finding(
        CODE,
        Severity.ERROR,
        _message(entity.name, entity.levels[0].space),
        qualifier_place(entity, 0),
        related_typedef(entity, 0),
        (
            *suggest_move_to_pointee(entity),
            create_qualifier_removal_fix(entity, 0, f"Remove `{word}` from the return type"),
        ),
    )


def _message(name: str, space: Space) -> str:
    why = "a return value has no address space, only its pointee can have one"
    return f"the result of `{name}` cannot be in {space.word}: {why}"


RULES = (Rule(CODE, FunctionDeclaration, check, invalidates=True),)
