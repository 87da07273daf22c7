"""Selects the host files that concern kernels by a quick text search, and analyses only those."""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.workspace.files import FileProblem, FileSystem
from openclsp.workspace.host_options.build_calls import uses_interface
from openclsp.workspace.host_options.host_code import HostFile, read_host_file
from openclsp.workspace.host_options.kernel_names import defined_kernels, stem_of
from openclsp.workspace.host_options.lexing import HostText, Macro, read_host
from openclsp.workspace.read_permission import NOTHING, ReadPermission
from openclsp.workspace.scan import HOSTS, Extracted, Kind, Scan, ScannedFile

MAXIMUM_READ: Final = 24 * 1024 * 1024
"""Maximum bytes of host code that is analysed."""
MAXIMUM_WRAPPING: Final = 12
"""Maximum number of files added per step as callers of wrappers; if there are more, none is added."""

_OPTION: Final = re.compile(rb"-(?:D ?[A-Za-z_%{]|cl-[a-z]|I ?[\w./%$])")
_QUOTE: Final = re.compile(rb"[\"'`]")
_GIVEN: Final = re.compile(rb"-D?([A-Za-z_]\w*)")
_DIRECTIVE: Final = re.compile(rb"\#[ \t]*define\b")
_WRITTEN: Final = re.compile(rb"""["`][^"`\n]{0,80}\#[ \t]*define[ \t]+([A-Za-z_]\w*)""")
"""A directive in a text that the host prepends to a program.

It is searched only if a quote precedes a directive in its line: trying each quote of 40 MB of host code takes 0.3 s.
"""
_KEY: Final = re.compile(rb"""["']([A-Z_][A-Z0-9_]{2,})["']""")
"""A string that is a macro-like name: hosts name a macro before they prefix it with `-D`."""
_ENTRY: Final = re.compile(rb"""\[["'`]([A-Za-z_]\w*)["'`]\][ \t]*=(?!=)""")
"""A key that is assigned in a table, from which hosts fill in templates."""
_HEADER: Final = re.compile(rb"""["'`]([\w./+-]{1,120}\.(?:clh?|h|hh|hpp|inc|inl|def|ocl|opencl))["'`]""")
"""A string that is the name of a header alone."""
_NAMES: Final = (b".cl", b".ocl", b"_cl_", b"_oclsrc", b"opencl", b"OpenCL", b"OPENCL")
_INTERFACE_HEADERS: Final = frozenset(
    ("cl.hpp", "cl2.hpp", "opencl.hpp", "cl.h", "opencl.h", "cl_ext.h", "clew.h", "clew.c", "clew.cpp")
)
"""Headers of OpenCL itself and similar libraries, which host code includes"""
_PATTERN: Final = re.compile(rb"[%}*$][\w.-]*\.(?:cl|ocl|opencl)\b")
"""Matches the name of a kernel file that the host computes"""
_MAKING: Final = re.compile(
    r"(?<!\\\n)^[ \t]*#[ \t]*define[ \t]+\w+\((?:[^)\n\\]|\\\n)*\)(?:[^\n\\]|\\\n)*\"[^\"\n]*-D", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Glance:
    """The result of the quick text search of a host file.

    `builds`: it uses an API that builds programs. `options`: it contains text that looks like options, and a
    reference to OpenCL. `makes`: it defines macros that produce options. `names` are the macros that it may
    define for a compiler, and the names that it may replace in texts, including those in constructs that the
    analysis does not support. `headers` are the names of headers in its strings.
    """

    builds: bool
    options: bool
    makes: bool
    names: frozenset[str] = frozenset()
    headers: frozenset[str] = frozenset()


def glance(file: ScannedFile, data: bytes) -> Glance:
    """Searches the text of a host file."""
    builds = uses_interface(data)
    options = any(sign in data for sign in _SIGNS) and _has_option_in_text(data)
    makes = file.kind in (Kind.HEADER, Kind.CPP) and b"-D" in data and _makes(data)
    return Glance(builds, options and _is_of_opencl(data), makes, _names(data), _headers(data))


def _has_option_in_text(data: bytes) -> bool:
    """Whether some line has what looks like an option, and a quote behind it."""
    found = _OPTION.search(data)
    while found is not None:
        end = data.find(b"\n", found.end())
        end = len(data) if end < 0 else end
        if _QUOTE.search(data, found.end(), end) is not None:
            return True
        found = _OPTION.search(data, end)
    return False


def _names(data: bytes) -> frozenset[str]:
    found = set(_KEY.findall(data))
    if any(sign in data for sign in (b'["', b"['", b"[`")):
        found.update(_ENTRY.findall(data))
    if b"-D" in data or b"#define" in data:
        found.update(_GIVEN.findall(data))
        if _has_written_directive(data):
            found.update(_WRITTEN.findall(data))
    return frozenset(name.decode() for name in found)


def _headers(data: bytes) -> frozenset[str]:
    """The headers that strings name, but for those that the host itself includes."""
    found = set()
    for match in _HEADER.finditer(data):
        line = data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()]
        if not line.lstrip().startswith((b"#", b"import ")):
            name = match[1].decode()
            found |= {name, os.path.basename(name)}
    return frozenset(found)


def _has_written_directive(data: bytes) -> bool:
    for match in _DIRECTIVE.finditer(data):
        line = data.rfind(b"\n", 0, match.start()) + 1
        before = data[line : match.start()]
        if b'"' in before or b"`" in before:
            return True
    return False


