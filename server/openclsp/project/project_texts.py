"""The texts of a project's files in all languages, to search them for names."""

from __future__ import annotations

import os.path
import re
from collections import deque
from collections.abc import Container, Iterator
from typing import Final

from openclsp.project.file_discovery import NOT_SOURCE, holds_tool_output
from openclsp.project.file_system import FileKind, FileProblem, FileSystem
from openclsp.project.project_scan import MAXIMUM_DEPTH, MAXIMUM_FILE_SIZE, classify_file_name
from openclsp.project.read_permission import ReadPermission

MAXIMUM_TEXT_FILES: Final = 20_000
MAXIMUM_TEXT_BYTES: Final = 24 * 1024 * 1024
"""Maximum total bytes of the files that are read"""
_DATA: Final = re.compile(
    r"""
      \.(?: png|jpe?g|gif|bmp|ppm|pgm|tiff?|hdr|exr|ico|svg|ttf|otf|pdf|docx?
      | obj|ply|stl|mtl|wav|mp3|mp4|avi|webm|mov|ogg|bin|dat|csv|np[yz]|h5|mat|log|lock
      | zip|gz|tar|7z|rar|jar|exe|dll|so|a|lib|o|pdb|class )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Endings of files that contain data, not code"""
_FILE_LISTS: Final = (".vcxproj", ".filters", ".vcproj", ".sln", ".pbxproj", ".cbp", ".csproj")
"""Endings of project files of editors, which list the files of a folder"""
_BINARY_PREFIX: Final = 1_024
"""The number of bytes in which a binary file has a null byte"""


def read_project_texts(
    root: str, files: FileSystem, permission: ReadPermission, skipped: Container[str]
) -> dict[str, bytes] | None:
    """Returns the texts of the files below `root` by path, except `skipped`, data, lists of files, and hidden files.

    Returns None if there are too many, or if a file with host code cannot be read.
    """
    found: dict[str, bytes] = {}
    total = 0
    for number, (path, size) in enumerate(_paths(root, files, permission)):
        if number >= MAXIMUM_TEXT_FILES:
            return None
        is_code = classify_file_name(os.path.basename(path)) is not None
        if path in skipped or (size > MAXIMUM_FILE_SIZE and not is_code):
            continue
        total += size
        if total > MAXIMUM_TEXT_BYTES:
            return None
        data = files.read(path, permission)
        if isinstance(data, FileProblem):
            if is_code:
                return None
        elif b"\0" not in data[:_BINARY_PREFIX]:
            found[path] = data
    return found


def _paths(root: str, files: FileSystem, permission: ReadPermission) -> Iterator[tuple[str, int]]:
    """Yields the paths and sizes of the files below a folder that may contain text."""
    waiting = deque([(root, 0)])
    while waiting:
        folder, depth = waiting.popleft()
        held = files.entries(folder, permission)
        if depth and holds_tool_output(held):
            continue
        for entry in held:
            path = os.path.join(folder, entry.name)
            if entry.is_link or entry.name.startswith("."):
                continue
            if entry.kind is FileKind.FOLDER:
                if depth < MAXIMUM_DEPTH and entry.name not in NOT_SOURCE:
                    waiting.append((path, depth + 1))
            elif entry.kind is FileKind.FILE:
                ending = os.path.splitext(entry.name)[1].lower()
                if ending not in _FILE_LISTS and _DATA.fullmatch(ending) is None:
                    yield path, entry.size
