"""Include graph of a project, and the programs through which a header or fragment is best analysed.

Directives are extracted without preprocessing. A directive in an inactive branch counts like any other. If a
macro supplies the name, the literal tail (`M2S(INCLUDE_PATH/types.h)`) matches every file of that name. The
result is therefore a list of candidates; preprocessing the candidate decides whether it reaches the file.

Host code may concatenate fragments that are raw string literals by including them one after the other:
`{#include "common.opencl"` newline `#include "scale.opencl"}`.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable, Container, Iterator
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.source import lexer
from openclsp.source.code import code_of
from openclsp.source.document import Document, DocumentName
from openclsp.source.raw_strings import MARK as RAW_STRING_MARK
from openclsp.source.stringified import begins_stringified
from openclsp.source.text import Text
from openclsp.workspace.declared_names import declared_names
from openclsp.workspace.discovery import is_opencl_file
from openclsp.workspace.files import LOCAL_FILES, Documents, FileProblem, FileSystem
from openclsp.workspace.outside import MAXIMUM_READ, Outside, by_declaring_file, declared_symbols
from openclsp.workspace.read_permission import NOTHING, ReadPermission
from openclsp.workspace.scan import Extracted, Kind, Scan, ScannedFile

MAXIMUM_CANDIDATES: Final = 8
"""Maximum number of candidate programs for one file."""
MAXIMUM_REACHED: Final = 300
"""Maximum number of transitively included files that are searched for names."""
MAXIMUM_STEPS: Final = 2_000
"""Maximum number of files visited on the way from a header up to the programs."""

_INCLUDE: Final = re.compile(
    rb"""\#[ \t]*(?:include|include_next|import)[ \t]*(?:"([^"\r\n]+)"|<([^>\r\n]+)>|([A-Za-z_][^\r\n]*))"""
)
_LINE_START: Final = re.compile(rb"(?:^|[\r\n])[ \t]*\Z")
_LITERAL_TAIL: Final = re.compile(rb"(?:[\w.+-]+/)*[\w+-][\w.+-]*\.[A-Za-z]\w*")
_KERNEL: Final = re.compile(rb"(?:__)?kernel\s+(?:void|__attribute__)\b")
_MAXIMUM_INDENT: Final = 100
_BETWEEN_PARTS: Final = re.compile(rb"(?:[\s,]|//[^\r\n]*|/\*[\s\S]{0,1000}?\*/|\"\")*")


@dataclass(frozen=True, slots=True)
class _Named:
    """The path in a directive: complete, or (`made`) the literal tail of one that a macro supplies."""

    path: str
    made: bool


@dataclass(frozen=True, slots=True)
class _Program:
    """Whether a file has a kernel, and the names that it declares before its last include."""

    has_kernel: bool
    declares: frozenset[bytes]


@dataclass(frozen=True, slots=True)
class Includer:
    """A program through which a file can be analysed.

    `path` is its absolute path, `steps` the number of includes between the two. If it is a host file, `parts`
    holds the files that the host concatenates.
    """

    path: str
    steps: int
    parts: tuple[str, ...] = ()

    def document(self, documents: Documents, permission: ReadPermission) -> Document | FileProblem:
        """Returns the program; for `parts`, a synthetic document that includes them in order."""
        if not self.parts:
            return documents.read(self.path, permission)
        lines = "".join(f'#include "{part}"\n' for part in self.parts)
        return Document.of(self.path, os.fsencode(lines))


