"""The caches that other modules keep in a translation unit, so that they are freed with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class UnitCache(Generic[T]):
    """A cache of one kind, of which each unit has at most one: the key in `UnitCaches`.

    Its module owns it: it decides what the value is and when it is valid. `name` is for debugging.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class UnitCaches:
    """The caches of one unit."""

    __slots__ = ("_values",)

    def __init__(self) -> None:
        self._values: dict[UnitCache[Any], object] = {}

    def get(self, cache: UnitCache[T]) -> T | None:
        """The value of a cache; None if it has none."""
        return cast("T | None", self._values.get(cache))

    def get_or_make(self, cache: UnitCache[T], make: Callable[[], T]) -> T:
        """The value of a cache, made if it has none."""
        if cache in self._values:
            return cast(T, self._values[cache])
        return self.set(cache, make())

    def set(self, cache: UnitCache[T], value: T) -> T:
        """Replaces the value of a cache, and returns it."""
        self._values[cache] = value
        return value

    def pop(self, cache: UnitCache[T]) -> T | None:
        """Empties a cache; returns its last value."""
        return cast("T | None", self._values.pop(cache, None))

    def clear(self) -> None:
        """Empties all caches."""
        self._values.clear()
