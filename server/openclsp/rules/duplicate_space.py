"""The same address space is written twice at one level of a type (OpenCL C 6.7; clang only warns)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Fix, ReplaceLeaves, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import Entity, Place, Reason
from openclsp.semantics.facts import Declaration, FunctionDeclaration, TypeName

CODE = "duplicate-space"


def of_declaration(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """A variable, parameter, member or typedef."""
    yield from _of_entity(fact.entity)


def of_function(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """A function's result; its parameters are declarations of their own."""
    yield from _of_entity(fact.entity)


def of_type_name(fact: TypeName, dialect: Dialect) -> Iterator[Finding]:
    """A cast, `sizeof`, a compound literal."""
    yield from _of_entity(fact.entity)


def _of_entity(entity: Entity) -> Iterator[Finding]:
    for level in entity.levels:
        seen = {level.space} if level.reason is Reason.TYPEDEF else set()
        for space, leaf in level.written:
            if space in seen:
                place = Place(leaf, leaf + 1)
                yield Finding(
                    CODE,
                    Severity.WARNING,
                    f"`{space.word}` again: this level of the type has that space already",
                    place,
                    fixes=(
                        Fix(f"Remove the second `{space.word}`", (ReplaceLeaves(place, ""),), preferred=True),
                    ),
                )
            seen.add(space)


RULES = (
    Rule(CODE, Declaration, of_declaration),
    Rule(CODE, FunctionDeclaration, of_function),
    Rule(CODE, TypeName, of_type_name),
)
