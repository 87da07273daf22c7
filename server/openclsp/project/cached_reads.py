"""A file system whose files are read once, for the duration of a run."""

from __future__ import annotations

from typing import Final

from openclsp.project.file_system import DirectoryEntry, FileKind, FileProblem, FileSystem
from openclsp.project.read_permission import ReadPermission

MAXIMUM_CACHED_BYTES: Final = 64 * 1024 * 1024
"""The maximum size of the cached files together; further files are read each time."""
MAXIMUM_CACHED_FILE: Final = 64 * 1024
"""The maximum size of one cached file.

In the repository of Intel's graphics compiler, 193 of 3,339 files are larger, and have 37 of 62 MB. They are few,
so opening them again takes little time.
"""


class CachedReads(FileSystem):
    """Caches the content of small files, also if they change during the run.

    Several searches read all host files of a project: opening a file takes longer than searching it.
    """

    __slots__ = ("_cached", "_files", "_size")

    def __init__(self, files: FileSystem) -> None:
        self._files = files
        self._cached: dict[str, tuple[ReadPermission, bytes]] = {}
        self._size = 0

    def read(self, path: str, permission: ReadPermission) -> bytes | FileProblem:
        cached = self._cached.get(path)
        if cached is not None and cached[0] is permission:
            return cached[1]
        data = self._files.read(path, permission)
        if isinstance(data, FileProblem) or len(data) > MAXIMUM_CACHED_FILE:
            return data
        if self._size + len(data) <= MAXIMUM_CACHED_BYTES:
            self._size += len(data)
            self._cached[path] = permission, data
        return data

    def locate(self, path: str, permission: ReadPermission) -> str | None:
        return self._files.locate(path, permission)

    def kind(self, path: str) -> FileKind | None:
        return self._files.kind(path)

    def entries(self, folder: str, permission: ReadPermission) -> tuple[DirectoryEntry, ...]:
        return self._files.entries(folder, permission)

    def resolve(self, path: str) -> str:
        return self._files.resolve(path)
