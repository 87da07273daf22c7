"""Converts locations and edits of a program in a string to locations and edits of its host file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from openclsp.cli.check_report import OutputEdit, OutputLocation
from openclsp.ide.feature_results import TextEdit

if TYPE_CHECKING:
    from openclsp.host_code.program_document import ProgramDocument


def host_location(program: ProgramDocument, path: str, start: int, end: int) -> OutputLocation:
    """Returns the location, in the host file at `path`, of the bytes `start` to `end` of a program."""
    return OutputLocation.of(path, program.host.text, *program.host_range(start, end))


def program_edits(program: ProgramDocument, edits: Iterable[TextEdit]) -> list[tuple[int, int, bytes]]:
    """Returns those of `edits` whose document is the program, as tuples of start, end and new bytes."""
    return [
        (edit.location.start, edit.location.end, edit.text.encode("utf-8", "surrogateescape"))
        for edit in edits
        if edit.location.document == program.document.name
    ]


def output_edits(
    program: ProgramDocument, path: str, edits: Iterable[TextEdit]
) -> tuple[OutputEdit, ...] | None:
    """Converts the edits of a program to edits of its host file.

    Returns None if the edits cannot be written in the strings of the host file.
    """
    own = program_edits(program, edits)
    if not own:
        return ()
    found = program.host_edits(own)
    if found is None:
        return None
    return tuple(
        OutputEdit(
            OutputLocation.of(path, program.host.text, each.start, each.old_end),
            each.new.decode("utf-8", "surrogateescape"),
        )
        for each in found
    )
