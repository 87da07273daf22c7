"""Formats source lines for a terminal, with marks under columns."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from openclsp.dataclass import dataclass

TAB_WIDTH = 4
MINIMUM_EXCERPT_WIDTH = 20
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class ExcerptMark:
    """A label for the columns `first` to `last` (exclusive) of a line; columns count code points from 0."""

    first: int
    last: int
    symbol: str
    label: str = ""


def printable(text: str) -> str:
    """Replaces control characters, bidirectional controls and line breaks by U+FFFD, and a tab by a blank."""
    return text if text.isprintable() else "".join(_printable_character(character) for character in text)


def _printable_character(character: str) -> str:
    if character == "\t":
        return " "
    # Cc controls the terminal, Cf reorders or hides text, Cs is a byte that is not UTF-8, Zl and Zp break
    # lines.
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return _REPLACEMENT
    return character


def display_width(text: str) -> int:
    """Returns the width of the text in terminal cells."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def marked_line(line: bytes, marks: Sequence[ExcerptMark], width: int) -> tuple[str, list[str]]:
    """Returns the line as it is shown, and for each of `marks` a line that contains the mark.

    A line longer than `width` cells is truncated to the part around the first mark. Tab stops are at every
    fourth cell.
    """
    width = max(width, MINIMUM_EXCERPT_WIDTH)
    text = line.decode("utf-8", "surrogateescape")
    # The window ends at most this far from the first mark, whatever the width of the characters. The time
    # therefore does not depend on the length of the line.
    near = 4 * width
    base = max(marks[0].first - near, 0) if marks and len(text) > 2 * near else 0
    characters, cells = _lay_out(text[base : base + 2 * near])
    cut_before, cut_after = base > 0, base + len(characters) < len(text)
    spans = []
    for mark in marks:
        first = cells[min(max(mark.first - base, 0), len(characters))]
        last = cells[min(max(mark.last, mark.first) - base, len(characters)) if mark.last > base else 0]
        spans.append((first, max(last, first + 1)))
    start, end = _window(cells[-1], spans[0] if spans else (0, 1), width, cut_before or cut_after)
    excerpt = "".join(
        character
        for index, character in enumerate(characters)
        if start <= cells[index] and cells[index + 1] <= end
    )
    left = _ELLIPSIS if start or cut_before else ""
    right = _ELLIPSIS if end < cells[-1] or cut_after else ""
    # Marks outside the window are drawn under the ellipsis. One more cell allows a mark at the line's end.
    low, high = start - len(left), end + 1
    mark_lines = [
        _draw_mark(mark, min(max(first, low), high - 1) - low, min(max(last, low + 1), high) - low)
        for mark, (first, last) in zip(marks, spans, strict=True)
    ]
    return left + excerpt.rstrip() + right, mark_lines


def _lay_out(text: str) -> tuple[list[str], list[int]]:
    """Returns the displayed form of each character, and the first cell of each character.

    The second list ends with the cell after the last character.
    """
    characters, cells = [], [0]
    for character in text:
        at = cells[-1]
        printed = " " * (TAB_WIDTH - at % TAB_WIDTH) if character == "\t" else _printable_character(character)
        characters.append(printed)
        cells.append(at + display_width(printed))
    return characters, cells


def _window(length: int, span: tuple[int, int], width: int, cut: bool) -> tuple[int, int]:
    """Returns the range of cells to show: the whole line if it fits, otherwise the cells around the span.

    `cut`: whether the line has been truncated already. For a truncated line, the range leaves two of the
    `width` cells free for ellipses.
    """
    if length <= width - 2 * cut:
        return 0, length
    room = width - 2
    start = max(0, min(span[0] - room // 3, length - room))
    if span[1] <= room:
        start = 0
    return start, min(start + room, length)


def _draw_mark(mark: ExcerptMark, first: int, last: int) -> str:
    label = f" {printable(mark.label)}" if mark.label else ""
    return " " * first + mark.symbol * max(last - first, 1) + label
