"""Folding ranges: brackets, comments, conditional branches, long macros, include groups, marked regions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final, NamedTuple

from openclsp.ide.structure.text_structure import Directive, NestingKind, TextNesting, TextStructure
from openclsp.source.text import Text

MAXIMUM_RANGES: Final = 5000
"""The most folding ranges of a document: as many as Visual Studio Code shows."""

_REGION: Final = re.compile(rb"//\s*#?(end)?region\b")
_INCLUDES: Final = frozenset((b"include", b"include_next", b"import"))
_TRAILING: Final = b" \t\f\v;,)]}"


class FoldKind(Enum):
    """The kind of a folding range; the value is its name in LSP 3.17 ("FoldingRangeKind"), empty for code."""

    CODE = ""
    COMMENT = "comment"
    IMPORTS = "imports"
    REGION = "region"


class FoldingRange(NamedTuple):
    """A folding range: the bytes from `start` to `end` can be hidden.

    An editor that can only hide whole lines hides the lines up to `last_line`, counted from 0. The line of
    the closing bracket or directive is usually after `last_line` and therefore stays visible.
    """

    start: int
    end: int
    last_line: int
    kind: FoldKind = FoldKind.CODE


def compute_folding_ranges(
    text: Text, structure: TextStructure, limit: int = MAXIMUM_RANGES
) -> list[FoldingRange]:
    """Returns the longest folding ranges of a text, sorted by start.

    There are at most `limit` ranges, and at most one that starts in each line.
    """
    longest: dict[int, FoldingRange] = {}
    for each in _all_ranges(text, structure):
        first = text.line_of(each.start)
        known = longest.get(first)
        if each.last_line > first and (known is None or each.last_line > known.last_line):
            longest[first] = each
    found = sorted(longest.values(), key=lambda each: each.start - each.end)[
        : min(max(limit, 0), MAXIMUM_RANGES)
    ]
    return sorted(found)


def _all_ranges(text: Text, structure: TextStructure) -> Iterator[FoldingRange]:
    data = text.data
    for nesting in structure.nestings:
        start, end = nesting.inner_start, nesting.inner_end
        if data.find(b"\n", start, end) < 0 and data.find(b"\r", start, end) < 0:
            # Most brackets are within a line; they are left out before their lines are looked up.
            continue
        if nesting.kind is NestingKind.BRANCH:
            yield FoldingRange(
                nesting.inner_start,
                text.line_end(text.line_of(nesting.inner_end) - 1),
                text.line_of(nesting.inner_end) - 1,
            )
        else:
            yield _bracket_range(text, nesting)
    yield from _comment_ranges(text, structure.comments)
    yield from _directive_ranges(text, structure.directives)
    yield from _regions(text, structure)


def _bracket_range(text: Text, nesting: TextNesting) -> FoldingRange:
    """Returns the range inside a pair of brackets.

    The line of the closing bracket is hidden only if code precedes the bracket on this line and only
    punctuation follows it.
    """
    last = text.line_of(nesting.inner_end)
    data = text.data
    begins_line = not data[text.line_start(last) : nesting.inner_end].strip()
    ends_line = not data[nesting.end : text.line_end(last)].strip(_TRAILING)
    return FoldingRange(
        nesting.inner_start, nesting.inner_end, last - (begins_line or not ends_line), FoldKind.CODE
    )


def _comment_ranges(text: Text, comments: Iterable[tuple[int, int]]) -> Iterator[FoldingRange]:
    """Yields block comments of several lines, and groups of consecutive lines with only a line comment."""
    data = text.data
    first = last = last_line = -1
    for start, end in comments:
        line = text.line_of(start)
        if data.startswith(b"/*", start):
            closed = data.endswith(b"*/", start + 4, end)
            tail = text.line_of(end)
            follows = data[end : text.line_end(tail)].strip()
            inner = end - 2 if closed else end
            yield FoldingRange(start + 2, inner, tail - bool(follows), FoldKind.COMMENT)
            continue
        is_alone = not data[text.line_start(line) : start].strip()
        is_group = is_alone and _REGION.match(data, start) is None
        if first >= 0 and not (is_group and line == last_line + 1):
            yield FoldingRange(first + 2, last, last_line, FoldKind.COMMENT)
            first = -1
        if is_group:
            first = start if first < 0 else first
            last, last_line = end, text.line_of(end)
    if first >= 0:
        yield FoldingRange(first + 2, last, last_line, FoldKind.COMMENT)


def _directive_ranges(text: Text, directives: Iterable[Directive]) -> Iterator[FoldingRange]:
    """Yields directives of several lines, and groups of includes in consecutive lines."""
    start = end = last_line = -1
    for each in directives:
        line = text.line_of(each.start)
        if each.name in _INCLUDES:
            if start < 0 or line != last_line + 1:
                if start >= 0:
                    yield FoldingRange(start, end, last_line, FoldKind.IMPORTS)
                start = each.start + 1 + len(each.name)
            end, last_line = each.end, text.line_of(each.end)
        else:
            last = text.line_of(each.end)
            if last > line:
                yield FoldingRange(min(text.line_end(line), each.end), each.end, last)
    if start >= 0:
        yield FoldingRange(start, end, last_line, FoldKind.IMPORTS)


def _regions(text: Text, structure: TextStructure) -> Iterator[FoldingRange]:
    """Yields the regions between `#pragma region` or `// region` and the matching end mark."""
    opened: list[int] = []
    for start, is_end in sorted(_region_marks(text, structure)):
        if not is_end:
            opened.append(start)
        elif opened:
            first = opened.pop()
            line = text.line_of(start)
            yield FoldingRange(text.line_end(text.line_of(first)), text.line_end(line), line, FoldKind.REGION)


def _region_marks(text: Text, structure: TextStructure) -> Iterator[tuple[int, bool]]:
    for directive in structure.directives:
        if directive.name == b"pragma" and directive.operand in (b"region", b"endregion"):
            yield directive.start, directive.operand == b"endregion"
    for start, _ in structure.comments:
        mark = _REGION.match(text.data, start)
        if mark is not None:
            yield start, mark[1] is not None
