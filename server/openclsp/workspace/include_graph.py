"""Include graph of a project; finds the programs through which a header or fragment is best analysed.

Directives are extracted without preprocessing, see `include_directives`. The result is therefore a list of
candidates: only preprocessing a candidate shows whether it really includes the file.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.project.file_system import LOCAL_FILE_SYSTEM, DocumentStore, FileProblem, FileSystem
from openclsp.project.project_scan import (
    FileDataCache,
    ProjectScan,
    ScannedFile,
    ScannedFileKind,
)
from openclsp.project.read_permission import NO_READ_PERMISSION, ReadPermission
from openclsp.source import lexer
from openclsp.source.code_extraction import code_of
from openclsp.source.document import Document, DocumentName
from openclsp.source.other_files import DeclarationsElsewhere
from openclsp.source.raw_strings import MARK as RAW_STRING_MARK
from openclsp.source.stringified import begins_stringified
from openclsp.source.text import Text
from openclsp.workspace.declarations_elsewhere import (
    MAXIMUM_SCANNED_BYTES,
    FunctionNames,
    extract_function_names,
    index_declaring_files,
)
from openclsp.workspace.declared_names import extract_declared_names
from openclsp.workspace.include_directives import (
    IncludeName,
    contains_kernel,
    extract_concatenations,
    extract_host_includes,
    extract_includes,
    names_before_last_include,
    resolve_include,
)
from openclsp.workspace.used_names import make_used_names_cache

MAXIMUM_CANDIDATES: Final = 8
"""Maximum number of candidate programs for one file."""
MAXIMUM_TRANSITIVE_INCLUDES: Final = 300
"""Maximum number of transitively included files that are searched for names."""
MAXIMUM_VISITED_FILES: Final = 2_000
"""Maximum number of files visited in the search from a header to its programs."""
MAXIMUM_INCLUDING_FILES: Final = 50_000
"""Maximum number of files in which the uses of a header's names are searched."""


@dataclass(frozen=True, slots=True)
class IncludingProgram:
    """A program through which a file can be analysed.

    - `path`: its absolute path
    - `include_count`: the number of includes between the program and the file
    - `parts`: the files that the host concatenates, if the program is a host file
    """

    path: str
    include_count: int
    parts: tuple[str, ...] = ()

    def load_document(self, documents: DocumentStore, permission: ReadPermission) -> Document | FileProblem:
        """Returns the program; for `parts`, a synthetic document that includes them in order."""
        if not self.parts:
            return documents.read(self.path, permission)
        lines = "".join(f'#include "{part}"\n' for part in self.parts)
        return Document.of(self.path, os.fsencode(lines))


