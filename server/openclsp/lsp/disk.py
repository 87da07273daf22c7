"""File systems of the analysis thread: one caches results, one records the requested paths."""

from __future__ import annotations

import os
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.workspace.files import LOCAL_FILES, OUTSIDE, Entry, FileKind, FileProblem, FileSystem
from openclsp.workspace.read_permission import ReadPermission


@dataclass(slots=True)
class CachedFiles:
    """A file system that caches the first result for each path. It is invalidated by replacing it."""

    files: FileSystem = LOCAL_FILES
    _data: dict[str, bytes | FileProblem] = field(default_factory=dict)
    _located: dict[tuple[str, ReadPermission], str | None] = field(default_factory=dict)
    _kinds: dict[str, FileKind | None] = field(default_factory=dict)
    _resolved: dict[str, str] = field(default_factory=dict)

    def read(self, path: str, permission: ReadPermission) -> bytes | FileProblem:
        """The contents of a regular file, if the permission allows reading it."""
        located = self.locate(path, permission)
        if located is None:
            return FileProblem(path, OUTSIDE)
        if located not in self._data:
            self._data[located] = self.files.read(located, permission)
        return self._data[located]

    def locate(self, path: str, permission: ReadPermission) -> str | None:
        """The file to which the path resolves; None if the permission does not allow reading it."""
        key = path, permission
        if key not in self._located:
            self._located[key] = self.files.locate(path, permission)
        return self._located[key]

    def kind(self, path: str) -> FileKind | None:
        """The kind of file at the path; None if there is none."""
        if path not in self._kinds:
            self._kinds[path] = self.files.kind(path)
        return self._kinds[path]

    def entries(self, folder: str, permission: ReadPermission) -> tuple[Entry, ...]:
        """The entries of the folder."""
        return self.files.entries(folder, permission)

    def resolve(self, path: str) -> str:
        """The path with symbolic links resolved."""
        if path not in self._resolved:
            self._resolved[path] = self.files.resolve(path)
        return self._resolved[path]


@dataclass(slots=True)
class NotedFiles:
    """A file system that records every path requested, found or not: the dependencies of an analysis."""

    files: FileSystem
    asked: set[str] = field(default_factory=set)

    def read(self, path: str, permission: ReadPermission) -> bytes | FileProblem:
        """The contents of a regular file, if the permission allows reading it."""
        self._note(path)
        return self.files.read(path, permission)

    def locate(self, path: str, permission: ReadPermission) -> str | None:
        """The file to which the path resolves; None if the permission does not allow reading it."""
        self._note(path)
        return self.files.locate(path, permission)

    def kind(self, path: str) -> FileKind | None:
        """The kind of file at the path; None if there is none."""
        self._note(path)
        return self.files.kind(path)

    def entries(self, folder: str, permission: ReadPermission) -> tuple[Entry, ...]:
        """The entries of the folder."""
        return self.files.entries(folder, permission)

    def resolve(self, path: str) -> str:
        """The path with symbolic links resolved."""
        self._note(path)
        return self.files.resolve(path)

    def _note(self, path: str) -> None:
        self.asked.add(os.path.normpath(path))
