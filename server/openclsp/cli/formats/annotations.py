"""The formats of review services: GitHub annotations, GitLab Code Quality, and reviewdog's rdjson."""

from __future__ import annotations

import json
from collections.abc import Iterator

from openclsp import __version__
from openclsp.cli.check_report import CheckReport, OutputLocation, ReportedDiagnostic, ReportedFix
from openclsp.cli.excerpt import printable
from openclsp.cli.fingerprints import numbered_fingerprints, output_uri_path
from openclsp.cli.json_output import Json
from openclsp.cli.report_filters import diagnostics_by_severity
from openclsp.rules.finding import Severity

_GITHUB_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}
_GITLAB_SEVERITIES = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFORMATION: "info",
    Severity.HINT: "info",
}
_RDJSON_SEVERITIES = {
    Severity.ERROR: "ERROR",
    Severity.WARNING: "WARNING",
    Severity.INFORMATION: "INFO",
    Severity.HINT: "INFO",
}


def github_text(report: CheckReport) -> str:
    """Returns workflow commands of GitHub Actions, one per line, the most severe first.

    GitHub shows only the first ten errors, ten warnings and ten notices of a step.
    """
    lines = [_github_command(each) for each in diagnostics_by_severity(report)]
    lines += [
        f"::warning file={_github_property(each.path)},title=not checked::"
        + _github_data(f"{each.display_name} {each.reason}")
        for each in report.not_checked
    ]
    return "".join(f"{line}\n" for line in lines)


def _github_command(found: ReportedDiagnostic) -> str:
    location = found.location
    properties = {
        "file": output_uri_path(location),
        "line": str(location.first.line + 1),
        "endLine": str(location.last.line + 1),
        "title": f"openclsp: {found.code}",
    }
    # GitHub accepts columns only for a range in one line.
    if location.first.line == location.last.line:
        properties |= {
            "col": str(location.first.column + 1),
            "endColumn": str(max(location.first.column + 1, location.last.column)),
        }
    written = ",".join(f"{name}={_github_property(value)}" for name, value in properties.items())
    return f"::{_GITHUB_LEVELS[found.severity]} {written}::{_github_data(found.message)}"


def _github_data(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _github_property(text: str) -> str:
    return _github_data(text).replace(":", "%3A").replace(",", "%2C")


def gitlab_text(report: CheckReport) -> str:
    """Returns the report in GitLab's Code Quality format: a JSON array with unique fingerprints."""
    found: list[Json] = [
        {
            "description": each.message,
            "check_name": each.code,
            "fingerprint": f"{identity}-{number}",
            "severity": _GITLAB_SEVERITIES[each.severity],
            "location": {
                "path": output_uri_path(each.location),
                "lines": {"begin": each.location.first.line + 1, "end": each.location.last.line + 1},
            },
        }
        for each, identity, number in numbered_fingerprints(report)
    ]
    return json.dumps(found, indent=2) + "\n"


def rdjson_text(report: CheckReport) -> str:
    """Returns the report in the Reviewdog Diagnostic Format, whose columns count bytes of UTF-8, from 1."""
    document: Json = {
        "source": {"name": "openclsp"},
        "diagnostics": [_rdjson_diagnostic(each) for each in diagnostics_by_severity(report)],
    }
    return json.dumps(document, indent=2) + "\n"


def _rdjson_diagnostic(found: ReportedDiagnostic) -> Json:
    return {
        "message": found.message,
        "location": {"path": output_uri_path(found.location), "range": _rdjson_range(found.location)},
        "severity": _RDJSON_SEVERITIES[found.severity],
        "source": {"name": f"openclsp {__version__}"},
        "code": {"value": found.code},
        "suggestions": [each for fix in found.fixes for each in _rdjson_suggestion(found, fix)],
        "related_locations": [
            {
                "message": each.message,
                "location": {
                    "path": output_uri_path(each.location),
                    "range": _rdjson_range(each.location),
                },
            }
            for each in found.related
        ],
    }


def _rdjson_suggestion(found: ReportedDiagnostic, fix: ReportedFix) -> Iterator[Json]:
    """Yields a fix as an rdjson suggestion, if it is a single edit of the diagnostic's file.

    A suggestion cannot represent several edits.
    """
    if len(fix.edits) == 1 and fix.edits[0].location.path == found.location.path:
        edit = fix.edits[0]
        yield {"range": _rdjson_range(edit.location), "text": edit.text}


def _rdjson_range(location: OutputLocation) -> Json:
    text = location.text
    return {
        "start": {
            "line": location.first.line + 1,
            "column": location.start - text.line_start(location.first.line) + 1,
        },
        "end": {
            "line": location.last.line + 1,
            "column": location.end - text.line_start(location.last.line) + 1,
        },
    }
