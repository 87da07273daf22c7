"""One bounded look over a project: which kernels, headers, host sources and build lists it holds.

Only names, sizes and times are looked at here. What stands in the files is read off them by an `Extracted`, which
keeps it while a file's size and time stay.
"""

from __future__ import annotations

import os.path
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import field
from enum import Enum
from typing import Final, Generic, TypeVar

from openclsp.dataclass import dataclass
from openclsp.workspace.discovery import HEADER_SUFFIXES, KERNEL_SUFFIXES
from openclsp.workspace.files import LOCAL_FILES, Entry, FileKind, FileProblem, FileSystem
from openclsp.workspace.path_patterns import PathPatterns, path_patterns
from openclsp.workspace.read_permission import NOTHING, ReadPermission
from openclsp.workspace.roots import folder_permission, is_marked

T = TypeVar("T")

MAXIMUM_ENTRIES: Final = 100_000
"""Files and folders of one scan that are looked at; those nearest to the root come first."""
MAXIMUM_ENTRIES_OF_ANY_FOLDER: Final = 5_000
"""Likewise where nothing says that the root is a project: a home folder, `/tmp`"""
MAXIMUM_DEPTH: Final = 32
MAXIMUM_FILE_SIZE: Final = 2 * 1024 * 1024
"""Bytes; a larger file is known by its name alone."""
MAXIMUM_IGNORE_SIZE: Final = 256 * 1024
"""Bytes of .gitignore that are read."""
MAXIMUM_TOTAL_SIZE: Final = 128 * 1024 * 1024
"""Bytes of all files together that may be read."""


class Kind(Enum):
    """What a file's name says that it is."""

    KERNEL = "kernel"
    OPENCL_HEADER = "OpenCL header"
    HEADER = "header"
    """Of C or OpenCL C: `.h`, `.inc`."""
    C = "C"
    CPP = "C++"
    """With its headers, and CUDA and Objective-C, which are written alike."""
    PYTHON = "Python"
    JAVA = "Java"
    RUST = "Rust"
    GO = "Go"
    CMAKE = "CMake"
    MESON = "Meson"
    MAKE = "a Makefile"


HOSTS: Final = frozenset((Kind.HEADER, Kind.C, Kind.CPP, Kind.PYTHON, Kind.JAVA, Kind.RUST, Kind.GO))
"""Kinds that can hold a host's code."""

_BY_SUFFIX: Final = {
    **dict.fromkeys((".h", ".inc", ".inl"), Kind.HEADER),
    ".c": Kind.C,
    **dict.fromkeys(
        (
            ".cpp",
            ".cc",
            ".cxx",
            ".c++",
            ".hpp",
            ".hh",
            ".hxx",
            ".h++",
            ".tpp",
            ".ipp",
            ".cu",
            ".cuh",
            ".m",
            ".mm",
        ),
        Kind.CPP,
    ),
    **dict.fromkeys((".py", ".pyx"), Kind.PYTHON),
    **dict.fromkeys((".java", ".kt", ".scala"), Kind.JAVA),
    ".rs": Kind.RUST,
    ".go": Kind.GO,
    ".cmake": Kind.CMAKE,
    ".mk": Kind.MAKE,
}
_BY_NAME: Final = {
    "cmakelists.txt": Kind.CMAKE,
    "meson.build": Kind.MESON,
    "makefile": Kind.MAKE,
    "gnumakefile": Kind.MAKE,
}

_NOT_SOURCE: Final = frozenset(("node_modules", "__pycache__", "CMakeFiles", "site-packages"))
_OUTPUT_MARKS: Final = frozenset(
    ("CMakeCache.txt", "CACHEDIR.TAG", "pyvenv.cfg", "meson-private", ".ninja_log")
)
"""What lies in a folder that a tool has filled."""


@dataclass(frozen=True, slots=True)
class ScannedFile:
    """A file of the project: its absolute path under the root as that was given, bytes, nanoseconds of its time."""

    path: str
    kind: Kind
    size: int
    modified: int

    @property
    def readable(self) -> bool:
        """Whether it is small enough to be read."""
        return self.size <= MAXIMUM_FILE_SIZE


@dataclass(frozen=True, slots=True)
class Scan:
    """The files of a project that mean something here, by depth and then by name.

    `cut` says which bound was met, as the end of a sentence; empty where none was. `entries` counts what was looked at.
    `permission` is that to read the files.
    """

    root: str
    files: tuple[ScannedFile, ...] = ()
    cut: str = ""
    entries: int = 0
    permission: ReadPermission = NOTHING

    def of(self, *kinds: Kind) -> Iterator[ScannedFile]:
        """The files of these kinds."""
        return (file for file in self.files if file.kind in kinds)


