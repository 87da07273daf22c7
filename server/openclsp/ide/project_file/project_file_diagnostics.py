"""Diagnostics of `openclsp.toml`: invalid keys and values, unknown codes, and patterns that match nothing."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterator, Sequence

from openclsp.dataclass import dataclass
from openclsp.ide.diagnostics.severity_settings import effective_severity, find_unknown_codes
from openclsp.project.path_patterns import compile_path_patterns
from openclsp.project.read_permission import is_inside
from openclsp.rules.finding import Severity
from openclsp.source.text import Text
from openclsp.workspace.project_file import ProjectConfiguration, ProjectFileFault, parse_project_file
from openclsp.workspace.toml_scanner import KeyPath, TomlEntry, find_entry, scan_entries

CODE = "project-file"
MAXIMUM_COMPARISONS = 100_000
"""The maximum number of pairs of a pattern and a file to compare (about 0.2 s); later patterns are skipped."""


@dataclass(frozen=True, slots=True)
class PatternTargets:
    """The paths that the patterns of a project file can match.

    `files` contains the absolute paths of the project's files. `exists` returns whether an absolute path
    exists, even in a folder that is not part of the project. `check` raises an exception to cancel the work.
    """

    files: Sequence[str]
    exists: Callable[[str], bool]
    check: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class ProjectFileDiagnostic:
    """A diagnostic at bytes `start` to `end` (exclusive) of the file.

    `is_unnecessary` is whether the text has no effect.
    """

    start: int
    end: int
    severity: Severity
    message: str
    is_unnecessary: bool = False


def compute_project_file_diagnostics(
    path: str, text: Text, targets: PatternTargets | None
) -> tuple[ProjectFileDiagnostic, ...]:
    """Computes the diagnostics of the text of an `openclsp.toml`, sorted by position.

    `targets` is None if the files of the project are not known. In this case, no pattern is reported as
    unused.
    """
    project = parse_project_file(path, text.data)
    entries = scan_entries(text.data)
    found = [_diagnostic(text, entries, fault) for fault in project.faults]
    found += [_diagnostic(text, entries, fault) for fault in find_unknown_codes(project)]
    if targets is not None and not any(fault.is_fatal for fault in project.faults):
        found += _unused_patterns(project, text, entries, targets)
    leveled = [_with_configured_severity(project, each) for each in found]
    return tuple(sorted((each for each in leveled if each is not None), key=_place_of))


def _place_of(diagnostic: ProjectFileDiagnostic) -> tuple[int, int]:
    return diagnostic.start, diagnostic.end


def _with_configured_severity(
    project: ProjectConfiguration, diagnostic: ProjectFileDiagnostic
) -> ProjectFileDiagnostic | None:
    severity = effective_severity(project, CODE, diagnostic.severity)
    if severity is None or severity is diagnostic.severity:
        return None if severity is None else diagnostic
    return ProjectFileDiagnostic(
        diagnostic.start, diagnostic.end, severity, diagnostic.message, diagnostic.is_unnecessary
    )


def _diagnostic(text: Text, entries: tuple[TomlEntry, ...], fault: ProjectFileFault) -> ProjectFileDiagnostic:
    start, end = _range_of_fault(text, entries, fault)
    return ProjectFileDiagnostic(start, end, Severity.WARNING, fault.message)


def _range_of_fault(text: Text, entries: tuple[TomlEntry, ...], fault: ProjectFileFault) -> tuple[int, int]:
    """Returns the byte range of the faulty key or value.

    If the key or value is not found, this is the fault's line, without white space at its start and end.
    """
    entry = find_entry(entries, fault.keys)
    if entry is None:
        line = min(max(fault.line, 1), text.line_count) - 1
        start, content = text.line_start(line), text.line(line)
        indent = len(content) - len(content.lstrip())
        return start + indent, start + max(indent, len(content.rstrip()))
    if not fault.is_in_value or entry.path != fault.keys or not entry.items:
        return entry.start, entry.end
    if fault.item:
        return _range_of_item(text, entry, fault.item)
    return entry.items[0][0], entry.items[-1][1]


def _range_of_item(text: Text, entry: TomlEntry, item: str) -> tuple[int, int]:
    """Returns the byte range of a string in the value of an entry.

    If the string is written differently there, for example with escapes, this is the range of the whole
    value.
    """
    wanted = item.encode()
    for start, end in entry.items:
        if text.data[start + 1 : end - 1] == wanted:
            return start, end
    return entry.items[0][0], entry.items[-1][1]


def _unused_patterns(
    project: ProjectConfiguration, text: Text, entries: tuple[TomlEntry, ...], targets: PatternTargets
) -> Iterator[ProjectFileDiagnostic]:
    folder = os.path.dirname(project.path)
    names = [os.path.relpath(file, folder) for file in targets.files if is_inside(file, folder)]
    patterns: list[tuple[KeyPath, str]] = [(("exclude",), each) for each in project.exclude]
    for variant in project.variants:
        patterns += [(("variants", variant.name, "files"), each) for each in variant.patterns]
    for path, pattern in patterns[: MAXIMUM_COMPARISONS // max(len(names), 1)]:
        targets.check()
        entry = find_entry(entries, path)
        positive = pattern.removeprefix("!")
        if entry is None or entry.path != path or not entry.items:
            continue
        if any(map(compile_path_patterns((positive,)).match, names)):
            continue
        if targets.exists(os.path.join(folder, positive.strip("/"))):
            continue
        start, end = _range_of_item(text, entry, pattern)
        message = (
            f"no file of the project matches '{pattern}'; files that .gitignore excludes were not searched"
        )
        yield ProjectFileDiagnostic(start, end, Severity.HINT, message, is_unnecessary=True)
