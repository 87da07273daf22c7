"""Declarations of which no rule says anything, by all that rules judge them by: most declarations are like many others."""

from __future__ import annotations

from functools import lru_cache

from openclsp.language.dialect import Dialect
from openclsp.semantics.facts.declarations import Declaration

_MAXIMUM = 65_536


class Silent:
    """The sorts of declarations that are passed over; bounded."""

    __slots__ = ("_sorts",)

    def __init__(self) -> None:
        self._sorts: set[tuple[object, ...]] = set()

    def __contains__(self, sort: object) -> bool:
        return sort in self._sorts

    def add(self, sort: tuple[object, ...]) -> None:
        """No rule says anything of a declaration of this sort."""
        if len(self._sorts) >= _MAXIMUM:
            self._sorts.clear()
        self._sorts.add(sort)


@lru_cache(maxsize=16)
def silent_declarations(dialect: Dialect) -> Silent:
    """Those of a dialect. Shared, and filled by whoever comes upon them."""
    return Silent()


def likeness(fact: Declaration) -> tuple[object, ...]:
    """All that decides whether a rule says anything of a declaration: everything but places, and what it is called."""
    entity, initialiser = fact.entity, fact.initialiser
    # members of an enumeration are compared by identity, which is quicker than by their names
    found: list[object] = [
        id(entity.kind),
        entity.type,
        bool(entity.name),
        id(fact.scope),
        fact.storage,
        fact.definition,
        None if initialiser is None else id(initialiser.constancy),
    ]
    for level in entity.levels:
        found += (level.space, id(level.reason), level.via is None, level.place is None)
        if level.written:
            found += [space for space, _ in level.written]
    return tuple(found)
