"""Automatic variables in global memory or in the generic address space (OpenCL C 6.7.1, 6.7.5)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, Outer, ReplaceLeaves, SetSpace, Severity
from openclsp.rules.qualifiers import (
    automatic_space,
    moved_out,
    moved_to_pointee,
    origin_of,
    place_of,
    related_typedef,
    removal,
)
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import Place
from openclsp.semantics.facts.declarations import Declaration, Scope

CODE = "function-scope-global"

_IN_FUNCTIONS = (Scope.KERNEL, Scope.KERNEL_INNER, Scope.FUNCTION, Scope.BLOCK)


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an automatic variable in a space where none can be: global, generic or a vendor's space."""
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
    elif space.is_vendors:
        message = f"variable `{entity.name}` in a function cannot be in {space.word}"
    else:
        return
    yield Finding(
        CODE,
        Severity.ERROR,
        message,
        place_of(entity, 0),
        related_typedef(entity, 0),
        tuple(_fixes(fact, dialect)),
    )


def _fixes(fact: Declaration, dialect: Dialect) -> Iterator[Fix]:
    entity = fact.entity
    yield from moved_to_pointee(entity)
    yield removal(entity, 0, f"Make `{entity.name}` private")
    if fact.scope is Scope.KERNEL and fact.initialiser is None:
        yield Fix(f"Put `{entity.name}` into local memory", (SetSpace(origin_of(entity, 0), Space.LOCAL),))
    if entity.levels[0].space is Space.GLOBAL and dialect.program_scope_globals and not fact.storage:
        start = Place(entity.whole.first, entity.whole.first)
        yield Fix(f"Make `{entity.name}` static", (ReplaceLeaves(start, "static"),))
        yield moved_out(entity, Outer.PROGRAM)


RULES = (Rule(CODE, Declaration, check),)
