"""A variable in local memory with an initialiser (OpenCL C 6.7.2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import AssignLater, Finding, Fix, SetSpace, Severity
from openclsp.rules.qualifiers import (
    AUTOMATIC,
    moved_to_pointee,
    opaque_category,
    origin_of,
    related_typedef,
    removal,
)
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import EntityKind
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.values import Constancy

CODE = "local-initialiser"


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an initialiser at the scope that allows local variables; `local-scope` reports the other scopes."""
    entity = fact.entity
    if (
        fact.scope not in (Scope.KERNEL, Scope.BLOCK)
        or entity.kind is not EntityKind.VARIABLE
        or fact.initialiser is None
    ):
        return
    if entity.levels[0].space is not Space.LOCAL or fact.storage not in AUTOMATIC:
        return
    if opaque_category(entity.type) in ("event", "sampler", "image", "pipe"):
        return
    yield Finding(
        CODE,
        Severity.ERROR,
        f"variable `{entity.name}` in local memory cannot be initialised: all work-items share it; assign to it instead",
        fact.initialiser.place,
        related_typedef(entity, 0),
        tuple(_fixes(fact)),
    )


def _fixes(fact: Declaration) -> Iterator[Fix]:
    entity = fact.entity
    yield from moved_to_pointee(entity)
    yield Fix(f"Assign to `{entity.name}` after its declaration", (AssignLater(entity.ref),))
    yield removal(entity, 0, f"Make `{entity.name}` private")
    if fact.initialiser is not None and fact.initialiser.constancy is Constancy.CONSTANT:
        change = SetSpace(origin_of(entity, 0), Space.CONSTANT)
        yield Fix(f"Put `{entity.name}` into constant memory", (change,))


RULES = (Rule(CODE, Declaration, check),)
