"""Comments that ignore diagnostics: what they say, and which places they speak of.

    int f(int *p);   // openclsp: ignore[parameter-space]        this line
    // openclsp: ignore[recursion, variadic-function]            the next line
    /* openclsp: ignore */                                       all codes
    // openclsp: ignore-file[main-function]                      the whole file

What follows the codes is the writer's reason.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.source.comments import comments
from openclsp.source.text import Lacking, Text

_WORD = b"openclsp:"
_UNUSED = Lacking(lambda data: _WORD in data.lower(), len(_WORD))
_COMMENT = re.compile(
    rb"(?://|/\*)[ \t*]*openclsp:\s*(?P<word>[a-z-]*)(?:[ \t]*\[(?P<codes>[^\]]*)\])?", re.IGNORECASE
)
_CODE = re.compile(rb"[^\s,]+")
_CONTINUED = re.compile(rb"\\[ \t\f\v]*\Z")


@dataclass(frozen=True, slots=True)
class WrittenCode:
    """One code in the brackets, at bytes `start` to `end` of the document."""

    code: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class IgnoreComment:
    """An ignore comment at bytes `start` to `end` of a document.

    `word` is `ignore`, `ignore-file`, or what else was written. No `codes`: it speaks of all. `lines` (from 0, the
    last exclusive) are those that it speaks of, None for the whole file. `alone` is whether nothing else stands on
    its lines.
    """

    word: str
    codes: tuple[WrittenCode, ...] | None
    start: int
    end: int
    alone: bool
    lines: tuple[int, int] | None

    @property
    def understood(self) -> bool:
        """Whether it says anything at all."""
        return self.word in ("ignore", "ignore-file")

    def covers(self, line: int) -> bool:
        """Whether it speaks of what begins on that line."""
        return self.understood and (self.lines is None or self.lines[0] <= line < self.lines[1])


def ignore_comments(text: Text) -> tuple[IgnoreComment, ...]:
    """The ignore comments of a text, in their order."""
    if _UNUSED.lacks(text.data):
        return ()
    found = [each for start, end in comments(text.data) if (each := _read(text, start, end)) is not None]
    only_comments = {
        line
        for each in found
        if each.alone
        for line in range(text.line_of(each.start), text.line_of(each.end) + 1)
    }
    behind: dict[int, int] = {}
    for line in sorted(only_comments, reverse=True):
        behind[line] = behind.get(line + 1, line + 1)
    return tuple(_placed(text, each, behind) for each in found)


def _read(text: Text, start: int, end: int) -> IgnoreComment | None:
    match = _COMMENT.match(text.data, start, end)
    if match is None:
        return None
    codes = None
    if match["codes"] is not None:
        at = match.start("codes")
        codes = tuple(
            WrittenCode(each[0].decode("utf-8", "replace"), at + each.start(), at + each.end())
            for each in _CODE.finditer(match["codes"])
        )
    first, last = text.line_of(start), text.line_of(end)
    before = text.data[text.line_start(first) : start]
    after = text.data[end : text.line_end(last)]
    alone = not before.strip() and not after.strip()
    return IgnoreComment(match["word"].decode().lower(), codes, start, end, alone, None)


def _placed(text: Text, comment: IgnoreComment, behind: Mapping[int, int]) -> IgnoreComment:
    """The comment with the lines that it speaks of. `behind` has, for each line of such comments alone, the first one after
    it that is none."""
    if comment.word == "ignore-file":
        return comment
    line = text.line_of(comment.start)
    if comment.alone:
        line = text.line_of(comment.end) + 1
        line = behind.get(line, line)
    return IgnoreComment(
        comment.word, comment.codes, comment.start, comment.end, comment.alone, logical_line(text, line)
    )


def logical_line(text: Text, line: int) -> tuple[int, int]:
    """The lines, the last exclusive, that backslashes join with `line` (C99 5.1.1.2, phase 2)."""
    first, last = line, line + 1
    while first > 0 and _is_continued(text, first - 1):
        first -= 1
    while last < text.line_count and _is_continued(text, last - 1):
        last += 1
    return first, last


def _is_continued(text: Text, line: int) -> bool:
    return line < text.line_count and _CONTINUED.search(text.line(line)) is not None


class IgnoreIndex:
    """The ignore comments of a document by the logical line that they speak of, so that a diagnostic is held against those
    of its own line alone."""

    def __init__(self, found: Sequence[IgnoreComment]) -> None:
        self._of_file = _OfLine(0)
        self._of_lines: dict[int, _OfLine] = {}
        for number, comment in enumerate(found):
            if not comment.understood:
                continue
            there = self._of_file
            if comment.lines is not None:
                first, last = comment.lines
                there = self._of_lines.setdefault(first, _OfLine(last))
            if comment.codes is None:
                there.of_all.append((number, None))
            for position, written in enumerate(comment.codes or ()):
                there.of_code.setdefault(written.code, []).append((number, position))
        self._firsts = sorted(self._of_lines)

    def ignoring(self, code: str, line: int) -> Iterator[tuple[int, int | None]]:
        """The comments that ignore `code` on `line`: the number of each, with that of the code in it, None for all codes."""
        yield from self._of_file.of_all
        yield from self._of_file.of_code.get(code, ())
        at = bisect_right(self._firsts, line) - 1
        there = self._of_lines[self._firsts[at]] if at >= 0 else None
        if there is not None and line < there.last:
            yield from there.of_all
            yield from there.of_code.get(code, ())


@dataclass(slots=True)
class _OfLine:
    """The comments that speak of a logical line, which ends before line `last`."""

    last: int
    of_all: list[tuple[int, int | None]] = field(default_factory=list)
    of_code: dict[str, list[tuple[int, int | None]]] = field(default_factory=dict)
