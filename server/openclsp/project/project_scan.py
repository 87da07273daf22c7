"""Bounded scan of a project for kernels, headers, host sources and build files.

A scan collects only names, sizes and times. `FileDataCache` extracts data from the files' contents, and
caches it while a file's size and time stay the same.
"""

from __future__ import annotations

import os.path
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import field
from enum import Enum
from typing import Final, Generic, TypeVar

from openclsp.dataclass import dataclass
from openclsp.project.file_discovery import (
    C_SUFFIXES,
    HEADER_SUFFIXES,
    KERNEL_SUFFIXES,
    NOT_SOURCE,
    holds_tool_output,
    is_opencl_file,
)
from openclsp.project.file_system import (
    LOCAL_FILE_SYSTEM,
    DirectoryEntry,
    FileKind,
    FileProblem,
    FileSystem,
)
from openclsp.project.path_patterns import PathPatterns, compile_path_patterns
from openclsp.project.project_roots import has_root_marker, read_permission_of_folder
from openclsp.project.read_permission import NO_READ_PERMISSION, ReadPermission

T = TypeVar("T")

MAXIMUM_ENTRIES: Final = 100_000
"""Maximum number of files and folders in one scan; those nearest to the root come first."""
MAXIMUM_ENTRIES_OUTSIDE_PROJECTS: Final = 5_000
"""The same limit if the root is not known to be a project: a home folder, `/tmp`"""
MAXIMUM_DEPTH: Final = 32
MAXIMUM_FILE_SIZE: Final = 2 * 1024 * 1024
"""Limit in bytes; the content of a larger file is not read."""
MAXIMUM_IGNORE_SIZE: Final = 256 * 1024
"""Maximum bytes of .gitignore that are read."""
MAXIMUM_TOTAL_SIZE: Final = 128 * 1024 * 1024
"""Maximum total bytes of the files that may be read."""


class ScannedFileKind(Enum):
    """The language or purpose of a file, by its name."""

    KERNEL = "kernel"
    OPENCL_HEADER = "OpenCL header"
    HEADER = "header"
    """C or OpenCL C: `.h`, `.inc`."""
    C = "C"
    CPP = "C++"
    """Includes C++ headers, CUDA and Objective-C, whose syntax is similar."""
    PYTHON = "Python"
    JAVA = "Java"
    """Includes Kotlin, Scala and C#, whose calls and strings are similar."""
    RUST = "Rust"
    GO = "Go"
    OTHER_HOST = "another host language"
    """D, Ruby, Haskell, JavaScript and configurations of custom layers (XML): builds in it are not found."""
    CMAKE = "CMake"
    MESON = "Meson"
    MAKE = "a Makefile"


HOST_CODE_KINDS: Final = frozenset(
    (
        ScannedFileKind.HEADER,
        ScannedFileKind.C,
        ScannedFileKind.CPP,
        ScannedFileKind.PYTHON,
        ScannedFileKind.JAVA,
        ScannedFileKind.RUST,
        ScannedFileKind.GO,
    )
)
"""Kinds that may contain host code whose builds are found."""

_BY_SUFFIX: Final = {
    **dict.fromkeys((".h", ".inc", ".inl", ".cl_h", ".cl_hpp"), ScannedFileKind.HEADER),
    **dict.fromkeys(
        (".hh", ".hpp", ".hxx", ".h++", ".tpp", ".ipp", ".cuh", *C_SUFFIXES), ScannedFileKind.CPP
    ),
    ".c": ScannedFileKind.C,
    **dict.fromkeys((".py", ".pyx"), ScannedFileKind.PYTHON),
    **dict.fromkeys((".java", ".kt", ".scala", ".cs"), ScannedFileKind.JAVA),
    ".rs": ScannedFileKind.RUST,
    ".go": ScannedFileKind.GO,
    **dict.fromkeys((".d", ".rb", ".hs", ".js", ".mjs", ".ts"), ScannedFileKind.OTHER_HOST),
    ".cmake": ScannedFileKind.CMAKE,
    ".mk": ScannedFileKind.MAKE,
}
_BY_NAME: Final = {
    "cmakelists.txt": ScannedFileKind.CMAKE,
    "meson.build": ScannedFileKind.MESON,
    "makefile": ScannedFileKind.MAKE,
    "gnumakefile": ScannedFileKind.MAKE,
}

