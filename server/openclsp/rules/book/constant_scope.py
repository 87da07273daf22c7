"""Automatic `constant` variables that are not at a kernel's outermost scope (OpenCL C 6.7.3)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import (
    AddQualifier,
    Finding,
    Fix,
    OuterScope,
    RemoveSpace,
    ReplaceTokens,
    Severity,
)
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    AUTOMATIC_SPACE_READS,
    automatic_space,
    create_move_out_fix,
    fixable_origin,
    qualifier_place,
    related_typedef,
    suggest_move_to_pointee,
)
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import Place

CODE = "constant-scope"

_WHERE = {
    Scope.KERNEL_INNER: "must be declared at the kernel's outermost scope, or at program scope; "
    "here it is inside a block",
    Scope.BLOCK: "must be declared at program scope or at a kernel's outermost scope, not in a block; clang accepts it",
    Scope.FUNCTION: "must be declared at program scope, or at a kernel's outermost scope",
}


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an automatic constant variable in an inner scope, or in a function that is not a kernel."""
    if automatic_space(fact, _WHERE, but=("event",)) is not Space.CONSTANT:
        return
    entity = fact.entity
    yield Finding(
        CODE,
        Severity.WARNING if fact.scope is Scope.BLOCK else Severity.ERROR,
        f"variable `{entity.name}` in constant memory {_WHERE[fact.scope]}",
        qualifier_place(entity, 0),
        related_typedef(entity, 0),
        tuple(_fixes(fact, dialect)),
    )


def _fixes(fact: Declaration, dialect: Dialect) -> Iterator[Fix]:
    entity = fact.entity
    if dialect.version >= 200 and not fact.storage:
        start = Place(entity.whole.first, entity.whole.first)
        yield Fix(f"Make `{entity.name}` static", (ReplaceTokens(start, "static"),), preferred=True)
    if fact.scope is Scope.KERNEL_INNER:
        yield create_move_out_fix(entity, OuterScope.KERNEL, preferred=dialect.version < 200)
    yield create_move_out_fix(entity, OuterScope.PROGRAM, preferred=dialect.version < 200)
    yield from suggest_move_to_pointee(entity)
    own = fixable_origin(entity, 0)
    yield Fix(f"Make `{entity.name}` private and const", (RemoveSpace(own), AddQualifier(own, "const")))


RULES = (Rule(CODE, Declaration, check, reads=AUTOMATIC_SPACE_READS, invalidates=True),)
