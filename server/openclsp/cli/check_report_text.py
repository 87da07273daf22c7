"""Text output of `check`: each diagnostic with its source line, related lines and fix, then a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from openclsp.cli.check_report import (
    CheckReport,
    OutputEdit,
    OutputLocation,
    ReportedDiagnostic,
    ReportedFix,
)
from openclsp.cli.excerpt import ExcerptMark, marked_line, printable
from openclsp.cli.fix_command import FixReport
from openclsp.cli.one_compiler import is_moot
from openclsp.cli.redundant_diagnostics import (
    MISSING_HEADER,
    OTHER_LANGUAGE,
    RULES_ABOUT_NAMES,
    TEMPLATE,
    RedundancyKey,
    find_redundant,
    is_about_analysis,
)
from openclsp.rules.finding import Severity
from openclsp.source.text import Text

StyledLine: TypeAlias = "list[tuple[str, str]]"
"""Pieces of text, each with its rich style; an empty style means plain text."""

STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.INFORMATION: "bold blue",
    Severity.HINT: "bold cyan",
}
_RANK = {severity: rank for rank, severity in enumerate(STYLES)}
_INCOMPLETE = "bold yellow"
_RELATED = "blue"
_GUTTER = "bright_black"
MAXIMUM_NAMED_FILES = 3
"""The most files that are named in a line of the summary."""
MAXIMUM_LISTED_NAMES = 24
"""The most undefined names that the summary lists."""
MAXIMUM_DIFF_LINES = 12
"""The most changed lines of a fix that are shown."""


def check_text(report: CheckReport, width: int, fixed: FixReport | None = None) -> Iterator[StyledLine]:
    """The lines of the whole output: fixes applied, diagnostics by severity, and a summary.

    Source lines longer than `width` cells are truncated.
    """
    if fixed is not None:
        yield from _applied_fixes(fixed)
    found = _by_severity(report)
    before = find_redundant(
        [
            RedundancyKey(
                each.location.path,
                each.location.first.line,
                each.code,
                each.severity,
                each.message,
                each.names,
                each.may_be_in_missing_header,
                each.cause,
            )
            for each in found
        ]
    )
    # The first of several equal diagnostics shows how often the others occur in the same file. Hints that
    # list names are left to the summary, which merges them over all files.
    again: Counter[int] = Counter()
    on_line: Counter[int] = Counter()
    adjacent: Counter[int] = Counter()
    for each, first in zip(found, before, strict=True):
        if first is None or each.names or each.location.path != found[first].location.path:
            continue
        if each.message == found[first].message:
            again[first] += 1
        elif each.location.first.line == found[first].location.first.line:
            on_line[first] += 1
        else:
            adjacent[first] += 1
    several = len(report.files) > 1
    left_out: list[ReportedDiagnostic] = []
    moot: list[ReportedDiagnostic] = []
    for number, each in enumerate(found):
        if before[number] is not None or (several and is_about_analysis(each.code, each.severity)):
            left_out.append(each)
            continue
        if several and is_moot(each.code, each.severity, each.location.text.data):
            moot.append(each)
            continue
        yield from _diagnostic(each, width, again[number], on_line[number], adjacent[number])
        yield []
    for file in report.files:
        if file.skipped_fixes:
            advice = "fix the others first, or request them in an editor"
            yield from _skipped_fixes(file.path, file.skipped_fixes, advice)
    yield from _counts(report)
    yield from _summarize_hidden_hints(left_out)
    yield from _of_one_compiler(moot)
    yield from _summary(report)


def _summarize_hidden_hints(left_out: Sequence[ReportedDiagnostic]) -> Iterator[StyledLine]:
    """Summarises the hidden hints: unknown names by frequency, missing headers and templates."""
    hints = [each for each in left_out if each.code in RULES_ABOUT_NAMES and each.severity is Severity.HINT]
    names = Counter(name for each in hints if not each.may_be_in_missing_header for name in each.names)
    if names:
        shown = [f"`{printable(name)}`" for name, _ in names.most_common(MAXIMUM_LISTED_NAMES)]
        more = [f"{len(names) - len(shown)} more"] if len(names) > len(shown) else []
        where = _counted(
            len({each.location.path for each in hints if not each.may_be_in_missing_header}), "file"
        )
        them = "it" if len(names) == 1 else "them"
        advice = f"if the host defines {them}, pass {them} with -D"
        yield [(f"Not defined in {where}: {_listed([*shown, *more])}; {advice}.", "")]
    headers = sum(1 for each in left_out if each.code == MISSING_HEADER)
    if headers:
        told = "1 hint is" if headers == 1 else f"{headers} hints are"
        yield [(f"{told} not shown: another hint names the same header, or one in the same folder.", "")]
    missing = sum(1 for each in hints if each.may_be_in_missing_header)
    if missing:
        told = "1 hint is" if missing == 1 else f"{missing} hints are"
        yield [(f"{told} not shown: a header that is not found may define the names.", "")]
    templates = list(dict.fromkeys(each.location.path for each in left_out if each.code == TEMPLATE))
    if templates:
        named = _listed(_name_files(templates))
        told = "1 file is a template" if len(templates) == 1 else f"{len(templates)} files are templates"
        yield [(f"{told}, for which only some rules are checked: {named}.", "")]


def _of_one_compiler(moot: Sequence[ReportedDiagnostic]) -> Iterator[StyledLine]:
    """How many diagnostics about portability are not shown."""
    if moot:
        told = _counted(len(moot), "diagnostic") + (" is" if len(moot) == 1 else " are")
        files = _listed(_name_files(list(dict.fromkeys(each.location.path for each in moot))))
        reason = "about other compilers, but the file uses what only one compiler has"
        yield [(f"{told} not shown: {reason}: {files}.", "")]


def _name_files(paths: Sequence[str]) -> list[str]:
    """The first `MAXIMUM_NAMED_FILES` of these files, and the number of the others."""
    more = len(paths) - MAXIMUM_NAMED_FILES
    return [printable(path) for path in paths[:MAXIMUM_NAMED_FILES]] + ([f"{more} more"] if more > 0 else [])


def _by_severity(report: CheckReport) -> list[ReportedDiagnostic]:
    """All diagnostics sorted by severity, then by file and location."""
    found = [each for file in report.files for each in file.diagnostics]
    return sorted(found, key=lambda each: _RANK[each.severity])


def _applied_fixes(fixed: FixReport) -> Iterator[StyledLine]:
    for each in fixed.applied:
        yield [
            (printable(each.path), "bold"),
            (": fixed ", "bold green"),
            (f"{each.severity.value}[{each.code}]", STYLES[each.severity]),
            (f": {printable(each.title)}", ""),
        ]
    if fixed.applied:
        count = f"{len(fixed.applied)} fix" + ("" if len(fixed.applied) == 1 else "es")
        yield [(f"{count} applied in {_listed([printable(path) for path in fixed.written])}.", "bold green")]
    else:
        yield [("There are no preferred fixes to apply.", "")]
    for path, number in fixed.skipped.items():
        yield from _skipped_fixes(path, number, "run --fix again for the rest")
    yield []


def _skipped_fixes(path: str, count: int, advice: str) -> Iterator[StyledLine]:
    whose = "1 diagnostic" if count == 1 else f"{count} diagnostics"
    yield [
        (
            f"{printable(path)}: fixes of {whose} were skipped, because they would take too long: {advice}.",
            "",
        )
    ]


def _diagnostic(
    found: ReportedDiagnostic, width: int, again: int, on_line: int, adjacent: int
) -> Iterator[StyledLine]:
    """The lines for a diagnostic.

    `again` counts its repetitions in the file, `on_line` the other diagnostics of its rule in the same line,
    and `adjacent` those in adjacent lines, or in those of the macro that it comes from.
    """
    style = STYLES[found.severity]
    others = "1 other place" if again == 1 else f"{again} other places"
    here = "1 other place" if on_line == 1 else f"{on_line} other places"
    where = "in adjacent lines" if found.cause is None else "through macros defined beside this one"
    beside = ("at 1 other place " if adjacent == 1 else f"at {adjacent} other places ") + where
    yield [
        (printable(found.location.start_label), "bold"),
        (": ", ""),
        (f"{found.severity.value}[{found.code}]", style),
        (f": {printable(found.message)}", "bold"),
        (f"; the same at {others} in this file" if again else "", ""),
        (f"; similar at {here} in this line" if on_line else "", ""),
        (f"; similar {beside}" if adjacent else "", ""),
        ("" if found.in_all_builds else f" (in {_listed(list(found.build_names))})", _RELATED),
    ]
    related = [each for each in found.related if each.location.path == found.location.path]
    marks = [(found.location, "^", ""), *((each.location, "-", each.message) for each in related)]
    elsewhere = [each for each in found.related if each.location.path != found.location.path]
    fix = next((each for each in found.fixes if each.preferred), None) or next(iter(found.fixes), None)
    last = max(spot.first.line for spot, *_ in marks)
    gutter = max(
        len(str(number + 1))
        for number in (last, *(each.location.first.line for each in elsewhere), *_changed_lines(fix))
    )
    yield _gutter_line(gutter)
    yield from _excerpts(marks, gutter, width, style)
    for each in elsewhere:
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
    """The marked source lines of one file in order, each with its marks below it."""
    lines: dict[int, list[tuple[OutputLocation, str, str]]] = {}
    for spot, symbol, label in marks:
        lines.setdefault(spot.first.line, []).append((spot, symbol, label))
    before = None
    for number, on_line in sorted(lines.items()):
        if before is not None and number > before + 1:
            yield [("." * min(gutter, 3), _GUTTER)]
        before = number
        drawn = [
            ExcerptMark(spot.first.column, _end_column(spot, number), symbol, label)
            for spot, symbol, label in on_line
        ]
        shown, rows = marked_line(on_line[0][0].text.line(number), drawn, width - gutter - 3)
        yield [(f"{number + 1:>{gutter}} | ", _GUTTER), (shown, "")]
        for row, mark in zip(rows, drawn, strict=True):
            yield [(f"{' ' * gutter} | ", _GUTTER), (row, style if mark.symbol == "^" else _RELATED)]


def _end_column(spot: OutputLocation, line: int) -> int:
    """The column at which the spot ends in line `line`, its first."""
    if spot.last.line == line:
        return spot.last.column
    return spot.text.position(spot.text.line_end(line), "utf-32").column


def _fix_title(fix: ReportedFix) -> str:
    if not fix.dialect:
        return printable(fix.title)
    option = fix.edits[0].text.strip()
    where = printable(fix.edits[0].location.path)
    return f"{printable(fix.title)} ({option} in {where}, or --std {fix.dialect})"


def _fix(fix: ReportedFix, path: str, gutter: int, width: int) -> Iterator[StyledLine]:
    """The title of a fix, and the lines that it changes as a diff."""
    yield [(" " * gutter, ""), (" fix: ", "bold green"), (_fix_title(fix), "")]
    if fix.dialect:
        return
    shown = 0
    for name in dict.fromkeys(edit.location.path for edit in fix.edits):
        if name != path:
            yield [(f"{' ' * gutter}::: {printable(name)}", _GUTTER)]
        for number, sign, content in _diff([edit for edit in fix.edits if edit.location.path == name]):
            shown += 1
            if shown > MAXIMUM_DIFF_LINES:
                return
            line, _ = marked_line(content, (), width - gutter - 3)
            style = "red" if sign == "-" else "green"
            yield [(f"{number + 1:>{gutter}} ", _GUTTER), (f"{sign} {line}".rstrip(), style)]


def _changed_lines(fix: ReportedFix | None) -> Iterator[int]:
    """The numbers of the lines that the fix changes."""
    for edit in () if fix is None or fix.dialect else fix.edits:
        yield edit.location.last.line


def _diff(edits: Iterable[OutputEdit]) -> Iterator[tuple[int, str, bytes]]:
    """The diff of one file's edits: line number (from 0), `-` or `+`, and content."""
    for first, last, group in _groups(edits):
        text = group[0].location.text
        after = text
        # From the last to the first, so that the offsets of the remaining edits stay valid.
        for edit in reversed(group):
            after = after.replace(
                edit.location.start, edit.location.end, edit.text.encode("utf-8", "surrogateescape")
            )
        grown = after.line_count - text.line_count
        yield from _diff_lines(text, first, last, "-")
        yield from _diff_lines(after, first, last + grown, "+")


