"""Cache of facts known to produce no finding. Facts equivalent to one of them are skipped.

Most facts of a program produce no finding and are equivalent to many others.
"""

from __future__ import annotations

from functools import lru_cache

from openclsp.language.dialect import Dialect
from openclsp.semantics.facts.declarations import Declaration, TypeName
from openclsp.semantics.facts.entities import Entity
from openclsp.semantics.facts.expressions import Access, Conversion
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.values import unplaced

FactKey = tuple[object, ...]
_MAXIMUM_KEYS = 65_536


class NoFindingCache:
    """A bounded set of keys of facts that produce no finding."""

    __slots__ = ("keys",)

    def __init__(self) -> None:
        self.keys: set[FactKey] = set()

    def add(self, key: FactKey) -> None:
        """Records that facts with this key produce no finding."""
        if len(self.keys) >= _MAXIMUM_KEYS:
            self.keys.clear()
        self.keys.add(key)


@lru_cache(maxsize=16)
def get_no_finding_cache(dialect: Dialect) -> NoFindingCache:
    """The shared cache of a dialect; every check adds to it."""
    return NoFindingCache()


def fact_key(fact: Fact) -> FactKey | None:
    """The key of a fact: all that decides whether a rule reports it.

    It contains everything except places and names. None for kinds of facts that are rare or seldom
    equivalent: a cache does not pay for them.
    """
    if isinstance(fact, Access):
        return id(fact.kind), unplaced(fact.value), fact.operator
    if isinstance(fact, Conversion):
        return id(fact.context), unplaced(fact.value), fact.target, fact.target_origin is None
    if isinstance(fact, Declaration):
        return _declaration_key(fact)
    return _type_name_key(fact) if isinstance(fact, TypeName) else None


def _declaration_key(fact: Declaration) -> FactKey:
    entity, initialiser = fact.entity, fact.initialiser
    # `id` of enum members: hashing an integer is faster than hashing the member's name
    found: list[object] = [
        id(entity.kind),
        entity.type,
        bool(entity.name),
        id(fact.scope),
        fact.storage,
        # None if a pragma allows the storage class
        fact.storage_place is None,
        fact.definition,
        None if initialiser is None else id(initialiser.constancy),
    ]
    _add_levels(found, entity)
    return tuple(found)


def _type_name_key(fact: TypeName) -> FactKey:
    """The key of a type name; no rule about type names reads the operand of a cast."""
    entity = fact.entity
    found: list[object] = [id(entity.kind), entity.type, id(fact.scope)]
    _add_levels(found, entity)
    return tuple(found)


def _add_levels(found: list[object], entity: Entity) -> None:
    """Adds what decides about an entity's address spaces to a key."""
    for level in entity.levels:
        found += (level.space, id(level.reason), level.via is None, level.place is None)
        if level.written:
            found += [space for space, _ in level.written]
