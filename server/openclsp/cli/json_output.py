"""JSON output of the commands: one document each.

Lines and columns count from 1, columns in code points; ends are exclusive.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

from openclsp.cli.fixing import FixReport
from openclsp.cli.report import CheckReport, FileReport, ReportedDiagnostic, ReportedFix, Spot

VERSION = 1

Json: TypeAlias = "Mapping[str, Json] | list[Json] | str | int | bool | None"


def dumps(document: Mapping[str, Json]) -> str:
    """Serialises the document as ASCII, which any terminal and locale can represent."""
    return json.dumps({"version": VERSION, **document}, indent=2)


def check_json(report: CheckReport, fixed: FixReport | None = None) -> dict[str, Json]:
    """The JSON output of `check`, with the files that were not checked.

    With `--fix`, it contains the applied fixes and the written files.
    """
    answer: dict[str, Json] = {"files": [_file(each) for each in report.files]}
    if report.not_checked:
        answer["notChecked"] = [{"path": each.path, "reason": each.reason} for each in report.not_checked]
    if fixed is not None:
        answer["fixed"] = [
            {
                "path": each.path,
                "code": each.code,
                "severity": each.severity.value,
                "message": each.message,
                "title": each.title,
            }
            for each in fixed.made
        ]
        answer["written"] = list(fixed.written)
        if fixed.left_out:
            answer["fixesLeftOut"] = dict(fixed.left_out)
    return answer


def range_json(spot: Spot) -> Json:
    """The range of a spot: `{"start": {"line", "column"}, "end": …}`."""
    first, last = spot.first, spot.last
    return {
        "start": {"line": first.line + 1, "column": first.column + 1},
        "end": {"line": last.line + 1, "column": last.column + 1},
    }


def _file(file: FileReport) -> Json:
    variants: dict[str, Json] = {"variants": list(file.variants)} if file.variants else {}
    complete: dict[str, Json] = {} if file.complete and not file.cut_short else {"complete": False}
    return {
        "path": file.path,
        "dialect": file.dialect,
        **variants,
        **complete,
        "diagnostics": [_diagnostic(each) for each in file.diagnostics],
        **({"fixesLeftOut": file.fixes_left_out} if file.fixes_left_out else {}),
    }


def _diagnostic(found: ReportedDiagnostic) -> Json:
    variants: dict[str, Json] = {"variants": list(found.variants)} if found.variants else {}
    return {
        "code": found.code,
        "severity": found.severity.value,
        "message": found.message,
        **variants,
        "range": range_json(found.spot),
        "related": [
            {"path": each.spot.path, "range": range_json(each.spot), "message": each.message}
            for each in found.related
        ],
        "fixes": [_fix(each) for each in found.fixes],
    }


def _fix(fix: ReportedFix) -> Json:
    return {
        "title": fix.title,
        "preferred": fix.preferred,
        "edits": [
            {"path": edit.spot.path, "range": range_json(edit.spot), "text": edit.text} for edit in fix.edits
        ],
    }
