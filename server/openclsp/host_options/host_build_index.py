"""Finds all builds in a project's host code and build files, and the kernels of each build."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_options.build_finder import BuildFinder
from openclsp.host_options.cmake_commands import CMakeCommand, parse_cmake_commands
from openclsp.host_options.cmake_interpreter import CMakeInterpreter
from openclsp.host_options.defined_names import FileDefinitions, extract_definitions
from openclsp.host_options.generated_names import (
    Call,
    GeneratedNames,
    Pattern,
    extract_patterns,
    required_arguments,
)
from openclsp.host_options.host_build import HostBuild
from openclsp.host_options.host_file_selection import HostFileSelector
from openclsp.host_options.host_lexer import TokenisedHostText, tokenise_lines
from openclsp.host_options.kernel_file_names import extract_kernel_functions
from openclsp.host_options.kernel_names import KernelFileIndex
from openclsp.host_options.makefile_reader import MakefileReader
from openclsp.host_options.meson_interpreter import MesonInterpreter
from openclsp.host_options.possible_names import PossibleNames
from openclsp.host_options.unfollowed_standards import StandardLiteral, find_unfollowed_standards
from openclsp.project.file_discovery import C_HEADER_SUFFIXES
from openclsp.project.file_system import FileProblem, FileSystem
from openclsp.project.project_scan import (
    FileDataCache,
    ProjectScan,
    ScannedFile,
    ScannedFileKind,
)
from openclsp.source.other_files import SEVERAL_FILES

MAXIMUM_KERNEL_FILES_SEARCHED: Final = 400
"""Maximum number of kernel files that are searched for a kernel function."""
MAXIMUM_FILES_SEARCHED_FOR_NAMES: Final = 1_000
"""Maximum number of OpenCL files that are searched for the names that they define."""


@dataclass(slots=True)
class HostBuildIndex:
    """Finds the builds of one project, and caches the data of each file between scans. Not thread-safe."""

    files: FileSystem
    _hosts: HostFileSelector = field(init=False)
    _kernels: FileDataCache[frozenset[str]] = field(
        default_factory=lambda: FileDataCache(lambda file, data: extract_kernel_functions(data))
    )
    _cmake: FileDataCache[tuple[CMakeCommand, ...]] = field(
        default_factory=lambda: FileDataCache(
            lambda file, data: parse_cmake_commands(data.decode("utf-8", "replace"))
        )
    )
    _definitions: FileDataCache[FileDefinitions] = field(
        default_factory=lambda: FileDataCache(lambda file, data: extract_definitions(data))
    )
    _patterns: FileDataCache[tuple[Pattern, ...]] = field(
        default_factory=lambda: FileDataCache(lambda file, data: extract_patterns(data))
    )
    _meson: FileDataCache[TokenisedHostText | None] = field(
        default_factory=lambda: FileDataCache(_tokenise_meson)
    )
    _make: FileDataCache[str | None] = field(default_factory=lambda: FileDataCache(_decode_makefile))

    def __post_init__(self) -> None:
        self._hosts = HostFileSelector(self.files)

    def find_builds(
        self, scan: ProjectScan, kernel: str | None = None, check: Callable[[], None] = lambda: None
    ) -> tuple[HostBuild, ...]:
        """Returns all builds, or only the builds that may be for one `kernel`.

        With `kernel`, fewer files are analysed. `check` is called between files and may raise to cancel.
        """
        kernels = KernelFileIndex(
            file.path for file in scan.files_of_kinds(ScannedFileKind.KERNEL, ScannedFileKind.OPENCL_HEADER)
        )
        hosts = self._hosts.select_and_analyse(scan, kernel, check)
        finder = BuildFinder(hosts, kernels, lambda: self._files_by_kernel_function(scan, check))
        return (*finder.find_builds(), *self._builds_in_build_files(scan, frozenset(kernels.paths), check))

    def _builds_in_build_files(
        self, scan: ProjectScan, kernels: frozenset[str], check: Callable[[], None]
    ) -> Iterator[HostBuild]:
        """Yields the builds in CMake, Meson and Make files."""
        cmake: dict[str, tuple[CMakeCommand, ...]] = {}
        for file in scan.files_of_kinds(ScannedFileKind.CMAKE):
            check()
            commands = self._cmake.data_of_file(file, scan.permission, self.files)
            if not isinstance(commands, FileProblem):
                cmake[file.path] = commands
        if any(_names_kernels(command) for commands in cmake.values() for command in commands):
            yield from CMakeInterpreter(scan.root, cmake, kernels).interpret_lists()
        for file in scan.files_of_kinds(ScannedFileKind.MESON):
            check()
            text = self._meson.data_of_file(file, scan.permission, self.files)
            if text is not None and not isinstance(text, FileProblem):
                yield from MesonInterpreter(file.path, text, kernels).find_builds()
        for file in scan.files_of_kinds(ScannedFileKind.MAKE):
            check()
            written = self._make.data_of_file(file, scan.permission, self.files)
            if written is not None and not isinstance(written, FileProblem):
                yield from MakefileReader(file.path, written, kernels).find_builds()

    def _files_by_kernel_function(
        self, scan: ProjectScan, check: Callable[[], None]
    ) -> dict[str, frozenset[str]]:
        """Maps each kernel function to the files that define it.

        The result is empty if there are more than MAXIMUM_KERNEL_FILES_SEARCHED kernel files.
        """
        defining: dict[str, set[str]] = {}
        files = list(scan.files_of_kinds(ScannedFileKind.KERNEL))
        for file in files if len(files) <= MAXIMUM_KERNEL_FILES_SEARCHED else ():
            check()
            names = self._kernels.data_of_file(file, scan.permission, self.files)
            for name in () if isinstance(names, FileProblem) else names:
                defining.setdefault(name, set()).add(file.path)
        return {name: frozenset(paths) for name, paths in defining.items()}

    def possible_names(self, scan: ProjectScan, check: Callable[[], None]) -> PossibleNames:
        """Returns the names that OpenCL files or the host may define, each with the path of the defining file.

        These are the names that OpenCL files define at program scope, those that macro calls there may
        declare, and the macros and header names in host files. The value is SEVERAL_FILES if a host file,
        several OpenCL files or only a macro call may define the name. Headers in the kernels' folders and
        parent folders count as OpenCL files. At most MAXIMUM_FILES_SEARCHED_FOR_NAMES OpenCL files are
        searched.
        """
        files = self._files_that_define_names(scan)
        written = dict.fromkeys(self._hosts.possible_macro_names(scan, check), SEVERAL_FILES)
        calls: set[Call] = set()
        for file, defined in self._definitions_in(files, scan, check):
            calls.update(defined.calls)
            for name in defined.names:
                written[name] = SEVERAL_FILES if name in written else file.path
        return PossibleNames(written, GeneratedNames(frozenset(calls), self._patterns_in(files, scan, check)))

    def possible_name(self, scan: ProjectScan, name: str, check: Callable[[], None]) -> str | None:
        """Returns what `possible_names` has for this name, or None; takes a tenth of the time.

        Only the files that contain the name are searched, and those that contain what macros may form it from.
        """
        files = self._files_that_define_names(scan)
        found = SEVERAL_FILES if self._hosts.may_define_macro(scan, name, check) else None
        required = set(required_arguments(self._patterns_in(files, scan, check), name))
        spellings = [[word.encode("utf-8", "replace") for word in words] for words in required]

        def may_declare(file: ScannedFile) -> bool:
            data = self.files.read(file.path, scan.permission)
            return not isinstance(data, FileProblem) and any(
                all(word in data for word in words) for words in spellings
            )

        generated = False
        for file, defined in self._definitions_in(filter(may_declare, files), scan, check):
            if name in defined.names:
                found = file.path if found is None else SEVERAL_FILES
            generated = generated or any(words.issubset(call) for words in required for call in defined.calls)
        return SEVERAL_FILES if found is None and generated else found

    @staticmethod
    def _files_that_define_names(scan: ProjectScan) -> Sequence[ScannedFile]:
        kernels = list(scan.files_of_kinds(ScannedFileKind.KERNEL, ScannedFileKind.OPENCL_HEADER))
        folders = {os.path.dirname(file.path) for file in kernels}
        folders |= {os.path.dirname(folder) for folder in folders}
        nearby_headers = [
            file
            for file in (
                *scan.files_of_kinds(ScannedFileKind.HEADER),
                *scan.files_of_kinds(ScannedFileKind.CPP),
            )
            if os.path.dirname(file.path) in folders
            and (file.kind is ScannedFileKind.HEADER or _is_header(file.path))
        ]
        return (*kernels, *nearby_headers)[:MAXIMUM_FILES_SEARCHED_FOR_NAMES]

    def _definitions_in(
        self, files: Iterable[ScannedFile], scan: ProjectScan, check: Callable[[], None]
    ) -> Iterator[tuple[ScannedFile, FileDefinitions]]:
        for file in files:
            check()
            defined = self._definitions.data_of_file(file, scan.permission, self.files)
            if not isinstance(defined, FileProblem):
                yield file, defined

    def _patterns_in(
        self, files: Iterable[ScannedFile], scan: ProjectScan, check: Callable[[], None]
    ) -> frozenset[Pattern]:
        found: set[Pattern] = set()
        for file in files:
            check()
            patterns = self._patterns.data_of_file(file, scan.permission, self.files)
            if not isinstance(patterns, FileProblem):
                found.update(patterns)
        return frozenset(found)

    def builds_programs(self, scan: ProjectScan, check: Callable[[], None]) -> bool:
        """Whether the project's host code builds programs, with or without options."""
        return self._hosts.builds_programs(scan, check)

    def kernel_users(self, scan: ProjectScan, check: Callable[[], None]) -> frozenset[str]:
        """Returns the paths of the host files that may create kernel objects or pass arguments to kernels."""
        return self._hosts.kernel_users(scan, check)

    def unfollowed_standards(
        self, scan: ProjectScan, builds: Sequence[HostBuild], check: Callable[[], None]
    ) -> dict[str, tuple[StandardLiteral, ...]]:
        """Returns, for each host file, the `-cl-std` options in its strings that no build passes."""
        return find_unfollowed_standards(self._hosts.standard_literals(scan, check), builds)


def _is_header(path: str) -> bool:
    """Whether a C++ file is a header, which hosts may prepend to a program as text."""
    return path.lower().endswith(C_HEADER_SUFFIXES)


def _tokenise_meson(file: ScannedFile, data: bytes) -> TokenisedHostText | None:
    return tokenise_lines(data.decode("utf-8", "replace")) if b".cl" in data else None


def _decode_makefile(file: ScannedFile, data: bytes) -> str | None:
    """Returns the text of a Makefile; None if it names neither kernels nor variables for kernel options."""
    return data.decode("utf-8", "replace") if _KERNELS_OR_OPTIONS.search(data) is not None else None


_KERNELS_OR_OPTIONS: Final = re.compile(
    rb"\.(?:cl|ocl|opencl|clc)\b|(?:OCL|CL|OPENCL|KERNEL)\w{0,200}(?:FLAGS|OPTIONS|OPTS)", re.IGNORECASE
)


def _names_kernels(command: CMakeCommand) -> bool:
    return any(".cl" in argument.text or "-cl-" in argument.text for argument in command.arguments)
