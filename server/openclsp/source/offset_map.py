"""Maps offsets in a text at the time of a preprocessing run to offsets in its present state."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from openclsp.dataclass import dataclass
from openclsp.source.text import Edit


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """A map of offsets: each offset from `breaks[i]` on, up to the next break, is shifted by `shifts[i]`."""

    breaks: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()

    def now(self, original: int) -> int:
        """Returns the present offset of the byte that was at `original`."""
        index = bisect_right(self.breaks, original) - 1
        return original + self.shifts[index] if index >= 0 else original

    def original(self, now: int) -> int:
        """Returns the original offset of the byte that is now at `now`.

        For an inserted byte, this is the original offset of the next byte that was not inserted.
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
        """Returns this map followed by `edit`, whose offsets are in the present text."""
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
