"""Cache of facts known to produce no finding. Facts equivalent to a cached one are skipped.

Facts of one kind are equivalent if all attributes that rules read of them (`Rule.reads`) are equal. Most
facts of a program produce no finding and are equivalent to many others.
"""

from __future__ import annotations

from functools import lru_cache

from openclsp.language.dialect import Dialect
from openclsp.rules.runner.attribute_reads import Getter, make_key
from openclsp.rules.runner.rule_registry import reads_of_fact
from openclsp.semantics.facts.declarations import Declaration, TypeName
from openclsp.semantics.facts.expressions import Access, Conversion
from openclsp.semantics.facts.fact import Fact

FactKey = tuple[type[Fact], object]
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
    """Returns the cache of facts without findings, which all units of a dialect share."""
    return NoFindingCache()


_GETTERS: dict[type[Fact], Getter] = {
    kind: make_key(reads_of_fact(kind)) for kind in (Access, Conversion, Declaration, TypeName)
}
"""The functions that compute keys, for the kinds of facts that are worth caching.

Facts of other kinds are rare or seldom equivalent.
"""


def fact_key(fact: Fact) -> FactKey | None:
    """Returns the key of a fact; equal keys mean that the rules report both facts or neither.

    None for kinds that are not cached.
    """
    kind = type(fact)
    getter = _GETTERS.get(kind)
    return None if getter is None else (kind, getter(fact))
