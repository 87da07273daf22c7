"""Scans the files of a project, with the file endings of its openclsp.toml."""

from __future__ import annotations

import os.path
from collections.abc import Callable, Sequence

from openclsp.project.project_roots import is_named_project
from openclsp.project.project_scan import ProjectScan, scan_project
from openclsp.workspace.project_file import FILE_NAME, find_project_file


def scan_configured_project(
    root: str, named_folders: Sequence[str], check: Callable[[], None] = lambda: None
) -> ProjectScan:
    """Scans the project at the folder `root`; files with the endings of its openclsp.toml count as kernels.

    `named_folders` are the folders that the user named, in the editor or on the command line. `check` is called
    between folders and may raise to cancel.
    """
    project = find_project_file(os.path.join(root, FILE_NAME), root)
    endings = () if project is None else project.file_endings
    is_named = is_named_project(root, named_folders)
    return scan_project(root, check=check, endings=endings, is_named=is_named)
