"""Who includes whom in a project, read off the files' directives without preprocessing them; and through which kernel a
header or a fragment is best looked at.

A directive in a branch that nobody takes counts like any other, and where its name is made by a macro, the literal tail
of it (`M2S(INCLUDE_PATH/types.h)`) leads to every file that is called so. So this proposes; whether a kernel really reaches
the file, its analysis tells.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Final

from openclsp.source.document import DocumentName
from openclsp.source.lexer import WORD
from openclsp.workspace.discovery import KERNEL_SUFFIXES
from openclsp.workspace.files import LOCAL_FILES, FileProblem, FileSystem
from openclsp.workspace.scan import Extracted, Kind, Scan, ScannedFile

MAXIMUM_CANDIDATES: Final = 8
"""Kernels that are proposed for one file."""
MAXIMUM_STEPS: Final = 2_000
"""Files that are looked at on the way from a header up to the kernels."""

_DIRECTIVE: Final = re.compile(
    rb"""(?:\#|%:)[ \t]*(?:
        (?:include|include_next|import)[ \t]*(?:"(?P<quoted>[^"\r\n]+)"|<(?P<angled>[^>\r\n]+)>|(?P<made>[A-Za-z_][^\r\n]*))
        |define[ \t]+(?P<defined>[A-Za-z_]\w*)
    )""",
    re.VERBOSE,
)
_LINE_START: Final = re.compile(rb"(?:^|[\r\n])[ \t]*\Z")
_LITERAL_TAIL: Final = re.compile(rb"(?:[\w.+-]+/)*[\w+-][\w.+-]*\.[A-Za-z]\w*")
_KERNEL: Final = re.compile(rb"(?:__)?kernel\s+(?:void|__attribute__)\b")
_MAXIMUM_INDENT: Final = 100
_MAXIMUM_NAMES: Final = 500
"""Macros of one file, before its last include, that are kept."""


@dataclass(frozen=True, slots=True)
class _Named:
    """What a directive names: a path as it is written, or the tail of one that a macro makes."""

    path: str
    made: bool


@dataclass(frozen=True, slots=True)
class _Directives:
    """What is read off a file: what it includes, the macros that it defines before its last include, and whether it has
    a kernel."""

    includes: tuple[_Named, ...]
    defines: frozenset[bytes]
    has_kernel: bool


@dataclass(frozen=True, slots=True)
class Includer:
    """A kernel through which a file can be looked at; `path` is its absolute path, `steps` the includes on the way."""

    path: str
    steps: int


@dataclass(slots=True)
class Includers:
    """The includes of one project's files; what was read off a file is kept while its size and time stay. Not for several
    threads."""

    files: FileSystem = LOCAL_FILES
    _extracted: Extracted[_Directives] = field(default_factory=lambda: Extracted(_directives))
    _scan: Scan | None = None
    _known: dict[str, _Directives] = field(default_factory=dict)
    _up: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _kernels: frozenset[str] = frozenset()

    def update(self, scan: Scan) -> None:
        """Take the state of the project's files; the same scan costs nothing."""
        if scan is self._scan:
            return
        self._scan = scan
        wanted = {file.path: file for file in scan.of(Kind.KERNEL, Kind.OPENCL_HEADER, Kind.HEADER)}
        self._kernels = frozenset(file.path for file in wanted.values() if file.kind is Kind.KERNEL)
        by_name: dict[str, list[str]] = {}
        for path in wanted:
            by_name.setdefault(os.path.basename(path), []).append(path)
        known: dict[str, _Directives] = {}
        up: dict[str, set[str]] = {}
        # of the headers, most belong to the host: only those are read that a kernel leads to
        waiting = [path for path, file in wanted.items() if file.kind is not Kind.HEADER]
        while waiting:
            path = waiting.pop()
            read = self._extracted.of(wanted[path], self.files) if path not in known else None
            if read is None or isinstance(read, FileProblem):
                continue
            known[path] = read
            for named in read.includes:
                for target in _targets(path, named, wanted, by_name):
                    if target != path:
                        up.setdefault(target, set()).add(path)
                        waiting.append(target)
        self._extracted.keep_only(frozenset(known))
        self._known = known
        self._up = {target: tuple(sorted(paths)) for target, paths in up.items()}

    def of(self, path: DocumentName, text: bytes) -> tuple[Includer, ...]:
        """The kernels that may include the file at `path`, whose text is `text`, the best one first; none where the file
        is a program of its own.

        A header is none. A kernel's file is one if it has a kernel, unless whoever includes it defines a macro before
        that it reads.
        """
        if not self._up.get(path):
            return ()
        found = self._candidates(path)
        if path.lower().endswith(KERNEL_SUFFIXES) and _has_kernel(text):
            words = frozenset(WORD.findall(text)) - _directives_of(text).defines
            found = [each for each in found if not words.isdisjoint(self._known[each.path].defines)]
        return tuple(sorted(found, key=lambda each: _rank(each, path))[:MAXIMUM_CANDIDATES])

    def direct(self, path: DocumentName) -> tuple[str, ...]:
        """The files with a directive that may lead to the file at `path`, sorted."""
        return self._up.get(path, ())

    def _candidates(self, path: str) -> list[Includer]:
        """The kernels upwards of a file: those that nobody includes in turn, or that hold a kernel."""
        found: list[Includer] = []
        seen = {path}
        level = [path]
        steps = 0
        while level and len(seen) < MAXIMUM_STEPS:
            steps += 1
            above = sorted({each for name in level for each in self._up.get(name, ())} - seen)
            seen.update(above)
            for each in above:
                if each in self._kernels and (self._known[each].has_kernel or not self._up.get(each)):
                    found.append(Includer(each, steps))
            level = above
        return found