_LAYER_WORDS: Final = ("kernel", "layer")
"""Words in the name of a configuration of OpenVINO's custom layers: other XML files are not read"""
SCANNED_SUFFIXES: Final = (*KERNEL_SUFFIXES, *HEADER_SUFFIXES, *_BY_SUFFIX)
"""File name endings of the files in a scan, without those that a project adds"""


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """A file of the project: absolute path, size in bytes, modification time in nanoseconds.

    The path begins with the root as it was given to the scan.
    """

    path: str
    kind: ScannedFileKind
    size: int
    modified: int

    @property
    def readable(self) -> bool:
        """Whether the file is small enough to be read."""
        return self.size <= MAXIMUM_FILE_SIZE


@dataclass(frozen=True, slots=True)
class ProjectScan:
    """The relevant files of a project, breadth first, by name within a folder.

    - `reached_limit`: a clause that names the limit that ended the scan; empty if none did
    - `entries`: the number of directory entries that the scan has examined
    - `permission`: the permission to read the files
    - `is_project`: whether the user named the root, or it contains a root marker. The files of any other folder,
      such as a folder of downloads, may belong to several projects
    """

    root: str
    files: tuple[ScannedFile, ...] = ()
    reached_limit: str = ""
    entries: int = 0
    permission: ReadPermission = NO_READ_PERMISSION
    is_project: bool = False

    def files_of_kinds(self, *kinds: ScannedFileKind) -> Iterator[ScannedFile]:
        """Yields the files of the given kinds."""
        return (file for file in self.files if file.kind in kinds)


def classify_file_name(name: str, endings: tuple[str, ...] = ()) -> ScannedFileKind | None:
    """Returns the kind of a file by its name; None if the file is not relevant.

    `endings` (lower case) are additional endings of kernels.
    """
    lower = name.lower()
    if lower.endswith(endings):
        return ScannedFileKind.KERNEL
    if lower.endswith(HEADER_SUFFIXES):
        return ScannedFileKind.OPENCL_HEADER
    if is_opencl_file(lower):
        return ScannedFileKind.KERNEL
    found = _BY_NAME.get(lower) or _BY_SUFFIX.get(os.path.splitext(lower)[1])
    if found is None and lower.endswith(".xml") and any(word in lower for word in _LAYER_WORDS):
        return ScannedFileKind.OTHER_HOST
    return found


