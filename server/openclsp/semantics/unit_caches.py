"""The caches that other modules attach to a translation unit. They are freed with the unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class UnitCache(Generic[T]):
    """A key of `UnitCaches`: one kind of cache, of which each unit has at most one.

    The module that defines the key decides what the value is and when it is valid. `name` is for debugging.
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
        """Returns the value of a cache; None if it is empty."""
        return cast("T | None", self._values.get(cache))

    def get_or_make(self, cache: UnitCache[T], make: Callable[[], T]) -> T:
        """Returns the value of a cache; if it is empty, computes and stores the value first."""
        if cache in self._values:
            return cast(T, self._values[cache])
        return self.set(cache, make())

    def set(self, cache: UnitCache[T], value: T) -> T:
        """Replaces the value of a cache; returns the new value."""
        self._values[cache] = value
        return value

    def pop(self, cache: UnitCache[T]) -> T | None:
        """Empties a cache and returns the value that it had, if any."""
        return cast("T | None", self._values.pop(cache, None))

    def clear(self) -> None:
        """Empties all caches."""
        self._values.clear()
