"""The host files of a project that have to do with kernels: chosen by a quick look, then read closely."""

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
"""Bytes of host code that is read closely."""
MAXIMUM_WRAPPING: Final = 12
"""Files that call a function around a call that builds, up to which all of them may be such functions' files too."""

_OPTIONS: Final = re.compile(rb"""-(?:D ?[A-Za-z_%{]|cl-[a-z]|I ?[\w./%$])[^\n]*["'`]""")
_GIVEN: Final = re.compile(rb"-D?([A-Za-z_]\w*)")
_DIRECTIVE: Final = re.compile(rb"\#[ \t]*define\b")
_WRITTEN: Final = re.compile(rb"""["`][^"`\n]{0,80}\#[ \t]*define[ \t]+([A-Za-z_]\w*)""")
"""A directive in a text that the host puts before a program. It is searched for only where a quote precedes a directive in its
line: to try each quote of 40 MB of host code takes 0.3 s."""
_KEY: Final = re.compile(rb"""["']([A-Z_][A-Z0-9_]{2,})["']""")
"""A string that is a name alone, as macros are named: hosts name a macro before they put `-D` in front of it."""
_ENTRY: Final = re.compile(rb"""\[["'`]([A-Za-z_]\w*)["'`]\][ \t]*=(?!=)""")
"""A string that is set in a table, by which hosts fill texts in"""
_NAMES: Final = (b".cl", b".ocl", b"_cl_", b"_oclsrc", b"opencl", b"OpenCL", b"OPENCL")
_INTERFACE_HEADERS: Final = frozenset(
    ("cl.hpp", "cl2.hpp", "opencl.hpp", "cl.h", "opencl.h", "cl_ext.h", "clew.h", "clew.c", "clew.cpp")
)
"""OpenCL's own headers and their like, which host code includes"""
_PATTERN: Final = re.compile(rb"[%}*$][\w.-]*\.(?:cl|ocl|opencl)\b")
"""The name of a kernel's file that the host puts together"""
_MAKING: Final = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+\w+\([^)]*\)(?:[^\n\\]|\\\n)*\"[^\"\n]*-D", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Glance:
    """What a quick look at a host shows. `builds`: it calls an interface that builds; `options`: it has text that looks
    like options, and something that has to do with OpenCL; `makes`: it defines macros that make options. `names` are the
    macros that its text gives to some compiler, and the names that it may replace, be it in a way that is not understood."""

    builds: bool
    options: bool
    makes: bool
    names: frozenset[str] = frozenset()


def glance(file: ScannedFile, data: bytes) -> Glance:
    """A quick look at a host file."""
    builds = uses_interface(data)
    options = any(sign in data for sign in _SIGNS) and _OPTIONS.search(data) is not None
    makes = file.kind in (Kind.HEADER, Kind.CPP) and b"-D" in data and _makes(data)
    return Glance(builds, options and _is_of_opencl(data), makes, _names(data))


def _names(data: bytes) -> frozenset[str]:
    found = set(_KEY.findall(data))
    if any(sign in data for sign in (b'["', b"['", b"[`")):
        found.update(_ENTRY.findall(data))
    if b"-D" in data or b"#define" in data:
        found.update(_GIVEN.findall(data))
        if _has_written_directive(data):
            found.update(_WRITTEN.findall(data))
    return frozenset(name.decode() for name in found)


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
    """What was read off host files, kept from one scan to the next. Not for several threads."""

    files: FileSystem
    _glances: Extracted[Glance] = field(default_factory=lambda: Extracted(glance))
    _read: Extracted[HostFile] = field(default_factory=lambda: Extracted(read_host_file))
    _macros: dict[str, Macro] = field(default_factory=dict)
    _permission: ReadPermission = NOTHING
    """That of the scan which is looked at"""

    def of(self, scan: Scan, kernel: str | None, check: Callable[[], None]) -> list[HostFile]:
        """The host files of a project in their order, those that can be about one `kernel`; `check` may raise."""
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
        """The macros that host files give to compilers, those in text that they put before programs, and the names that they seem
        to replace in texts."""
        found: set[str] = set()
        for file in scan.of(*HOSTS):
            check()
            found |= self._glance(file).names
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
        """The files that build programs themselves, those that speak of the kernel, and those between the two."""
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
    """The functions of a file that hand on what they are given to one that builds."""
    for found in () if file is None else file.calls:
        given = any(piece.parameter >= 0 for argument in found.call.arguments for piece in argument)
        if given and found.function and _OF_BUILDS.search(found.call.name) is not None:
            yield found.function


_OF_BUILDS: Final = re.compile(r"[Bb]uild|[Cc]ompil|[Kk]ernel|[Pp]rogram")


def _making(text: HostText) -> Iterator[tuple[str, Macro]]:
    for macro in text.macros:
        if macro.parameters is not None and any("-D" in token.text for token in macro.body):
            yield macro.name, macro
