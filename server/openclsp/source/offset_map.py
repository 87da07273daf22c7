"""Maps offsets from the time of a run to the present."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from openclsp.dataclass import dataclass
from openclsp.source.text import Edit


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Piecewise-constant shifts of offsets.

    An offset at or after a break is moved by that break's shift.
    """

    breaks: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()

    def now(self, original: int) -> int:
        """Returns the present offset of the byte that was at `original`."""
        index = bisect_right(self.breaks, original) - 1
        return original + self.shifts[index] if index >= 0 else original

    def original(self, now: int) -> int:
        """Returns the original offset of the byte at `now`.

        For an inserted byte, that of the next old byte.
        """
        breaks, shifts = self.breaks, self.shifts
        low, high = 0, len(breaks)
        while low < high:
            middle = (low + high) // 2
            if breaks[middle] + shifts[middle] <= now:
                low = middle + 1
            else:
                high = middle
        place = now - shifts[low - 1] if low else now
        return min(place, breaks[low]) if low < len(breaks) else place

    def after(self, edit: Edit) -> OffsetMap:
        """Returns the map extended by `edit`, which is in present offsets."""
        shift = len(edit.new) - (edit.old_end - edit.start)
        first, last = self.original(edit.start), self.original(edit.old_end)
        low = bisect_left(self.breaks, first)
        high = bisect_right(self.breaks, last)
        old = self.shifts[high - 1] if high else 0
        if low < len(self.breaks) and self.breaks[low] == first and first < last:
            low += 1
        return OffsetMap(
            (*self.breaks[:low], last, *self.breaks[high:]),
            (*self.shifts[:low], old + shift, *(moved + shift for moved in self.shifts[high:])),
        )