@dataclass(slots=True)
class Includers:
    """The include graph of one project. Extracted data is cached by file size and time. Not thread-safe."""

    files: FileSystem = LOCAL_FILES
    _includes: Extracted[tuple[_Named, ...]] = field(default_factory=lambda: Extracted(_included))
    _programs: Extracted[_Program] = field(default_factory=lambda: Extracted(_program))
    _declares: Extracted[frozenset[bytes]] = field(
        default_factory=lambda: Extracted(lambda file, data: declared_names(data))
    )
    _joining: Extracted[tuple[tuple[str, ...], ...]] = field(default_factory=lambda: Extracted(_joined))
    _symbols: Extracted[frozenset[str]] = field(default_factory=lambda: Extracted(_symbols_in))
    _declaring: dict[str, str] | None = None
    """The declaring file of each name, computed on first use; see `Outside`"""
    _scan: Scan | None = None
    _known: dict[str, ScannedFile] = field(default_factory=dict)
    _up: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _down: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _missing: dict[str, list[tuple[str, _Named]]] = field(default_factory=dict)
    """Includes that match no file of the project, by base name.

    An open document without a file may still match them.
    """

    @property
    def permission(self) -> ReadPermission:
        """Returns the permission to read the project's files."""
        return NOTHING if self._scan is None else self._scan.permission

    def update(self, scan: Scan) -> None:
        """Rebuilds the graph from a scan of the project; does nothing if the scan is the current one."""
        if scan is self._scan:
            return
        self._scan = scan
        wanted = {file.path: file for file in scan.of(Kind.KERNEL, Kind.OPENCL_HEADER, Kind.HEADER)}
        by_name: dict[str, list[str]] = {}
        for path in wanted:
            by_name.setdefault(os.path.basename(path), []).append(path)
        known: dict[str, ScannedFile] = {}
        up: dict[str, set[str]] = {}
        down: dict[str, dict[str, None]] = {}
        missing: dict[str, list[tuple[str, _Named]]] = {}
        # Most headers belong to the host: only headers that a kernel includes, directly or not, are read.
        waiting = [path for path, file in wanted.items() if file.kind is not Kind.HEADER]
        while waiting:
            path = waiting.pop()
            read = self._includes.of(wanted[path], scan.permission, self.files) if path not in known else ()
            if path in known or isinstance(read, FileProblem):
                continue
            known[path] = wanted[path]
            for named in read:
                targets = tuple(_targets(path, named, wanted, by_name))
                if not targets:
                    missing.setdefault(named.path.rpartition("/")[2], []).append((path, named))
                for target in targets:
                    if target != path:
                        up.setdefault(target, set()).add(path)
                        down.setdefault(path, {})[target] = None
                        waiting.append(target)
        self._includes.keep_only(frozenset(known))
        self._programs.keep_only(frozenset(known))
        self._symbols.keep_only(frozenset(known))
        self._declaring = None
        self._declares.keep_only(frozenset(known))
        self._known = known
        self._down = {path: tuple(targets) for path, targets in down.items()}
        self._missing = missing
        self._up = {target: tuple(sorted(paths)) for target, paths in up.items()}

    def of(self, path: DocumentName, text: bytes) -> tuple[Includer, ...]:
        """Returns the programs that may include the file, the best one first.

        `text` is the text of the file at `path`. The result is empty if the file is a program itself. A
        header never is. A kernel file is one if it has a kernel, unless an includer declares a name (macro,
        type or function) that the file uses and that neither the file nor its includes declare.
        """
        literal = RAW_STRING_MARK in text or begins_stringified(text)
        if literal and code_of(Text.of(text)).raw:
            return tuple(self._joined_with(path))[:MAXIMUM_CANDIDATES]
        if not self.direct(path):
            return ()
        found = self._candidates(path)
        file = self._known.get(path)
        if file is not None and file.kind is Kind.KERNEL and _has_kernel(text):
            own = self._reached(path)
            lacking = frozenset(lexer.words(text)) - declared_names(text) - self._declared(own - {path})
            found = [each for each in found if not lacking.isdisjoint(self._brought(each.path, own))]
        return tuple(sorted(found, key=lambda each: _rank(each, path))[:MAXIMUM_CANDIDATES])

    def direct(self, path: DocumentName) -> tuple[str, ...]:
        """Returns the files with a directive that may mean the file at `path`, sorted."""
        found = self._up.get(path)
        if found is not None:
            return found
        name = os.path.basename(path)
        naming = self._missing.get(name, ())
        return tuple(
            sorted({above for above, named in naming if any(_targets(above, named, (path,), {name: [path]}))})
        )

    def outside(self, path: DocumentName) -> Outside:
        """Returns the declarations in other files that concern the file at `path`."""
        return Outside(path, bool(self.direct(path)), self.declarations)

    def declarations(self, check: Callable[[], None] = lambda: None) -> dict[str, str] | None:
        """Maps each declared name to its file, see `Outside`; None if the files exceed MAXIMUM_READ bytes.

        `check` is called between files and may raise to cancel.
        """
        if self._declaring is None and sum(file.size for file in self._known.values()) <= MAXIMUM_READ:
            declared = []
            for each, file in self._known.items():
                check()
                names = self._symbols.of(file, self.permission, self.files)
                if not isinstance(names, FileProblem):
                    declared.append((each, names))
            self._declaring = by_declaring_file(declared)
        return self._declaring

    def programs(self, path: DocumentName) -> tuple[str, ...]:
        """Returns all programs that may include the file, sorted; includes the file itself if it has a
        kernel.
        """
        found = {each.path for each in self._candidates(path)}
        if path in self._known and self._known[path].kind is Kind.KERNEL and self._program(path).has_kernel:
            found.add(path)
        return tuple(sorted(found))

    def declaring(self, function: str, besides: Container[str]) -> str:
        """Returns the first file, except `besides`, that declares the function without defining it; else
        empty.
        """
        for path in sorted(self._known):
            data = b"" if path in besides else self.files.read(path, self.permission)
            if isinstance(data, FileProblem) or function.encode() not in data:
                continue
            if function in declared_symbols(data):
                return path
        return ""

    def _candidates(self, path: str) -> list[Includer]:
        """Searches upwards, breadth first, for kernel files that are not included or contain a kernel."""
        found: list[Includer] = []
        seen = {path}
        level = [path]
        steps = 0
        while level and len(seen) < MAXIMUM_STEPS:
            steps += 1
            above = sorted({each for name in level for each in self.direct(name)} - seen)
            seen.update(above)
            for each in above:
                is_kernel = self._known[each].kind is Kind.KERNEL
                if is_kernel and (not self._up.get(each) or self._program(each).has_kernel):
                    found.append(Includer(each, steps))
            level = above
        return found

    def _reached(self, path: str) -> frozenset[str]:
        """Returns the file and all files that it may include, directly or not."""
        seen = {path}
        waiting = [path]
        while waiting and len(seen) < MAXIMUM_REACHED:
            new = [each for each in self._down.get(waiting.pop(), ()) if each not in seen]
            seen.update(new)
            waiting += new
        return frozenset(seen)

    def _brought(self, includer: str, own: frozenset[str]) -> frozenset[bytes]:
        """Returns the names that a program declares before its last include.

        They include the names in the program's headers, except headers in `own`.
        """
        headers = self._reached(includer) - own - {includer}
        return self._program(includer).declares | self._declared(headers)

    def _declared(self, paths: frozenset[str]) -> frozenset[bytes]:
        read = (
            self._declares.of(self._known[path], self.permission, self.files)
            for path in paths
            if path in self._known
        )
        return frozenset().union(*(each for each in read if not isinstance(each, FileProblem)))

    def _joined_with(self, path: str) -> Iterator[Includer]:
        """Yields the hosts that concatenate the file with others: the longest concatenation first, then by
        path.

        The longest concatenation declares the most names.
        """
        found: list[Includer] = []
        for host in () if self._scan is None else self._scan.of(Kind.C, Kind.CPP, Kind.HEADER):
            read = self._joining.of(host, self.permission, self.files)
            for names in () if isinstance(read, FileProblem) else read:
                parts = tuple(self._part(host.path, name) for name in names)
                if path in parts and all(parts):
                    found.append(Includer(host.path, 1, parts))
        yield from sorted(found, key=lambda each: (-len(each.parts), each.path))

    def _part(self, host: str, name: str) -> str:
        """Resolves a host's directive to a kernel file.

        The name is relative to the host's folder, or else the tail of a kernel file's path.
        """
        beside = os.path.normpath(os.path.join(os.path.dirname(host), name))
        if beside in self._known:
            return beside
        tail = os.sep + os.path.join(*(part for part in name.split("/") if part not in (".", "..", "")))
        return next((path for path in sorted(self._known) if path.endswith(tail)), "")

    def _program(self, path: str) -> _Program:
        read = self._programs.of(self._known[path], self.permission, self.files)
        return _Program(False, frozenset()) if isinstance(read, FileProblem) else read


