"""Finds the root folder of a file's project, and derives the permission to read from it.

In an editor the root is the workspace folder. On the command line, and for a file outside all workspace
folders, it is the nearest enclosing folder with a root marker. Without one, it is the folder that the command
line names, else the file's own folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from openclsp.project.file_system import LOCAL_FILE_SYSTEM, FileKind, FileSystem
from openclsp.project.read_permission import ReadPermission, is_inside

ROOT_MARKERS = ("openclsp.toml", "compile_flags.txt", "compile_commands.json", ".git")
"""Names of files and folders that mark a project root."""

_SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp")
_TEMPORARY_FOLDER_VARIABLES = ("TMPDIR", "TEMP", "TMP")


def read_permission_of_unit(
    path: str,
    workspace_folders: Sequence[str] = (),
    named_folders: Iterable[str] = (),
    named_files: Iterable[str] = (),
    files: FileSystem = LOCAL_FILE_SYSTEM,
) -> ReadPermission:
    """Returns the permission to read files for the unit of the root document `path`.

    The permission covers the workspace folders, the document's project, and `named_folders` and
    `named_files`, which the user named. The document's own folder counts as named: its files are not hidden
    even if an enclosing folder is hidden.
    """
    folders = [folder for folder in workspace_folders if not _is_shared_or_home_folder(folder, files)]
    single = list(named_files)
    if os.path.isabs(path):
        top = find_project_root(path, workspace_folders, files)
        folders.append(top)
        if files.locate(path, read_permission_of_folder(top, files)) is not None:
            folders.append(os.path.dirname(path))
            single.append(path)
    return ReadPermission.for_named_paths((*folders, *named_folders), single, resolve=files.resolve)


def read_permission_of_folder(folder: str, files: FileSystem = LOCAL_FILE_SYSTEM) -> ReadPermission:
    """Returns the permission to read in a single folder."""
    return ReadPermission.for_named_paths((folder,), resolve=files.resolve)


def find_project_root(
    path: str,
    workspace_folders: Sequence[str] = (),
    files: FileSystem = LOCAL_FILE_SYSTEM,
    *,
    named_folders: Sequence[str] = (),
) -> str:
    """Returns the root of the file's project: the innermost workspace folder that contains the file.

    Outside all workspace folders, it is the nearest folder with a root marker. If no enclosing folder has one,
    it is the outermost of `named_folders` that contains the file, or else the file's own folder.

    The home folder, its parents and folders shared by all users are never a project, whatever they contain:
    users keep their home folder in git, and anybody can create `/tmp/.git`. Editors that search for markers
    mistake these for projects.
    """
    enclosing = _folders_with_file(path, workspace_folders, files)
    if enclosing:
        return enclosing[-1]
    for folder in enclosing_project_roots(path, files):
        return folder
    enclosing = _folders_with_file(path, named_folders, files)
    return enclosing[0] if enclosing else os.path.dirname(path)


def _folders_with_file(path: str, folders: Sequence[str], files: FileSystem) -> list[str]:
    """Returns those of the folders that contain the file and can be a project, the outermost first."""
    found = [
        folder
        for folder in folders
        if is_inside(files.resolve(path), files.resolve(folder))
        and not _is_shared_or_home_folder(folder, files)
    ]
    return sorted(found, key=lambda folder: len(files.resolve(folder)))


def is_named_project(root: str, named_folders: Sequence[str], files: FileSystem = LOCAL_FILE_SYSTEM) -> bool:
    """Whether the user named the folder `root`, and it can be a project."""
    return root in named_folders and not _is_shared_or_home_folder(root, files)


def enclosing_project_roots(path: str, files: FileSystem = LOCAL_FILE_SYSTEM) -> Iterator[str]:
    """Yields every enclosing folder with a root marker, the innermost first."""
    for folder in enclosing_folders(path):
        if _is_shared_or_home_folder(folder, files):
            break
        if has_root_marker(folder, files):
            yield folder


def has_root_marker(folder: str, files: FileSystem = LOCAL_FILE_SYSTEM) -> bool:
    """Whether the folder contains a root marker; a link to a target outside the folder counts too."""
    permission = read_permission_of_folder(folder, files)
    located = (files.locate(os.path.join(folder, marker), permission) for marker in ROOT_MARKERS)
    return any(path is None or files.kind(path) is not None for path in located)


def find_nearest_enclosing_file(
    path: str, root: str, name: str, files: FileSystem = LOCAL_FILE_SYSTEM
) -> str | None:
    """Returns the nearest file called `name` in the folders from `path` up to `root`; None without one.

    A link counts only if its target is in `root` and has the same name, because messages quote the content of
    the file.
    """
    permission = read_permission_of_folder(root, files)
    for folder in enclosing_folders(path):
        if files.locate(folder, permission) is None:
            return None
        candidate = os.path.join(folder, name)
        if is_readable_configuration_file(candidate, permission, files):
            return candidate
    return None


def is_readable_configuration_file(path: str, permission: ReadPermission, files: FileSystem) -> bool:
    """Whether `permission` allows reading the path, and it leads to a regular file of the same name."""
    located = files.locate(path, permission)
    if located is None or os.path.basename(located) != os.path.basename(path):
        return False
    return files.kind(located) is FileKind.FILE


def describe_ignored_links(
    path: str, root: str, names: Sequence[str], files: FileSystem = LOCAL_FILE_SYSTEM
) -> Iterator[str]:
    """Yields a message for each options file that is ignored because of its link target.

    Searches for files with any of `names`, from the folder of `path` upwards to the folder `root` (included).
    """
    permission = read_permission_of_folder(root, files)
    for folder in enclosing_folders(path):
        if files.locate(folder, permission) is None:
            return
        for name in names:
            candidate = os.path.join(folder, name)
            located = files.locate(candidate, permission)
            if located is None:
                yield f"{candidate} is a link that leads out of the project; it is not used"
            elif os.path.basename(located) != name:
                yield f"{candidate} is a link to a file of another name; it is not used"


def enclosing_folders(path: str) -> Iterator[str]:
    """Yields the folder of an absolute path and all its parents, the innermost first."""
    folder = os.path.dirname(path)
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _is_shared_or_home_folder(folder: str, files: FileSystem) -> bool:
    home = os.path.expanduser("~")
    if folder == os.path.dirname(folder):
        return True
    if not os.path.isabs(home):  # the user of this process has no home folder
        home = os.sep
    if is_inside(home, folder):
        return True
    resolved = files.resolve(folder)
    shared = (*_SHARED_FOLDERS, *filter(None, map(os.environ.get, _TEMPORARY_FOLDER_VARIABLES)))
    return folder in shared or resolved in shared or is_inside(_resolved_home(home), resolved)


@lru_cache(maxsize=4)
def _resolved_home(home: str) -> str:
    return LOCAL_FILE_SYSTEM.resolve(home)
