"""Compound literals of a type with an address space other than private, inside functions (OpenCL C 6.7).

A compound literal in a function is an automatic object, which is private.
"""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    fixable_origin,
    has_valid_explicit_space,
    qualifier_place,
    related_typedef,
)
from openclsp.semantics.facts.declarations import Scope, TypeName
from openclsp.semantics.facts.entities import EntityKind

CODE = "compound-literal-space"


def check(fact: TypeName, dialect: Dialect) -> Iterator[Finding]:
    """Reports a compound literal in a function if its type names a space other than private.

    At program scope, a compound literal may be constant or global, as a variable may.
    """
    entity = fact.entity
    if entity.kind is not EntityKind.COMPOUND_LITERAL or fact.scope is Scope.PROGRAM:
        return
    # A function type, which has no levels, cannot be the type of a literal (C99 6.5.2.5p1).
    if not entity.levels:
        return
    if not has_valid_explicit_space(entity.levels[0], dialect) or entity.levels[0].space is Space.PRIVATE:
        return
    word = entity.levels[0].space.word
    yield Finding(
        CODE,
        Severity.ERROR,
        f"a compound literal in a function cannot be in {word}: it is a private object",
        qualifier_place(entity, 0),
        related_typedef(entity, 0),
        (
            Fix(
                "Make the literal private",
                (SetSpace(fixable_origin(entity, 0), Space.PRIVATE),),
                preferred=True,
            ),
        ),
    )


RULES = (
    Rule(
        CODE,
        TypeName,
        check,
        reads=(
            "entity.kind",
            "entity.levels[].reason",
            "entity.levels[].space",
            "scope",
        ),
    ),
)
