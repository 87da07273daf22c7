"""The programs of a project: its root documents, each with the files that are linked with it.

If a root calls a function that it does not define, and only one file of the project defines the function, the
program contains that file too: the host links the two files or concatenates them. A root that another program
contains is not a program itself. The programs are found from the text of the files, without preprocessing.
A program in a string of host code is not one of them, so that the programs of a file that such a string includes are
not all known. The flow of a shared function is merged from all programs that contain it. Because that takes time, the
constants below limit the number and the size of the merged programs.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.project.project_scan import ScannedFileKind
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.declarations_elsewhere import FunctionNames
from openclsp.workspace.host_string_includes import HostStringIncludes
from openclsp.workspace.include_graph import MAXIMUM_TRANSITIVE_INCLUDES, IncludeGraph

MAXIMUM_PROGRAM_FILES: Final = 5_000
"""The maximum number of OpenCL files in a project whose programs are joined."""
MAXIMUM_LINKED_FILES: Final = 16
"""The maximum number of root documents in one program."""
MAXIMUM_SHARING_PROGRAMS: Final = 32
"""The maximum number of programs that share a document if its flow is to be joined."""
MAXIMUM_JOINED_BYTES: Final = 2 * 1024 * 1024
"""The maximum total size of the texts of these programs, including headers; joining them takes about 10 s."""
_PREFIX: Final = ".linked "


@dataclass(frozen=True, slots=True)
class Program:
    """The root documents of a program.

    The first root determines the program's options; the others are linked with it.
    """

    roots: tuple[DocumentName, ...]

    def document(self, first: Document) -> Document:
        """Returns the program's root; for several roots, a document that includes all of them.

        `first` is the document of the first root. This root is included last.
        """
        if len(self.roots) == 1:
            return first
        folder, name = os.path.split(self.roots[0])
        # The linked files come first: they define what the root only declares.
        lines = "".join(f'#include "{root}"\n' for root in (*self.roots[1:], self.roots[0]))
        return Document.of(os.path.join(folder, _PREFIX + name), os.fsencode(lines))


@dataclass(slots=True)
class ProjectPrograms:
    """The programs of one project, for the present state of its include graph. Not thread-safe."""

    graph: IncludeGraph
    _files: Mapping[str, object] = field(default_factory=dict)
    _functions: Mapping[str, FunctionNames] | None = None
    _string_includes: HostStringIncludes = field(default_factory=HostStringIncludes)
    _in_strings: frozenset[str] = frozenset()
    """The files that programs in host strings include"""
    _definers: dict[str, list[str]] = field(default_factory=dict)
    _declarers: dict[str, list[str]] = field(default_factory=dict)
    _callers: dict[str, list[str]] = field(default_factory=dict)
    _roots: dict[str, frozenset[str]] = field(default_factory=dict)
    _linkable_calls: dict[str, frozenset[str]] = field(default_factory=dict)
    _linkable_definitions: dict[str, frozenset[str]] = field(default_factory=dict)
    _linked: dict[str, set[str]] = field(default_factory=dict)
    """The roots whose programs contain a root because they call its functions"""
    _documents: dict[Program, frozenset[str]] = field(default_factory=dict)
    _programs: dict[str, Program] = field(default_factory=dict)
    _containing: dict[DocumentName, tuple[Program, ...] | None] = field(default_factory=dict)
    _open: dict[str, bool] = field(default_factory=dict)
    _is_incomplete: bool = False
    """Whether `check` ended the last update"""

    def update(self, check: Callable[[], None] = lambda: None) -> bool:
        """Reads the functions of the project's files if the files have changed.

        Returns whether an answer of `programs_containing` or `is_open` has changed since it was given.
        """
        files = self.graph.opencl_files
        if files is self._files:
            return False
        containing, open_functions, was_incomplete = (
            dict(self._containing),
            dict(self._open),
            self._is_incomplete,
        )
        self._is_incomplete = True
        functions = self.graph.function_names(check) if len(files) <= MAXIMUM_PROGRAM_FILES else None
        # The files are set last: if `check` ends this method early, nothing is known.
        self._files, self._functions, self._in_strings = {}, functions, frozenset()
        for kept in (
            self._definers,
            self._declarers,
            self._callers,
            self._roots,
            self._linkable_calls,
            self._linkable_definitions,
            self._linked,
            self._documents,
            self._programs,
            self._containing,
            self._open,
        ):
            kept.clear()
        for path, names in (functions or {}).items():
            for name in names.defined:
                self._definers.setdefault(name, []).append(path)
            for name in names.declared:
                self._declarers.setdefault(name, []).append(path)
            for name in names.called:
                self._callers.setdefault(name, []).append(path)
        if functions is not None:
            self._in_strings = self._string_includes.find_files(self.graph, check)
            self._find_linkable_names()
            self._find_links(check)
        self._files = files
        self._is_incomplete = False
        # All are asked again, because the next update compares only answers that it finds here.
        changed = [
            path for path, programs in containing.items() if self.programs_containing(path) != programs
        ]
        changed += [name for name, is_open in open_functions.items() if self.is_open(name) != is_open]
        return was_incomplete or bool(changed)

    def is_file(self, path: DocumentName) -> bool:
        """Whether a document is a kernel file of the project, or a header that one may include."""
        return path in self._files

    def programs_containing(self, path: DocumentName) -> tuple[Program, ...] | None:
        """Returns the programs that contain a document, sorted; None if they are not all known."""
        if path not in self._containing:
            self._containing[path] = self._find_programs(path)
        return self._containing[path]

    def program_of(self, root: DocumentName) -> Program | None:
        """Returns the program whose only root is the document `root`.

        Returns None if the root is linked with other files or included by them, or if not all programs that
        contain its documents are known.
        """
        own = Program((root,))
        if self._functions is None or self.programs_containing(root) != (own,):
            return None
        documents = self.documents_of(own)
        known = all(self.programs_containing(each) is not None for each in documents)
        return own if known else None

    def is_open(self, name: str) -> bool:
        """Whether the function `name` may have callers outside the project.

        The function must not be `static`, and must have a prototype. The result is False in two cases:

        - Only the file that defines the function declares it.
        - One file of the project defines the function, other files call it, and every program with such a
          call contains the defining file.
        """
        if name not in self._open:
            self._open[name] = self._find_open(name)
        return self._open[name]

    def _find_open(self, name: str) -> bool:
        declared = self._declarers.get(name, [])
        definers = self._definers.get(name, [])
        if self._functions is None or len(definers) != 1:
            return self._functions is None or bool(declared) or len(definers) > 1
        definer = definers[0]
        if all(path == definer for path in declared):
            return False
        callers = [path for path in self._callers.get(name, ()) if path != definer]
        if not callers:
            return True
        for path in callers:
            programs = self.programs_containing(path)
            if programs is None or any(definer not in self.documents_of(each) for each in programs):
                return True
        return False

    def _find_programs(self, path: DocumentName) -> tuple[Program, ...] | None:
        if self._functions is None or path not in self._files or path in self._in_strings:
            return None
        roots = set(self._roots_containing(path))
        if len(roots) > MAXIMUM_SHARING_PROGRAMS:
            return None
        waiting = list(roots)
        while waiting and len(roots) <= MAXIMUM_SHARING_PROGRAMS:
            linked = self._linked.get(waiting.pop(), set()) - roots
            roots |= linked
            waiting += linked
        if not roots or len(roots) > MAXIMUM_SHARING_PROGRAMS:
            return None
        found = {self._program(root) for root in roots}
        if any(len(each.roots) > MAXIMUM_LINKED_FILES for each in found):
            return None
        files = self.graph.opencl_files
        sizes = (files[name].size for each in found for name in self.documents_of(each) if name in files)
        if len(found) > 1 and sum(sizes) > MAXIMUM_JOINED_BYTES:
            return None
        if any(len(self.documents_of(each)) >= MAXIMUM_TRANSITIVE_INCLUDES for each in found):
            return None
        whole = {
            each
            for each in found
            if not any(
                each != other
                and each.roots[0] in self.documents_of(other)
                and (other.roots[0] not in self.documents_of(each) or other.roots < each.roots)
                for other in found
            )
        }
        return tuple(sorted(whole, key=lambda each: each.roots))

    def _find_links(self, check: Callable[[], None]) -> None:
        """Finds the programs with several roots; takes 1.2 s for 1,500 files."""
        for path in self.graph.opencl_files:
            check()
            if path in self._roots_containing(path):
                for other in self._program(path).roots[1:]:
                    self._linked.setdefault(other, set()).add(path)

    def _roots_containing(self, path: str) -> frozenset[str]:
        if path not in self._roots:
            self._roots[path] = self._find_roots(path)
        return self._roots[path]

    def _find_roots(self, path: str) -> frozenset[str]:
        found = set(self.graph.including_programs(path))
        file = self.graph.opencl_files.get(path)
        if file is not None and file.kind is ScannedFileKind.KERNEL and not self.graph.direct_includers(path):
            found.add(path)
        return frozenset(found)

    def _program(self, root: str) -> Program:
        """Returns the program of a root: this root and the roots linked with it.

        If the program calls a function that it does not define, the root that contains the only definition is
        linked, unless several roots contain it. If there are several such functions, the first by name decides
        which root is linked first.
        """
        if root not in self._programs:
            roots = [root]
            documents: set[str] = set()
            called: set[str] = set()
            defined: set[str] = set()
            more = root
            while True:
                added = self.graph.transitive_includes(more) - documents
                documents |= added
                called.update(*(self._linkable_calls.get(each, ()) for each in added))
                defined.update(*(self._linkable_definitions.get(each, ()) for each in added))
                missing = called - defined
                if not missing or len(roots) > MAXIMUM_LINKED_FILES:
                    break
                more = next(iter(self._roots_containing(self._definers[min(missing)][0])))
                roots.append(more)
            self._programs[root] = program = Program((root, *sorted(roots[1:])))
            self._documents[program] = frozenset(documents)
        return self._programs[root]

    def _find_linkable_names(self) -> None:
        """Finds the functions by which programs can be linked, with the files that call and define them.

        These functions have a single definition in the project, in a file that a single root contains. The
        search for the roots of a program compares only these names: comparing all names took a fifth of the
        time for checking a small file in a project with 900 files.
        """
        linkable = {
            name
            for name, definers in self._definers.items()
            if len(definers) == 1 and len(self._roots_containing(definers[0])) == 1
        }
        for path, names in (self._functions or {}).items():
            self._linkable_calls[path] = names.called & linkable
            self._linkable_definitions[path] = (names.defined | names.static | names.macros) & linkable

    def documents_of(self, program: Program) -> frozenset[str]:
        """Returns the documents that a program may contain."""
        if program not in self._documents:
            self._documents[program] = frozenset().union(*map(self.graph.transitive_includes, program.roots))
        return self._documents[program]