@dataclass(slots=True)
class IncludeGraph:
    """The include graph of one project. Data of unchanged files is cached. Not thread-safe."""

    files: FileSystem = LOCAL_FILE_SYSTEM
    _includes: FileDataCache[tuple[IncludeName, ...]] = field(
        default_factory=lambda: FileDataCache(extract_includes)
    )
    _kernels: FileDataCache[bool] = field(
        default_factory=lambda: FileDataCache(lambda file, data: contains_kernel(data))
    )
    _first_names: FileDataCache[frozenset[bytes]] = field(
        default_factory=lambda: FileDataCache(names_before_last_include)
    )
    _declared_names: FileDataCache[frozenset[bytes]] = field(
        default_factory=lambda: FileDataCache(lambda file, data: extract_declared_names(data))
    )
    used_names: FileDataCache[frozenset[str]] = field(default_factory=make_used_names_cache)
    host_includes: FileDataCache[tuple[str, ...]] = field(
        default_factory=lambda: FileDataCache(lambda file, data: extract_host_includes(data))
    )
    """The names in the include directives of each host file, also of those in its strings"""
    _concatenations: FileDataCache[tuple[tuple[str, ...], ...]] = field(
        default_factory=lambda: FileDataCache(extract_concatenations)
    )
    _functions: FileDataCache[FunctionNames] = field(
        default_factory=lambda: FileDataCache(lambda file, data: extract_function_names(data))
    )
    _declaring_files: dict[str, str] | None = None
    """The declaring file of each name, computed on first use; see `DeclarationsElsewhere`"""
    _targets: dict[str, str | None] | None = None
    """The path of each file with links resolved, computed on first use"""
    _including_programs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Results of `including_programs`: a check asks once for each diagnostic in a header"""
    _scan: ProjectScan | None = None
    _scanned_files: dict[str, ScannedFile] = field(default_factory=dict)
    _includers_of: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _includes_of: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _unresolved_includes: dict[str, list[tuple[str, IncludeName]]] = field(default_factory=dict)
    """Includes that match no file of the project, by base name; an open document without a file may match."""

    @property
    def permission(self) -> ReadPermission:
        """The permission to read the project's files."""
        return NO_READ_PERMISSION if self._scan is None else self._scan.permission

    def update(self, scan: ProjectScan) -> None:
        """Rebuilds the graph from a scan of the project; does nothing if the scan is the current one."""
        if scan is self._scan:
            return
        self._scan = scan
        wanted = {
            file.path: file
            for file in scan.files_of_kinds(
                ScannedFileKind.KERNEL, ScannedFileKind.OPENCL_HEADER, ScannedFileKind.HEADER
            )
        }
        by_name: dict[str, list[str]] = {}
        for path in wanted:
            by_name.setdefault(os.path.basename(path), []).append(path)
        known: dict[str, ScannedFile] = {}
        up: dict[str, set[str]] = {}
        down: dict[str, dict[str, None]] = {}
        missing: dict[str, list[tuple[str, IncludeName]]] = {}
        # Most headers belong to the host: only headers that a kernel includes, directly or not, are read.
        waiting = [path for path, file in wanted.items() if file.kind is not ScannedFileKind.HEADER]
        while waiting:
            path = waiting.pop()
            read = (
                self._includes.data_of_file(wanted[path], scan.permission, self.files)
                if path not in known
                else ()
            )
            if path in known or isinstance(read, FileProblem):
                continue
            known[path] = wanted[path]
            for include_name in read:
                targets = tuple(resolve_include(path, include_name, wanted, by_name))
                if not targets:
                    missing.setdefault(include_name.path.rpartition("/")[2], []).append((path, include_name))
                for target in targets:
                    if target != path:
                        up.setdefault(target, set()).add(path)
                        down.setdefault(path, {})[target] = None
                        waiting.append(target)
        self._includes.retain_only(frozenset(known))
        self._kernels.retain_only(frozenset(known))
        self._first_names.retain_only(frozenset(known))
        self._functions.retain_only(frozenset(known))
        self._declaring_files = self._targets = None
        self._including_programs = {}
        self._declared_names.retain_only(frozenset(known))
        self.used_names.retain_only(frozenset(known))
        self._scanned_files = known
        self._includes_of = {path: tuple(targets) for path, targets in down.items()}
        self._unresolved_includes = missing
        self._includers_of = {target: tuple(sorted(paths)) for target, paths in up.items()}

    @property
    def opencl_files(self) -> Mapping[str, ScannedFile]:
        """The project's kernel files and the headers that they may include; replaced by each update."""
        return self._scanned_files

    def scanned_files(self, *kinds: ScannedFileKind) -> Iterator[ScannedFile]:
        """Yields the project's files of the given kinds, also those that are no OpenCL C."""
        return iter(()) if self._scan is None else self._scan.files_of_kinds(*kinds)

    def aliases_of(self, path: DocumentName) -> tuple[str, ...]:
        """Returns the other paths of kernel files and headers that lead to the file at `path`, by links."""
        if self._targets is None:
            self._targets = {each: self.files.locate(each, self.permission) for each in self._scanned_files}
        own = self.files.locate(path, self.permission) or path
        return tuple(sorted(each for each, target in self._targets.items() if target == own and each != path))

    def all_includers(self, paths: Iterable[DocumentName]) -> frozenset[str]:
        """Returns at most MAXIMUM_INCLUDING_FILES files that may include any of `paths`, directly or not."""
        seen: set[str] = set()
        waiting = list(paths)
        while waiting and len(seen) < MAXIMUM_INCLUDING_FILES:
            above = [each for each in self.direct_includers(waiting.pop()) if each not in seen]
            seen.update(above)
            waiting += above
        return frozenset(seen)

    def candidate_programs(self, path: DocumentName, text: bytes) -> tuple[IncludingProgram, ...]:
        """Returns the programs that may include the file, the best one first.

        `text` is the text of the file at `path`. The result is empty if the file is a program of its own.
        This is the case for a kernel file that has a kernel, with one exception: the file uses a name (macro,
        type or function) which an includer declares, and which neither the file nor its own includes declare.
        """
        literal = RAW_STRING_MARK in text or begins_stringified(text)
        if literal and code_of(Text.of(text)).raw:
            return tuple(self._concatenations_with(path))[:MAXIMUM_CANDIDATES]
        if not self.direct_includers(path):
            return ()
        found = self._candidates(path)
        file = self._scanned_files.get(path)
        if file is not None and file.kind is ScannedFileKind.KERNEL and contains_kernel(text):
            own = self.transitive_includes(path)
            lacking = (
                frozenset(lexer.words(text))
                - extract_declared_names(text)
                - self.names_declared_in(own - {path})
            )
            found = [
                each
                for each in found
                if not lacking.isdisjoint(self._names_before_last_include(each.path, own))
            ]
        return tuple(sorted(found, key=lambda each: _candidate_sort_key(each, path))[:MAXIMUM_CANDIDATES])

    def direct_includers(self, path: DocumentName) -> tuple[str, ...]:
        """Returns the files with a directive that may mean the file at `path`, sorted."""
        found = self._includers_of.get(path)
        if found is not None:
            return found
        name = os.path.basename(path)
        unresolved = self._unresolved_includes.get(name, ())
        return tuple(
            sorted(
                {
                    above
                    for above, include_name in unresolved
                    if any(resolve_include(above, include_name, (path,), {name: [path]}))
                }
            )
        )

    def files_in(self, path: str) -> tuple[str, ...]:
        """Returns kernel files and headers at a path, sorted; for a folder, those in it and below."""
        below = path.rstrip(os.sep) + os.sep
        return tuple(sorted(each for each in self._scanned_files if each == path or each.startswith(below)))

    def declarations_elsewhere(self, path: DocumentName) -> DeclarationsElsewhere:
        """Returns the declarations in other files that concern the file at `path`."""
        return DeclarationsElsewhere(path, bool(self.direct_includers(path)), self.declaring_files)

    def declaring_files(self, check: Callable[[], None] = lambda: None) -> dict[str, str] | None:
        """Maps each declared name to the file that declares it, see `DeclarationsElsewhere`.

        Returns None if the files exceed MAXIMUM_SCANNED_BYTES. `check` is called between files and may raise
        to cancel.
        """
        if (
            self._declaring_files is None
            and sum(file.size for file in self._scanned_files.values()) <= MAXIMUM_SCANNED_BYTES
        ):
            declared = []
            for each, file in self._scanned_files.items():
                check()
                names = self._functions.data_of_file(file, self.permission, self.files)
                if not isinstance(names, FileProblem):
                    declared.append((each, names.external))
            self._declaring_files = index_declaring_files(declared)
        return self._declaring_files

    def function_names(self, check: Callable[[], None] = lambda: None) -> Mapping[str, FunctionNames] | None:
        """Returns the names of each file's functions, see `FunctionNames`.

        Returns None if a file cannot be read, or if the files exceed MAXIMUM_SCANNED_BYTES.
        """
        if sum(file.size for file in self._scanned_files.values()) > MAXIMUM_SCANNED_BYTES:
            return None
        found: dict[str, FunctionNames] = {}
        for path, file in self._scanned_files.items():
            check()
            names = self._functions.data_of_file(file, self.permission, self.files)
            if isinstance(names, FileProblem):
                return None
            found[path] = names
        return found

    def including_programs(self, path: DocumentName) -> tuple[str, ...]:
        """Returns all programs that may include the file, sorted; also the file itself if it has a kernel."""
        programs = self._including_programs.get(path)
        if programs is None:
            found = {each.path for each in self._candidates(path)}
            file = self._scanned_files.get(path)
            if file is not None and file.kind is ScannedFileKind.KERNEL and self._has_kernel(path):
                found.add(path)
            programs = self._including_programs[path] = tuple(sorted(found))
        return programs

    def _candidates(self, path: str) -> list[IncludingProgram]:
        """Returns the kernel files that include the file and have a kernel or no includer.

        Direct includers come first, then files that include it through one other file, and so on.
        """
        found: list[IncludingProgram] = []
        seen = {path}
        level = [path]
        steps = 0
        while level and len(seen) < MAXIMUM_VISITED_FILES:
            steps += 1
            above = sorted({each for name in level for each in self.direct_includers(name)} - seen)
            seen.update(above)
            for each in above:
                is_kernel = self._scanned_files[each].kind is ScannedFileKind.KERNEL
                if is_kernel and (not self._includers_of.get(each) or self._has_kernel(each)):
                    found.append(IncludingProgram(each, steps))
            level = above
        return found

    def transitive_includes(self, path: str) -> frozenset[str]:
        """Returns the file and all files that it may include, directly or not."""
        seen = {path}
        waiting = [path]
        while waiting and len(seen) < MAXIMUM_TRANSITIVE_INCLUDES:
            new = [each for each in self._includes_of.get(waiting.pop(), ()) if each not in seen]
            seen.update(new)
            waiting += new
        return frozenset(seen)

    def _names_before_last_include(self, includer: str, own: frozenset[str]) -> frozenset[bytes]:
        """Returns the names that a program declares before its last include.

        Names that its headers declare count too, except those of the headers in `own`.
        """
        headers = self.transitive_includes(includer) - own - {includer}
        read = self._first_names.data_of_file(self._scanned_files[includer], self.permission, self.files)
        own_names = frozenset[bytes]() if isinstance(read, FileProblem) else read
        return own_names | self.names_declared_in(headers)

    def names_declared_in(self, paths: frozenset[str]) -> frozenset[bytes]:
        """Returns the names that the given files declare."""
        read = (
            self._declared_names.data_of_file(self._scanned_files[path], self.permission, self.files)
            for path in paths
            if path in self._scanned_files
        )
        return frozenset().union(*(each for each in read if not isinstance(each, FileProblem)))

    def _concatenations_with(self, path: str) -> Iterator[IncludingProgram]:
        """Yields the hosts that concatenate the file with others, the longest concatenation first.

        The longest concatenation declares the most names. Hosts with equal lengths are sorted by path.
        """
        found: list[IncludingProgram] = []
        for host in self.scanned_files(ScannedFileKind.C, ScannedFileKind.CPP, ScannedFileKind.HEADER):
            read = self._concatenations.data_of_file(host, self.permission, self.files)
            for names in () if isinstance(read, FileProblem) else read:
                parts = tuple(self._resolve_fragment(host.path, name) for name in names)
                if path in parts and all(parts):
                    found.append(IncludingProgram(host.path, 1, parts))
        yield from sorted(found, key=lambda each: (-len(each.parts), each.path))

    def _resolve_fragment(self, host: str, name: str) -> str:
        """Returns the kernel file that the host's own directive `#include "name"` includes; "" if none.

        The host includes the kernel file as a string literal. `name` is relative to the host's folder, or
        else it is the end of a kernel file's path.
        """
        sibling = os.path.normpath(os.path.join(os.path.dirname(host), name))
        if sibling in self._scanned_files:
            return sibling
        tail = os.sep + os.path.join(*(part for part in name.split("/") if part not in (".", "..", "")))
        return next((path for path in sorted(self._scanned_files) if path.endswith(tail)), "")

    def _has_kernel(self, path: str) -> bool:
        """Whether a file defines a kernel; False if it cannot be read."""
        return self._kernels.data_of_file(self._scanned_files[path], self.permission, self.files) is True


def _candidate_sort_key(includer: IncludingProgram, path: str) -> tuple[object, ...]:
    """Returns the sort key of a candidate.

    Programs with the same name as the file at `path` come first. Among equals, programs in nearer folders (by
    the length of the relative path) come first, then programs with fewer includes between them and the file.
    """
    stem = _stem(path)
    folder, other = os.path.dirname(path), os.path.dirname(includer.path)
    distance = len(os.path.relpath(other, folder).split(os.sep)) if other != folder else 0
    return _stem(includer.path) != stem, distance, includer.include_count, includer.path


def _stem(path: str) -> str:
    return os.path.basename(path).partition(".")[0]
