"""A pointer at program scope whose pointee is qualified and which is not itself (reference page `global` of 2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, SetSpace, Severity
from openclsp.rules.qualifiers import points_to_function
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import EntityKind, Origin, Reason
from openclsp.semantics.facts.declarations import Declaration, Scope

CODE = "program-scope-pointer"


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """`global int *p;`: the qualifier speaks of the pointee, and the pointer is in global memory by default."""
    entity = fact.entity
    if fact.scope is not Scope.PROGRAM or entity.kind is not EntityKind.VARIABLE or len(entity.levels) < 2:
        return
    own, pointee = entity.levels[:2]
    if own.reason is not Reason.PROGRAM_DEFAULT or pointee.reason is not Reason.WRITTEN:
        return
    if points_to_function(entity.type) or not pointee.written:
        return
    yield Finding(
        CODE,
        Severity.INFORMATION,
        f"`{pointee.space.word}` is where `{entity.name}` points to; the pointer itself has no qualifier, which one "
        "reference page calls an error, and is in global memory by default",
        entity.place,
        fixes=(
            Fix(
                f"Write the space of `{entity.name}` itself",
                (SetSpace(Origin(entity.ref, 0), Space.GLOBAL),),
                preferred=True,
            ),
        ),
    )


RULES = (Rule(CODE, Declaration, check),)
