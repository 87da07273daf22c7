"""What others see of an item: queries on all that stands before a function's body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from openclsp.semantics.context import Exports, Symbol
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import EntityKind, GivenAt, ItemKey
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.inputs import HEAD_CONTENT
from openclsp.semantics.item_typing import exports_of
from openclsp.semantics.sizes import Slots
from openclsp.semantics.types import Function, function

if TYPE_CHECKING:
    from openclsp.semantics.translation_unit import TranslationUnit


class Head(NamedTuple):
    """What typing an item up to a function's body gives: what others see of it, the facts, and where the levels of its
    entities are given their spaces."""

    exports: Exports = Exports()
    facts: tuple[Fact, ...] = ()
    given: Mapping[int, GivenAt] = {}


def _head(unit: TranslationUnit, key: ItemKey) -> Head:
    if not unit.engine.read(HEAD_CONTENT, key):
        return Head()
    begun = unit.begin(key)
    if begun is None:
        typed = unit.typed(key, bodies=False)
        exports, facts = exports_of(typed), tuple(typed.facts)
    else:
        typed, exports, facts = begun.context, begun.exports, begun.facts
    given = {number: entity.given_at for number, entity in typed.entities.items()}
    return Head(exports, facts, given)


HEAD: Query[ItemKey, Head] = Query("head", _head, Head())

EXPORTS: Query[ItemKey, Exports] = Query(
    "exports", lambda unit, key: unit.engine.get(HEAD, key).exports, Exports()
)


def _slots(unit: TranslationUnit, key: ItemKey) -> Mapping[object, Slots]:
    return unit.typed(key, bodies=False).slots if unit.engine.read(HEAD_CONTENT, key) else {}


SLOTS: Query[ItemKey, Mapping[object, Slots]] = Query("slots", _slots, {})
"""How the members of each struct and union that an item defines lie in it. Apart from its exports, so that only those who
ask for a size are woken by what changes a size alone."""


def _shapes(unit: TranslationUnit, key: ItemKey) -> Mapping[str, Symbol | None]:
    found = unit.engine.get(EXPORTS, key).symbols.items()
    return {
        name: replace(symbol, type=function(symbol.type.result, ()), parameters=())
        if isinstance(symbol.type, Function)
        and symbol.kind is EntityKind.FUNCTION
        and not symbol.overloadable
        else None
        for name, symbol in found
    }


SHAPES: Query[ItemKey, Mapping[str, Symbol | None]] = Query("shapes", _shapes, {}, firewall=True)
"""An item's functions without their parameters; None for all else that it declares."""