def _groups(edits: Iterable[OutputEdit]) -> Iterator[tuple[int, int, list[OutputEdit]]]:
    """Groups edits in the same or adjacent lines; gives the first and last line of each group."""
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


def _summary(report: CheckReport) -> Iterator[StyledLine]:
    if report.excluded:
        yield [(f"{_counted(report.excluded, 'file')} excluded by openclsp.toml.", "")]
    checked = report.checked
    counts = {severity: report.count(severity) for severity in Severity}
    said = [_counted(count, severity.value) for severity, count in counts.items() if count]
    if report.cpp_for_opencl_count or report.other_language_count:
        yield from _other_languages(report)
    yield from _incomplete(report)
    if not checked:
        if not report.cpp_for_opencl_count and not report.other_language_count:
            yield [("Nothing was checked.", "")]
        return
    style = STYLES[Severity.ERROR] if counts[Severity.ERROR] else "bold green" if not said else "bold"
    faulty = sum(1 for file in report.files if file.diagnostics)
    where = f" in {_counted(faulty, 'file')}" if checked > 1 or faulty > 1 else ""
    scope = _counted(checked, "file") + " checked"
    heads: StyledLine = [(f"{_listed(said)}{where}", style), (f"; {scope}", "")] if said else []
    if not said and report.is_complete:
        heads = [("No errors", style), (f"; {scope}", "")]
    elif not said:
        heads = [(scope, "bold")]
    if len(report.dialect_counts) == 1:
        yield [*heads, (f" as {report.dialect_counts[0][0]}.", "")]
        return
    yield [*heads, (":", "")]
    for reason, count in report.dialect_counts:
        yield [(f"  {_counted(count, 'file')} as {reason}", "")]


