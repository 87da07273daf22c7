"""Decides which files openclsp is permitted to read.

No file is opened without a `ReadPermission` (SECURITY.md).

The repository is not trusted, and its files may name any path. Only the project and the folders that the user
named are read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from openclsp.dataclass import dataclass

HOW_TO_ALLOW = (
    "to allow it, name the folder with --readable-folder, under readableFolders in the editor's settings, "
    "or under readable-folders in your own openclsp.toml"
)
"""The end of a message about a path that was refused."""

MAXIMUM_LENGTH = 4096
"""Limit on the characters of a path, as in Linux; a longer path is refused without resolving it."""

MAXIMUM_LINKS = 40
"""Limit on symbolic links in the path of one file, as in Linux; more links count as a cycle."""

LinkTarget = Callable[[str], "str | None"]
"""Returns the content of the symbolic link at a path; None if there is no link."""


@dataclass(frozen=True, slots=True)
class ReadPermission:
    """A set of readable folders and single `files`, as absolute paths without links.

    `spellings` maps other spellings of these paths, as the user wrote them, to the resolved paths.
    """

    folders: tuple[str, ...]
    files: tuple[str, ...] = ()
    spellings: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def for_named_paths(
        folders: Iterable[str], files: Iterable[str] = (), *, resolve: Callable[[str], str]
    ) -> ReadPermission:
        """Creates the permission for paths that the user named; `resolve` follows the links in them."""
        named = {os.path.normpath(folder): resolve(folder) for folder in folders}
        single = {os.path.normpath(file): resolve(file) for file in files}
        return ReadPermission(
            tuple(dict.fromkeys(named.values())),
            tuple(dict.fromkeys(single.values())),
            tuple((name, path) for name, path in (*named.items(), *single.items()) if name != path),
        )

    def allows(self, resolved: str) -> bool:
        """Whether reading the file at this path is permitted; the path contains no links."""
        return resolved in self.files or any(is_inside(resolved, folder) for folder in self.folders)

    def locate(self, path: str, link_target: LinkTarget) -> str | None:
        r"""Resolves `..` and symbolic links in a path; returns None if reading the result is not permitted.

        Nothing outside the readable folders is ever looked up, not even for existence: a component outside is
        taken literally. The answer therefore does not depend on other files of the machine, and no path makes
        the machine contact another one (`\\server\share`, an automounted folder).
        """
        if len(path) > MAXIMUM_LENGTH:
            return None
        for spelled in (path, os.path.normpath(path)):
            start = self._split_at_readable_prefix(spelled)
            if start is not None:
                found = self._resolve_components(*start, link_target)
                if found is not None:
                    return found
        return None

    def is_hidden(self, resolved: str) -> bool:
        """Whether a file is hidden (`.env`) or is in a hidden folder (`.git/config`).

        Only folders below the innermost readable folder that contains the file count.
        """
        if os.sep + "." not in resolved or resolved in self.files:
            return False
        inside = [folder for folder in self.folders if is_inside(resolved, folder)]
        innermost = max(inside, key=len, default=os.path.dirname(resolved))
        return any(part.startswith(".") for part in _path_components(resolved[len(innermost) :]))

    def _split_at_readable_prefix(self, path: str) -> tuple[str, list[str]] | None:
        """Splits a path into the innermost readable folder or file that contains it, and the remaining parts.

        Returns None if no readable folder or file contains the path.
        """
        known = [*((each, each) for each in (*self.folders, *self.files)), *self.spellings]
        begins = [each for each in known if is_inside(path, each[0])]
        if not begins:
            return None
        spelled, resolved = max(begins, key=lambda each: len(each[0]))
        return resolved, _path_components(path[len(spelled) :])

    def _resolve_components(self, current: str, parts: list[str], link_target: LinkTarget) -> str | None:
        waiting = parts[::-1]
        links = 0
        while waiting:
            part = waiting.pop()
            if part == os.pardir:
                current = os.path.dirname(current)
                continue
            current = os.path.join(current, part)
            # A component outside the permission may be a link, but must not be looked up. It is taken
            # literally, and the following components may lead back inside.
            target = link_target(current) if self.allows(current) else None
            if target is None:
                continue
            links += 1
            if links > MAXIMUM_LINKS:
                break
            if os.path.isabs(target):
                start = self._split_at_readable_prefix(target)
                if start is None:
                    drive, rest = os.path.splitdrive(target)
                    start = drive + os.sep, _path_components(rest)
                current, behind = start
            else:
                current, behind = os.path.dirname(current), _path_components(target)
            waiting += behind[::-1]
        return current if self.allows(current) else None


NO_READ_PERMISSION = ReadPermission(())
"""The permission of a document that is neither a file nor in a workspace."""


def is_inside(path: str, folder: str) -> bool:
    """Whether the path is the folder or is inside it; both are absolute."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _path_components(path: str) -> list[str]:
    if os.altsep is not None:
        path = path.replace(os.altsep, os.sep)
    return [part for part in path.split(os.sep) if part not in ("", os.curdir)]
