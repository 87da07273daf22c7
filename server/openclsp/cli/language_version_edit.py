"""The edit that makes a language version permanent, in openclsp.toml or else in compile_flags.txt."""

from __future__ import annotations

import os
import re

from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileProblem
from openclsp.project.project_roots import find_project_root
from openclsp.project.read_permission import ReadPermission
from openclsp.source.text import Text
from openclsp.workspace.compile_flags import FILE_NAME
from openclsp.workspace.project_file import ProjectConfiguration
from openclsp.workspace.units import PlannedUnit

_STANDARD = re.compile(rb"\s*--?(?:cl-)?std=(?:CL|cl)[^\r\n]*")
_VERSION_KEY = re.compile(
    rb"""^[ \t]*(?:language-version|"language-version"|'language-version')[ \t]*=[^#\r\n]*""", re.MULTILINE
)


def language_version_edit(planned: PlannedUnit, dialect: str) -> tuple[str, Text, int, int, str]:
    """Returns the edit as file path, present text, bytes to replace (start, end), and new text.

    If the project has an openclsp.toml, the edit is in that file, because it takes precedence over
    compile_flags.txt. The edit replaces the setting of the language version. If compile_flags.txt has several
    settings, the edit replaces the last one, which takes effect. If the edited file has no such setting, the
    edit inserts a line at the beginning. The present text is empty if the file does not exist yet.
    """
    if planned.unit_config.project is not None:
        return _project_edit(planned.unit_config.project, planned.permission, dialect)
    path = planned.compile_flags or os.path.join(find_project_root(planned.unit_config.root), FILE_NAME)
    data = LOCAL_FILE_SYSTEM.read(path, planned.permission)
    text = Text.of(b"" if isinstance(data, FileProblem) else data)
    option = f"-cl-std={dialect}"
    for line in reversed(range(text.line_count)):
        if _STANDARD.fullmatch(text.line(line)):
            return path, text, text.line_start(line), text.line_end(line), option
    return path, text, 0, 0, f"{option}\n"


def _project_edit(
    project: ProjectConfiguration, permission: ReadPermission, dialect: str
) -> tuple[str, Text, int, int, str]:
    data = LOCAL_FILE_SYSTEM.read(project.path, permission)
    text = Text.of(b"" if isinstance(data, FileProblem) else data)
    setting = f'language-version = "{dialect}"'
    written = _VERSION_KEY.search(text.data)
    if written is None:
        # The setting is inserted at the start of the file: after a table header, it would belong to that
        # table.
        return project.path, text, 0, 0, f"{setting}\n"
    kept = len(written[0]) - len(written[0].rstrip())
    return project.path, text, written.start(), written.end() - kept, setting
