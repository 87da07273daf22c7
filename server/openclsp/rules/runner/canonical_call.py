"""Canonical form of calls, so that equivalent calls share one result of the rules.

In the canonical form of a call, placeholders replace the token indices of its places and the entities of its
own item. The rules' findings about the canonical call are patterns; substituting a real call's places and
entities for the placeholders yields that call's findings. Names are not replaced, because messages contain
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Any, TypeVar, overload

from openclsp.dataclass import dataclass
from openclsp.rules.finding import Finding, RelatedDeclaration
from openclsp.semantics.facts.calls import DeferredCall
from openclsp.semantics.facts.entities import (
    EntityRef,
    ItemKey,
    Origin,
    Place,
)
from openclsp.semantics.facts.values import Value

T = TypeVar("T")

_PLACEHOLDER_ITEM: ItemKey = ("", "stand-in", -1)
_PLACEHOLDER_DISTANCE = 1 << 20
"""The distance between the token indices of placeholder places.

It is larger than any call, so that placeholder places do not overlap.
"""


_class_numbers: dict[tuple[object, ...], int] = {}
_next_class_numbers = count()
_MAXIMUM_CLASSES = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalCallKey:
    """A call with its equivalence class.

    Two calls are equivalent if and only if their `class_number` is equal. `own_entities` contains the entities of the call's
    own item that the arguments refer to, in order of first reference. `call` is the call itself.
    """

    class_number: int
    own_entities: tuple[EntityRef, ...]
    call: DeferredCall


def classify_call(call: DeferredCall, item: ItemKey) -> CanonicalCallKey:
    """Returns the key of a call in `item`; equivalent calls have the same `class_number`."""
    own: dict[EntityRef, int] = {}
    # Only the width class of a place enters the key, not its position: rules cannot observe more of it, and a
    # key with positions would make every call unique.
    key: list[object] = [call.argument_class, _width_class(call.place), _width_class(call.whole)]
    for argument in call.arguments:
        key += (argument.name, argument.number, _width_class(argument.place))
        if argument.origin is not None:
            key += (_entity_key(argument.origin.entity, item, own), argument.origin.level)
        if argument.held is not None:
            depth, holder, name = argument.held
            key += (depth, _entity_key(holder.entity, item, own), holder.level, name)
    whole = tuple(key)
    class_number = _class_numbers.get(whole)
    if class_number is None:
        if len(_class_numbers) >= _MAXIMUM_CLASSES:
            _class_numbers.clear()
        class_number = _class_numbers[whole] = next(_next_class_numbers)
    return CanonicalCallKey(class_number, tuple(own), call)


def _entity_key(ref: EntityRef, item: ItemKey, own: dict[EntityRef, int]) -> object:
    """Returns the key of an entity in a canonical call.

    The key is the index among the call's own entities, or the reference itself if another item declares the
    entity.
    """
    return own.setdefault(ref, len(own)) if ref.item == item else ref


def _width_class(place: Place) -> int:
    """Returns the width class of a place: 0 for no token, 1 for one token, 2 for more.

    Rules depend on no other property of a place.
    """
    return min(max(place.last - place.first, 0), 2)


def build_canonical_call(key: CanonicalCallKey) -> DeferredCall:
    """Builds the canonical call: placeholders replace token indices and the entities of the call's item."""
    numbers = {ref: number for number, ref in enumerate(key.own_entities)}

    def origin(real: Origin) -> Origin:
        number = numbers.get(real.entity)
        return real if number is None else Origin(EntityRef(_PLACEHOLDER_ITEM, number), real.level)

    def value(number: int, real: Value) -> Value:
        return real.replaced(
            place=_placeholder_place(number + 2, _width_class(real.place)),
            origin=None if real.origin is None else origin(real.origin),
            held=None if real.held is None else (real.held[0], origin(real.held[1]), real.held[2]),
        )

    call = key.call
    return DeferredCall(
        call.name,
        tuple(value(number, argument) for number, argument in enumerate(call.arguments)),
        _placeholder_place(0, _width_class(call.place)),
        _placeholder_place(1, _width_class(call.whole)),
        call.argument_class,
    )


def replace_own_entities(key: CanonicalCallKey, refs: frozenset[EntityRef]) -> frozenset[EntityRef]:
    """Replaces the entities that are declared in the item around the call by their placeholders."""
    if not refs:
        return refs
    numbers = {ref: number for number, ref in enumerate(key.own_entities)}
    return frozenset(EntityRef(_PLACEHOLDER_ITEM, numbers[ref]) if ref in numbers else ref for ref in refs)


