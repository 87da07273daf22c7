"""Resolves the paths of `openclsp check PATH…` to files: named files, and the OpenCL files in folders."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.project.file_system import (
    LOCAL_FILE_SYSTEM,
    DirectoryEntry,
    FileKind,
    FileSystem,
)
from openclsp.project.project_roots import find_project_root, read_permission_of_folder
from openclsp.project.read_permission import ReadPermission

KERNEL_SUFFIXES = (".cl", ".ocl", ".opencl", ".clc")
"""File name endings of programs."""

HEADER_SUFFIXES = (".clh", ".cl.h")
"""File name endings of headers; a header is analysed through the programs that include it, or alone."""

C_HEADER_SUFFIXES = (
    ".h", ".hh", ".hpp", ".hxx", ".h++", ".inc", ".inl", ".ipp", ".tpp", ".cuh", ".def", ".tab", ".cl_h", ".cl_hpp",
)  # fmt: skip
"""File name endings of headers of C and C++, which kernels may include."""

C_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".cu", ".m", ".mm")
"""File name endings of host files of C, C++, CUDA and Objective-C, which kernels may include."""

CPP_FOR_OPENCL_SUFFIXES = (".clcpp", ".clc++")

INCLUDABLE_SUFFIXES = (*KERNEL_SUFFIXES, *HEADER_SUFFIXES, *C_HEADER_SUFFIXES, *C_SUFFIXES)
"""File name endings of source, which kernels may include.

All 6,700 includes in the kernels of 60 real projects name `.h`, `.cl`, `.inc`, `.c` or `.hpp` files.
"""

_OTHER_FILES = frozenset(("makefile", "gnumakefile", "dockerfile", "readme"))
"""Names before the ending of files in which `.opencl` names a variant: `Makefile.OpenCL`."""

NOT_SOURCE: Final = frozenset(("node_modules", "__pycache__", "CMakeFiles", "site-packages"))
"""Folders with installed packages or the output of a tool"""
_TOOL_OUTPUT_MARKERS: Final = frozenset(
    ("CMakeCache.txt", "CACHEDIR.TAG", "pyvenv.cfg", "meson-private", ".ninja_log")
)
"""Entries that mark a folder as the output of a tool."""

MAXIMUM_FILES = 20_000
MAXIMUM_HOST_FILES = 100_000
"""The maximum number of host files that a run searches for programs in strings."""
MAXIMUM_DEPTH = 64


@dataclass(frozen=True, slots=True)
class DiscoveredFiles:
    """The files to check, spelled as the user would name them, sorted and without duplicates.

    - `missing`: the paths that do not exist
    - `truncated`: whether files were left out, because the folders contain more than MAXIMUM_FILES
    - `refused`: the files with an ending of OpenCL C that openclsp is not permitted to read, with the reasons
    - `host_files`: the files in folders that may contain programs in strings
    - `skipped_links`: sentences about links that lead out of the traversed folder, but not out of the project
    """

    files: tuple[str, ...]
    missing: tuple[str, ...] = ()
    truncated: bool = False
    refused: tuple[tuple[str, str], ...] = ()
    skipped_links: tuple[str, ...] = ()
    host_files: tuple[str, ...] = ()


def holds_tool_output(entries: Iterable[DirectoryEntry]) -> bool:
    """Whether the entries of a folder show that a tool has created it: a build or a virtual environment."""
    return any(entry.name in _TOOL_OUTPUT_MARKERS for entry in entries)


def is_cpp_for_opencl_file(path: str) -> bool:
    """Whether the file's name has an ending of C++ for OpenCL."""
    return path.lower().endswith(CPP_FOR_OPENCL_SUFFIXES)


def is_opencl_file(path: str, endings: tuple[str, ...] = ()) -> bool:
    """Whether the file's name has an ending of an OpenCL C program or header, or one of `endings`.

    macOS stores the attributes of `a.cl` in the binary file `._a.cl`, which is no program.
    """
    name = os.path.basename(path).lower()
    if name.startswith("._"):
        return False
    if name.endswith(endings):
        return True
    return name.endswith(KERNEL_SUFFIXES + HEADER_SUFFIXES) and name.partition(".")[0] not in _OTHER_FILES


