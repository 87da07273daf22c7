"""A pointer in memory that lives longer than its pointee (OpenCL C 6.7.1, 6.7.2, 6.7.4)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.qualifiers import is_given, place_of, related_typedef
from openclsp.rules.reaching import related_sources, spaces_words
from openclsp.rules.rule import Rule
from openclsp.semantics.entities import EntityKind
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.reaching import PointerStore

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
    if own.space is not Space.GLOBAL or not is_given(pointee) or pointee.space not in _LIFETIME:
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"`{entity.name}` is in global memory and outlives the object it points to: {pointee.space.word} memory is not shared "
        f"and {_LIFETIME[pointee.space]}",
        place_of(entity, 1),
        related=related_typedef(entity, 1),
    )


def check_store(fact: PointerStore, dialect: Dialect) -> Iterator[Finding]:
    """Reports a store if every possible pointee ends before every possible target."""
    value, target = fact.value, fact.target
    if not value.spaces or not target.spaces:
        return
    if not all(inner in _OUTLIVED.get(outer, ()) for inner in value.spaces for outer in target.spaces):
        return
    yield Finding(
        CODE,
        Severity.WARNING,
        f"a pointer into {spaces_words(value)} memory is stored in {spaces_words(target)} memory, which outlives "
        "the object",
        fact.place,
        related=related_sources(value),
    )


_OUTLIVED = {Space.GLOBAL: (Space.LOCAL, Space.PRIVATE), Space.LOCAL: (Space.PRIVATE,)}
"""Maps a space to the spaces whose memory ends before its own."""

RULES = (Rule(CODE, Declaration, check), Rule(CODE, PointerStore, check_store))