@lru_cache(maxsize=256)
def _placeholder_place(number: int, width: int) -> Place:
    first = (number + 1) * 2 * _PLACEHOLDER_DISTANCE
    return Place(first, first + (0, 1, _PLACEHOLDER_DISTANCE)[width])


class FindingPattern:
    """A finding about a canonical call, to be instantiated for real calls.

    `place_index` identifies the finding's place: 0 is the function's name, 1 the whole call, and 2 and higher
    numbers are the arguments.
    """

    __slots__ = ("finding", "place_index", "related")

    def __init__(self, finding: Finding, at: int) -> None:
        self.finding, self.place_index = finding, at
        self.related = tuple(finding.related)
        """The related declarations. Those without a placeholder are shared by all calls."""

    @staticmethod
    def from_finding(finding: Finding, call: DeferredCall) -> FindingPattern | None:
        """Creates the pattern of a finding about the canonical `call`.

        None if the finding has a place other than the call's own places: such a place cannot be mapped to
        another call.
        """
        places = [call.place, call.whole, *(argument.place for argument in call.arguments)]
        token_indices = {token_index for place in places for token_index in (place.first, place.last)}
        if finding.place not in places or not all(
            token_index in token_indices
            for place in _places((finding.related, finding.fixes, finding.default_private_pointees))
            for token_index in (place.first, place.last)
        ):
            return None
        return FindingPattern(finding, places.index(finding.place))

    def instantiate(self, key: CanonicalCallKey) -> Finding:
        """Instantiates the pattern for a real call.

        Fixes are instantiated lazily, because few of them are requested.
        """
        finding, call = self.finding, key.call
        at = self.place_index
        place = call.arguments[at - 2].place if at >= 2 else call.whole if at else call.place
        return Finding(
            finding.code,
            finding.severity,
            finding.message,
            place,
            tuple([_related(each, key) for each in self.related]),
            _LazySubstitution(finding.fixes, key),
            _LazySubstitution(finding.default_private_pointees, key)
            if finding.default_private_pointees
            else (),
            mismatches=finding.mismatches,
        )


def _related(related: RelatedDeclaration, key: CanonicalCallKey) -> RelatedDeclaration:
    origin = related.origin
    entity = origin.entity
    if entity.item != _PLACEHOLDER_ITEM:
        return related
    return RelatedDeclaration(Origin(key.own_entities[entity.number], origin.level), related.message)


class _LazySubstitution(Sequence[T]):
    """A sequence that replaces its placeholders by a call's own places and entities on first access."""

    __slots__ = ("_key", "_values")

    def __init__(self, values: Sequence[T], key: CanonicalCallKey) -> None:
        self._values = values
        self._key: CanonicalCallKey | None = key

    def _substituted(self) -> Sequence[T]:
        if self._key is not None:
            real = _Substitution(self._key)
            self._values, self._key = tuple(real.substitute(each) for each in self._values), None
        return self._values

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        return self._substituted()[at]

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[T]:
        return iter(self._substituted())

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, tuple | _LazySubstitution) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._substituted()))


class _Substitution:
    """Substitutes a call's own token indices and entities for the placeholders."""

    def __init__(self, key: CanonicalCallKey) -> None:
        call = key.call
        self._key = key
        self._token_indices: dict[int, int] = {}
        for number, place in enumerate((call.place, call.whole, *(each.place for each in call.arguments))):
            there = _placeholder_place(number, _width_class(place))
            self._token_indices[there.first], self._token_indices[there.last] = place.first, place.last

    def substitute(self, value: Any) -> Any:
        """Returns the value with real token indices and entities instead of placeholders.

        Values consist of tuples and dataclasses.
        """
        if isinstance(value, Place):
            return Place(self._token_indices[value.first], self._token_indices[value.last])
        if isinstance(value, EntityRef):
            return self._key.own_entities[value.number] if value.item == _PLACEHOLDER_ITEM else value
        if isinstance(value, tuple):
            return tuple(self.substitute(each) for each in value)
        fields = getattr(value, "__dataclass_fields__", None)
        return (
            value
            if fields is None
            else type(value)(*(self.substitute(getattr(value, name)) for name in fields))
        )


def _places(value: Any) -> Iterator[Place]:
    if isinstance(value, Place):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _places(each)
    else:
        for name in getattr(value, "__dataclass_fields__", ()):
            yield from _places(getattr(value, name))