def discover_files(
    paths: Sequence[str],
    files: FileSystem = LOCAL_FILE_SYSTEM,
    endings: tuple[str, ...] = (),
    host_endings: tuple[str, ...] = (),
) -> DiscoveredFiles:
    """Expands `paths` to files.

    A folder yields its programs, its headers, and its C++ for OpenCL files; callers report the latter as not
    checked. `endings` (lower case) are additional endings of programs. Hidden folders are skipped, and so are
    folders of installed packages, folders that contain the output of a tool, and symbolic links that lead out
    of the traversed folder. Links that lead out of the project, or to a file without an OpenCL ending, are
    refused. The files with `host_endings` (lower case) may contain programs in
    strings: they are listed separately in `host_files`, and there are no messages about them.
    """
    found: dict[str, str] = {}
    hosts: dict[str, str] = {}
    missing = []
    refused: list[tuple[str, str]] = []
    skipped_links: list[str] = []
    truncated = False
    for path in paths:
        absolute = os.path.abspath(path)
        kind = files.kind(absolute)
        if kind is None:
            missing.append(path)
        elif kind is FileKind.FOLDER:
            for each in _walk(path, files, endings, host_endings, refused, skipped_links):
                if not (is_opencl_file(each, endings) or is_cpp_for_opencl_file(each)):
                    if len(hosts) < MAXIMUM_HOST_FILES:
                        hosts.setdefault(files.resolve(os.path.abspath(each)), each)
                    continue
                if len(found) >= MAXIMUM_FILES:
                    truncated = True
                    break
                found.setdefault(files.resolve(os.path.abspath(each)), each)
        else:
            found[files.resolve(absolute)] = path
    return DiscoveredFiles(
        tuple(sorted(found.values())),
        tuple(missing),
        truncated,
        tuple(sorted(refused)),
        tuple(sorted(skipped_links)),
        tuple(sorted(path for name, path in hosts.items() if name not in found)),
    )


def _walk(
    folder: str,
    files: FileSystem,
    endings: tuple[str, ...],
    host_endings: tuple[str, ...],
    refused: list[tuple[str, str]],
    skipped_links: list[str],
) -> Iterator[str]:
    top = os.path.abspath(folder)
    permission = read_permission_of_folder(top, files)
    project = read_permission_of_folder(find_project_root(os.path.join(top, "any.cl"), files=files), files)
    visited = set(permission.folders)
    waiting = [(folder, 0)]
    while waiting:
        current, depth = waiting.pop()
        held = files.entries(os.path.abspath(current), permission)
        if depth and holds_tool_output(held):
            continue
        for entry in held:
            path = os.path.join(current, entry.name)
            if entry.kind is FileKind.FOLDER:
                if entry.name in NOT_SOURCE:
                    continue
                located = files.locate(os.path.abspath(path), permission)
                if located is None or permission.is_hidden(located) or entry.name.startswith("."):
                    continue
                if located not in visited and depth < MAXIMUM_DEPTH:
                    visited.add(located)
                    waiting.append((path, depth + 1))
            elif is_opencl_file(entry.name, endings) or is_cpp_for_opencl_file(entry.name):
                located = files.locate(os.path.abspath(path), permission)
                reason = _reason_for_refusal(entry, located, permission, endings)
                if located is None and files.locate(os.path.abspath(path), project) is not None:
                    skipped_links.append(f"{path} is a link that leads out of the folder")
                elif reason:
                    refused.append((path, reason))
                else:
                    yield path
            elif (
                host_endings
                and entry.kind is FileKind.FILE
                and not entry.is_link
                and entry.name.lower().endswith(host_endings)
                and files.locate(os.path.abspath(path), permission) is not None
            ):
                yield path


def _reason_for_refusal(
    entry: DirectoryEntry, located: str | None, permission: ReadPermission, endings: tuple[str, ...]
) -> str:
    """Returns why reading a file with an OpenCL ending is not permitted; empty if it is permitted.

    `located` is the resolved path of the entry; None if it is outside the readable folders.
    """
    if located is None:
        return "is a link that leads out of the project"
    name = os.path.basename(located)
    called_so = is_opencl_file(name, endings) or is_cpp_for_opencl_file(name)
    if entry.is_link and (permission.is_hidden(located) or not called_so):
        return "is a link to a file without an OpenCL file name ending"
    return "" if entry.kind is FileKind.FILE else "is not a regular file"
