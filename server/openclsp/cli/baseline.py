"""The baseline: known diagnostics, which `check --baseline` does not report.

The file contains the number of diagnostics for each path, code and fingerprint. It contains no lines or
columns, so a diagnostic stays known when edits above it move it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from openclsp.cli.check_report import CheckReport
from openclsp.cli.command_error import CommandError
from openclsp.cli.fingerprints import (
    FINGERPRINT_VERSION,
    numbered_fingerprints,
    project_path,
)
from openclsp.cli.json_output import Json
from openclsp.cli.report_filters import filter_report
from openclsp.cli.user_files import read_user_file, write_user_file

_VERSION_KEY = "openclspBaseline"
_KNOWN = "in the baseline"


def write_baseline(path: str, report: CheckReport) -> int:
    """Writes the fingerprints of all diagnostics to a file; returns the number of diagnostics.

    Raises CommandError.
    """
    counts: dict[str, dict[str, Counter[str]]] = {}
    total = 0
    for each, identity, _ in numbered_fingerprints(report):
        by_code = counts.setdefault(project_path(each.location.path), {})
        by_code.setdefault(each.code, Counter())[identity] += 1
        total += 1
    document: Json = {
        _VERSION_KEY: FINGERPRINT_VERSION,
        "diagnostics": {
            name: {code: dict(sorted(found.items())) for code, found in sorted(by_code.items())}
            for name, by_code in sorted(counts.items())
        },
    }
    # Sorted and indented, so that a version control system can merge it.
    write_user_file(path, (json.dumps(document, indent=1) + "\n").encode())
    return total


def read_baseline(path: str) -> Counter[str]:
    """Reads a baseline; returns the number of known diagnostics for each fingerprint. Raises CommandError."""
    data = read_user_file(path)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not a baseline: it is not JSON") from error
    version = document.get(_VERSION_KEY) if isinstance(document, dict) else None
    if version is None:
        raise CommandError(f'{path} is not a baseline: it has no "{_VERSION_KEY}"')
    if version != FINGERPRINT_VERSION:
        raise CommandError(
            f"{path} is a baseline of version {version}, but this openclsp reads version {FINGERPRINT_VERSION}: "
            "write it again with --write-baseline"
        )
    found: Counter[str] = Counter()
    for identity, count in _entries(path, document.get("diagnostics")):
        found[identity] += count
    return found


def _entries(path: str, by_file: object) -> Iterator[tuple[str, int]]:
    if not isinstance(by_file, dict) or not all(isinstance(each, dict) for each in by_file.values()):
        raise CommandError(f'{path} is not a baseline: "diagnostics" has another form')
    for by_code in by_file.values():
        for counts in by_code.values():
            for identity, count in counts.items() if isinstance(counts, dict) else ((None, 0),):
                if not isinstance(identity, str) or type(count) is not int or count < 0:
                    raise CommandError(f'{path} is not a baseline: "diagnostics" has another form')
                yield identity, count


def filter_by_baseline(report: CheckReport, known: Counter[str]) -> CheckReport:
    """Returns the report without the diagnostics that are in the baseline.

    `known` maps each fingerprint in the baseline to the number of its diagnostics. If the report has more
    diagnostics with the same fingerprint than the baseline, the last of them stay in the report.
    """
    new = {id(each) for each, identity, number in numbered_fingerprints(report) if number > known[identity]}
    return filter_report(report, lambda each: id(each) in new, _KNOWN)
