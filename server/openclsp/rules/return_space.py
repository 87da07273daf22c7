"""A function's result with an address space of its own (OpenCL C 6.7)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.qualifiers import is_given_in, moved_to_pointee, place_of, related_typedef, removal
from openclsp.rules.rule import Rule
from openclsp.semantics.facts import FunctionDeclaration

CODE = "return-space"


def check(fact: FunctionDeclaration, dialect: Dialect) -> Iterator[Finding]:
    """The result itself is qualified, not what it points to."""
    entity = fact.entity
    if not entity.levels or not is_given_in(entity.levels[0], dialect):
        return
    word = entity.levels[0].space.word
    yield Finding(
        CODE,
        Severity.ERROR,
        f"the result of `{entity.name}` cannot be in {word}: a result is a value, "
        "only what a pointer points to has a space",
        place_of(entity, 0),
        related_typedef(entity, 0),
        (*moved_to_pointee(entity), removal(entity, 0, f"Remove `{word}` from the result")),
    )


RULES = (Rule(CODE, FunctionDeclaration, check),)
