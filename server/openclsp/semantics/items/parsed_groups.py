"""Parsed chunks by their text, to be reused for chunks with an equal text."""

from __future__ import annotations

from collections.abc import Sequence

from openclsp.semantics.items.item import ItemGroup


class ParsedGroups:
    """A cache of groups and their tables, by text and the byte ranges that come from macro expansions.

    The text and these ranges determine the items. The cache contains copies of groups, because the groups of
    a unit lose their tables after the analysis.
    """

    def __init__(self, maximum: int = 0) -> None:
        """Creates an empty cache; `trim` reduces it to at most `maximum` bytes of text in all groups together."""
        self._maximum = maximum
        self._held = 0
        self._groups: dict[tuple[bytes, tuple[tuple[int, int], ...]], ItemGroup] = {}

    def find(self, text: bytes, expanded: Sequence[tuple[int, int]]) -> ItemGroup | None:
        """Returns the group of an equal chunk, which the caller must copy, or None."""
        key = text, tuple(expanded)
        found = self._groups.pop(key, None)
        if found is not None:
            # the groups used last are at the end
            self._groups[key] = found
        return found

    def add(self, group: ItemGroup, expanded: Sequence[tuple[int, int]]) -> None:
        """Adds a newly parsed group."""
        self._groups[group.text, tuple(expanded)] = group.copy(group.part)
        self._held += len(group.text)

    def trim(self) -> None:
        """Drops the least recently used groups until the size of the others is within the limit."""
        while self._held > self._maximum:
            oldest = next(iter(self._groups))
            # breaks the cycle of a group and its items, which would wait for the garbage collector
            self._groups.pop(oldest).items.clear()
            self._held -= len(oldest[0])