_SIGNS: Final = (b'"-D', b" -D", b"'-D", b"-cl-", b" -I", b'"-I', b"'-I")


def _is_of_opencl(data: bytes) -> bool:
    return any(name in data for name in _NAMES)


def _makes(data: bytes) -> bool:
    return b"define" in data and _MAKING.search(data.decode("utf-8", "replace")) is not None


@dataclass(slots=True)
class HostFiles:
    """Search results and analyses of host files, cached across scans. Not thread-safe."""

    files: FileSystem
    _glances: Extracted[Glance] = field(default_factory=lambda: Extracted(glance))
    _read: Extracted[HostFile] = field(default_factory=lambda: Extracted(read_host_file))
    _macros: dict[str, Macro] = field(default_factory=dict)
    _permission: ReadPermission = NOTHING
    """The permission of the current scan"""

    def of(self, scan: Scan, kernel: str | None, check: Callable[[], None]) -> list[HostFile]:
        """Analyses the host files of a project that may concern the one `kernel`, or all of them.

        The result has the order of the scan. `check` is called between files and may raise to cancel.
        """
        self._permission = scan.permission
        candidates: list[ScannedFile] = []
        others: list[ScannedFile] = []
        size = 0
        for file in scan.of(*HOSTS):
            check()
            if os.path.basename(file.path).lower() in _INTERFACE_HEADERS:
                continue
            seen = self._glances.of(file, self._permission, self.files)
            if isinstance(seen, FileProblem) or not (seen.builds or seen.options or seen.makes):
                others.append(file)
                continue
            size += file.size
            if size > MAXIMUM_READ:
                break
            candidates.append(file)
        self._take_macros([file for file in candidates if self._glance(file).makes])
        names = frozenset(name.encode() for name in self._macros)
        candidates += [file for file in others if names and self._has(file, names, pattern=False)]
        chosen = candidates if kernel is None else self._about(candidates, kernel, check)
        read = (self._closely(file, check) for file in candidates if file in chosen)
        return [file for file in read if file is not None]

    def names(self, scan: Scan, check: Callable[[], None]) -> frozenset[str]:
        """Returns macros that host files may define, names that they may replace in texts, and headers that they name."""
        found: set[str] = set()
        for file in scan.of(*HOSTS):
            check()
            seen = self._glance(file)
            found |= seen.names | seen.headers
        return frozenset(found)

    def _glance(self, file: ScannedFile) -> Glance:
        seen = self._glances.of(file, self._permission, self.files)
        return Glance(False, False, False) if isinstance(seen, FileProblem) else seen

    def _closely(self, file: ScannedFile, check: Callable[[], None]) -> HostFile | None:
        check()
        read = self._read.of(file, self._permission, self.files)
        return None if isinstance(read, FileProblem) else read

    def _about(
        self, candidates: Sequence[ScannedFile], kernel: str, check: Callable[[], None]
    ) -> frozenset[ScannedFile]:
        """Returns the files that build programs, those that name the kernel, and the wrappers in between."""
        data = self.files.read(kernel, self._permission)
        names = frozenset() if isinstance(data, FileProblem) else defined_kernels(data)
        asked_for = (quote + name + quote for name in names for quote in "\"'")
        signs = frozenset(
            sign.encode("utf-8", "surrogateescape")
            for sign in (stem_of(os.path.basename(kernel)), *asked_for)
        )
        chosen = {file for file in candidates if self._glance(file).builds or self._glance(file).makes}
        chosen |= {file for file in candidates if file not in chosen and self._has(file, signs)}
        fresh = set(chosen)
        for _ in range(3):
            wrapping = frozenset(
                name.encode() for file in fresh for name in _forwarding(self._closely(file, check))
            )
            fresh = {
                file
                for file in candidates
                if wrapping and file not in chosen and self._has(file, wrapping, pattern=False)
            }
            if not fresh or len(fresh) > MAXIMUM_WRAPPING:
                break
            chosen |= fresh
        return frozenset(chosen)

    def _has(self, file: ScannedFile, names: frozenset[bytes], pattern: bool = True) -> bool:
        data = self.files.read(file.path, self._permission)
        if isinstance(data, FileProblem):
            return False
        return any(name in data for name in names) or (pattern and _PATTERN.search(data) is not None)

    def _take_macros(self, making: Sequence[ScannedFile]) -> None:
        macros: dict[str, Macro] = {}
        for file in making:
            data = self.files.read(file.path, self._permission)
            text = "" if isinstance(data, FileProblem) else data.decode("utf-8", "replace")
            macros.update(_making(read_host(file.kind, text)))
        if macros != self._macros:
            self._macros = macros
            self._read = Extracted(lambda file, data: read_host_file(file, data, macros))


def _forwarding(file: HostFile | None) -> Iterator[str]:
    """Yields the functions of a file that pass their parameters on to a function that builds."""
    for found in () if file is None else file.calls:
        given = any(piece.parameter >= 0 for argument in found.call.arguments for piece in argument)
        if given and found.function and _OF_BUILDS.search(found.call.name) is not None:
            yield found.function


_OF_BUILDS: Final = re.compile(r"[Bb]uild|[Cc]ompil|[Kk]ernel|[Pp]rogram")


def _making(text: HostText) -> Iterator[tuple[str, Macro]]:
    for macro in text.macros:
        if macro.parameters is not None and any("-D" in token.text for token in macro.body):
            yield macro.name, macro
