"""Selects the host files that concern kernels by a quick text search, and analyses only those."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.host_words import may_hold_kernel, may_use_kernel
from openclsp.host_code.program_names import host_of_program
from openclsp.host_options.build_calls import uses_build_api
from openclsp.host_options.host_file_analysis import HostFile, analyse_host_file
from openclsp.host_options.host_lexer import HostMacro, TokenisedHostText, tokenise_host_text
from openclsp.host_options.kernel_file_names import extract_kernel_functions, kernel_file_stem
from openclsp.host_options.option_setters import may_set_options
from openclsp.host_options.supplied_names import extract_supplied_names, may_supply
from openclsp.host_options.unfollowed_standards import StandardLiteral, extract_standard_literals
from openclsp.project.file_system import FileProblem, FileSystem
from openclsp.project.project_scan import (
    HOST_CODE_KINDS,
    FileDataCache,
    ProjectScan,
    ScannedFile,
    ScannedFileKind,
)
from openclsp.project.read_permission import NO_READ_PERMISSION, ReadPermission

MAXIMUM_ANALYSED_BYTES: Final = 24 * 1024 * 1024
"""Maximum bytes of host code that is analysed."""
MAXIMUM_WRAPPER_FILES: Final = 12
"""Maximum number of files added per step as callers of wrappers

If there are more, only those with a language version are added, or none if these are too many, too.
"""
_STANDARD: Final = frozenset((b"-cl-std",))

_OPTION: Final = re.compile(rb"-(?:D ?[A-Za-z_%{]|cl-[a-z]|I ?[\w./%$])")
_QUOTE: Final = re.compile(rb"[\"'`]")
_OPENCL_MARKS: Final = (b".cl", b".ocl", b"_cl_", b"_oclsrc", b"opencl", b"OpenCL", b"OPENCL", b"-cl-std")
_INTERFACE_HEADERS: Final = frozenset(
    ("cl.hpp", "cl2.hpp", "opencl.hpp", "cl.h", "opencl.h", "cl_ext.h", "clew.h", "clew.c", "clew.cpp")
)
"""Headers of OpenCL itself and similar libraries, which host code includes"""
_COMPUTED_KERNEL_FILE_NAME: Final = re.compile(rb"[%}*$][\w.-]*\.(?:cl|ocl|opencl)\b")
"""Matches the name of a kernel file that the host computes"""
_OPTION_MACRO_DEFINITION: Final = re.compile(
    rb"\n(?<!\\\n)[ \t]*\#[ \t]*define[ \t]+\w+\((?:[^)\n\\]|\\\n)*\)(?:[^\n\\]|\\\n)*\"[^\"\n]*-D"
)
"""Begins with the previous line's end, because `re` has a fast search for a literal."""


@dataclass(frozen=True, slots=True)
class HostTextSummary:
    """The result of the quick text search of a host file.

    - `uses_build_api`: the file uses an API that builds programs, or passes options to a function that sets them.
    - `has_options`: the file contains text that looks like options, and refers to OpenCL.
    - `defines_option_macros`: the file defines macros that expand to options.
    - `standards`: the language versions in options in its strings.
    - `may_use_kernels`: the file may create kernel objects or pass arguments to kernels.
    """

    uses_build_api: bool
    has_options: bool
    defines_option_macros: bool
    standards: tuple[StandardLiteral, ...] = ()
    may_use_kernels: bool = False


def summarise_host_text(file: ScannedFile, data: bytes) -> HostTextSummary:
    """Summarises a host file by a quick text search."""
    # in this order, because the search for an option ends soon, and takes a tenth of the time of the others
    options = _has_option_in_text(data) and any(sign in data for sign in _OPTION_MARKS)
    options = options and _mentions_opencl(data)
    builds = uses_build_api(data) or (options and may_set_options(data))
    makes = (
        file.kind in (ScannedFileKind.HEADER, ScannedFileKind.CPP)
        and b"-D" in data
        and _has_option_macros(data)
    )
    return HostTextSummary(
        builds,
        options,
        makes,
        extract_standard_literals(data),
        may_use_kernel(data),
    )


def _has_option_in_text(data: bytes) -> bool:
    """Whether a line contains text like `-DN` or `-I` before a quote, so that it may be in a string."""
    found = _OPTION.search(data)
    while found is not None:
        end = data.find(b"\n", found.end())
        end = len(data) if end < 0 else end
        if _QUOTE.search(data, found.end(), end) is not None:
            return True
        found = _OPTION.search(data, end)
    return False


_OPTION_MARKS: Final = (b'"-D', b" -D", b"'-D", b"-cl-", b" -I", b'"-I', b"'-I")


