"""Table of the offsets of line starts; an edit updates it without a rebuild."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence

from openclsp.dataclass import dataclass

_CHUNK = 128


@dataclass(frozen=True, slots=True)
class LineTable:
    """The offsets of a text's line starts, stored in chunks.

    The offsets in a chunk are relative to the base of the chunk. An edit rewrites the chunks that it touches
    and shifts the bases of later chunks, so its cost grows with the number of chunks instead of lines.
    """

    _chunks: tuple[array[int], ...]
    _bases: tuple[int, ...]
    _firsts: tuple[int, ...]
    count: int

    @staticmethod
    def of(starts: Sequence[int]) -> LineTable:
        """Creates a table from ascending offsets; there must be at least one."""
        chunks, bases, firsts = _chunked(starts, 0)
        return LineTable(chunks, bases, firsts, len(starts))

    def start(self, line: int) -> int:
        """Returns the offset of the first byte of `line`, counted from 0."""
        firsts = self._firsts
        chunk = bisect_right(firsts, line) - 1 if len(firsts) > 1 else 0
        return self._bases[chunk] + self._chunks[chunk][line - firsts[chunk]]

    def find(self, offset: int) -> int:
        """Returns the last line that begins at or before `offset`."""
        bases = self._bases
        chunk = bisect_right(bases, offset) - 1 if len(bases) > 1 else 0
        return self._firsts[chunk] + bisect_right(self._chunks[chunk], offset - bases[chunk]) - 1

    def around(self, offset: int) -> tuple[int, int, int]:
        """Returns the line that contains `offset`, its start and the start of the next line.

        The start of the next line is -1 if there is none.
        """
        bases = self._bases
        chunk = bisect_right(bases, offset) - 1 if len(bases) > 1 else 0
        starts, base = self._chunks[chunk], bases[chunk]
        after = bisect_right(starts, offset - base)
        if after < len(starts):
            end = base + starts[after]
        else:
            end = bases[chunk + 1] if chunk + 1 < len(bases) else -1
        return self._firsts[chunk] + after - 1, base + starts[after - 1], end

    def slice(self, first: int, last: int) -> list[int]:
        """Returns the starts of the lines from `first` to `last` (exclusive)."""
        found: list[int] = []
        while first < last:
            chunk = bisect_right(self._firsts, first) - 1
            begin, base = first - self._firsts[chunk], self._bases[chunk]
            piece = self._chunks[chunk][begin : begin + last - first]
            found += [start + base for start in piece]
            first += len(piece)
        return found

    def patch(self, first: int, last: int, starts: Sequence[int], shift: int) -> LineTable:
        """Returns the table with new starts for lines `first` to `last` (exclusive).

        The starts of the later lines are shifted by `shift`.
        """
        before = bisect_right(self._firsts, first) - 1
        last_chunk = len(self._firsts) - 1
        end = self._firsts[before + 1] if before < last_chunk else self.count
        if len(starts) == last - first and last <= end:
            # fast path: nearly every edit leaves the number of lines unchanged
            base, begin = self._bases[before], self._firsts[before]
            chunk = self._chunks[before][:]
            for number, start in enumerate(starts, first - begin):
                chunk[number] = start - base
            if shift:
                for number in range(last - begin, len(chunk)):
                    chunk[number] += shift
            if not chunk[0]:
                return LineTable(
                    (*self._chunks[:before], chunk, *self._chunks[before + 1 :]),
                    self._bases[: before + 1] + tuple([each + shift for each in self._bases[before + 1 :]]),
                    self._firsts,
                    self.count,
                )
        left = self.slice(self._firsts[before], min(first, self.count))
        right: list[int] = []
        after = len(self._firsts)
        if last < self.count:
            after = bisect_right(self._firsts, last)
            end = self._firsts[after] if after < len(self._firsts) else self.count
            right = [start + shift for start in self.slice(last, end)]
        chunks, bases, firsts = _chunked([*left, *starts, *right], self._firsts[before])
        moved = len(starts) - (last - first)
        return LineTable(
            self._chunks[:before] + chunks + self._chunks[after:],
            self._bases[:before] + bases + tuple([base + shift for base in self._bases[after:]]),
            self._firsts[:before] + firsts + tuple([line + moved for line in self._firsts[after:]]),
            self.count + moved,
        )


def _chunked(
    starts: Sequence[int], first: int
) -> tuple[tuple[array[int], ...], tuple[int, ...], tuple[int, ...]]:
    size = _CHUNK if len(starts) > 2 * _CHUNK else len(starts) or 1
    chunks: list[array[int]] = []
    bases: list[int] = []
    firsts: list[int] = []
    for at in range(0, len(starts), size):
        base = starts[at]
        chunks.append(array("q", [start - base for start in starts[at : at + size]]))
        bases.append(base)
        firsts.append(first + at)
    return tuple(chunks), tuple(bases), tuple(firsts)
