"""The macros that are defined at each offset of a document."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.source.macros import Macro, MacroTable


@dataclass(frozen=True, slots=True)
class MacroChange:
    """The change of the macro `name` at `offset` from `before` to `after`; None means undefined."""

    offset: int
    name: bytes
    before: Macro | None
    after: Macro | None


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """The macros defined at the end of a document, and all changes of macros in it.

    `changes` are in ascending order of offset. `places` has the range of each definition whose `Macro` object
    comes from an earlier run. All offsets are those at the time of the run.
    """

    final: MacroTable
    changes: tuple[MacroChange, ...]
    places: Mapping[Macro, tuple[int, int]] = field(default_factory=dict)
    _kept: dict[int, MacroTable] = field(default_factory=dict)
    _changes_of: dict[bytes, list[MacroChange]] = field(default_factory=dict)

    def at(self, offset: int) -> Mapping[bytes, Macro]:
        """Returns the macros that are defined at `offset` of the text at the time of the run."""
        return self.table_at(offset)

    def macro_at(self, name: bytes, offset: int) -> Macro | None:
        """Returns the macro `name` that is defined at `offset`; None if there is none.

        This is faster than building the whole table for that offset.
        """
        changes = self._by_name().get(name, ())
        index = bisect_left(changes, offset, key=_offset)
        return self.final.get(name) if index == len(changes) else changes[index].before

    def has_macro(self, name: bytes) -> bool:
        """Whether a macro of this name is defined at some offset."""
        return name in self.final or name in self._by_name()

    def _by_name(self) -> Mapping[bytes, list[MacroChange]]:
        if self.changes and not self._changes_of:
            for each in self.changes:
                self._changes_of.setdefault(each.name, []).append(each)
        return self._changes_of

    def replaced_before(self, name: bytes, offset: int) -> Macro | None:
        """Returns the definition that the last macro change before `offset` replaced.

        Returns None if that change concerns another name. `offset` is in the text at the time of the run.
        """
        index = bisect_left(self.changes, offset, key=_offset) - 1
        change = self.changes[index] if index >= 0 else None
        return change.before if change is not None and change.name == name else None

    def place_of(self, macro: Macro) -> tuple[int, int] | None:
        """Returns the range of a macro's definition; None if the document does not contain the definition.

        A header that was not preprocessed again refers to the `Macro` object of an earlier run. The range is
        then that of the same definition.
        """
        if macro in self.places:
            return self.places[macro]
        defined = [each.after for each in self._by_name().get(macro.name, ()) if each.after is not None]
        if any(each is macro for each in defined):
            return macro.start, macro.end
        same = next((each for each in defined if each.is_same_definition(macro)), None)
        return None if same is None else self.places.get(same, (same.start, same.end))

    def table_at(self, offset: int) -> MacroTable:
        """Returns the macros that are defined at `offset`, as a shared table that must not be changed."""
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


def _offset(change: MacroChange) -> int:
    return change.offset
