"""Facts of which no rule says anything, by all that rules judge them by: most are like many others."""

from __future__ import annotations

from functools import lru_cache

from openclsp.language.dialect import Dialect
from openclsp.semantics.facts.declarations import Declaration
from openclsp.semantics.facts.expressions import Access, Conversion
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.values import unplaced

Sort = tuple[object, ...]
_MAXIMUM = 65_536


class Silent:
    """The sorts of facts that are passed over; bounded."""

    __slots__ = ("sorts",)

    def __init__(self) -> None:
        self.sorts: set[Sort] = set()

    def add(self, sort: Sort) -> None:
        """No rule says anything of a fact of this sort."""
        if len(self.sorts) >= _MAXIMUM:
            self.sorts.clear()
        self.sorts.add(sort)


@lru_cache(maxsize=16)
def silent_in(dialect: Dialect) -> Silent:
    """Those of a dialect. Shared, and filled by whoever comes upon them."""
    return Silent()


def sort_of(fact: Fact) -> Sort | None:
    """All that decides whether a rule says anything of a fact: everything but places, and what things are called. None for
    kinds of facts that are few, or seldom alike."""
    if isinstance(fact, Access):
        return id(fact.kind), unplaced(fact.value), fact.operator
    if isinstance(fact, Conversion):
        return id(fact.context), unplaced(fact.value), fact.target, fact.target_origin is None
    return _of_declaration(fact) if isinstance(fact, Declaration) else None


def _of_declaration(fact: Declaration) -> Sort:
    entity, initialiser = fact.entity, fact.initialiser
    # members of an enumeration are compared by identity, which is quicker than by their names
    found: list[object] = [
        id(entity.kind),
        entity.type,
        bool(entity.name),
        id(fact.scope),
        fact.storage,
        # None where a pragma allows it
        fact.storage_place is None,
        fact.definition,
        None if initialiser is None else id(initialiser.constancy),
    ]
    for level in entity.levels:
        found += (level.space, id(level.reason), level.via is None, level.place is None)
        if level.written:
            found += [space for space, _ in level.written]
    return tuple(found)
