"""Where the project of a file begins, and the permission to read that follows from it.

In an editor that is the workspace folder. On the command line, and for a file outside every workspace folder, it is the
nearest folder upwards that looks like a project, else the file's own folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from openclsp.workspace.files import LOCAL_FILES, FileKind, FileSystem
from openclsp.workspace.read_permission import ReadPermission, is_inside

ROOT_MARKERS = ("openclsp.toml", "compile_flags.txt", "compile_commands.json", ".git")
"""What a folder holds that is the root of a project."""

_SHARED = ("/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp")
_TEMPORARY = ("TMPDIR", "TEMP", "TMP")


def unit_permission(
    path: str,
    workspace_folders: Sequence[str] = (),
    named_folders: Iterable[str] = (),
    named_files: Iterable[str] = (),
    files: FileSystem = LOCAL_FILES,
) -> ReadPermission:
    """What may be read for the main file `path`: its workspace folders or its project, and what the person named.

    The folder of the main file counts as named, so that what lies beside it is not hidden even if a folder around is.
    """
    folders = [folder for folder in workspace_folders if not _is_too_wide(folder, files)]
    single = list(named_files)
    if os.path.isabs(path):
        top = project_root(path, workspace_folders, files)
        folders.append(top)
        if files.locate(path, folder_permission(top, files)) is not None:
            folders.append(os.path.dirname(path))
            single.append(path)
    return ReadPermission.of((*folders, *named_folders), single, resolve=files.resolve)


def folder_permission(folder: str, files: FileSystem = LOCAL_FILES) -> ReadPermission:
    """The permission to read in one folder alone."""
    return ReadPermission.of((folder,), resolve=files.resolve)


def project_root(path: str, workspace_folders: Sequence[str] = (), files: FileSystem = LOCAL_FILES) -> str:
    """The folder that the file's project starts at: its innermost workspace folder, else as told above.

    The home folder, what lies above it, and folders that all users share are no project, whatever they hold: people keep
    their home in git, and anybody can put a `.git` into `/tmp`. An editor that looks for markers takes them for one.
    """
    enclosing = [
        folder
        for folder in workspace_folders
        if is_inside(files.resolve(path), files.resolve(folder)) and not _is_too_wide(folder, files)
    ]
    if enclosing:
        return max(enclosing, key=lambda folder: len(files.resolve(folder)))
    for folder in folders_upwards(path):
        if _is_too_wide(folder, files):
            break
        if is_marked(folder, files):
            return folder
    return os.path.dirname(path)


def outer_projects(path: str, files: FileSystem = LOCAL_FILES) -> Iterator[str]:
    """Every folder around the file that looks like a project, the innermost first."""
    for folder in folders_upwards(path):
        if _is_too_wide(folder, files):
            break
        if is_marked(folder, files):
            yield folder


def is_marked(folder: str, files: FileSystem = LOCAL_FILES) -> bool:
    """Whether the folder holds what a project's root does; a link counts that leads out of it, whatever is there."""
    permission = folder_permission(folder, files)
    located = (files.locate(os.path.join(folder, marker), permission) for marker in ROOT_MARKERS)
    return any(path is None or files.kind(path) is not None for path in located)


def nearest_upwards(path: str, root: str, name: str, files: FileSystem = LOCAL_FILES) -> str | None:
    """The nearest file called `name` upwards from the file `path`, up to and with the folder `root`.

    A link counts only if it leads to a file of that name in the root: what is wrong with another one would be quoted.
    """
    permission = folder_permission(root, files)
    for folder in folders_upwards(path):
        if files.locate(folder, permission) is None:
            return None
        candidate = os.path.join(folder, name)
        if is_configuration(candidate, permission, files):
            return candidate
    return None


def is_configuration(path: str, permission: ReadPermission, files: FileSystem) -> bool:
    """Whether there is a file at the path that may be read and really has that name."""
    located = files.locate(path, permission)
    if located is None or os.path.basename(located) != os.path.basename(path):
        return False
    return files.kind(located) is FileKind.FILE


def misleading_links(
    path: str, root: str, names: Sequence[str], files: FileSystem = LOCAL_FILES
) -> Iterator[str]:
    """A sentence for each file of one of these names upwards from the file `path`, up to and with the folder `root`, that does
    not count because of where it leads as a link."""
    permission = folder_permission(root, files)
    for folder in folders_upwards(path):
        if files.locate(folder, permission) is None:
            return
        for name in names:
            candidate = os.path.join(folder, name)
            located = files.locate(candidate, permission)
            if located is None:
                yield f"{candidate} is a link that leads out of the project; it is not used"
            elif os.path.basename(located) != name:
                yield f"{candidate} is a link to a file that is called otherwise; it is not used"


def folders_upwards(path: str) -> Iterator[str]:
    """The folder of an absolute path, the folder around it, and so on up to the top."""
    folder = os.path.dirname(path)
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _is_too_wide(folder: str, files: FileSystem) -> bool:
    home = os.path.expanduser("~")
    if folder == os.path.dirname(folder):
        return True
    if not os.path.isabs(home):  # nobody knows whose process this is
        home = os.sep
    if is_inside(home, folder):
        return True
    resolved = files.resolve(folder)
    shared = (*_SHARED, *filter(None, map(os.environ.get, _TEMPORARY)))
    return folder in shared or resolved in shared or is_inside(_resolved_home(home), resolved)


@lru_cache(maxsize=4)
def _resolved_home(home: str) -> str:
    return LOCAL_FILES.resolve(home)
