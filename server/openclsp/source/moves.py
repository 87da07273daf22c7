"""Where edits have moved what an earlier run found."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from openclsp.dataclass import dataclass
from openclsp.source.text import Edit


@dataclass(frozen=True, slots=True)
class Moves:
    """From offsets at the time of a run to offsets now: from each break onwards, its shift is added."""

    breaks: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()

    def now(self, original: int) -> int:
        """Where the byte that stood at `original` stands now."""
        index = bisect_right(self.breaks, original) - 1
        return original + self.shifts[index] if index >= 0 else original

    def original(self, now: int) -> int:
        """Where the byte that stands at `now` stood; for one that was inserted since, where the next old one stood."""
        index = bisect_right([a + b for a, b in zip(self.breaks, self.shifts, strict=True)], now) - 1
        place = now - self.shifts[index] if index >= 0 else now
        return min(place, self.breaks[index + 1]) if index + 1 < len(self.breaks) else place

    def after(self, edit: Edit) -> Moves:
        """The moves once `edit`, in offsets of now, is made too."""
        shift = len(edit.new) - (edit.old_end - edit.start)
        first, last = self.original(edit.start), self.original(edit.old_end)
        low = bisect_left(self.breaks, first)
        high = bisect_right(self.breaks, last)
        old = self.shifts[high - 1] if high else 0
        if low < len(self.breaks) and self.breaks[low] == first and first < last:
            low += 1
        return Moves(
            (*self.breaks[:low], last, *self.breaks[high:]),
            (*self.shifts[:low], old + shift, *(moved + shift for moved in self.shifts[high:])),
        )