def scan_project(
    root: str,
    files: FileSystem = LOCAL_FILE_SYSTEM,
    check: Callable[[], None] = lambda: None,
    maximum_entries: int | None = None,
    endings: tuple[str, ...] = (),
    is_named: bool = False,
) -> ProjectScan:
    """Scans the project at the folder `root`, breadth first.

    `check` is called between folders and may raise to cancel. `endings` are additional endings of kernels.
    `is_named` says whether the user named the root, as a workspace folder or on the command line.
    `maximum_entries` is by default smaller for a folder that is not certain to be a project. The scan skips
    hidden folders, folders that contain the output of a tool, folders that the root's .gitignore matches, and
    links that lead out of the root or to a folder.
    """
    found: list[ScannedFile] = []
    permission = read_permission_of_folder(root, files)
    is_project = is_named or has_root_marker(root, files)
    if maximum_entries is None:
        maximum_entries = MAXIMUM_ENTRIES if is_project else MAXIMUM_ENTRIES_OUTSIDE_PROJECTS
    entries = total = 0
    cut = ""
    ignored: PathPatterns | None = None
    waiting = deque([(root, "", 0)])
    while waiting and not cut:
        folder, relative, depth = waiting.popleft()
        check()
        held = files.entries(folder, permission)
        if depth == 0:
            ignored = _read_gitignore(root, held, files, permission)
        elif holds_tool_output(held):
            continue
        for entry in held:
            entries += 1
            if entries > maximum_entries:
                cut = f"it contains more than {maximum_entries:,} files"
                break
            path = os.path.join(folder, entry.name)
            if entry.kind is FileKind.FOLDER:
                below = f"{relative}{entry.name}/"
                if depth < MAXIMUM_DEPTH and _is_source_folder(entry, below, ignored):
                    waiting.append((path, below, depth + 1))
                continue
            kind = classify_file_name(entry.name, endings) if entry.kind is FileKind.FILE else None
            # A link must have the same kind as its target: `host.c` -> `.env` would expose a secret file in
            # messages.
            if kind is None or (
                entry.is_link and not _target_has_same_kind(path, kind, endings, permission, files)
            ):
                continue
            total += entry.size if entry.size <= MAXIMUM_FILE_SIZE else 0
            if total > MAXIMUM_TOTAL_SIZE:
                cut = f"its sources are larger than {MAXIMUM_TOTAL_SIZE // (1024 * 1024)} MB"
                break
            found.append(ScannedFile(path, kind, entry.size, entry.modified))
    return ProjectScan(root, tuple(found), cut, entries, permission, is_project)


@dataclass(slots=True)
class FileDataCache(Generic[T]):
    """Data extracted from each file's bytes, cached by size and modification time. Not thread-safe."""

    extract: Callable[[ScannedFile, bytes], T]
    _cached_data: dict[str, tuple[ScannedFile, T]] = field(default_factory=dict)

    def data_of_file(
        self, file: ScannedFile, permission: ReadPermission, files: FileSystem = LOCAL_FILE_SYSTEM
    ) -> T | FileProblem:
        """Returns the data of the file, from the cache if the file is unchanged."""
        kept = self._cached_data.get(file.path)
        if kept is not None and kept[0] == file:
            return kept[1]
        if not file.readable:
            return FileProblem(file.path, f"is larger than {MAXIMUM_FILE_SIZE // (1024 * 1024)} MB")
        data = files.read(file.path, permission)
        if isinstance(data, FileProblem):
            return data
        result = self.extract(file, data)
        self._cached_data[file.path] = file, result
        return result

    def retain_only(self, paths: frozenset[str]) -> None:
        """Drops the cached data of all files except `paths`."""
        self._cached_data = {path: kept for path, kept in self._cached_data.items() if path in paths}


def _is_source_folder(entry: DirectoryEntry, relative: str, ignored: PathPatterns | None) -> bool:
    if entry.is_link or entry.name.startswith(".") or entry.name in NOT_SOURCE:
        return False
    return ignored is None or not ignored.match(relative)


def _target_has_same_kind(
    path: str, kind: ScannedFileKind, endings: tuple[str, ...], permission: ReadPermission, files: FileSystem
) -> bool:
    """Whether the target of the link `path` has a name of the kind `kind`, is readable, and is not hidden.

    `kind` is the kind of the link's own name.
    """
    located = files.locate(path, permission)
    if located is None or permission.is_hidden(located):
        return False
    return classify_file_name(os.path.basename(located), endings) is kind


def _read_gitignore(
    root: str, held: tuple[DirectoryEntry, ...], files: FileSystem, permission: ReadPermission
) -> PathPatterns | None:
    name = ".gitignore"
    if not any(entry.name == name and entry.kind is FileKind.FILE and not entry.is_link for entry in held):
        return None
    data = files.read(os.path.join(root, name), permission)
    if isinstance(data, FileProblem):
        return None
    return compile_path_patterns(tuple(data[:MAXIMUM_IGNORE_SIZE].decode("utf-8", "replace").splitlines()))
