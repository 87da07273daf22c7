"""What may be read: the one place where it is decided. No file is opened without a `ReadPermission` (SECURITY.md).

A repository is not trusted. Its files may name any path; only the folders that the person named, and the project itself,
are read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from openclsp.dataclass import dataclass

HOW_TO_ALLOW = (
    "to allow it, name the folder with --readable-folder, under readableFolders in the editor's settings, "
    "or under readable-folders in your own openclsp.toml"
)
"""Ends a sentence about something that was refused."""

MAXIMUM_LENGTH = 4096
"""Characters of a path, as in Linux: a longer one is none, and following it would take long."""

MAXIMUM_LINKS = 40
"""Symbolic links on the way to one file, as in Linux; more are a circle."""

LinkTarget = Callable[[str], "str | None"]
"""What the symbolic link at a path holds; None where there is no link."""


@dataclass(frozen=True, slots=True)
class ReadPermission:
    """Folders in which every file may be read, and single `files`: absolute paths without links.

    `spellings` are other names of these, each with the path that it stands for: as the person wrote them, with links.
    """

    folders: tuple[str, ...]
    files: tuple[str, ...] = ()
    spellings: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def of(
        folders: Iterable[str], files: Iterable[str] = (), *, resolve: Callable[[str], str]
    ) -> ReadPermission:
        """The permission to read what a person named; `resolve` follows the links in their names."""
        named = {os.path.normpath(folder): resolve(folder) for folder in folders}
        single = {os.path.normpath(file): resolve(file) for file in files}
        return ReadPermission(
            tuple(dict.fromkeys(named.values())),
            tuple(dict.fromkeys(single.values())),
            tuple((name, path) for name, path in (*named.items(), *single.items()) if name != path),
        )

    def allows(self, resolved: str) -> bool:
        """Whether the file at a path without links may be read."""
        return resolved in self.files or any(is_inside(resolved, folder) for folder in self.folders)

    def locate(self, path: str, link_target: LinkTarget) -> str | None:
        """Where a path leads, `..` and links followed; None where that may not be read.

        What lies outside of the folders is never looked up, not even to see whether it is there: on the way a name outside
        is taken as it is written. So the answer does not depend on what the machine holds elsewhere, and no path makes
        it contact another one (`\\\\server\\share`, an automounted folder).
        """
        if len(path) > MAXIMUM_LENGTH:
            return None
        for spelled in (path, os.path.normpath(path)):
            start = self._start(spelled)
            if start is not None:
                found = self._walk(*start, link_target)
                if found is not None:
                    return found
        return None

    def is_hidden(self, resolved: str) -> bool:
        """Whether a file lies in a hidden folder below the readable one, or is hidden itself (`.git/config`, `.env`)."""
        if os.sep + "." not in resolved or resolved in self.files:
            return False
        inside = [folder for folder in self.folders if is_inside(resolved, folder)]
        innermost = max(inside, key=len, default=os.path.dirname(resolved))
        return any(part.startswith(".") for part in _parts(resolved[len(innermost) :]))

    def _start(self, path: str) -> tuple[str, list[str]] | None:
        """The innermost readable folder or file that an absolute path begins with, and the rest of the path."""
        known = [*((each, each) for each in (*self.folders, *self.files)), *self.spellings]
        begins = [each for each in known if is_inside(path, each[0])]
        if not begins:
            return None
        spelled, resolved = max(begins, key=lambda each: len(each[0]))
        return resolved, _parts(path[len(spelled) :])

    def _walk(self, current: str, parts: list[str], link_target: LinkTarget) -> str | None:
        waiting = parts[::-1]
        links = 0
        while waiting:
            part = waiting.pop()
            if part == os.pardir:
                current = os.path.dirname(current)
                continue
            current = os.path.join(current, part)
            target = link_target(current) if self.allows(current) else None
            if target is None:
                continue
            links += 1
            if links > MAXIMUM_LINKS:
                break
            if os.path.isabs(target):
                start = self._start(target)
                if start is None:
                    drive, rest = os.path.splitdrive(target)
                    start = drive + os.sep, _parts(rest)
                current, behind = start
            else:
                current, behind = os.path.dirname(current), _parts(target)
            waiting += behind[::-1]
        return current if self.allows(current) else None


NOTHING = ReadPermission(())
"""The permission of a document that is no file, in no workspace."""


def is_inside(path: str, folder: str) -> bool:
    """Whether the path is the folder or lies in it; both absolute."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _parts(path: str) -> list[str]:
    if os.altsep is not None:
        path = path.replace(os.altsep, os.sep)
    return [part for part in path.split(os.sep) if part not in ("", os.curdir)]
