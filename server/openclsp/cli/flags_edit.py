"""The edit that makes a language version permanent: one line in the project's compile_flags.txt."""

from __future__ import annotations

import os
import re

from openclsp.source.text import Text
from openclsp.workspace.compile_flags import FILE_NAME
from openclsp.workspace.files import LOCAL_FILES, FileProblem
from openclsp.workspace.roots import project_root
from openclsp.workspace.units import PlannedUnit

_STANDARD = re.compile(rb"\s*--?(?:cl-)?std=(?:CL|cl)[^\r\n]*")


def flags_edit(planned: PlannedUnit, dialect: str) -> tuple[str, Text, int, int, str]:
    """The path of the file, its text, and the bytes (start, end) for which `-cl-std=DIALECT` is to be put.

    The last line with a language version is replaced, since that one counts; where there is none, a line is put first.
    A file that is not there yet has an empty text.
    """
    path = planned.compile_flags or os.path.join(project_root(planned.unit.root), FILE_NAME)
    data = LOCAL_FILES.read(path)
    text = Text.of(b"" if isinstance(data, FileProblem) else data)
    option = f"-cl-std={dialect}"
    for line in reversed(range(text.line_count)):
        if _STANDARD.fullmatch(text.line(line)):
            return path, text, text.line_start(line), text.line_end(line), option
    return path, text, 0, 0, f"{option}\n"
