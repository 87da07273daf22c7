"""Events and samplers in address spaces, or at a scope, that they cannot have (OpenCL C 6.3.3, 6.11.b, 6.11.r)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, SetSpace, Severity
from openclsp.rules.qualifiers import (
    is_given,
    opaque_category,
    origin_of,
    place_of,
    removal,
    without_arrays,
)
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import Entity, EntityKind
from openclsp.semantics.facts import Declaration, Scope
from openclsp.semantics.types import CONST, Opaque, Type

CODE = "opaque-type-space"

_IN_FUNCTIONS = (Scope.KERNEL, Scope.KERNEL_INNER, Scope.FUNCTION)


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Variables only: parameters and members have rules of their own."""
    entity = fact.entity
    if entity.kind is not EntityKind.VARIABLE:
        return
    category = opaque_category(entity.type)
    if category == "sampler":
        yield from _sampler(fact)
    elif category in ("event", "clk_event", "reserve_id"):
        yield from _event(fact, _name(entity.type))


def _name(type_: Type) -> str:
    type_ = without_arrays(type_)
    return type_.name if isinstance(type_, Opaque) else ""


def _event(fact: Declaration, name: str) -> Iterator[Finding]:
    entity = fact.entity
    level = entity.levels[0]
    if fact.scope is Scope.PROGRAM or (fact.scope in _IN_FUNCTIONS and fact.storage == "extern"):
        message = (
            f"variable `{entity.name}`: `{name}` is no type for variables of the program, only of functions"
        )
        yield Finding(CODE, Severity.ERROR, message, place_of(entity, 0))
    elif name == "event_t" and fact.scope in _IN_FUNCTIONS and is_given(level):
        if level.space is Space.PRIVATE:
            return
        message = f"variable `{entity.name}` of type `event_t` is always private, it cannot be in "
        message += level.space.word
        fixes = (removal(entity, 0, f"Remove `{level.space.word}`"),)
        yield Finding(CODE, Severity.ERROR, message, place_of(entity, 0), fixes=fixes)


def _sampler(fact: Declaration) -> Iterator[Finding]:
    entity = fact.entity
    level = entity.levels[0]
    if is_given(level) and level.space in (Space.GLOBAL, Space.LOCAL):
        message = f"sampler `{entity.name}` cannot be in {level.space.word} memory"
        yield Finding(CODE, Severity.ERROR, message, place_of(entity, 0), fixes=tuple(_in_constant(entity)))
    elif fact.scope is Scope.PROGRAM and not _is_constant(entity):
        message = f"sampler `{entity.name}` at program scope must be constant, or const"
        yield Finding(CODE, Severity.ERROR, message, entity.place, fixes=tuple(_in_constant(entity)))


def _is_constant(entity: Entity) -> bool:
    qualifiers = without_arrays(entity.type).qualifiers
    return bool(qualifiers & CONST) or entity.levels[0].space in (Space.CONSTANT, Space.UNKNOWN)


def _in_constant(entity: Entity) -> Iterator[Fix]:
    title = f"Put `{entity.name}` into constant memory"
    yield Fix(title, (SetSpace(origin_of(entity, 0), Space.CONSTANT),), preferred=True)


RULES = (Rule(CODE, Declaration, check),)
