"""The text of a document: bytes, line starts, and positions in the editor's encoding."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Final, Literal

from openclsp.dataclass import dataclass
from openclsp.source.line_table import LineTable
from openclsp.source.shared_ends import shared_ends

Encoding = Literal["utf-8", "utf-16", "utf-32"]
_ANSWERS: Final = 3
"""Differences that are remembered"""
_MAX_COMPARED_BYTES: Final = 256
"""Bytes compared one by one before the search is given up"""
LONG_LINE: Final = 4096
"""Bytes of a line beyond which its columns are counted from marks, and the distance of the marks"""


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A position in a text: line and column, both from 0.

    The column is in code units of an encoding.
    """

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Edit:
    """The replacement of the bytes from `start` to `old_end` (exclusive) by `new`."""

    start: int
    old_end: int
    new: bytes

    @property
    def new_end(self) -> int:
        """The offset after the new bytes."""
        return self.start + len(self.new)


@dataclass(frozen=True, slots=True)
class Text:
    """An immutable text.

    `data` is UTF-8; an invalid byte is kept and counts as one code point. Only \\n, \\r\\n and \\r end a line
    (LSP 3.17, "Text Documents"). The number of lines is one more than the number of line ends.
    """

    data: bytes
    lines: LineTable

    @staticmethod
    def of(data: bytes) -> Text:
        """Creates a text from its bytes."""
        return Text(data, LineTable.of(line_starts(data, 0)))

    @property
    def line_count(self) -> int:
        """The number of lines; at least 1."""
        return self.lines.count

    def line_start(self, line: int) -> int:
        """Returns the offset of the start of `line`; the end of the text for a line after the last one."""
        return self.lines.start(line) if line < self.lines.count else len(self.data)

    def line_end(self, line: int) -> int:
        """Returns the offset of the end of `line`, before its line end."""
        start, end = self.line_start(line), self.line_start(line + 1)
        data = self.data
        if end > start and data[end - 1] == 0x0A and line + 1 < self.lines.count:
            end -= 1
            return end - 1 if end > start and data[end - 1] == 0x0D else end
        if end > start and data[end - 1] == 0x0D and line + 1 < self.lines.count:
            return end - 1
        return end

    def line(self, line: int) -> bytes:
        """Returns the bytes of `line` without its line end."""
        return self.data[self.line_start(line) : self.line_end(line)]

    def line_of(self, offset: int) -> int:
        """Returns the line that contains the byte at `offset`; the last line for the end of the text."""
        return self.lines.find(max(offset, 0))

    def position(self, offset: int, encoding: Encoding) -> Position:
        """Returns the position of a byte offset; inside a character, the position of the character."""
        line = self.line_of(offset)
        start = self.line_start(line)
        end = self.line_end(line)
        column = max(min(offset, end) - start, 0)
        if encoding == "utf-8":
            return Position(line, column)
        if end - start > LONG_LINE:
            return Position(line, _COLUMNS.units(self.data, start, end, column, encoding))
        content = self.data[start:end]
        if content.isascii():
            return Position(line, column)
        before = content[: _character_start(content, column)].decode("utf-8", "surrogateescape")
        return Position(line, _units(before, encoding))

    def offset(self, line: int, column: int, encoding: Encoding) -> int:
        """Returns the byte offset of a position, clamped to the line and to the text."""
        if line < 0:
            return 0
        if line >= self.lines.count:
            return len(self.data)
        start = self.line_start(line)
        content = self.data[start : self.line_end(line)]
        column = max(column, 0)
        if encoding == "utf-8" or content.isascii():
            return start + min(column, len(content))
        characters = content.decode("utf-8", "surrogateescape")
        if encoding == "utf-16":
            column = _code_points(characters, column)
        return start + len(characters[:column].encode("utf-8", "surrogateescape"))

    def replace(self, start: int, old_end: int, new: bytes) -> Text:
        """Returns the text with bytes `start` to `old_end` replaced; both are clamped to the text."""
        size = len(self.data)
        start = max(min(start, size), 0)
        old_end = max(min(old_end, size), start)
        data = spliced(self.data, start, old_end, new)
        _DIFFERENCES.record(self.data, data, start, old_end, start + len(new))
        # The byte before the edit may be a \r that the edit joins with a \n or separates from one.
        first = self.line_of(start - 1)
        last = self.line_of(old_end) + 1
        shift = len(new) - (old_end - start)
        begin = self.line_start(first)
        end = self.line_start(last) + shift
        starts = line_starts(data[begin:end], begin)
        if last < self.lines.count:
            starts.pop()
        return Text(data, self.lines.patch(first, last, starts, shift))

    def apply(self, edit: Edit) -> Text:
        """Returns the text after `edit`."""
        return self.replace(edit.start, edit.old_end, edit.new)


