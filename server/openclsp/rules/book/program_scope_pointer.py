"""An unqualified pointer at program scope with a qualified pointee (reference page `global` of 2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import points_to_function
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import EntityKind, Origin, Reason

CODE = "program-scope-pointer"


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports `global int *p;`: the pointee is qualified, and the pointer is in global memory by default."""
    entity = fact.entity
    if fact.scope is not Scope.PROGRAM or entity.kind is not EntityKind.VARIABLE or len(entity.levels) < 2:
        return
    own, pointee = entity.levels[:2]
    if own.reason is not Reason.PROGRAM_DEFAULT or pointee.reason is not Reason.WRITTEN:
        return
    if points_to_function(entity.type) or not pointee.written_spaces:
        return
    yield Finding(
        CODE,
        Severity.INFORMATION,
        f"`{entity.name}` itself has no address space and is in global memory by default: `{pointee.space.word}` "
        "qualifies its pointee",
        entity.place,
        fixes=(
            Fix(
                f"Declare `{entity.name}` itself `global`",
                (SetSpace(Origin(entity.ref, 0), Space.GLOBAL),),
            ),
        ),
    )


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.kind",
            "entity.levels[].reason",
            "entity.levels[].written_spaces?",
            "entity.type",
            "scope",
        ),
    ),
)