def _rank(includer: Includer, path: str) -> tuple[object, ...]:
    """Sort key: a program of the same name first, then the nearest by folder, then by include count."""
    stem = _stem(path)
    folder, other = os.path.dirname(path), os.path.dirname(includer.path)
    apart = len(os.path.relpath(other, folder).split(os.sep)) if other != folder else 0
    return _stem(includer.path) != stem, apart, includer.steps, includer.path


def _stem(path: str) -> str:
    return os.path.basename(path).partition(".")[0]


def _targets(path: str, named: _Named, known: Container[str], by_name: dict[str, list[str]]) -> Iterator[str]:
    """Yields the files that a directive may mean.

    If a file matches relative to the includer's folder, it is the only one; else all files with the same path
    tail are.
    """
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


def _included(file: ScannedFile, data: bytes) -> tuple[_Named, ...]:
    found: dict[_Named, None] = {}
    for match in _directives(_INCLUDE, data):
        written = match[1] or match[2]
        if written is not None:
            found[_Named(os.fsdecode(written).replace("\\", "/"), made=False)] = None
        else:
            for tail in _LITERAL_TAIL.findall(match[3]):
                found[_Named(os.fsdecode(tail).rpartition("/")[2], made=True)] = None
    return tuple(found)


def _joined(file: ScannedFile, data: bytes) -> tuple[tuple[str, ...], ...]:
    """Returns the sequences of kernel files that a host includes one after the other.

    Only white space, commas, comments and empty literals may separate the directives of one sequence.
    """
    runs: list[list[str]] = []
    end = -1
    for match in _directives(_INCLUDE, data):
        name = os.fsdecode(match[1] or b"")
        if not is_opencl_file(name):
            continue
        if end >= 0 and _BETWEEN_PARTS.fullmatch(data, end, match.start()) is not None:
            runs[-1].append(name)
        else:
            runs.append([name])
        end = match.end()
    return tuple(tuple(run) for run in runs)


def _program(file: ScannedFile, data: bytes) -> _Program:
    last = max((match.start() for match in _directives(_INCLUDE, data)), default=0)
    return _Program(_has_kernel(data), declared_names(data[:last]))


def _symbols_in(file: ScannedFile, data: bytes) -> frozenset[str]:
    return declared_symbols(data)


def _directives(pattern: re.Pattern[bytes], data: bytes) -> Iterator[re.Match[bytes]]:
    """Yields the matches at the beginning of a line."""
    for match in pattern.finditer(data):
        start = match.start()
        if _LINE_START.search(data, max(start - _MAXIMUM_INDENT, 0), start) is not None:
            yield match


def _has_kernel(data: bytes) -> bool:
    """Whether a kernel is declared outside comments."""
    for match in _KERNEL.finditer(data):
        line = data.rfind(b"\n", 0, match.start()) + 1
        in_block = data.rfind(b"/*", 0, match.start()) > data.rfind(b"*/", 0, match.start())
        if not in_block and b"//" not in data[line : match.start()]:
            return True
    return False
