"""Patches: the changed files as a unified diff that `git apply` and `patch -p1` accept."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator, Sequence

from openclsp.cli.command_error import CommandError
from openclsp.cli.fix_command import FileChange

_CONTEXT = 3
_NO_NEWLINE = b"\\ No newline at end of file\n"
_ESCAPES = {0x22: b'\\"', 0x5C: b"\\\\", 0x09: b"\\t", 0x0A: b"\\n", 0x0D: b"\\r"}


def render_patch(changes: Iterable[FileChange]) -> bytes:
    """Returns one patch with all `changes`. Its paths are relative to the working folder.

    Raises CommandError if a changed file is not in the working folder, because `git apply` would refuse it.
    """
    return b"".join(part for change in changes for part in _file_patch(change))


def _file_patch(change: FileChange) -> Iterator[bytes]:
    if change.before == change.after:
        return
    path = os.path.relpath(change.name)
    if path.startswith(os.pardir):
        raise CommandError(
            f"--diff: {change.name} is outside the working folder: run the command in the project's top folder"
        )
    name = os.fsencode(path.replace(os.sep, "/"))
    yield _header(b"--- ", b"a/" + name)
    yield _header(b"+++ ", b"b/" + name)
    for line in _hunks(_split_lines(change.before), _split_lines(change.after)):
        yield line if line.endswith(b"\n") else line + b"\n" + _NO_NEWLINE


def _header(mark: bytes, name: bytes) -> bytes:
    """Returns a header line: `mark`, then a file name. The name is quoted as in git if necessary."""
    if any(byte < 0x20 or byte in b'"\\' or byte >= 0x7F for byte in name):
        quoted = b"".join(
            _ESCAPES.get(byte, b"\\%03o" % byte if byte < 0x20 or byte >= 0x7F else bytes((byte,)))
            for byte in name
        )
        return mark + b'"' + quoted + b'"\n'
    # git writes a tab after a name that contains spaces.
    return mark + name + (b"\t\n" if b" " in name else b"\n")


def _split_lines(data: bytes) -> list[bytes]:
    """Splits a text into lines with their ends; as in git, only a line feed ends a line."""
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _hunks(before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[bytes]:
    # `unified_diff` compares str; latin-1 maps each byte to one character.
    lines = difflib.unified_diff(
        [line.decode("latin-1") for line in before],
        [line.decode("latin-1") for line in after],
        n=_CONTEXT,
    )
    for number, line in enumerate(lines):
        # The first two lines name the files.
        if number >= 2:
            yield line.encode("latin-1")
