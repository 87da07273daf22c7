"""JSON output of the commands: each command writes one JSON document.

Lines and columns count from 1, columns in code points; ends are exclusive.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

from openclsp.cli.check_report import (
    CheckReport,
    FileReport,
    OutputLocation,
    ReportedDiagnostic,
    ReportedFix,
)
from openclsp.cli.fix_command import FixReport

VERSION = 1

Json: TypeAlias = "Mapping[str, Json] | list[Json] | str | int | bool | None"


def dumps(document: Mapping[str, Json]) -> str:
    """Serialises the document as ASCII, which any terminal and locale can represent."""
    return json.dumps({"version": VERSION, **document}, indent=2)


def check_json(report: CheckReport, fixed: FixReport | None = None) -> dict[str, Json]:
    """Returns the JSON output of `check`, including the files that were not checked.

    With `--fix`, it contains the applied fixes and the written files.
    """
    answer: dict[str, Json] = {"files": [_file(each) for each in report.files]}
    if report.not_checked:
        answer["notChecked"] = [{"path": each.path, "reason": each.reason} for each in report.not_checked]
    if report.left_out:
        answer["leftOut"] = [{"count": each.count, "reason": each.reason} for each in report.left_out]
    if fixed is not None:
        answer["fixed"] = [
            {
                "path": each.path,
                "code": each.code,
                "severity": each.severity.value,
                "message": each.message,
                "title": each.title,
            }
            for each in fixed.applied
        ]
        answer["written"] = list(fixed.written)
        if fixed.skipped:
            answer["fixesLeftOut"] = dict(fixed.skipped)
    return answer


def range_json(location: OutputLocation) -> Json:
    """Returns the range of a location: `{"start": {"line", "column"}, "end": …}`."""
    first, last = location.first, location.last
    return {
        "start": {"line": first.line + 1, "column": first.column + 1},
        "end": {"line": last.line + 1, "column": last.column + 1},
    }


def _file(file: FileReport) -> Json:
    variants: dict[str, Json] = {"variants": list(file.build_names)} if file.build_names else {}
    complete: dict[str, Json] = {} if file.is_complete and not file.cut_short else {"complete": False}
    return {
        "path": file.path,
        "dialect": file.dialect,
        **variants,
        **complete,
        "diagnostics": [diagnostic_json(each) for each in file.diagnostics],
        **({"fixesLeftOut": file.skipped_fixes} if file.skipped_fixes else {}),
    }


def diagnostic_json(found: ReportedDiagnostic) -> Json:
    """Returns a diagnostic with its related locations and fixes."""
    variants: dict[str, Json] = {"variants": list(found.build_names)} if found.build_names else {}
    return {
        "code": found.code,
        "severity": found.severity.value,
        "message": found.message,
        **variants,
        "range": range_json(found.location),
        "related": [
            {"path": each.location.path, "range": range_json(each.location), "message": each.message}
            for each in found.related
        ],
        "fixes": [_fix(each) for each in found.fixes],
    }


def _fix(fix: ReportedFix) -> Json:
    return {
        "title": fix.title,
        "preferred": fix.preferred,
        "edits": [
            {"path": edit.location.path, "range": range_json(edit.location), "text": edit.text}
            for edit in fix.edits
        ],
    }
