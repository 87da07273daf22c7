"""Queries about heads of items.

The head of a function is everything before its body. Other items see only the head.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, Protocol

from openclsp.semantics.database.query_database import Query, QueryDatabase
from openclsp.semantics.database.unit_inputs import HEAD_CONTENT
from openclsp.semantics.facts.entities import EntityKind, ItemKey, SpaceSources
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.types.sizes import Slots
from openclsp.semantics.types.type_model import Function, function
from openclsp.semantics.typing.item_typing import TypedHead, exports_of
from openclsp.semantics.typing.symbols import Exports, Symbol
from openclsp.semantics.typing.typing_context import TypingContext


class HeadTyping(Protocol):
    """The part of the interface of `TranslationUnit` that the queries of this module use."""

    database: QueryDatabase

    def begin_typing(self, key: ItemKey) -> TypedHead | None:
        """Types the head of an item, which is everything before the function body.

        None if the head cannot be typed without the body; `typed` must then be called instead.
        """

    def typed(self, key: ItemKey, *, bodies: bool) -> TypingContext:
        """Types an item, with or without function bodies."""


class Head(NamedTuple):
    """The result of typing an item up to its function body.

    `space_sources` maps the number of each entity to the places or typedefs that determine its address spaces.
    """

    exports: Exports = Exports()
    facts: tuple[Fact, ...] = ()
    space_sources: Mapping[int, SpaceSources] = {}


def _compute_head(unit: HeadTyping, key: ItemKey) -> Head:
    if not unit.database.read(HEAD_CONTENT, key):
        return Head()
    head = unit.begin_typing(key)
    if head is None:
        typed = unit.typed(key, bodies=False)
        exports, facts = exports_of(typed), tuple(typed.facts)
    else:
        typed, exports, facts = head.context, head.exports, head.facts
    space_sources = {number: entity.space_sources for number, entity in typed.entities.items()}
    return Head(exports, facts, space_sources)


HEAD: Query[ItemKey, Head] = Query("head", _compute_head, Head())

EXPORTS: Query[ItemKey, Exports] = Query(
    "exports", lambda unit, key: unit.database.get(HEAD, key).exports, Exports()
)


def _compute_slots(unit: HeadTyping, key: ItemKey) -> Mapping[object, Slots]:
    return unit.typed(key, bodies=False).slots if unit.database.read(HEAD_CONTENT, key) else {}


SLOTS: Query[ItemKey, Mapping[object, Slots]] = Query("slots", _compute_slots, {})
"""The memory layouts of the structs and unions that an item defines.

Separate from `EXPORTS`, so that a change of sizes alone invalidates only those queries that asked for a size.
"""


def _compute_result_signatures(unit: HeadTyping, key: ItemKey) -> Mapping[str, Symbol | None]:
    """Maps the name of each function that the item declares to the function's symbol without parameters.

    An overloadable function is mapped to None, because its result type depends on the arguments. Any other
    name that the item declares is mapped to None too.
    """
    found = unit.database.get(EXPORTS, key).symbols.items()
    return {
        name: replace(symbol, type=function(symbol.type.result, ()), parameters=())
        if isinstance(symbol.type, Function)
        and symbol.kind is EntityKind.FUNCTION
        and not symbol.overloadable
        else None
        for name, symbol in found
    }


RESULT_SIGNATURES: Query[ItemKey, Mapping[str, Symbol | None]] = Query(
    "result signatures", _compute_result_signatures, {}, firewall=True
)
"""An item's functions without their parameters; None for its other declarations.

A firewall: editing parameter lists does not invalidate callers that depend on result types only.
"""
