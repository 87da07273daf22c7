"""Source lines for a terminal, with marks under the columns that are spoken of."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from openclsp.dataclass import dataclass

TAB = 4
NARROWEST = 20
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Mark:
    """Columns `first` to `last` (exclusive, code points from 0) of a line, what they are marked with, and what is said."""

    first: int
    last: int
    symbol: str
    label: str = ""


def printable(text: str) -> str:
    """The text without what would move the cursor, turn the direction of writing or break the line."""
    return text if text.isprintable() else "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t":
        return " "
    # Cc controls the terminal, Cf reorders or hides text, Cs is a byte that is no UTF-8
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return _REPLACEMENT
    return character


def display_width(text: str) -> int:
    """How many cells of a terminal the text takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def marked_line(line: bytes, marks: Sequence[Mark], width: int) -> tuple[str, list[str]]:
    """The line as it is shown in `width` cells, and a row of marks for each of `marks`, to stand below it.

    Tabs end at every fourth cell. Of a line that is too long, the part around the first mark is shown.
    """
    width = max(width, NARROWEST)
    text = line.decode("utf-8", "surrogateescape")
    # nothing farther from the first mark than this can be in the window, however wide its characters are
    near = 4 * width
    base = max(marks[0].first - near, 0) if marks and len(text) > 2 * near else 0
    characters, cells = _laid_out(text[base : base + 2 * near])
    cut_before, cut_after = base > 0, base + len(characters) < len(text)
    spans = []
    for mark in marks:
        first = cells[min(max(mark.first - base, 0), len(characters))]
        last = cells[min(max(mark.last, mark.first) - base, len(characters)) if mark.last > base else 0]
        spans.append((first, max(last, first + 1)))
    start, end = _window(cells[-1], spans[0] if spans else (0, 1), width, cut_before or cut_after)
    shown = "".join(
        character
        for index, character in enumerate(characters)
        if start <= cells[index] and cells[index + 1] <= end
    )
    left = _ELLIPSIS if start or cut_before else ""
    right = _ELLIPSIS if end < cells[-1] or cut_after else ""
    # what lies outside the window is marked under the ellipsis that stands for it; a line's end can be marked too
    low, high = start - len(left), end + 1
    rows = [
        _row(mark, min(max(first, low), high - 1) - low, min(max(last, low + 1), high) - low)
        for mark, (first, last) in zip(marks, spans, strict=True)
    ]
    return left + shown.rstrip() + right, rows


def _laid_out(text: str) -> tuple[list[str], list[int]]:
    """Each character as it is shown, and the cell at which each begins, with the end of the last."""
    characters, cells = [], [0]
    for character in text:
        at = cells[-1]
        shown = " " * (TAB - at % TAB) if character == "\t" else _shown(character)
        characters.append(shown)
        cells.append(at + display_width(shown))
    return characters, cells


def _window(length: int, span: tuple[int, int], width: int, cut: bool) -> tuple[int, int]:
    """The cells of `length` that are shown: all, or where something has to be left out, those around the span that an
    ellipsis on either side leaves of `width`."""
    if length <= width - 2 * cut:
        return 0, length
    room = width - 2
    start = max(0, min(span[0] - room // 3, length - room))
    if span[1] <= room:
        start = 0
    return start, min(start + room, length)


def _row(mark: Mark, first: int, last: int) -> str:
    label = f" {printable(mark.label)}" if mark.label else ""
    return " " * first + mark.symbol * max(last - first, 1) + label
