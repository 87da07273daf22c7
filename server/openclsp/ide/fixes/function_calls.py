"""Declarations and calls of functions, for fixes that change or copy functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.ide.location_map import LocationMap
from openclsp.language.spaces import Space, encloses
from openclsp.rules.finding import AddQualifier, FixChange, RemoveSpace, SetSpace
from openclsp.rules.shared.pointer_wording import dropped_qualifiers, pointee_space
from openclsp.semantics.database.declared_functions import declarations, function_of
from openclsp.semantics.facts.calls import Call
from openclsp.semantics.facts.entities import (
    EntityRef,
    ItemKey,
    Origin,
    Place,
)
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.compatibility import agree
from openclsp.semantics.types.type_model import Function, Type
from openclsp.semantics.typing.symbols import Symbol


@dataclass(frozen=True, slots=True)
class FunctionCallSite:
    """A fact about a call, with the item that contains the call."""

    item: ItemKey
    call: Call

    def argument_index(self, place: Place) -> int:
        """Returns the index of the argument at that place; -1 if there is none."""
        return next((n for n, each in enumerate(self.call.arguments) if each.place == place), -1)


def find_calls(places: LocationMap, name: str, type_: Type) -> tuple[FunctionCallSite, ...]:
    """Finds every call in the unit of the function with that name and type."""
    # the text search avoids typing items that do not contain the name
    word = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
    found: list[FunctionCallSite] = []
    for item in places.unit.items:
        if word.search(item.group.text) is not None:
            found += [
                site
                for site in find_calls_in_item(places, item.key, name)
                if _calls_function(site.call, type_)
            ]
    return tuple(found)


def find_calls_in_item(places: LocationMap, key: ItemKey, name: str) -> Iterator[FunctionCallSite]:
    """Yields the calls of functions with that name in one item."""
    for fact in places.facts(key):
        if isinstance(fact, Call) and fact.name == name:
            yield FunctionCallSite(key, fact)


def _calls_function(call: Call, type_: Type) -> bool:
    return call.function is not None and agree(call.function, type_)


def mismatched_arguments(call: Call) -> dict[int, tuple[Space, tuple[str, ...]]]:
    """Finds the arguments whose address spaces the parameters do not accept; returns them by index.

    Each value contains the address space of the argument's pointee, and the argument's qualifiers that the
    parameter's pointee lacks.
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


def propagate_to_declarations(unit: TranslationUnit, change: FixChange) -> Iterator[FixChange]:
    """Yields a change to one declaration of a function, and the same change to all its other declarations.

    This applies only to changes of a parameter or result that set or remove an address space, or add a
    qualifier. Any other change is yielded alone.
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
            yield translate_to_declaration(change, symbol, other)


def translate_to_declaration(
    change: SetSpace | RemoveSpace | AddQualifier, symbol: Symbol, other: Symbol
) -> SetSpace | RemoveSpace | AddQualifier:
    """Translates a change to one declaration of a function into the same change to another declaration."""
    number = change.origin.entity.number - symbol.ref.number + other.ref.number
    return replace(change, origin=Origin(EntityRef(other.ref.item, number), change.origin.level))