def _mentions_opencl(data: bytes) -> bool:
    return any(name in data for name in _OPENCL_MARKS) or may_hold_kernel(data)


def _has_option_macros(data: bytes) -> bool:
    return _OPTION_MACRO_DEFINITION.search(b"\n" + data) is not None


@dataclass(slots=True)
class HostFileSelector:
    """Selects and analyses host files; caches search results and analyses between scans. Not thread-safe."""

    files: FileSystem
    _text_summaries: FileDataCache[HostTextSummary] = field(
        default_factory=lambda: FileDataCache(summarise_host_text)
    )
    _supplied_names: FileDataCache[frozenset[str]] = field(
        default_factory=lambda: FileDataCache(extract_supplied_names)
    )
    """Not part of the summaries: a run in which no name is undeclared does not need them, and in a project of 46 MB
    of host code they take as long as the summaries."""
    _analyses: FileDataCache[HostFile] = field(default_factory=lambda: FileDataCache(analyse_host_file))
    _macros: dict[str, HostMacro] = field(default_factory=dict)
    _permission: ReadPermission = NO_READ_PERMISSION
    """The permission of the current scan"""

    def select_and_analyse(
        self, scan: ProjectScan, kernel: str | None, check: Callable[[], None]
    ) -> list[HostFile]:
        """Returns the analyses of the host files that may concern `kernel`, or any kernel if that is None.

        The result has the order of the scan. The files that use only option macros of other files come last.
        `check` is called between files and may raise to cancel.
        """
        self._permission = scan.permission
        candidates: list[ScannedFile] = []
        others: list[ScannedFile] = []
        size = 0
        for file in scan.files_of_kinds(*HOST_CODE_KINDS):
            check()
            if os.path.basename(file.path).lower() in _INTERFACE_HEADERS:
                continue
            seen = self._text_summaries.data_of_file(file, self._permission, self.files)
            if isinstance(seen, FileProblem) or not (
                seen.uses_build_api or seen.has_options or seen.defines_option_macros
            ):
                others.append(file)
                continue
            size += file.size
            if size > MAXIMUM_ANALYSED_BYTES:
                break
            candidates.append(file)
        self._update_option_macros(
            [file for file in candidates if self._summary_of(file).defines_option_macros]
        )
        names = frozenset(name.encode() for name in self._macros)
        candidates += [file for file in others if names and self._contains_any(file, names, pattern=False)]
        chosen = (
            frozenset(candidates)
            if kernel is None
            else self._files_concerning_kernel(candidates, kernel, check)
        )
        read = (self._analysis_of(file, check) for file in candidates if file in chosen)
        return [file for file in read if file is not None]

    def possible_macro_names(self, scan: ProjectScan, check: Callable[[], None]) -> frozenset[str]:
        """Returns the names of macros, declarations and headers that the host may define or generate.

        See `extract_supplied_names`.
        """
        found: set[str] = set()
        for file in scan.files_of_kinds(*HOST_CODE_KINDS, ScannedFileKind.OTHER_HOST):
            check()
            names = self._supplied_names.data_of_file(file, scan.permission, self.files)
            if not isinstance(names, FileProblem):
                found |= names
        return frozenset(found)

    def may_define_macro(self, scan: ProjectScan, name: str, check: Callable[[], None]) -> bool:
        """Whether `possible_macro_names` contains the name; files without this name are not searched."""
        for file in scan.files_of_kinds(*HOST_CODE_KINDS, ScannedFileKind.OTHER_HOST):
            check()
            data = self.files.read(file.path, scan.permission)
            if isinstance(data, FileProblem) or not may_supply(data, name):
                continue
            names = self._supplied_names.data_of_file(file, scan.permission, self.files)
            if not isinstance(names, FileProblem) and name in names:
                return True
        return False

    def builds_programs(self, scan: ProjectScan, check: Callable[[], None]) -> bool:
        """Whether a host file uses an API that builds programs."""
        self._permission = scan.permission
        for file in scan.files_of_kinds(*HOST_CODE_KINDS):
            check()
            if os.path.basename(file.path).lower() in _INTERFACE_HEADERS:
                continue
            if self._summary_of(file).uses_build_api:
                return True
        return False

    def kernel_users(self, scan: ProjectScan, check: Callable[[], None]) -> frozenset[str]:
        """Returns the paths of the host files that may create kernel objects or pass arguments to kernels."""
        self._permission = scan.permission
        found: set[str] = set()
        for file in scan.files_of_kinds(*HOST_CODE_KINDS):
            check()
            if self._summary_of(file).may_use_kernels:
                found.add(file.path)
        return frozenset(found)

    def standard_literals(
        self, scan: ProjectScan, check: Callable[[], None]
    ) -> dict[str, tuple[StandardLiteral, ...]]:
        """Returns, by host file, the language versions in the options that the file's strings contain.

        OpenCL's own headers are not searched.
        """
        found: dict[str, tuple[StandardLiteral, ...]] = {}
        for file in scan.files_of_kinds(*HOST_CODE_KINDS, ScannedFileKind.OTHER_HOST):
            check()
            if os.path.basename(file.path).lower() in _INTERFACE_HEADERS:
                continue
            if standards := self._summary_of(file).standards:
                found[file.path] = standards
        return found

    def _summary_of(self, file: ScannedFile) -> HostTextSummary:
        seen = self._text_summaries.data_of_file(file, self._permission, self.files)
        return HostTextSummary(False, False, False) if isinstance(seen, FileProblem) else seen

    def _analysis_of(self, file: ScannedFile, check: Callable[[], None]) -> HostFile | None:
        check()
        read = self._analyses.data_of_file(file, self._permission, self.files)
        return None if isinstance(read, FileProblem) else read

    def _files_concerning_kernel(
        self, candidates: Sequence[ScannedFile], kernel: str, check: Callable[[], None]
    ) -> frozenset[ScannedFile]:
        """Returns the host files that may pass options to a kernel.

        These are the files that build programs or define macros for options, and the files that name the
        kernel. If a function in one of them passes parameters on to a build, files that call it are included.
        """
        data = self.files.read(kernel, self._permission)
        names = frozenset() if isinstance(data, FileProblem) else extract_kernel_functions(data)
        quoted_names = (quote + name + quote for name in names for quote in "\"'")
        signs = frozenset(
            sign.encode("utf-8", "surrogateescape")
            for sign in (kernel_file_stem(os.path.basename(kernel)), *quoted_names)
        )
        chosen = {
            file
            for file in candidates
            if self._summary_of(file).uses_build_api or self._summary_of(file).defines_option_macros
        }
        chosen |= {file for file in candidates if file not in chosen and self._contains_any(file, signs)}
        program = host_of_program(kernel)
        chosen |= {file for file in candidates if program is not None and file.path == program[0]}
        fresh = set(chosen)
        for _ in range(3):
            wrapping = frozenset(
                name.encode() for file in fresh for name in _wrapper_functions(self._analysis_of(file, check))
            )
            fresh = {
                file
                for file in candidates
                if wrapping and file not in chosen and self._contains_any(file, wrapping, pattern=False)
            }
            if len(fresh) > MAXIMUM_WRAPPER_FILES:
                # a file that selects the language version decides what is an error
                fresh = {file for file in fresh if self._contains_any(file, _STANDARD, pattern=False)}
            if not fresh or len(fresh) > MAXIMUM_WRAPPER_FILES:
                break
            chosen |= fresh
        return frozenset(chosen)

    def _contains_any(self, file: ScannedFile, names: frozenset[bytes], pattern: bool = True) -> bool:
        data = self.files.read(file.path, self._permission)
        if isinstance(data, FileProblem):
            return False
        return any(name in data for name in names) or (
            pattern and _COMPUTED_KERNEL_FILE_NAME.search(data) is not None
        )

    def _update_option_macros(self, making: Sequence[ScannedFile]) -> None:
        macros: dict[str, HostMacro] = {}
        for file in making:
            data = self.files.read(file.path, self._permission)
            text = "" if isinstance(data, FileProblem) else data.decode("utf-8", "replace")
            macros.update(_option_macros(tokenise_host_text(file.kind, text)))
        if macros != self._macros:
            self._macros = macros
            self._analyses = FileDataCache(lambda file, data: analyse_host_file(file, data, macros))


def _wrapper_functions(file: HostFile | None) -> Iterator[str]:
    """Yields the functions that pass parameters on to a function whose name suggests a build."""
    for found in () if file is None else file.calls:
        given = any(piece.parameter >= 0 for argument in found.call.arguments for piece in argument)
        if given and found.function and _BUILD_RELATED_NAME.search(found.call.name) is not None:
            yield found.function


_BUILD_RELATED_NAME: Final = re.compile(r"[Bb]uild|[Cc]ompil|[Kk]ernel|[Pp]rogram")


def _option_macros(text: TokenisedHostText) -> Iterator[tuple[str, HostMacro]]:
    for macro in text.macros:
        if macro.parameters is not None and any("-D" in token.text for token in macro.body):
            yield macro.name, macro