def spliced(data: bytes, start: int, old_end: int, new: bytes) -> bytes:
    """Returns the bytes with the range from `start` to `old_end` replaced, copying everything once.

    Concatenating slices would copy both parts of a long text twice.
    """
    whole = memoryview(data)
    return b"".join((whole[:start], new, whole[old_end:]))


def difference(old: bytes, new: bytes) -> tuple[int, int, int] | None:
    """Returns the smallest replaced range that turns `old` into `new`.

    The result is (start, old end, new end) in bytes; None if the texts are equal.
    """
    return _DIFFERENCES.between(old, new)


class _Differences:
    """Remembers the differences that were computed last.

    After each edit, several callers compare the same two texts.
    """

    __slots__ = ("_last",)

    def __init__(self) -> None:
        # an immutable tuple, since several threads may read it
        self._last: tuple[tuple[bytes, bytes, tuple[int, int, int] | None], ...] = ()

    def between(self, old: bytes, new: bytes) -> tuple[int, int, int] | None:
        """Returns the difference of two texts as `difference` does.

        The result is cached for the objects that were compared last.
        """
        for before, after, known in self._last:
            if before is old and after is new:
                return known
        found = None
        if old != new:
            start, end = shared_ends(old, new)
            found = start, len(old) - end, len(new) - end
        self._keep(old, new, found)
        return found

    def record(self, old: bytes, new: bytes, start: int, old_end: int, new_end: int) -> None:
        """Records the difference of two texts, given a range that contains it.

        The texts are equal before `start`, and after `old_end` and `new_end`, respectively.
        """
        limit = min(len(old), len(new))
        if max(old_end, new_end) - start > _MAX_COMPARED_BYTES:
            return
        stop = min(start + _MAX_COMPARED_BYTES, limit)
        front = start
        while front < stop and old[front] == new[front]:
            front += 1
        if front == stop:
            # the common prefix may be longer, or the texts may be equal: leave it to a search
            return
        back = len(old) - old_end
        stop = min(limit - front, back + _MAX_COMPARED_BYTES)
        while back < stop and old[len(old) - back - 1] == new[len(new) - back - 1]:
            back += 1
        if back == stop < limit - front:
            return
        self._keep(
            old, new, (front, len(old) - min(back, limit - front), len(new) - min(back, limit - front))
        )

    def _keep(self, old: bytes, new: bytes, found: tuple[int, int, int] | None) -> None:
        self._last = ((old, new, found), *self._last[: _ANSWERS - 1])


_DIFFERENCES = _Differences()


@dataclass(frozen=True, slots=True, eq=False)
class _LongLine:
    """A long line of `data`, with the number of code units before each mark.

    A mark is the offset of the start of a character; there is one every LONG_LINE bytes.
    """

    data: bytes
    start: int
    encoding: Encoding
    content: bytes
    marks: list[int]
    units: list[int]


