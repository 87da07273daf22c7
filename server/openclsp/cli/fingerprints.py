"""Fingerprints of diagnostics: identities that edits elsewhere in a file do not change.

A fingerprint is a hash of the diagnostic's code, the file's path in its project, and the tokens of the line
in which the diagnostic begins: those before, in and after the diagnostic's range. Line numbers, white space
and comments do not matter. Diagnostics with equal fingerprints are numbered in their order.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from openclsp.cli.check_report import CheckReport, OutputLocation, ReportedDiagnostic
from openclsp.cli.inputs import STANDARD_INPUT
from openclsp.project.project_roots import find_project_root
from openclsp.source.comments import comments
from openclsp.source.lexer import TOKEN

FINGERPRINT_VERSION = 1
"""Increased whenever a change of openclsp gives the same diagnostic another fingerprint."""
_LENGTH = 16


def fingerprint(found: ReportedDiagnostic, path: str | None = None) -> str:
    """Returns the fingerprint of a diagnostic, as 16 hexadecimal digits.

    `path`, if given, replaces the file's path in its project.
    """
    location = found.location
    name = project_path(location.path) if path is None else path
    start = location.text.line_start(location.first.line)
    end = location.text.line_end(location.first.line)
    last = max(location.start, min(location.end, end))
    data = location.text.data
    parts = (
        found.code.encode(),
        name.encode("utf-8", "surrogateescape"),
        _tokens(data[start : location.start]),
        _tokens(data[location.start : last]),
        _tokens(data[last:end]),
    )
    return hashlib.sha256(b"\0\0".join(parts)).hexdigest()[:_LENGTH]


def numbered_fingerprints(report: CheckReport) -> Iterator[tuple[ReportedDiagnostic, str, int]]:
    """Yields each diagnostic, its fingerprint, and its number, from 1, among those with this fingerprint.

    Diagnostics of two files share a fingerprint if the files have the same path in different projects, or if
    one file is reported in two dialects.
    """
    numbers: Counter[str] = Counter()
    for file in report.files:
        for each in file.diagnostics:
            found = fingerprint(each)
            numbers[found] += 1
            yield each, found, numbers[found]


def project_path(path: str) -> str:
    """Returns the path of a file relative to its project, with `/`; absolute if it is on another drive."""
    if path == STANDARD_INPUT:
        return path
    name = os.path.abspath(path)
    return _relative_path(name, _root_of_folder(os.path.dirname(name)))


def output_uri_path(location: OutputLocation) -> str:
    """Returns the path of a location, with `/`: relative if it is in the working folder, else absolute."""
    if location.path == STANDARD_INPUT:
        return location.path
    return _relative_path(os.path.abspath(location.path), os.getcwd())


def _relative_path(name: str, folder: str) -> str:
    try:
        inside = os.path.commonpath((folder, name)) == folder
    except ValueError:
        inside = False
    found = os.path.relpath(name, folder) if inside else name
    return found.replace(os.sep, "/")


@lru_cache(maxsize=1024)
def _root_of_folder(folder: str) -> str:
    return find_project_root(os.path.join(folder, "x.cl"))


def _tokens(data: bytes) -> bytes:
    """Returns the tokens of a part of a line, without white space and comments."""
    kept: list[bytes] = []
    end = 0
    for start, after in comments(data):
        kept.append(data[end:start])
        end = after
    kept.append(data[end:])
    return b" ".join(found[0].strip() for found in TOKEN.finditer(b" ".join(kept)) if found[0].strip())
