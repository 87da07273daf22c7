"""All builds in a project's host code and build files, with the kernels of each."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.workspace.files import FileProblem, FileSystem
from openclsp.workspace.host_options.build import HostBuild
from openclsp.workspace.host_options.cmake_commands import Command, read_commands
from openclsp.workspace.host_options.cmake_lists import CMakeReader
from openclsp.workspace.host_options.finder import Finder
from openclsp.workspace.host_options.host_files import HostFiles
from openclsp.workspace.host_options.kernel_names import Kernels, defined_kernels, defined_names
from openclsp.workspace.host_options.lexing import HostText, read_lines
from openclsp.workspace.host_options.make_lists import MakeReader
from openclsp.workspace.host_options.meson_lists import MesonReader
from openclsp.workspace.scan import Extracted, Kind, Scan, ScannedFile

MAXIMUM_SEARCHED: Final = 400
"""Maximum number of kernel files that are searched for a kernel function."""
MAXIMUM_NAMING: Final = 1_000
"""Maximum number of OpenCL files that are searched for the names that they define."""


@dataclass(slots=True)
class HostIndex:
    """The builds of one project. Data extracted from files is cached across scans. Not thread-safe."""

    files: FileSystem
    _hosts: HostFiles = field(init=False)
    _kernels: Extracted[frozenset[str]] = field(
        default_factory=lambda: Extracted(lambda file, data: defined_kernels(data))
    )
    _cmake: Extracted[tuple[Command, ...]] = field(
        default_factory=lambda: Extracted(lambda file, data: read_commands(data.decode("utf-8", "replace")))
    )
    _names: Extracted[frozenset[str]] = field(
        default_factory=lambda: Extracted(lambda file, data: defined_names(data))
    )
    _meson: Extracted[HostText | None] = field(default_factory=lambda: Extracted(_meson_text))
    _make: Extracted[str | None] = field(default_factory=lambda: Extracted(_make_text))

    def __post_init__(self) -> None:
        self._hosts = HostFiles(self.files)

    def builds(
        self, scan: Scan, kernel: str | None = None, check: Callable[[], None] = lambda: None
    ) -> tuple[HostBuild, ...]:
        """Returns all builds in the order of the files, or those that may be for one `kernel`.

        With `kernel`, fewer files have to be analysed. `check` is called between files and may raise to
        cancel.
        """
        kernels = Kernels(file.path for file in scan.of(Kind.KERNEL, Kind.OPENCL_HEADER))
        if not kernels.paths:
            return ()
        hosts = self._hosts.of(scan, kernel, check)
        finder = Finder(hosts, kernels, lambda: self._defining(scan, check))
        return (*finder.builds(), *self._of_lists(scan, frozenset(kernels.paths), check))

    def _of_lists(
        self, scan: Scan, kernels: frozenset[str], check: Callable[[], None]
    ) -> Iterator[HostBuild]:
        """Yields the builds in CMake, Meson and Make files that name kernel files or their options."""
        cmake: dict[str, tuple[Command, ...]] = {}
        for file in scan.of(Kind.CMAKE):
            check()
            commands = self._cmake.of(file, scan.permission, self.files)
            if not isinstance(commands, FileProblem):
                cmake[file.path] = commands
        if any(_names_kernels(command) for commands in cmake.values() for command in commands):
            yield from CMakeReader(scan.root, cmake, kernels).read()
        for file in scan.of(Kind.MESON):
            check()
            text = self._meson.of(file, scan.permission, self.files)
            if text is not None and not isinstance(text, FileProblem):
                yield from MesonReader(file.path, text, kernels).read()
        for file in scan.of(Kind.MAKE):
            check()
            written = self._make.of(file, scan.permission, self.files)
            if written is not None and not isinstance(written, FileProblem):
                yield from MakeReader(file.path, written, kernels).read()

    def _defining(self, scan: Scan, check: Callable[[], None]) -> dict[str, frozenset[str]]:
        """Maps kernel functions to the files that define them; empty above MAXIMUM_SEARCHED files."""
        defining: dict[str, set[str]] = {}
        files = list(scan.of(Kind.KERNEL))
        for file in files if len(files) <= MAXIMUM_SEARCHED else ():
            check()
            names = self._kernels.of(file, scan.permission, self.files)
            for name in () if isinstance(names, FileProblem) else names:
                defining.setdefault(name, set()).add(file.path)
        return {name: frozenset(paths) for name, paths in defining.items()}

    def names(self, scan: Scan, check: Callable[[], None]) -> frozenset[str]:
        """Returns the macros and types that OpenCL files define, and the macros that host files may define.

        Headers in the kernels' folders and their parent folders count as OpenCL files, up to MAXIMUM_NAMING
        files.
        """
        kernels = list(scan.of(Kind.KERNEL, Kind.OPENCL_HEADER))
        folders = {os.path.dirname(file.path) for file in kernels}
        folders |= {os.path.dirname(folder) for folder in folders}
        beside = [
            file
            for file in (*scan.of(Kind.HEADER), *scan.of(Kind.CPP))
            if os.path.dirname(file.path) in folders and (file.kind is Kind.HEADER or _is_header(file.path))
        ]
        found = set(self._hosts.names(scan, check)) if kernels else set()
        for file in (*kernels, *beside)[:MAXIMUM_NAMING]:
            check()
            names = self._names.of(file, scan.permission, self.files)
            if not isinstance(names, FileProblem):
                found |= names
        return frozenset(found)


def _is_header(path: str) -> bool:
    """Whether a C++ file is a header, because hosts also prepend headers to programs as text."""
    return path.endswith((".hpp", ".hh", ".hxx"))


def _meson_text(file: ScannedFile, data: bytes) -> HostText | None:
    return read_lines(data.decode("utf-8", "replace")) if b".cl" in data else None


def _make_text(file: ScannedFile, data: bytes) -> str | None:
    """Returns the text of a Makefile that mentions kernels or variables with kernel options; else None."""
    return data.decode("utf-8", "replace") if _OF_KERNELS.search(data) is not None else None


_OF_KERNELS: Final = re.compile(
    rb"\.(?:cl|ocl|opencl|clc)\b|(?:OCL|CL|OPENCL|KERNEL)\w*(?:FLAGS|OPTIONS|OPTS)", re.IGNORECASE
)


def _names_kernels(command: Command) -> bool:
    return any(".cl" in argument.text or "-cl-" in argument.text for argument in command.arguments)
