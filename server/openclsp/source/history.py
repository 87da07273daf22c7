"""Which macros stood at which place of a document."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.source.macros import Macro, MacroTable


@dataclass(frozen=True, slots=True)
class Change:
    """At `offset` of the document `name` got the meaning `after`; it had `before`."""

    offset: int
    name: bytes
    before: Macro | None
    after: Macro | None


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """The macros at the end of a document and the changes on the way there, by ascending offset.

    `places`: where definitions stand that are older than the run, since a run before it had read the same.
    """

    final: MacroTable
    changes: tuple[Change, ...]
    places: Mapping[Macro, tuple[int, int]] = field(default_factory=dict)
    _kept: dict[int, MacroTable] = field(default_factory=dict)

    def at(self, offset: int) -> Mapping[bytes, Macro]:
        """The macros that stand at `offset`, in offsets of the time of the run."""
        return self.table_at(offset)

    def replaced_before(self, name: bytes, offset: int) -> Macro | None:
        """What `name` stood for before the last change above `offset`, where that change is one of this name; both in offsets
        of the time of the run."""
        index = bisect_left(self.changes, offset, key=_offset) - 1
        change = self.changes[index] if index >= 0 else None
        return change.before if change is not None and change.name == name else None

    def defines(self, macro: Macro) -> bool:
        """Whether the document defines this very macro somewhere."""
        return macro in self.places or any(change.after is macro for change in self.changes)

    def table_at(self, offset: int) -> MacroTable:
        """As `at`. The table is shared: it must not be changed."""
        index = bisect_left(self.changes, offset, key=_offset)
        if index == len(self.changes):
            return self.final
        table = self._kept.get(index)
        if table is None:
            table = self.final.copy()
            for change in reversed(self.changes[index:]):
                if change.before is None:
                    table.pop(change.name, None)
                else:
                    table[change.name] = change.before
            if len(self._kept) >= 8:
                self._kept.clear()
            self._kept[index] = table
        return table


def _offset(change: Change) -> int:
    return change.offset
