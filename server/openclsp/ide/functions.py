"""Declarations and calls of functions, for fixes that change or copy functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.ide.places import Places
from openclsp.language.spaces import Space, encloses
from openclsp.rules.finding import AddQualifier, Change, RemoveSpace, SetSpace
from openclsp.rules.pointers import dropped_qualifiers, pointee_space
from openclsp.semantics.compatibility import agree
from openclsp.semantics.context import Symbol
from openclsp.semantics.declared_functions import declarations, function_of
from openclsp.semantics.entities import EntityRef, ItemKey, Origin, Place
from openclsp.semantics.facts.calls import Call
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types import Function, Type


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call fact with the item that contains it."""

    item: ItemKey
    call: Call

    def argument(self, place: Place) -> int:
        """The index of the argument at that place; -1 if there is none."""
        return next((n for n, each in enumerate(self.call.arguments) if each.place == place), -1)


def calls(places: Places, name: str, type_: Type) -> tuple[CallSite, ...]:
    """Finds every call in the unit of the function with that name and type."""
    # the text search avoids typing items that do not contain the name
    word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
    found: list[CallSite] = []
    for item in places.unit.items:
        if word.search(item.group.text) is not None:
            found += [site for site in calls_in(places, item.key, name) if _means(site.call, type_)]
    return tuple(found)


def calls_in(places: Places, key: ItemKey, name: str) -> Iterator[CallSite]:
    """Yields the calls of functions with that name in one item."""
    for fact in places.facts(key):
        if isinstance(fact, Call) and fact.name == name:
            yield CallSite(key, fact)


def _means(call: Call, type_: Type) -> bool:
    return call.function is not None and agree(call.function, type_)


def refused_arguments(call: Call) -> dict[int, tuple[Space, tuple[str, ...]]]:
    """The arguments whose address space the parameters do not accept, by index.

    Each value is the address space of the argument's pointee and the qualifiers that the parameter's pointee
    lacks.
    """
    if not isinstance(call.function, Function):
        return {}
    found: dict[int, tuple[Space, tuple[str, ...]]] = {}
    for number, (value, target) in enumerate(zip(call.arguments, call.function.parameters, strict=False)):
        source, taken = pointee_space(value.type), pointee_space(target)
        if source is None or taken is None or value.null or encloses(taken, source):
            continue
        found[number] = source, dropped_qualifiers(value.type, target)
    return found


def along(unit: TranslationUnit, change: Change) -> Iterator[Change]:
    """Yields the change for all declarations of a function.

    A change that affects no parameter or result of a function is yielded alone.
    """
    yield change
    if not isinstance(change, SetSpace | RemoveSpace | AddQualifier):
        return
    ref = change.origin.entity
    symbol = function_of(unit, ref)
    if symbol is None:
        return
    for other in declarations(unit, symbol.name):
        if other.ref != symbol.ref and agree(other.type, symbol.type):
            yield at_declaration(change, symbol, other)


def at_declaration(
    change: SetSpace | RemoveSpace | AddQualifier, symbol: Symbol, other: Symbol
) -> SetSpace | RemoveSpace | AddQualifier:
    """Translates a change to one declaration of a function to another declaration of it."""
    number = change.origin.entity.number - symbol.ref.number + other.ref.number
    return replace(change, origin=Origin(EntityRef(other.ref.item, number), change.origin.level))