def _rank(includer: Includer, path: str) -> tuple[object, ...]:
    """A kernel of the same name comes first, then the nearest one by folders and by includes."""
    stem = _stem(path)
    folder, other = os.path.dirname(path), os.path.dirname(includer.path)
    apart = len(os.path.relpath(other, folder).split(os.sep)) if other != folder else 0
    return _stem(includer.path) != stem, apart, includer.steps, includer.path


def _stem(path: str) -> str:
    return os.path.basename(path).partition(".")[0]


def _targets(path: str, named: _Named, known: Container[str], by_name: dict[str, list[str]]) -> Iterator[str]:
    """The files that a directive may mean: the one beside its file, else all whose path ends so."""
    if not named.made:
        beside = os.path.normpath(os.path.join(os.path.dirname(path), named.path))
        if beside in known:
            yield beside
            return
    parts = [part for part in named.path.split("/") if part not in (".", "..", "")]
    if parts:
        tail = os.sep + os.path.join(*parts)
        for candidate in by_name.get(parts[-1], ()):
            if candidate.endswith(tail):
                yield candidate


def _directives(file: ScannedFile, data: bytes) -> _Directives:
    return _directives_of(data)


def _directives_of(data: bytes) -> _Directives:
    includes: dict[_Named, None] = {}
    defines: list[bytes] = []
    before = 0
    for match in _DIRECTIVE.finditer(data):
        if _LINE_START.search(data, max(match.start() - _MAXIMUM_INDENT, 0), match.start()) is None:
            continue
        defined = match["defined"]
        if defined is not None:
            if len(defines) < _MAXIMUM_NAMES:
                defines.append(defined)
            continue
        for named in _named(match):
            includes[named] = None
            before = len(defines)
    return _Directives(tuple(includes), frozenset(defines[:before]), _has_kernel(data))


def _named(match: re.Match[bytes]) -> Iterator[_Named]:
    written = match["quoted"] or match["angled"]
    if written is not None:
        yield _Named(os.fsdecode(written).replace("\\", "/"), made=False)
        return
    for tail in _LITERAL_TAIL.findall(match["made"]):
        yield _Named(os.fsdecode(tail).rpartition("/")[2], made=True)


def _has_kernel(data: bytes) -> bool:
    """Whether a kernel is declared, outside of comments."""
    for match in _KERNEL.finditer(data):
        line = data.rfind(b"\n", 0, match.start()) + 1
        in_block = data.rfind(b"/*", 0, match.start()) > data.rfind(b"*/", 0, match.start())
        if not in_block and b"//" not in data[line : match.start()]:
            return True
    return False
