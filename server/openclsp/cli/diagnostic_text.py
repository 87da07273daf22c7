"""Text output of one diagnostic: its source lines, related lines and fixes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.cli.check_report import OutputEdit, OutputLocation, ReportedDiagnostic, ReportedFix
from openclsp.cli.excerpt import ExcerptMark, marked_line, printable
from openclsp.cli.redundant_diagnostics import ONCE_A_FILE, SIMILAR_IN_FILE
from openclsp.cli.styled_text import SEVERITY_STYLES, StyledLine, join_words
from openclsp.source.text import Text

_RELATED = "blue"
_GUTTER = "bright_black"
MAXIMUM_DIFF_LINES = 12
"""The maximum number of changed lines that are shown of a fix."""


def diagnostic_text(
    found: ReportedDiagnostic, width: int, again: int, on_line: int, adjacent: int
) -> Iterator[StyledLine]:
    """Yields the lines for a diagnostic.

    The last three parameters are numbers of later diagnostics in the file that have the same code and are not
    shown:

    - `again`: those with the same message
    - `on_line`: those with another message in the same line
    - `adjacent`: those in adjacent lines. The line of a diagnostic in a macro is that of the macro's
      definition. For the codes of `ONCE_A_FILE` and `SIMILAR_IN_FILE`, all lines of the file count as adjacent
    """
    style = SEVERITY_STYLES[found.severity]
    others = "1 other place" if again == 1 else f"{again} other places"
    here = "1 other place" if on_line == 1 else f"{on_line} other places"
    where = "in adjacent lines" if found.cause is None else "through macros on adjacent lines"
    if found.code in ONCE_A_FILE or found.code in SIMILAR_IN_FILE:
        where = "in this file"
    in_adjacent_lines = ("at 1 other place " if adjacent == 1 else f"at {adjacent} other places ") + where
    yield [
        (printable(found.location.start_label), "bold"),
        (": ", ""),
        (f"{found.severity.value}[{found.code}]", style),
        (f": {printable(found.message)}", "bold"),
        (f"; the same at {others} in this file" if again else "", ""),
        (f"; similar at {here} in this line" if on_line else "", ""),
        (f"; similar {in_adjacent_lines}" if adjacent else "", ""),
        ("" if found.in_all_builds else f" (in {join_words(list(found.build_names))})", _RELATED),
    ]
    related = [each for each in found.related if each.location.path == found.location.path]
    marks = [(found.location, "^", ""), *((each.location, "-", each.message) for each in related)]
    in_other_files = [each for each in found.related if each.location.path != found.location.path]
    fix = next((each for each in found.fixes if each.preferred), None) or next(iter(found.fixes), None)
    last = max(location.first.line for location, *_ in marks)
    gutter = max(
        len(str(number + 1))
        for number in (last, *(each.location.first.line for each in in_other_files), *_changed_lines(fix))
    )
    yield _gutter_line(gutter)
    yield from _excerpts(marks, gutter, width, style)
    for each in in_other_files:
        yield [(f"{' ' * gutter}::: {printable(each.location.start_label)}", _GUTTER)]
        yield from _excerpts([(each.location, "-", each.message)], gutter, width, _RELATED)
    if fix is not None:
        yield _gutter_line(gutter)
        yield from _fix(fix, found.location.path, gutter, width)
        for other in found.fixes:
            if other is not fix:
                yield [(" " * gutter, ""), (" or:  ", "green"), (_fix_title(other), "")]


def _gutter_line(gutter: int) -> StyledLine:
    return [(f"{' ' * gutter} |", _GUTTER)]


def _excerpts(
    marks: list[tuple[OutputLocation, str, str]], gutter: int, width: int, style: str
) -> Iterator[StyledLine]:
    """Yields the marked source lines of one file in order, each followed by its marks."""
    lines: dict[int, list[tuple[OutputLocation, str, str]]] = {}
    for location, symbol, label in marks:
        lines.setdefault(location.first.line, []).append((location, symbol, label))
    before = None
    for number, on_line in sorted(lines.items()):
        if before is not None and number > before + 1:
            yield [("." * min(gutter, 3), _GUTTER)]
        before = number
        drawn = [
            ExcerptMark(location.first.column, _end_column(location, number), symbol, label)
            for location, symbol, label in on_line
        ]
        text, mark_lines = marked_line(on_line[0][0].text.line(number), drawn, width - gutter - 3)
        yield [(f"{number + 1:>{gutter}} | ", _GUTTER), (text, "")]
        for line, mark in zip(mark_lines, drawn, strict=True):
            yield [(f"{' ' * gutter} | ", _GUTTER), (line, style if mark.symbol == "^" else _RELATED)]


def _end_column(location: OutputLocation, line: int) -> int:
    """Returns the column at which a location ends, or the end of `line` if it ends in a later line.

    `line` is the line in which the location begins.
    """
    if location.last.line == line:
        return location.last.column
    return location.text.position(location.text.line_end(line), "utf-32").column


def _fix_title(fix: ReportedFix) -> str:
    if not fix.dialect:
        return printable(fix.title)
    option = fix.edits[0].text.strip()
    where = printable(fix.edits[0].location.path)
    return f"{printable(fix.title)} ({option} in {where}, or --std {fix.dialect})"


def _fix(fix: ReportedFix, path: str, gutter: int, width: int) -> Iterator[StyledLine]:
    """Yields the title of a fix, and a diff of the lines that the fix changes."""
    yield [(" " * gutter, ""), (" fix: ", "bold green"), (_fix_title(fix), "")]
    if fix.dialect:
        return
    line_count = 0
    for name in dict.fromkeys(edit.location.path for edit in fix.edits):
        if name != path:
            yield [(f"{' ' * gutter}::: {printable(name)}", _GUTTER)]
        for number, sign, content in _diff([edit for edit in fix.edits if edit.location.path == name]):
            line_count += 1
            if line_count > MAXIMUM_DIFF_LINES:
                return
            line, _ = marked_line(content, (), width - gutter - 3)
            style = "red" if sign == "-" else "green"
            yield [(f"{number + 1:>{gutter}} ", _GUTTER), (f"{sign} {line}".rstrip(), style)]


def _changed_lines(fix: ReportedFix | None) -> Iterator[int]:
    """Yields the numbers of the lines that the fix changes."""
    for edit in () if fix is None or fix.dialect else fix.edits:
        yield edit.location.last.line


def _diff(edits: Iterable[OutputEdit]) -> Iterator[tuple[int, str, bytes]]:
    """Yields the diff of one file's edits as tuples: line number (from 0), `-` or `+`, and content."""
    for first, last, group in _groups(edits):
        text = group[0].location.text
        after = text
        # The last edit is applied first, so that the offsets of the remaining edits stay valid.
        for edit in reversed(group):
            after = after.replace(
                edit.location.start, edit.location.end, edit.text.encode("utf-8", "surrogateescape")
            )
        added = after.line_count - text.line_count
        yield from _diff_lines(text, first, last, "-")
        yield from _diff_lines(after, first, last + added, "+")


def _groups(edits: Iterable[OutputEdit]) -> Iterator[tuple[int, int, list[OutputEdit]]]:
    """Groups edits in the same or adjacent lines; yields first line, last line and edits of each group."""
    group: list[OutputEdit] = []
    first = last = 0
    for edit in sorted(edits, key=lambda each: each.location.start):
        if group and edit.location.first.line > last + 1:
            yield first, last, group
            group = []
        if not group:
            first = last = edit.location.first.line
        group.append(edit)
        last = max(last, edit.location.last.line)
    if group:
        yield first, last, group


def _diff_lines(text: Text, first: int, last: int, sign: str) -> Iterator[tuple[int, str, bytes]]:
    for number in range(first, last + 1):
        yield number, sign, text.line(number)
