"""Parser for ignore comments: their codes, and the lines that they apply to.

    int f(int *p);   // openclsp: ignore[parameter-space]        this line
    // openclsp: ignore[recursion, variadic-function]            the next line
    /* openclsp: ignore */                                       all codes
    // openclsp: ignore-file[main-function]                      the whole file

Text after the codes is not read; it may state the reason.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.source.comments import comments
from openclsp.source.text import AbsenceProof, Text

_WORD = b"openclsp:"
_NO_IGNORE_COMMENT = AbsenceProof(lambda data: _WORD in data.lower(), len(_WORD))
_COMMENT = re.compile(
    rb"(?://|/\*)[ \t*]*openclsp:\s*(?P<word>[a-z-]*)(?:[ \t]*\[(?P<codes>[^\]]*)\])?", re.IGNORECASE
)
_CODE = re.compile(rb"[^\s,]+")
_CONTINUED = re.compile(rb"\\[ \t\f\v]*\Z")


@dataclass(frozen=True, slots=True)
class IgnoredCode:
    """A code in the brackets of an ignore comment, at bytes `start` to `end` (exclusive) of the document."""

    code: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class IgnoreComment:
    """An ignore comment at bytes `start` to `end` (exclusive) of a document.

    - `word`: `ignore`, `ignore-file`, or an unknown word.
    - `codes`: the ignored codes; None if the comment has no brackets, and all codes are ignored.
    - `is_on_own_line`: whether the comment's lines contain nothing else.
    - `lines`: the lines that the comment applies to, from 0, the end exclusive; None for the whole file.
    """

    word: str
    codes: tuple[IgnoredCode, ...] | None
    start: int
    end: int
    is_on_own_line: bool
    lines: tuple[int, int] | None

    @property
    def is_known(self) -> bool:
        """Whether the comment's word is known, so that the comment has an effect."""
        return self.word in ("ignore", "ignore-file")

    def applies_to_line(self, line: int) -> bool:
        """Whether the comment applies to diagnostics that start on that line (from 0)."""
        return self.is_known and (self.lines is None or self.lines[0] <= line < self.lines[1])


def parse_ignore_comments(text: Text) -> tuple[IgnoreComment, ...]:
    """Parses the ignore comments of a text, in text order."""
    if _NO_IGNORE_COMMENT.lacks(text.data):
        return ()
    found = [each for start, end in comments(text.data) if (each := _read(text, start, end)) is not None]
    only_comments = {
        line
        for each in found
        if each.is_on_own_line
        for line in range(text.line_of(each.start), text.line_of(each.end) + 1)
    }
    behind: dict[int, int] = {}
    for line in sorted(only_comments, reverse=True):
        behind[line] = behind.get(line + 1, line + 1)
    return tuple(_with_lines(text, each, behind) for each in found)


def _read(text: Text, start: int, end: int) -> IgnoreComment | None:
    match = _COMMENT.match(text.data, start, end)
    if match is None:
        return None
    codes = None
    if match["codes"] is not None:
        at = match.start("codes")
        codes = tuple(
            IgnoredCode(each[0].decode("utf-8", "replace"), at + each.start(), at + each.end())
            for each in _CODE.finditer(match["codes"])
        )
    first, last = text.line_of(start), text.line_of(end)
    before = text.data[text.line_start(first) : start]
    after = text.data[end : text.line_end(last)]
    alone = not before.strip() and not after.strip()
    return IgnoreComment(match["word"].decode().lower(), codes, start, end, alone, None)


def _with_lines(text: Text, comment: IgnoreComment, behind: Mapping[int, int]) -> IgnoreComment:
    """Returns the comment with the lines that it applies to.

    `behind` maps each line that contains only an ignore comment to the next line that contains something
    else, so that several comments in a row apply to the same line.
    """
    if comment.word == "ignore-file":
        return comment
    line = text.line_of(comment.start)
    if comment.is_on_own_line:
        line = text.line_of(comment.end) + 1
        line = behind.get(line, line)
    return IgnoreComment(
        comment.word,
        comment.codes,
        comment.start,
        comment.end,
        comment.is_on_own_line,
        logical_line(text, line),
    )


def logical_line(text: Text, line: int) -> tuple[int, int]:
    """Returns the physical lines that backslashes join with `line` (C99 5.1.1.2, phase 2).

    The result is the first of these lines, and the line after the last one.
    """
    first, last = line, line + 1
    while first > 0 and _is_continued(text, first - 1):
        first -= 1
    while last < text.line_count and _is_continued(text, last - 1):
        last += 1
    return first, last


def _is_continued(text: Text, line: int) -> bool:
    return line < text.line_count and _CONTINUED.search(text.line(line)) is not None


class IgnoreIndex:
    """The ignore comments of a document, indexed by the logical line that they apply to.

    A diagnostic is compared only with the comments for its own line.
    """

    def __init__(self, found: Sequence[IgnoreComment]) -> None:
        self._of_file = _LineComments(0)
        self._of_lines: dict[int, _LineComments] = {}
        for number, comment in enumerate(found):
            if not comment.is_known:
                continue
            there = self._of_file
            if comment.lines is not None:
                first, last = comment.lines
                there = self._of_lines.setdefault(first, _LineComments(last))
            if comment.codes is None:
                there.all_codes.append((number, None))
            for position, written in enumerate(comment.codes or ()):
                there.by_code.setdefault(written.code, []).append((number, position))
        self._firsts = sorted(self._of_lines)

    def find_matching(self, code: str, line: int) -> Iterator[tuple[int, int | None]]:
        """Yields the comments that ignore `code` on `line`.

        Each result is the index of the comment, and the index of the code in the comment. The latter is None
        if the comment applies to all codes.
        """
        yield from self._of_file.all_codes
        yield from self._of_file.by_code.get(code, ())
        at = bisect_right(self._firsts, line) - 1
        there = self._of_lines[self._firsts[at]] if at >= 0 else None
        if there is not None and line < there.last:
            yield from there.all_codes
            yield from there.by_code.get(code, ())


@dataclass(slots=True)
class _LineComments:
    """The comments that apply to a logical line, which ends before the physical line `last`.

    `all_codes` contains the comments for all codes, `by_code` those for single codes.
    """

    last: int
    all_codes: list[tuple[int, int | None]] = field(default_factory=list)
    by_code: dict[str, list[tuple[int, int | None]]] = field(default_factory=dict)
