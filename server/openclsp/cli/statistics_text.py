"""Counts the diagnostics of a report by code and by file, for the output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from openclsp.cli.check_report import CheckReport
from openclsp.cli.excerpt import printable
from openclsp.cli.json_output import Json
from openclsp.cli.report_filters import SEVERITY_ORDER
from openclsp.cli.styled_text import SEVERITY_STYLES, StyledLine, join_words
from openclsp.rules.finding import Severity

MANY_DIAGNOSTICS = 50
"""If there are more diagnostics than this, the summary names the files with the most diagnostics."""
MAXIMUM_FILES_IN_SUMMARY = 5
MAXIMUM_FILES_IN_STATISTICS = 20


def counts_text(report: CheckReport) -> Iterator[StyledLine]:
    """Yields the number of diagnostics of each code, if the report has more than one diagnostic.

    If the report has many, also yields the files with the most diagnostics.
    """
    counts = _counts_by_code(report)
    if counts.total() < 2:
        return
    numbers = max(len(str(count)) for count in counts.values())
    words = max(len(severity.value) for severity, _ in counts)
    for (severity, code), count in _ordered(counts):
        yield [
            (f"{count:>{numbers}} ", "bold"),
            (f"{severity.value:<{words}}", SEVERITY_STYLES[severity]),
            (f" {code}", ""),
        ]
    files = _counts_by_file(report)
    if counts.total() > MANY_DIAGNOSTICS and len(files) > 1:
        most = files.most_common(MAXIMUM_FILES_IN_SUMMARY)
        yield [(f"Most are in {join_words([f'{printable(path)} ({count})' for path, count in most])}.", "")]


def statistics_text(report: CheckReport) -> Iterator[StyledLine]:
    """Yields a table of the codes, and a table of the files with the most diagnostics.

    For each code, the first table has the number of its diagnostics, of its diagnostics with a fix, and of
    the files in which it is reported.
    """
    counts = _counts_by_code(report)
    if not counts:
        return
    fixable = _fixable_by_code(report)
    files = {key: 0 for key in counts}
    for file in report.files:
        for key in {(each.severity, each.code) for each in file.diagnostics}:
            files[key] += 1
    rows = [("count", "fixable", "files", "severity", "code", "")]
    rows += [
        (
            str(count),
            str(fixable[key]),
            str(files[key]),
            key[0].value,
            key[1],
            SEVERITY_STYLES[key[0]],
        )
        for key, count in _ordered(counts)
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        numbers = "  ".join(row[column].rjust(widths[column]) for column in range(3))
        yield [(f"{numbers}  ", "bold"), (row[3].ljust(widths[3]), row[5]), (f"  {row[4]}", "")]
    yield []
    by_file = _counts_by_file(report)
    most = by_file.most_common(MAXIMUM_FILES_IN_STATISTICS)
    width = max(len(str(count)) for _, count in most)
    for path, count in most:
        yield [(f"{count:>{width}}", "bold"), (f"  {printable(path)}", "")]
    if len(by_file) > len(most):
        rest = by_file.total() - sum(count for _, count in most)
        yield [(f"{rest:>{width}}", "bold"), (f"  in {len(by_file) - len(most)} more files", "")]
    yield []


def statistics_json(report: CheckReport) -> dict[str, Json]:
    """Returns the numbers of diagnostics by code, sorted by severity and then by number."""
    return {
        "statistics": [
            {"code": code, "severity": severity.value, "count": count, "fixable": fixable}
            for severity, code, count, fixable in statistics_rows(report)
        ]
    }


def statistics_rows(report: CheckReport) -> Iterator[tuple[Severity, str, int, int]]:
    """Yields, for each severity and code, the number of diagnostics and the number of those with a fix."""
    fixable = _fixable_by_code(report)
    for (severity, code), count in _ordered(_counts_by_code(report)):
        yield severity, code, count, fixable[severity, code]


def _counts_by_code(report: CheckReport) -> Counter[tuple[Severity, str]]:
    return Counter((each.severity, each.code) for file in report.files for each in file.diagnostics)


def _fixable_by_code(report: CheckReport) -> Counter[tuple[Severity, str]]:
    return Counter(
        (each.severity, each.code) for file in report.files for each in file.diagnostics if each.fixes
    )


def _counts_by_file(report: CheckReport) -> Counter[str]:
    return Counter(each.location.path for file in report.files for each in file.diagnostics)


def _ordered(counts: Counter[tuple[Severity, str]]) -> list[tuple[tuple[Severity, str], int]]:
    return sorted(counts.items(), key=lambda each: (SEVERITY_ORDER[each[0][0]], -each[1], each[0][1]))
