"""Text output of `check`: each diagnostic with its source line, related lines and fix, then a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from openclsp.cli.check_report import CheckReport, ReportedDiagnostic
from openclsp.cli.diagnostic_text import diagnostic_text
from openclsp.cli.excerpt import printable
from openclsp.cli.fix_command import FixReport
from openclsp.cli.hidden_diagnostics import (
    REASONS,
    has_primary_files,
    reason_to_hide_after_folding,
    reason_to_hide_before_folding,
)
from openclsp.cli.redundant_diagnostics import (
    MISSING_HEADER,
    OTHER_LANGUAGE,
    RULES_ABOUT_NAMES,
    TEMPLATE,
    RedundancyKey,
    find_redundant,
    has_same_fault,
    is_about_analysis,
)
from openclsp.cli.report_filters import diagnostics_by_severity
from openclsp.cli.statistics_text import counts_text
from openclsp.cli.styled_text import SEVERITY_STYLES, StyledLine, count_noun, join_words
from openclsp.rules.finding import Severity

_INCOMPLETE = "bold yellow"
MAXIMUM_NAMED_FILES = 3
"""The maximum number of files that a line of the summary names."""
MAXIMUM_LISTED_NAMES = 24
"""The maximum number of undefined names that the summary lists."""


def check_text(report: CheckReport, width: int, fixed: FixReport | None = None) -> Iterator[StyledLine]:
    """Yields the lines of the whole output: applied fixes, diagnostics by severity, and a summary.

    Source lines longer than `width` cells are truncated.
    """
    if fixed is not None:
        yield from _applied_fixes(fixed)
    found = diagnostics_by_severity(report)
    several = report.is_of_folder or len(report.files) > 1
    # These are set apart first, so that they make no other redefinition or hint redundant.
    hidden: dict[str, list[ReportedDiagnostic]] = {reason: [] for reason in REASONS}
    others: list[ReportedDiagnostic] = []
    has_primary = several and has_primary_files(report)
    for each in found:
        reason = reason_to_hide_before_folding(each, report, has_primary) if several else ""
        (hidden[reason] if reason else others).append(each)
    found = others
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
                each.location.text.line(each.location.first.line).strip(),
            )
            for each in found
        ]
    )
    # The first of several equal diagnostics states how often the others occur in the same file, and where
    # they first occur in other files. Hints that list names are shown only in the summary, which merges them
    # over all files.
    again: Counter[int] = Counter()
    on_line: Counter[int] = Counter()
    adjacent: Counter[int] = Counter()
    copies: dict[int, dict[str, str]] = {}
    for each, first in zip(found, before, strict=True):
        if first is None or each.names or each.severity is not found[first].severity:
            continue
        if each.location.path != found[first].location.path:
            if has_same_fault(each.code, each.message, found[first].code, found[first].message):
                copies.setdefault(first, {}).setdefault(each.location.path, each.location.start_label)
        elif each.message == found[first].message:
            again[first] += 1
        elif each.location.first.line == found[first].location.first.line:
            on_line[first] += 1
        else:
            adjacent[first] += 1
    left_out: list[ReportedDiagnostic] = []
    for number, each in enumerate(found):
        if before[number] is not None or (
            several and is_about_analysis(each.code, each.severity, each.names)
        ):
            left_out.append(each)
            continue
        reason = reason_to_hide_after_folding(each) if several else ""
        if reason:
            hidden[reason].append(each)
            continue
        yield from diagnostic_text(each, width, again[number], on_line[number], adjacent[number])
        if number in copies:
            places = _name_files(list(copies[number].values()))
            yield [(f"The same fault is at {join_words(places)}.", "")]
        yield []
    for file in report.files:
        if file.skipped_fixes:
            advice = "fix the others first, or request them in an editor"
            yield from _skipped_fixes(file.path, file.skipped_fixes, advice)
    yield from counts_text(report)
    yield from _summarize_hidden_hints(left_out)
    for reason, diagnostics in hidden.items():
        yield from _summarize_not_shown(diagnostics, reason)
    yield from summary_text(report)


def _summarize_hidden_hints(left_out: Sequence[ReportedDiagnostic]) -> Iterator[StyledLine]:
    """Yields a summary of the hidden hints about undefined names, missing headers and template files."""
    hints = [each for each in left_out if each.code in RULES_ABOUT_NAMES and each.severity is Severity.HINT]
    names = Counter(name for each in hints if not each.may_be_in_missing_header for name in each.names)
    if names:
        listed = _list_names([name for name, _ in names.most_common()])
        where = count_noun(
            len({each.location.path for each in hints if not each.may_be_in_missing_header}), "file"
        )
        them = "it" if len(names) == 1 else "them"
        advice = f"if the host defines {them}, pass {them} with -D"
        yield [(f"Not defined in {where}: {join_words(listed)}; {advice}.", "")]
    lost = [each for each in left_out if each.code == MISSING_HEADER]
    headers = list(dict.fromkeys(name for each in lost for name in each.names))
    if headers:
        where = count_noun(len({each.location.path for each in lost}), "file")
        listed = _list_names(headers)
        advice = "it, pass its folder" if len(headers) == 1 else "them, pass their folders"
        yield [(f"Not found in {where}: {join_words(listed)}; if the host has {advice} with -I.", "")]
    missing = sum(1 for each in hints if each.may_be_in_missing_header)
    if missing:
        subject = "1 hint is" if missing == 1 else f"{missing} hints are"
        yield [(f"{subject} not shown: a header that is not found may define the names.", "")]
    templates = list(dict.fromkeys(each.location.path for each in left_out if each.code == TEMPLATE))
    if templates:
        named = join_words(_name_files(templates))
        subject = "1 file is a template" if len(templates) == 1 else f"{len(templates)} files are templates"
        yield [(f"{subject}, for which only some rules are checked: {named}.", "")]


def _list_names(names: Sequence[str]) -> list[str]:
    """Returns the first `MAXIMUM_LISTED_NAMES` names, and a phrase with the number of the remaining ones."""
    more = len(names) - MAXIMUM_LISTED_NAMES
    listed = [f"`{printable(name)}`" for name in names[:MAXIMUM_LISTED_NAMES]]
    return [*listed, f"{more} more"] if more > 0 else listed


def _summarize_not_shown(hidden: Sequence[ReportedDiagnostic], reason: str) -> Iterator[StyledLine]:
    """Yields a line with the number of diagnostics that are not shown for one reason."""
    if hidden:
        subject = count_noun(len(hidden), "diagnostic") + (" is" if len(hidden) == 1 else " are")
        files = join_words(_name_files(list(dict.fromkeys(each.location.path for each in hidden))))
        yield [(f"{subject} not shown: {reason}: {files}.", "")]


def _name_files(paths: Sequence[str]) -> list[str]:
    """Returns the first `MAXIMUM_NAMED_FILES` paths, and a phrase with the number of the remaining files."""
    more = len(paths) - MAXIMUM_NAMED_FILES
    return [printable(path) for path in paths[:MAXIMUM_NAMED_FILES]] + ([f"{more} more"] if more > 0 else [])


def _applied_fixes(fixed: FixReport) -> Iterator[StyledLine]:
    for each in fixed.applied:
        yield [
            (printable(each.path), "bold"),
            (": fixed ", "bold green"),
            (f"{each.severity.value}[{each.code}]", SEVERITY_STYLES[each.severity]),
            (f": {printable(each.title)}", ""),
        ]
    if fixed.applied:
        count = f"{len(fixed.applied)} fix" + ("" if len(fixed.applied) == 1 else "es")
        yield [
            (f"{count} applied in {join_words([printable(path) for path in fixed.written])}.", "bold green")
        ]
    elif not fixed.failed:
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


def summary_text(report: CheckReport) -> Iterator[StyledLine]:
    """Yields the last lines: the totals, and what was not checked or not shown."""
    if report.excluded:
        yield [(f"{count_noun(report.excluded, 'file')} excluded by openclsp.toml.", "")]
    for each in report.left_out:
        subject = count_noun(each.count, "diagnostic") + (" is" if each.count == 1 else " are")
        yield [(f"{subject} not shown ({each.reason}).", "")]
    checked = report.checked
    counts = {severity: report.count(severity) for severity in Severity}
    totals = [count_noun(count, severity.value) for severity, count in counts.items() if count]
    others = report.cpp_for_opencl_count or report.other_language_count or report.unrecognisable
    if others:
        yield from _other_languages(report)
    yield from _incomplete(report)
    if not checked:
        if not others:
            yield [("Nothing was checked.", "")]
        return
    style = (
        SEVERITY_STYLES[Severity.ERROR] if counts[Severity.ERROR] else "bold green" if not totals else "bold"
    )
    files_with_diagnostics = sum(1 for file in report.files if file.diagnostics)
    where = (
        f" in {count_noun(files_with_diagnostics, 'file')}"
        if checked > 1 or files_with_diagnostics > 1
        else ""
    )
    scope = count_noun(checked, "file") + " checked"
    totals_line: StyledLine = [(f"{join_words(totals)}{where}", style), (f"; {scope}", "")] if totals else []
    if not totals and report.is_complete and not any(each.hides_errors for each in report.left_out):
        totals_line = [("No errors", style), (f"; {scope}", "")]
    elif not totals:
        totals_line = [(scope, "bold")]
    if len(report.dialect_counts) == 1:
        yield [*totals_line, (f" as {report.dialect_counts[0][0]}.", "")]
        return
    yield [*totals_line, (":", "")]
    for reason, count in report.dialect_counts:
        yield [(f"  {count_noun(count, 'file')} as {reason}", "")]


def _other_languages(report: CheckReport) -> Iterator[StyledLine]:
    """Yields the number of files in C++ for OpenCL, and the number of files in other languages.

    In a report on several files or a folder, each file that is not OpenCL C has a diagnostic which is not shown. The
    paths of these files are listed instead, apart from those of the files that are not recognised.
    """
    for count, language in (
        (report.cpp_for_opencl_count, "C++ for OpenCL (not supported, not checked)"),
        (report.other_language_count, "C++, CUDA or another language (not checked)"),
    ):
        if count:
            yield [(f"{'1 file is' if count == 1 else f'{count} files are'} {language}.", "")]
    found = (each for file in report.files for each in file.diagnostics if each.code == OTHER_LANGUAGE)
    unknown = report.unrecognisable
    paths = [path for path in dict.fromkeys(each.location.path for each in found) if path not in unknown]
    # the option `--ignore` may have removed the diagnostics
    if paths and (report.is_of_folder or len(report.files) > 1):
        yield [(f"Not OpenCL C: {join_words(_name_files(paths))}.", "")]
    if unknown:
        files = "1 file is" if len(unknown) == 1 else f"{len(unknown)} files are"
        reason = "not recognised as OpenCL C (not checked; name a file to check it)"
        yield [(f"{files} {reason}: {join_words(_name_files(unknown))}.", "")]


def _incomplete(report: CheckReport) -> Iterator[StyledLine]:
    """Yields lines about the requested files that were not checked, or not completely."""
    if report.not_checked:
        paths = [each.display_name for each in report.not_checked]
        yield [
            (f"{count_noun(len(paths), 'file')} not checked: {join_words(_name_files(paths))}.", _INCOMPLETE)
        ]
    if report.truncated:
        yield [("There are more files that were not checked.", _INCOMPLETE)]
    for file in report.files:
        if not file.is_complete:
            yield [(f"{printable(file.path)} was not checked completely.", _INCOMPLETE)]
        if file.cut_short:
            yield [(f"{printable(file.path)} has more diagnostics than are shown.", _INCOMPLETE)]
