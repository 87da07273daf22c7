"""Which files may be read at all: the workspace folders, and the include folders that the user named.

On the command line, and for a file outside every workspace folder, the root is the nearest folder upwards
that looks like a project, else the file's own folder.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator, Sequence

from openclsp.dataclass import dataclass
from openclsp.workspace.files import LOCAL_FILES, FileKind, FileSystem

ROOT_MARKERS = ("openclsp.toml", "compile_flags.txt", "compile_commands.json", ".git")
"""What a folder holds that is the root of a project."""


@dataclass(frozen=True, slots=True)
class ReadableRoots:
    """Folders, resolved, in which every file may be read. `files` are single files that the user named."""

    folders: tuple[str, ...]
    files: tuple[str, ...] = ()

    def allow(self, resolved: str) -> bool:
        """Whether the file may be read; the path must be resolved, so that no link leads out unseen."""
        return resolved in self.files or any(is_inside(resolved, folder) for folder in self.folders)


def readable_roots(
    path: str,
    workspace_folders: Sequence[str] = (),
    include_folders: Iterable[str] = (),
    files: FileSystem = LOCAL_FILES,
) -> ReadableRoots:
    """The roots for the main file `path`: its workspace folders or its project, and the include folders."""
    folders = [files.resolve(folder) for folder in workspace_folders]
    resolved = files.resolve(path)
    if not any(is_inside(resolved, folder) for folder in folders):
        folders.append(files.resolve(project_root(path, files=files)))
    folders += [files.resolve(folder) for folder in include_folders]
    return ReadableRoots(tuple(dict.fromkeys(folders)), (resolved,))


def project_root(path: str, workspace_folders: Sequence[str] = (), files: FileSystem = LOCAL_FILES) -> str:
    """The folder that the file's project starts at: its innermost workspace folder, else as told above."""
    enclosing = [
        folder for folder in workspace_folders if is_inside(files.resolve(path), files.resolve(folder))
    ]
    if enclosing:
        return max(enclosing, key=lambda folder: len(files.resolve(folder)))
    for folder in folders_upwards(path):
        if any(files.kind(os.path.join(folder, marker)) is not None for marker in ROOT_MARKERS):
            return folder
    return os.path.dirname(path)


def nearest_upwards(path: str, root: str, name: str, files: FileSystem = LOCAL_FILES) -> str | None:
    """The nearest file called `name` upwards from the file `path`, up to and with the folder `root`."""
    resolved_root = files.resolve(root)
    for folder in folders_upwards(path):
        if not is_inside(files.resolve(folder), resolved_root):
            return None
        candidate = os.path.join(folder, name)
        inside = is_inside(files.resolve(candidate), resolved_root)
        if inside and files.kind(candidate) is FileKind.FILE:
            return candidate
    return None


def folders_upwards(path: str) -> Iterator[str]:
    """The folder of an absolute path, the folder around it, and so on up to the top."""
    folder = os.path.dirname(path)
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def is_inside(path: str, folder: str) -> bool:
    """Whether the path is the folder or lies in it; both resolved."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
