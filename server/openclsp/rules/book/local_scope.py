"""A `local` variable that is not at a kernel's outermost scope (OpenCL C 6.7.2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, OuterScope, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    AUTOMATIC_SPACE_READS,
    automatic_space,
    create_move_out_fix,
    create_qualifier_removal_fix,
    qualifier_place,
    related_typedef,
    suggest_move_to_pointee,
)
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.types.type_model import Array, Pointer

CODE = "local-scope"

_WHERE = {
    Scope.KERNEL_INNER: "must be declared at the kernel's outermost scope; here it is inside a block",
    Scope.BLOCK: "must be declared at a kernel's outermost scope, not in a block; clang accepts it",
    Scope.FUNCTION: "can only be declared in a kernel; pass a pointer to it to other functions",
}


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an automatic variable in local memory in an inner scope, a block or a function that is not a kernel."""
    if automatic_space(fact, _WHERE, but=("event", "sampler")) is not Space.LOCAL:
        return
    entity = fact.entity
    in_block = fact.scope is Scope.BLOCK
    yield Finding(
        CODE,
        Severity.WARNING if in_block else Severity.ERROR,
        f"variable `{entity.name}` in local memory {_WHERE[fact.scope]}",
        qualifier_place(entity, 0),
        related_typedef(entity, 0),
        tuple(_fixes(fact)),
    )


def _fixes(fact: Declaration) -> Iterator[Fix]:
    entity = fact.entity
    if fact.scope is Scope.KERNEL_INNER:
        yield create_move_out_fix(entity, OuterScope.KERNEL, preferred=True)
    yield from suggest_move_to_pointee(entity)
    is_shared = isinstance(entity.type, Array) or (
        fact.scope is Scope.KERNEL_INNER and not isinstance(entity.type, Pointer)
    )
    if not is_shared:
        yield create_qualifier_removal_fix(entity, 0, f"Make `{entity.name}` private")


RULES = (Rule(CODE, Declaration, check, reads=AUTOMATIC_SPACE_READS, invalidates=True),)