class _Columns:
    """Caches the numbers of code units in the long line that was used last: see `_LongLine`.

    Otherwise, the time for many diagnostics in one line would be quadratic in the length of the line.
    """

    __slots__ = ("_last",)

    def __init__(self) -> None:
        # replaced as a whole, since several threads may read it
        self._last: _LongLine | None = None

    def units(self, data: bytes, start: int, end: int, column: int, encoding: Encoding) -> int:
        """Returns the number of code units before byte `column` of the line from `start` to `end`."""
        known = self._last
        if known is None or known.data is not data or known.start != start or known.encoding != encoding:
            known = self._last = _marked(data, start, end, encoding)
        content = known.content
        number = column // LONG_LINE
        mark = known.marks[number]
        piece = content[mark : _character_start(content, column)]
        return known.units[number] + _units(piece.decode("utf-8", "surrogateescape"), encoding)


def _marked(data: bytes, start: int, end: int, encoding: Encoding) -> _LongLine:
    content = data[start:end]
    marks, units = [0], [0]
    for at in range(LONG_LINE, len(content) + 1, LONG_LINE):
        mark = _character_start(content, at)
        piece = content[marks[-1] : mark].decode("utf-8", "surrogateescape")
        units.append(units[-1] + _units(piece, encoding))
        marks.append(mark)
    return _LongLine(data, start, encoding, content, marks, units)


_COLUMNS = _Columns()


class AbsenceProof:
    """Decides after each edit whether a text still lacks a word, by searching only the edited bytes."""

    __slots__ = ("_holds", "_lacking", "_reach")

    def __init__(self, holds: Callable[[bytes], bool], longest: int) -> None:
        """Creates a proof for a word of at most `longest` bytes; `holds` returns whether bytes contain it."""
        self._holds, self._reach = holds, longest
        self._lacking = b""

    def lacks(self, data: bytes) -> bool:
        """Whether the text lacks the word.

        Only the difference from the last text that lacked the word is searched; initially, that text is
        empty.
        """
        edit = None if data is self._lacking else difference(self._lacking, data)
        if edit is not None:
            start, _, end = edit
            if self._holds(data[max(start - self._reach, 0) : end + self._reach]):
                return False
            self._lacking = data
        return True


def edit_between(old: Text, new: Text) -> Edit:
    """Returns the smallest edit from `old` to `new`; an empty edit if they are equal."""
    start, old_end, new_end = difference(old.data, new.data) or (0, 0, 0)
    return Edit(start, old_end, new.data[start:new_end])


def line_starts(data: bytes, base: int) -> list[int]:
    # unlike str.splitlines, bytes.splitlines splits at \n, \r and \r\n only
    lines = data.splitlines(keepends=True)
    starts = list(accumulate(map(len, lines), initial=base))
    if lines and lines[-1][-1] not in b"\r\n":
        starts.pop()
    return starts


def _units(characters: str, encoding: Encoding) -> int:
    if encoding == "utf-32":
        return len(characters)
    return len(characters.encode("utf-16-le", "surrogatepass")) // 2


def _code_points(characters: str, units: int) -> int:
    """Returns the number of whole code points in the first `units` UTF-16 units of `characters`."""
    encoded = characters.encode("utf-16-le", "surrogatepass")
    if units * 2 >= len(encoded):
        return len(characters)
    # A high surrogate just before the cut is half of a split character. An undecodable byte is kept as a lone
    # low surrogate, which is never mistaken for one.
    if units and 0xD8 <= encoded[units * 2 - 1] <= 0xDB:
        units -= 1
    return len(encoded[: units * 2].decode("utf-16-le", "surrogatepass"))


def _character_start(content: bytes, column: int) -> int:
    """Returns the start of the UTF-8 sequence that contains the byte at `column`."""
    for back in range(1, 4):
        at = column - back
        if at < 0 or column >= len(content) or content[column] & 0xC0 != 0x80:
            break
        lead = content[at]
        if lead & 0xC0 == 0x80:
            continue
        size = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        if back < size and _is_character(content[at : at + size]):
            return at
        break
    return column


def _is_character(sequence: bytes) -> bool:
    try:
        return len(sequence.decode("utf-8")) == 1
    except UnicodeDecodeError:
        return False
