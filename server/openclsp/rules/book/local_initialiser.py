"""A variable in local memory with an initialiser (OpenCL C 6.7.2)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Fix, SetSpace, Severity, SplitInitialisation
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import (
    AUTOMATIC_STORAGE_CLASSES,
    create_qualifier_removal_fix,
    fixable_origin,
    opaque_category,
    related_typedef,
    suggest_move_to_pointee,
)
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import EntityKind
from openclsp.semantics.facts.values import Constancy

CODE = "local-initialiser"


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports an initialiser of a local variable at a kernel's outermost scope or in a block.

    In other scopes, the variable itself is an error, which `local-scope` reports.
    """
    entity = fact.entity
    if (
        fact.scope not in (Scope.KERNEL, Scope.BLOCK)
        or entity.kind is not EntityKind.VARIABLE
        or fact.initialiser is None
    ):
        return
    if entity.levels[0].space is not Space.LOCAL or fact.storage not in AUTOMATIC_STORAGE_CLASSES:
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
    yield from suggest_move_to_pointee(entity)
    yield Fix(f"Assign to `{entity.name}` after its declaration", (SplitInitialisation(entity.ref),))
    yield create_qualifier_removal_fix(entity, 0, f"Make `{entity.name}` private")
    if fact.initialiser is not None and fact.initialiser.constancy is Constancy.CONSTANT:
        change = SetSpace(fixable_origin(entity, 0), Space.CONSTANT)
        yield Fix(f"Put `{entity.name}` into constant memory", (change,))


RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.kind",
            "entity.levels[].space",
            "entity.type",
            "initialiser?",
            "scope",
            "storage",
        ),
        invalidates=True,
    ),
)