def _other_languages(report: CheckReport) -> Iterator[StyledLine]:
    """The number of files that are not OpenCL C; their names too if their diagnostics are hidden."""
    for count, language in (
        (report.cpp_for_opencl_count, "C++ for OpenCL (not supported, not checked)"),
        (report.other_language_count, "C++, CUDA or another language (not checked)"),
    ):
        if count:
            yield [(f"{'1 file is' if count == 1 else f'{count} files are'} {language}.", "")]
    found = (each for file in report.files for each in file.diagnostics if each.code == OTHER_LANGUAGE)
    paths = list(dict.fromkeys(each.location.path for each in found))
    if len(report.files) > 1:
        yield [(f"Not OpenCL C: {_listed(_name_files(paths))}.", "")]


def _incomplete(report: CheckReport) -> Iterator[StyledLine]:
    """The requested files that were not checked, or not completely."""
    if report.not_checked:
        paths = [each.display_name for each in report.not_checked]
        yield [(f"{_counted(len(paths), 'file')} not checked: {_listed(_name_files(paths))}.", _INCOMPLETE)]
    if report.truncated:
        yield [("There are more files that were not checked.", _INCOMPLETE)]
    for file in report.files:
        if not file.is_complete:
            yield [(f"{printable(file.path)} was not checked completely.", _INCOMPLETE)]
        if file.cut_short:
            yield [(f"{printable(file.path)} has more diagnostics than are shown.", _INCOMPLETE)]


def _counts(report: CheckReport) -> Iterator[StyledLine]:
    """The number of diagnostics of each code, if there is more than one diagnostic."""
    found = Counter((each.severity, each.code) for file in report.files for each in file.diagnostics)
    if found.total() < 2:
        return
    numbers = max(len(str(count)) for count in found.values())
    words = max(len(severity.value) for severity, _ in found)
    for (severity, code), count in sorted(
        found.items(), key=lambda each: (_RANK[each[0][0]], -each[1], each[0][1])
    ):
        yield [
            (f"{count:>{numbers}} ", "bold"),
            (f"{severity.value:<{words}}", STYLES[severity]),
            (f" {code}", ""),
        ]


def _counted(count: int, what: str) -> str:
    plural = "" if count == 1 or what == Severity.INFORMATION.value else "s"
    return f"{count} {what}{plural}"


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
