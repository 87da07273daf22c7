"""Which files `check PATH…` means: files as they are named, and the kernels in folders."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Sequence

from openclsp.dataclass import dataclass
from openclsp.workspace.files import LOCAL_FILES, FileKind, FileSystem
from openclsp.workspace.roots import is_inside

KERNEL_SUFFIXES = (".cl", ".ocl", ".opencl", ".clc")
"""Files that are programs."""

HEADER_SUFFIXES = (".clh", ".cl.h")
"""Files that are OpenCL C as well, and are looked at through the programs that include them, or alone."""

CPP_FOR_OPENCL_SUFFIXES = (".clcpp", ".clc++")

MAXIMUM_FILES = 20_000
MAXIMUM_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Discovery:
    """`files` as a person would name them (under the folder as given), sorted, each file once.

    `missing` are the paths that do not exist. `truncated` is whether a folder held more than the walk's
    bounds.
    """

    files: tuple[str, ...]
    missing: tuple[str, ...] = ()
    truncated: bool = False


def is_cpp_for_opencl_file(path: str) -> bool:
    """Whether the file's name says that it is C++ for OpenCL."""
    return path.lower().endswith(CPP_FOR_OPENCL_SUFFIXES)


def is_opencl_file(path: str, endings: tuple[str, ...] = ()) -> bool:
    """Whether the file's name says that it is OpenCL C: a kernel or a header; `endings` say so beside the usual ones."""
    return path.lower().endswith(KERNEL_SUFFIXES + HEADER_SUFFIXES + endings)


def discover(
    paths: Sequence[str], files: FileSystem = LOCAL_FILES, endings: tuple[str, ...] = ()
) -> Discovery:
    """The files that `paths` mean. A folder gives its kernels and headers, and C++ for OpenCL so that it can be spoken
    of; `endings`, in lower case, mean kernels beside the usual ones.

    Hidden folders are left out, and so is what a symbolic link leads to outside the folder that is walked.
    """
    found: dict[str, str] = {}
    missing = []
    truncated = False
    for path in paths:
        absolute = os.path.abspath(path)
        kind = files.kind(absolute)
        if kind is None:
            missing.append(path)
        elif kind is FileKind.FOLDER:
            for each in _walk(path, files, endings):
                if len(found) >= MAXIMUM_FILES:
                    truncated = True
                    break
                found.setdefault(files.resolve(os.path.abspath(each)), each)
        else:
            found[files.resolve(absolute)] = path
    return Discovery(tuple(sorted(found.values())), tuple(missing), truncated)


def _walk(folder: str, files: FileSystem, endings: tuple[str, ...]) -> Iterator[str]:
    top = files.resolve(os.path.abspath(folder))
    visited = {top}
    waiting = [(folder, 0)]
    while waiting:
        current, depth = waiting.pop()
        for entry in files.entries(os.path.abspath(current)):
            path = os.path.join(current, entry.name)
            wanted = is_opencl_file(entry.name, endings) or is_cpp_for_opencl_file(entry.name)
            if entry.kind is FileKind.OTHER or (entry.kind is FileKind.FILE and not wanted):
                continue
            resolved = files.resolve(os.path.abspath(path))
            if entry.is_link and not is_inside(resolved, top):
                continue
            if entry.kind is FileKind.FILE:
                yield path
            elif not entry.name.startswith(".") and resolved not in visited and depth < MAXIMUM_DEPTH:
                visited.add(resolved)
                waiting.append((path, depth + 1))
