"""SARIF 2.1.0, the format of code scanning services."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from openclsp import __version__
from openclsp.cli.check_report import (
    CheckReport,
    OutputEdit,
    OutputLocation,
    ReportedDiagnostic,
    ReportedFix,
)
from openclsp.cli.fingerprints import FINGERPRINT_VERSION, numbered_fingerprints, output_uri_path
from openclsp.cli.json_output import Json
from openclsp.rules.finding import Severity
from openclsp.rules.runner.page import page_codes, read_page

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}
_LEVEL_NAMES = {severity.value: level for severity, level in _LEVELS.items()}
_ROOT = "SRCROOT"
"""The base of relative URIs: the folder in which openclsp ran, which the reader of the log supplies."""


def sarif_text(report: CheckReport, *, executed: bool) -> str:
    """Returns the report as a SARIF log with one run. `executed`: whether all inputs were checked."""
    found = list(numbered_fingerprints(report))
    codes = sorted({each.code for each, _, _ in found})
    numbers = {code: number for number, code in enumerate(codes)}
    artifacts: dict[str, OutputLocation] = {}
    for each, _, _ in found:
        artifacts.setdefault(each.location.path, each.location)
    places = {path: number for number, path in enumerate(artifacts)}
    log: Json = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "openclsp",
                        "fullName": f"openclsp {__version__}",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(code) for code in codes],
                    }
                },
                "invocations": [_invocation(report, executed)],
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {
                    _ROOT: {"description": {"text": "The folder in which openclsp was run."}}
                },
                "artifacts": [
                    {"location": _artifact(location), "roles": ["resultFile"], "sourceLanguage": "opencl"}
                    for location in artifacts.values()
                ],
                "results": [
                    _result(each, f"{identity}:{number}", numbers[each.code], places)
                    for each, identity, number in found
                ],
            }
        ],
    }
    return json.dumps(log, indent=2) + "\n"


def _rule(code: str) -> Json:
    """Returns the description of a rule; its help text is the page that `openclsp explain` prints."""
    if code not in page_codes():
        return {"id": code}
    page = read_page(code)
    title = page.title.rstrip(".") + "."
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in code.split("-")),
        "shortDescription": {"text": title},
        "fullDescription": {"text": f"{title} Clause: {page.clause}."},
        "help": {"text": page.text, "markdown": page.text},
        "defaultConfiguration": {
            "level": _LEVEL_NAMES[page.severities[0]],
            "enabled": set(page.off_by_default) != set(page.severities),
        },
        "properties": {"tags": ["opencl"], "dialects": list(page.dialects), "clang": list(page.clang)},
    }


def _invocation(report: CheckReport, executed: bool) -> Json:
    notifications: list[Json] = [
        {"level": "warning", "message": {"text": f"{each.display_name} {each.reason}; it is not checked."}}
        for each in report.not_checked
    ]
    notifications += [{"level": "note", "message": {"text": notice}} for notice in report.notices]
    return {"executionSuccessful": executed, "toolExecutionNotifications": notifications}


def _result(found: ReportedDiagnostic, identity: str, rule: int, places: Mapping[str, int]) -> Json:
    fixes = [_fix(each) for each in found.fixes if _is_representable(each)]
    builds: dict[str, Json] = {"builds": list(found.build_names)} if found.build_names else {}
    return {
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": _LEVELS[found.severity],
        "message": {"text": found.message},
        "locations": [_location(found.location, places[found.location.path])],
        "relatedLocations": [
            {"id": number, **_location(each.location), "message": {"text": each.message}}
            for number, each in enumerate(found.related, 1)
        ],
        "partialFingerprints": {f"openclsp/v{FINGERPRINT_VERSION}": identity},
        **({"fixes": list(fixes)} if fixes else {}),
        "properties": {"severity": found.severity.value, **builds},
    }


def _location(location: OutputLocation, place: int | None = None) -> dict[str, Json]:
    """Returns a SARIF location, with the source text of its range as the snippet.

    `place` is the index of the file in the list of artifacts; None omits the index.
    """
    index: dict[str, Json] = {} if place is None else {"index": place}
    return {
        "physicalLocation": {
            "artifactLocation": {**_artifact(location), **index},
            "region": {**_region(location), "snippet": {"text": _excerpt(location)}},
            **_context(location),
        }
    }


def _context(location: OutputLocation) -> dict[str, Json]:
    """Returns the line that contains a location, as a SARIF context region.

    The result is empty for a location that covers a whole line or several lines, as SARIF demands.
    """
    text, number = location.text, location.first.line
    whole = location.start == text.line_start(number) and location.end >= text.line_end(number)
    if location.last.line != number or whole:
        return {}
    line = text.line(number).decode("utf-8", "replace")
    return {"contextRegion": {"startLine": number + 1, "snippet": {"text": line}}}


def _excerpt(location: OutputLocation) -> str:
    """Returns the text of a location."""
    return location.text.data[location.start : location.end].decode("utf-8", "replace")


def _artifact(location: OutputLocation) -> dict[str, Json]:
    path = output_uri_path(location)
    uri = quote(path, safe="/", errors="surrogateescape")
    if path.startswith("/"):
        return {"uri": f"file://{uri}"}
    # `C:/…` on Windows.
    if path[1:3] == ":/":
        return {"uri": f"file:///{quote(path, safe='/:', errors='surrogateescape')}"}
    return {"uri": uri, "uriBaseId": _ROOT}


def _region(location: OutputLocation) -> Mapping[str, Json]:
    return {
        "startLine": location.first.line + 1,
        "startColumn": location.first.column + 1,
        "endLine": location.last.line + 1,
        "endColumn": location.last.column + 1,
    }


def _fix(fix: ReportedFix) -> Json:
    return {
        "description": {"text": fix.title},
        "artifactChanges": list(_artifact_changes(fix.edits)),
    }


def _artifact_changes(edits: Iterable[OutputEdit]) -> Iterator[Json]:
    by_path: dict[str, list[OutputEdit]] = {}
    for edit in edits:
        by_path.setdefault(edit.location.path, []).append(edit)
    for of_file in by_path.values():
        yield {
            "artifactLocation": _artifact(of_file[0].location),
            "replacements": [
                {"deletedRegion": _region(edit.location), "insertedContent": {"text": edit.text}}
                for edit in of_file
            ],
        }


def _is_representable(fix: ReportedFix) -> bool:
    """Whether the inserted text is valid Unicode; JSON cannot represent other bytes."""
    return bool(fix.edits) and all(_is_unicode(edit.text) for edit in fix.edits)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
