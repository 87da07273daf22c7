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
from openclsp.rules.finding import Finding, Related
from openclsp.semantics.entities import EntityRef, ItemKey, Origin, Place
from openclsp.semantics.facts.calls import DeferredCall
from openclsp.semantics.facts.values import Value

T = TypeVar("T")

_STAND_IN: ItemKey = ("", "stand-in", -1)
_SPREAD = 1 << 20
"""The distance between the token indices of placeholder places.

It is larger than any call, so that placeholder places do not overlap.
"""


_sorts: dict[tuple[object, ...], int] = {}
_numbers = count()
_MAXIMUM_SORTS = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """A call with its equivalence class.

    Two calls are equivalent if and only if their `sort` is equal. `own` contains the entities of the call's
    own item that the arguments refer to, in order of first reference. `call` is the call itself.
    """

    sort: int
    own: tuple[EntityRef, ...]
    call: DeferredCall


def likeness(call: DeferredCall, item: ItemKey) -> Likeness:
    """Classifies a call that `item` contains."""
    own: dict[EntityRef, int] = {}
    # Only the width class of a place enters the key, not its position: rules cannot observe more of it, and a
    # key with positions would make every call unique.
    key: list[object] = [call.sort, _width(call.place), _width(call.whole)]
    for argument in call.arguments:
        key += (argument.name, argument.number, _width(argument.place))
        if argument.origin is not None:
            key += (_number(argument.origin.entity, item, own), argument.origin.level)
        if argument.held is not None:
            depth, holder, name = argument.held
            key += (depth, _number(holder.entity, item, own), holder.level, name)
    whole = tuple(key)
    sort = _sorts.get(whole)
    if sort is None:
        if len(_sorts) >= _MAXIMUM_SORTS:
            _sorts.clear()
        sort = _sorts[whole] = next(_numbers)
    return Likeness(sort, tuple(own), call)


def _number(ref: EntityRef, item: ItemKey, own: dict[EntityRef, int]) -> object:
    """The key of an entity in a canonical call.

    It is the index among the call's own entities, or the reference itself if another item owns the entity.
    """
    return own.setdefault(ref, len(own)) if ref.item == item else ref


def _width(place: Place) -> int:
    """The width class of a place: 0, 1 or 2 for no token, one token, or more.

    Rules depend on nothing else of a place.
    """
    return min(max(place.last - place.first, 0), 2)


def stand_in(alike: Likeness) -> DeferredCall:
    """Builds the canonical call: placeholders replace the token indices and the entities of its item."""
    numbers = {ref: number for number, ref in enumerate(alike.own)}

    def origin(real: Origin) -> Origin:
        number = numbers.get(real.entity)
        return real if number is None else Origin(EntityRef(_STAND_IN, number), real.level)

    def value(number: int, real: Value) -> Value:
        return real.replaced(
            place=_stand_in_place(number + 2, _width(real.place)),
            origin=None if real.origin is None else origin(real.origin),
            held=None if real.held is None else (real.held[0], origin(real.held[1]), real.held[2]),
        )

    call = alike.call
    return DeferredCall(
        call.name,
        tuple(value(number, argument) for number, argument in enumerate(call.arguments)),
        _stand_in_place(0, _width(call.place)),
        _stand_in_place(1, _width(call.whole)),
        call.sort,
    )


def in_terms(alike: Likeness, refs: frozenset[EntityRef]) -> frozenset[EntityRef]:
    """Replaces the entities of the call's item by their placeholders."""
    if not refs:
        return refs
    numbers = {ref: number for number, ref in enumerate(alike.own)}
    return frozenset(EntityRef(_STAND_IN, numbers[ref]) if ref in numbers else ref for ref in refs)


@lru_cache(maxsize=256)
def _stand_in_place(number: int, width: int) -> Place:
    first = (number + 1) * 2 * _SPREAD
    return Place(first, first + (0, 1, _SPREAD)[width])


class Pattern:
    """A finding about a canonical call, to be instantiated for real calls.

    `at` is the index of the finding's place: 0 for the function's name, 1 for the whole call, then the
    arguments.
    """

    __slots__ = ("at", "finding", "related")

    def __init__(self, finding: Finding, at: int) -> None:
        self.finding, self.at = finding, at
        self.related = tuple(finding.related)
        """The related declarations. Those without a placeholder are shared by all calls."""

    @staticmethod
    def of(finding: Finding, call: DeferredCall) -> Pattern | None:
        """Creates the pattern of a finding about the canonical `call`.

        None if the finding has a place other than the call's own places: such a place cannot be mapped to
        another call.
        """
        places = [call.place, call.whole, *(argument.place for argument in call.arguments)]
        leaves = {leaf for place in places for leaf in (place.first, place.last)}
        if finding.place not in places or not all(
            leaf in leaves
            for place in _places((finding.related, finding.fixes, finding.defaulted))
            for leaf in (place.first, place.last)
        ):
            return None
        return Pattern(finding, places.index(finding.place))

    def matched(self, alike: Likeness) -> Finding:
        """Instantiates the pattern for a real call.

        Fixes are instantiated lazily, because few of them are requested.
        """
        finding, call = self.finding, alike.call
        at = self.at
        place = call.arguments[at - 2].place if at >= 2 else call.whole if at else call.place
        return Finding(
            finding.code,
            finding.severity,
            finding.message,
            place,
            tuple([_related(each, alike) for each in self.related]),
            _Later(finding.fixes, alike),
            _Later(finding.defaulted, alike) if finding.defaulted else (),
            mismatches=finding.mismatches,
        )


def _related(related: Related, alike: Likeness) -> Related:
    origin = related.origin
    entity = origin.entity
    if entity.item != _STAND_IN:
        return related
    return Related(Origin(alike.own[entity.number], origin.level), related.message)


class _Later(Sequence[T]):
    """A sequence that substitutes its placeholders on first access."""

    __slots__ = ("_alike", "_values")

    def __init__(self, values: Sequence[T], alike: Likeness) -> None:
        self._values = values
        self._alike: Likeness | None = alike

    def _made(self) -> Sequence[T]:
        if self._alike is not None:
            real = _Real(self._alike)
            self._values, self._alike = tuple(real.of(each) for each in self._values), None
        return self._values

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        return self._made()[at]

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[T]:
        return iter(self._made())

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, tuple | _Later) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._made()))


class _Real:
    """Substitutes a call's own token indices and entities for the placeholders."""

    def __init__(self, alike: Likeness) -> None:
        call = alike.call
        self._alike = alike
        self._leaves: dict[int, int] = {}
        for number, place in enumerate((call.place, call.whole, *(each.place for each in call.arguments))):
            there = _stand_in_place(number, _width(place))
            self._leaves[there.first], self._leaves[there.last] = place.first, place.last

    def of(self, value: Any) -> Any:
        """Returns the value without placeholders. Values consist of tuples and dataclasses."""
        if isinstance(value, Place):
            return Place(self._leaves[value.first], self._leaves[value.last])
        if isinstance(value, EntityRef):
            return self._alike.own[value.number] if value.item == _STAND_IN else value
        if isinstance(value, tuple):
            return tuple(self.of(each) for each in value)
        fields = getattr(value, "__dataclass_fields__", None)
        return value if fields is None else type(value)(*(self.of(getattr(value, name)) for name in fields))


def _places(value: Any) -> Iterator[Place]:
    if isinstance(value, Place):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _places(each)
    else:
        for name in getattr(value, "__dataclass_fields__", ()):
            yield from _places(getattr(value, name))
