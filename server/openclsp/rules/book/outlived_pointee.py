"""A pointer in memory that lives longer than its pointee (OpenCL C 6.7.1, 6.7.2, 6.7.4)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.shared.qualifiers import has_explicit_space, qualifier_place, related_typedef
from openclsp.rules.shared.reaching_spaces import describe_reaching_spaces, related_source_declarations
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import EntityKind
from openclsp.semantics.facts.points_to import PointerStore

CODE = "outlived-pointee"

_LIFETIME = {
    Space.LOCAL: "ends with its work-group",
    Space.PRIVATE: "ends with its work-item",
}


def check(fact: Declaration, dialect: Dialect) -> Iterator[Finding]:
    """Reports a global pointer variable, shared by all work-items and kernels, with a local or private pointee."""
    entity = fact.entity
    lasting = fact.scope is Scope.PROGRAM or fact.storage in ("static", "extern")
    if entity.kind is not EntityKind.VARIABLE or not lasting or len(entity.levels) < 2:
        return
    own, pointee = entity.levels[:2]
    if own.space is not Space.GLOBAL or not has_explicit_space(pointee) or pointee.space not in _LIFETIME:
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"`{entity.name}` is in global memory and outlives the object it points to: {pointee.space.word} memory is not shared "
        f"and {_LIFETIME[pointee.space]}",
        qualifier_place(entity, 1),
        related=related_typedef(entity, 1),
    )


def check_store(fact: PointerStore, dialect: Dialect) -> Iterator[Finding]:
    """Reports a store of a pointer if all memory that it may be stored in outlives all its possible pointees."""
    value, target = fact.value, fact.target
    if not value.spaces or not target.spaces:
        return
    if not all(inner in _OUTLIVED.get(outer, ()) for inner in value.spaces for outer in target.spaces):
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"a pointer into {describe_reaching_spaces(value)} memory is stored in {describe_reaching_spaces(target)} memory, which outlives "
        "the object",
        fact.place,
        related=related_source_declarations(value),
    )


_OUTLIVED = {Space.GLOBAL: (Space.LOCAL, Space.PRIVATE), Space.LOCAL: (Space.PRIVATE,)}
"""Maps an address space to the spaces whose objects have a shorter lifetime."""

RULES = (
    Rule(
        CODE,
        Declaration,
        check,
        reads=(
            "entity.kind",
            "entity.levels[].reason",
            "entity.levels[].space",
            "scope",
            "storage",
        ),
    ),
    Rule(CODE, PointerStore, check_store),
)
