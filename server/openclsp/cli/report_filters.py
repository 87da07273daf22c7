"""Filters that remove diagnostics from a report: by code, or those that exceed a maximum number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from openclsp.cli.check_report import CheckReport, FileReport, LeftOut, ReportedDiagnostic
from openclsp.cli.command_error import CommandError, suggest_name
from openclsp.rules.finding import Severity
from openclsp.rules.runner.page import page_codes, read_page

SEVERITY_ORDER = {severity: rank for rank, severity in enumerate(Severity)}
"""The rank of each severity, the most severe first."""


def filter_report(
    report: CheckReport, is_kept: Callable[[ReportedDiagnostic], bool], reason: str
) -> CheckReport:
    """Returns the report with only the diagnostics for which `is_kept` is true.

    The number of removed diagnostics is recorded with the `reason`, unless the reason is empty. A file that
    was checked incompletely stays marked as such, even if the diagnostic that reports this is removed.
    """
    removed = 0
    files: list[FileReport] = []
    for file in report.files:
        kept = tuple(each for each in file.diagnostics if is_kept(each))
        removed += len(file.diagnostics) - len(kept)
        files.append(
            replace(
                file,
                diagnostics=kept,
                known_incomplete=not file.is_complete,
                known_cut_short=file.cut_short,
            )
        )
    left_out = report.left_out
    if removed and reason:
        left_out = (*left_out, LeftOut(removed, reason))
    return replace(report, files=tuple(files), left_out=left_out)


def split_codes(option: str, given: Iterable[str]) -> tuple[str, ...]:
    """Returns the codes in the values `given` to an option; in a value, commas separate the codes.

    Raises CommandError for an unknown code.
    """
    known = page_codes()
    codes = tuple(code.strip() for value in given for code in value.split(",") if code.strip())
    for code in codes:
        if code not in known:
            raise CommandError(
                f"{option}: there is no rule '{code}'{suggest_name(code, known)} ('openclsp rules' lists all)"
            )
    return tuple(dict.fromkeys(codes))


def filter_by_code(report: CheckReport, select: Sequence[str], ignore: Sequence[str]) -> CheckReport:
    """Returns the report with the diagnostics that have a selected code and no ignored code.

    If `select` is empty, all codes are selected.
    """
    if not select and not ignore:
        return report
    return filter_report(
        report,
        lambda each: (not select or each.code in select) and each.code not in ignore,
        "excluded by --select or --ignore",
    )


def disabled_rule_notices(select: Iterable[str]) -> Iterator[str]:
    """Yields a notice for each selected rule that reports nothing unless the project enables it."""
    for code in select:
        page = read_page(code)
        if set(page.off_by_default) == set(page.severities):
            yield f"{code} is off unless openclsp.toml gives it a severity"


def limit_report(report: CheckReport, maximum: int | None) -> CheckReport:
    """Returns the report with the first `maximum` diagnostics by severity, then by file and location.

    If `maximum` is None, returns the report unchanged.
    """
    if maximum is None:
        return report
    ordered = diagnostics_by_severity(report)
    if len(ordered) <= maximum:
        return report
    kept = {id(each) for each in ordered[:maximum]}
    limited = filter_report(report, lambda each: id(each) in kept, "")
    hides_errors = ordered[maximum].severity is Severity.ERROR
    left_out = LeftOut(len(ordered) - maximum, f"beyond the {maximum} of --max", hides_errors)
    return replace(limited, left_out=(*limited.left_out, left_out))


def diagnostics_by_severity(report: CheckReport) -> list[ReportedDiagnostic]:
    """Returns all diagnostics sorted by severity, then by file and location."""
    found = [each for file in report.files for each in file.diagnostics]
    return sorted(found, key=lambda each: SEVERITY_ORDER[each.severity])


def has_severity(report: CheckReport, threshold: str) -> bool:
    """Whether any diagnostic is at least as severe as `threshold`; False if `threshold` names no severity."""
    ranks = [rank for severity, rank in SEVERITY_ORDER.items() if severity.value == threshold]
    return any(
        SEVERITY_ORDER[each.severity] <= rank
        for rank in ranks
        for file in report.files
        for each in file.diagnostics
    )
