"""Finds git submodules that are not checked out: they may contain the code that builds a project's kernels."""

from __future__ import annotations

import os.path
import re
from typing import Final

from openclsp.host_options.host_language_versions import HostLanguageVersions
from openclsp.project.file_system import FileProblem, FileSystem
from openclsp.project.project_scan import ProjectScan

_MODULES: Final = ".gitmodules"
_PATH: Final = re.compile(rb"^[ \t]*path[ \t]*=[ \t]*(\S[^\r\n]{0,200}?)[ \t]*\r?$", re.MULTILINE)
_POSSIBLE_STANDARDS: Final = ("CL1.2", "CL2.0", "CL3.0")


def find_missing_submodule(scan: ProjectScan, files: FileSystem) -> str:
    """Returns the path, relative to the project, of a submodule whose folder is empty; empty if there is none."""
    data = files.read(os.path.join(scan.root, _MODULES), scan.permission)
    for match in () if isinstance(data, FileProblem) else _PATH.finditer(data):
        path = match[1].decode("utf-8", "replace")
        folder = os.path.join(scan.root, path)
        # Nothing is known of a folder that openclsp may not read.
        if files.locate(folder, scan.permission) is not None and not files.entries(folder, scan.permission):
            return path
    return ""


def versions_of_missing_submodule(path: str) -> HostLanguageVersions | None:
    """Returns the language versions that the missing submodule at `path` may select; None if it is empty."""
    if not path:
        return None
    return HostLanguageVersions(
        _POSSIBLE_STANDARDS, f"the build may be in the submodule {path}, which is not checked out"
    )
