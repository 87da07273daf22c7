"""File systems of the analysis thread: one caches results, the other records the requested paths."""

from __future__ import annotations

import os
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.project.file_system import (
    LOCAL_FILE_SYSTEM,
    OUTSIDE_PERMISSION,
    DirectoryEntry,
    FileKind,
    FileProblem,
    FileSystem,
)
from openclsp.project.read_permission import ReadPermission


@dataclass(slots=True)
class CachedFiles:
    """A file system that caches the first result for each path; a new object has an empty cache."""

    files: FileSystem = LOCAL_FILE_SYSTEM
    _data: dict[str, bytes | FileProblem] = field(default_factory=dict)
    _located: dict[tuple[str, ReadPermission], str | None] = field(default_factory=dict)
    _kinds: dict[str, FileKind | None] = field(default_factory=dict)
    _resolved: dict[str, str] = field(default_factory=dict)

    def read(self, path: str, permission: ReadPermission) -> bytes | FileProblem:
        """Reads a regular file, if the permission allows it."""
        located = self.locate(path, permission)
        if located is None:
            return FileProblem(path, OUTSIDE_PERMISSION)
        if located not in self._data:
            self._data[located] = self.files.read(located, permission)
        return self._data[located]

    def locate(self, path: str, permission: ReadPermission) -> str | None:
        """Resolves the path to a file; None if the permission does not allow reading it."""
        key = path, permission
        if key not in self._located:
            self._located[key] = self.files.locate(path, permission)
        return self._located[key]

    def kind(self, path: str) -> FileKind | None:
        """Returns the kind of file at the path; None if there is none."""
        if path not in self._kinds:
            self._kinds[path] = self.files.kind(path)
        return self._kinds[path]

    def entries(self, folder: str, permission: ReadPermission) -> tuple[DirectoryEntry, ...]:
        """Returns the entries of the folder."""
        return self.files.entries(folder, permission)

    def resolve(self, path: str) -> str:
        """Resolves the symbolic links in the path."""
        if path not in self._resolved:
            self._resolved[path] = self.files.resolve(path)
        return self._resolved[path]


@dataclass(slots=True)
class RecordingFiles:
    """A file system that records every requested path, found or not: the dependencies of an analysis."""

    files: FileSystem
    requested_paths: set[str] = field(default_factory=set)

    def read(self, path: str, permission: ReadPermission) -> bytes | FileProblem:
        """Reads a regular file, if the permission allows it."""
        self._record(path)
        return self.files.read(path, permission)

    def locate(self, path: str, permission: ReadPermission) -> str | None:
        """Resolves the path to a file; None if the permission does not allow reading it."""
        self._record(path)
        return self.files.locate(path, permission)

    def kind(self, path: str) -> FileKind | None:
        """Returns the kind of file at the path; None if there is none."""
        self._record(path)
        return self.files.kind(path)

    def entries(self, folder: str, permission: ReadPermission) -> tuple[DirectoryEntry, ...]:
        """Returns the entries of the folder. The path of the folder is not recorded."""
        return self.files.entries(folder, permission)

    def resolve(self, path: str) -> str:
        """Resolves the symbolic links in the path."""
        self._record(path)
        return self.files.resolve(path)

    def _record(self, path: str) -> None:
        self.requested_paths.add(os.path.normpath(path))