def kind_of(name: str, endings: tuple[str, ...] = ()) -> Kind | None:
    """What a file's name says that it is; `endings`, in lower case, mean kernels beside the usual ones."""
    lower = name.lower()
    if lower.endswith(endings):
        return Kind.KERNEL
    if lower.endswith(HEADER_SUFFIXES):
        return Kind.OPENCL_HEADER
    if lower.endswith(KERNEL_SUFFIXES):
        return Kind.KERNEL
    return _BY_NAME.get(lower) or _BY_SUFFIX.get(os.path.splitext(lower)[1])


def scan(
    root: str,
    files: FileSystem = LOCAL_FILES,
    check: Callable[[], None] = lambda: None,
    maximum_entries: int | None = None,
    endings: tuple[str, ...] = (),
) -> Scan:
    """Look over the project at the folder `root`, breadth first; `check` is called between folders and may raise.
    `endings` of names mean kernels beside the usual ones.

    Left out are hidden folders, folders that a tool has filled, those that the root's .gitignore names, and links
    that lead out of the root or to a folder.
    """
    found: list[ScannedFile] = []
    permission = folder_permission(root, files)
    if maximum_entries is None:
        maximum_entries = MAXIMUM_ENTRIES if is_marked(root, files) else MAXIMUM_ENTRIES_OF_ANY_FOLDER
    entries = total = 0
    cut = ""
    ignored: PathPatterns | None = None
    waiting = deque([(root, "", 0)])
    while waiting and not cut:
        folder, relative, depth = waiting.popleft()
        check()
        held = files.entries(folder, permission)
        if depth == 0:
            ignored = _ignored(root, held, files, permission)
        elif any(entry.name in _OUTPUT_MARKS for entry in held):
            continue
        for entry in held:
            entries += 1
            if entries > maximum_entries:
                cut = f"it holds more than {maximum_entries:,} files"
                break
            path = os.path.join(folder, entry.name)
            if entry.kind is FileKind.FOLDER:
                below = f"{relative}{entry.name}/"
                if depth < MAXIMUM_DEPTH and _is_source_folder(entry, below, ignored):
                    waiting.append((path, below, depth + 1))
                continue
            kind = kind_of(entry.name, endings) if entry.kind is FileKind.FILE else None
            if kind is None or (entry.is_link and not _is_called_so(path, kind, endings, permission, files)):
                continue
            total += entry.size if entry.size <= MAXIMUM_FILE_SIZE else 0
            if total > MAXIMUM_TOTAL_SIZE:
                cut = f"its sources are larger than {MAXIMUM_TOTAL_SIZE // (1024 * 1024)} MB"
                break
            found.append(ScannedFile(path, kind, entry.size, entry.modified))
    return Scan(root, tuple(found), cut, entries, permission)


@dataclass(slots=True)
class Extracted(Generic[T]):
    """What `extract` reads off each file's bytes, kept while the file's size and time stay. Not for several threads."""

    extract: Callable[[ScannedFile, bytes], T]
    _kept: dict[str, tuple[ScannedFile, T]] = field(default_factory=dict)

    def of(
        self, file: ScannedFile, permission: ReadPermission, files: FileSystem = LOCAL_FILES
    ) -> T | FileProblem:
        """What stands in the file."""
        kept = self._kept.get(file.path)
        if kept is not None and kept[0] == file:
            return kept[1]
        if not file.readable:
            return FileProblem(file.path, f"is larger than {MAXIMUM_FILE_SIZE // (1024 * 1024)} MB")
        data = files.read(file.path, permission)
        if isinstance(data, FileProblem):
            return data
        result = self.extract(file, data)
        self._kept[file.path] = file, result
        return result

    def keep_only(self, paths: frozenset[str]) -> None:
        """Forget what was read off all other files."""
        self._kept = {path: kept for path, kept in self._kept.items() if path in paths}


def _is_source_folder(entry: Entry, relative: str, ignored: PathPatterns | None) -> bool:
    if entry.is_link or entry.name.startswith(".") or entry.name in _NOT_SOURCE:
        return False
    return ignored is None or not ignored.match(relative)


def _is_called_so(
    path: str, kind: Kind, endings: tuple[str, ...], permission: ReadPermission, files: FileSystem
) -> bool:
    """Whether a link leads to a file of the same kind: else `host.c` could be `.env`, and what is in it be quoted."""
    located = files.locate(path, permission)
    if located is None or permission.is_hidden(located):
        return False
    return kind_of(os.path.basename(located), endings) is kind


def _ignored(
    root: str, held: tuple[Entry, ...], files: FileSystem, permission: ReadPermission
) -> PathPatterns | None:
    name = ".gitignore"
    if not any(entry.name == name and entry.kind is FileKind.FILE and not entry.is_link for entry in held):
        return None
    data = files.read(os.path.join(root, name), permission)
    if isinstance(data, FileProblem):
        return None
    return path_patterns(tuple(data[:MAXIMUM_IGNORE_SIZE].decode("utf-8", "replace").splitlines()))
