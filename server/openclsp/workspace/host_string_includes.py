"""Files that programs in strings of host code include.

Such a program calls the functions of its headers, but is not a program of the project (`project_programs`).
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_options.c_tokens import find_c_tokens
from openclsp.project.file_system import FileProblem
from openclsp.project.project_scan import FileDataCache, ScannedFile, ScannedFileKind
from openclsp.workspace.include_directives import (
    HOST_INCLUDE,
    IncludeName,
    extract_host_includes,
    resolve_include,
)
from openclsp.workspace.include_graph import IncludeGraph

_C_KINDS: Final = (ScannedFileKind.C, ScannedFileKind.CPP, ScannedFileKind.HEADER)
_OTHER_KINDS: Final = (
    ScannedFileKind.PYTHON,
    ScannedFileKind.JAVA,
    ScannedFileKind.RUST,
    ScannedFileKind.GO,
    ScannedFileKind.OTHER_HOST,
)
"""Languages without include directives: each one is in a string."""


@dataclass(slots=True)
class HostStringIncludes:
    """Finds the files of a project that programs in host strings include. Not thread-safe."""

    _names: FileDataCache[tuple[str, ...]] = field(
        default_factory=lambda: FileDataCache(lambda file, data: _extract_string_includes(file, data))
    )

    def find_files(self, graph: IncludeGraph, check: Callable[[], None]) -> frozenset[str]:
        """Returns the kernel files and headers that host strings may include, directly or not.

        `check` is called between files and may raise to cancel.
        """
        by_name: dict[str, list[str]] = {}
        for path in graph.opencl_files:
            by_name.setdefault(os.path.basename(path), []).append(path)
        found: set[str] = set()
        hosts = [
            file
            for file in graph.scanned_files(*_C_KINDS, *_OTHER_KINDS)
            if by_name and file.path not in graph.opencl_files
        ]
        self._names.retain_only(frozenset(file.path for file in hosts))
        for file in hosts:
            check()
            names = graph.host_includes.data_of_file(file, graph.permission, graph.files)
            # Most host files include no kernel file or header of kernels: they are not read again.
            if isinstance(names, FileProblem) or not any(os.path.basename(each) in by_name for each in names):
                continue
            read = self._names.data_of_file(file, graph.permission, graph.files)
            for name in () if isinstance(read, FileProblem) else read:
                found.update(
                    resolve_include(
                        file.path, IncludeName(name, from_macro=False), graph.opencl_files, by_name
                    )
                )
        return frozenset().union(*map(graph.transitive_includes, found))


def _extract_string_includes(file: ScannedFile, data: bytes) -> tuple[str, ...]:
    """Returns the names in the include directives in the strings of a host file."""
    if file.kind not in _C_KINDS:
        return extract_host_includes(data)
    return tuple(_names_in_c_strings(data))


def _names_in_c_strings(data: bytes) -> Iterator[str]:
    """Yields the names in include directives that are not the host's own, nor in a comment."""
    if b'R"' in data:
        # Only tokens show whether a line is in a raw string; they take a second for 2 MB.
        for kind, _, _, content in find_c_tokens(os.fsdecode(data)):
            if kind in ("string", "raw") and "include" in content:
                yield from extract_host_includes(os.fsencode(content))
        return
    for match in HOST_INCLUDE.finditer(data):
        start = data.rfind(b"\n", 0, match.start()) + 1
        # A string may begin on a line above that ends with a backslash.
        continues = data.endswith((b"\\\n", b"\\\r\n"), 0, start)
        if continues or b'"' in data[start : match.start()]:
            yield os.fsdecode(match[1])
