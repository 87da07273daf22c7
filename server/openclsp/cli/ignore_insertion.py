"""`check --add-ignores`: inserts comments that ignore the reported diagnostics, and writes the files."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence

from openclsp.cli.check_report import CheckReport, ReportedDiagnostic
from openclsp.cli.command_error import CommandError
from openclsp.cli.inputs import STANDARD_INPUT, CheckInputs
from openclsp.cli.styled_text import count_noun
from openclsp.cli.user_files import read_whole_file, replace_file
from openclsp.ide.feature_results import Diagnostic, Location
from openclsp.ide.ignore.ignore_actions import create_ignore_edit
from openclsp.project.file_system import BYTE_ORDER_MARK
from openclsp.project.project_roots import find_project_root
from openclsp.source.text import Text


def add_ignores(report: CheckReport, inputs: CheckInputs) -> tuple[str, ...]:
    """Inserts comments for all diagnostics of the report, in the inputs and other files of their projects.

    Returns notices with the number of diagnostics that the comments ignore, and the number that no comment
    can ignore. Raises CommandError if a file cannot be written; every other file is then either unchanged or
    completely written.
    """
    named = {each.path for each in inputs.inputs}
    roots = {
        os.path.realpath(find_project_root(each.document.name, named_folders=inputs.named_folders))
        for each in inputs.inputs
    }
    ignored = refused = written = 0
    for file in report.files:
        if not file.diagnostics:
            continue
        if file.path == STANDARD_INPUT or not (file.path in named or _is_inside(file.path, roots)):
            refused += len(file.diagnostics)
            continue
        text, inserted = _insert_comments(file.diagnostics[0].location.text, file.diagnostics)
        ignored += inserted
        refused += len(file.diagnostics) - inserted
        if inserted:
            _write(file.path, text)
            written += 1
    if not (ignored or refused):
        return ("there are no diagnostics to ignore",)
    notices = []
    if ignored:
        verb = "is" if ignored == 1 else "are"
        files = count_noun(written, "file")
        notices.append(f"{count_noun(ignored, 'diagnostic')} {verb} now ignored by comments in {files}")
    if refused:
        notices.append(f"{count_noun(refused, 'diagnostic')} cannot be ignored by a comment")
    return tuple(notices)


def _is_inside(path: str, roots: Collection[str]) -> bool:
    name = os.path.realpath(path)
    return any(name.startswith(os.path.join(root, "")) for root in roots)


def _insert_comments(text: Text, diagnostics: Sequence[ReportedDiagnostic]) -> tuple[Text, int]:
    """Inserts the comments; returns the new text and the number of diagnostics that the comments ignore."""
    # The last comment is inserted first, so that an insertion moves only diagnostics of the same line.
    remaining = [
        (each.location.start, each.code) for each in sorted(diagnostics, key=lambda each: each.location.start)
    ]
    inserted = 0
    done: set[tuple[int, str]] = set()
    lines = text.line_count
    while remaining:
        start, code = remaining.pop()
        # Lines are counted from the end of the text, because insertions before a line do not change that
        # number.
        key = lines - text.line_of(start), code
        if key in done:
            inserted += 1
            continue
        found = Diagnostic(code, diagnostics[0].severity, "", Location("", start, start))
        edit = create_ignore_edit(text, found)
        if edit is None:
            continue
        written = edit.text.encode()
        place = edit.location.start
        text = text.replace(place, place, written)
        lines = text.line_count
        remaining = [
            (other + len(written) if place <= other else other, other_code) for other, other_code in remaining
        ]
        done.add((lines - text.line_of(start + (len(written) if place <= start else 0)), code))
        inserted += 1
    return text, inserted


def _write(path: str, text: Text) -> None:
    try:
        mark = BYTE_ORDER_MARK if read_whole_file(path).startswith(BYTE_ORDER_MARK) else b""
        replace_file(path, mark + text.data)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error
