"""Automatic variables in global memory or in the generic address space (OpenCL C 6.7.1, 6.7.5)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, OuterScope, ReplaceTokens, SetSpace, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    AUTOMATIC_SPACE_READS,
    automatic_space,
    create_move_out_fix,
    create_qualifier_removal_fix,
    fixable_origin,
    qualifier_place,
    related_typedef,
    suggest_move_to_pointee,
)
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import Place

CODE = "function-scope-global"

_IN_FUNCTIONS = (Scope.KERNEL, Scope.KERNEL_INNER, Scope.FUNCTION, Scope.BLOCK)


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an automatic variable in an address space that it cannot have: global, generic or a vendor's."""
    entity = fact.entity
    space = automatic_space(fact, _IN_FUNCTIONS, but=("event", "sampler", "image", "pipe"))
    if space is None:
        return
    if space is Space.GLOBAL:
        message = f"variable `{entity.name}` in a function cannot be in global memory" + (
            " unless it is static" if dialect.program_scope_globals else ""
        )
    elif space is Space.GENERIC and dialect.generic:
        message = (
            f"variable `{entity.name}` cannot be in the generic address space: only pointers point there"
        )
    elif space.is_vendor_extension:
        message = f"variable `{entity.name}` in a function cannot be in {space.word}"
    else:
        return
    yield Finding(
        CODE,
        Severity.ERROR,
        message,
        qualifier_place(entity, 0),
        related_typedef(entity, 0),
        tuple(_fixes(fact, dialect)),
    )


def _fixes(fact: Declaration, dialect: Dialect) -> Iterator[Fix]:
    entity = fact.entity
    yield from suggest_move_to_pointee(entity)
    yield create_qualifier_removal_fix(entity, 0, f"Make `{entity.name}` private")
    if fact.scope is Scope.KERNEL and fact.initialiser is None:
        yield Fix(
            f"Put `{entity.name}` into local memory", (SetSpace(fixable_origin(entity, 0), Space.LOCAL),)
        )
    if entity.levels[0].space is Space.GLOBAL and dialect.program_scope_globals and not fact.storage:
        start = Place(entity.whole.first, entity.whole.first)
        yield Fix(f"Make `{entity.name}` static", (ReplaceTokens(start, "static"),))
        yield create_move_out_fix(entity, OuterScope.PROGRAM)


RULES = (Rule(CODE, Declaration, check, reads=AUTOMATIC_SPACE_READS, invalidates=True),)
