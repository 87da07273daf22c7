"""Resolves `#include` directives to documents, and refuses files that openclsp is not permitted to read."""

from __future__ import annotations

import os.path
from collections.abc import Iterator
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.project import file_system
from openclsp.project.file_system import DocumentStore, FileKind, FileProblem
from openclsp.project.option_parser import BUILTIN_HEADERS
from openclsp.project.project_headers import ProjectHeaders, is_cpp
from openclsp.project.read_permission import MAXIMUM_LENGTH, ReadPermission
from openclsp.source.build_configuration import BuildConfiguration
from openclsp.source.document import Document, DocumentName
from openclsp.source.options import NOT_FOUND, Refusal
from openclsp.workspace.source_detection import has_source_file_name, looks_like_opencl

__all__ = ["IncludeLoader", "Refusal"]

OUTSIDE_REFUSAL = Refusal(f"the file {file_system.OUTSIDE_PERMISSION}")
HIDDEN_FILE_REFUSAL = Refusal("hidden files, and files in hidden folders, are not read")
NOT_SOURCE_REFUSAL = Refusal(
    "the file has no file name ending of source code and does not look like OpenCL C; it is not read"
)


@dataclass(frozen=True, slots=True)
class IncludeLoader:
    """Finds included documents for one configuration (C99 6.10.2), in clang's search order.

    A name that no include folder resolves is matched against the paths of the project's files. A name in
    angle brackets is searched in the includer's folder last. Document names are absolute paths; an includer
    that is not a file (an `untitled:` document) has no folder, so that only the include folders are searched.
    """

    configuration: BuildConfiguration
    permission: ReadPermission
    documents: DocumentStore = field(default_factory=DocumentStore)
    headers: ProjectHeaders | None = None
    """Project files that are matched if no include folder contains the file"""

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Returns the document that `#include "name"` (or `<name>` if `angled`) in `includer` means.

        If no file is found and a searched path is outside the permission, the refusal reports that path,
        whether a file exists there or not.
        """
        refused: Refusal | None = None
        for folder in self._searched_folders(angled, includer):
            found = self._read(os.path.join(folder, name))
            if isinstance(found, Document):
                return found
            # Prefer a refusal that the user can act on over `not found`.
            if refused is None or (refused == OUTSIDE_REFUSAL and found not in (OUTSIDE_REFUSAL, NOT_FOUND)):
                refused = found if found != NOT_FOUND else refused
        placed = self._load_project_header(name, angled, includer)
        if isinstance(placed, Refusal) and name in BUILTIN_HEADERS:
            return Document.of(name, b"")
        if angled and isinstance(placed, Refusal) and os.path.isabs(includer):
            # Hosts without include folders concatenate such headers with the kernel, or copy them to one
            # folder.
            sibling = self._read(os.path.join(os.path.dirname(includer), name))
            placed = sibling if isinstance(sibling, Document) and not is_cpp(sibling.text.data) else placed
        return refused if refused is not None and isinstance(placed, Refusal) else placed

    def _load_project_header(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Returns the project file that the name matches.

        Returns a Refusal if no file or several files match, or if the file is a C++ header.
        """
        headers = self.headers
        candidates = () if headers is None else headers.find_candidates(name, angled, includer)
        if headers is not None and len(candidates) > 1:
            return Refusal(headers.describe_ambiguity(candidates))
        if headers is not None and not candidates and not angled and not os.path.isabs(name):
            other = headers.differing_in_case(name)
            document = self._read(os.path.join(headers.root, other)) if other else NOT_FOUND
            if not isinstance(document, Document) or is_cpp(document.text.data):
                return NOT_FOUND
            return Refusal(f"{NOT_FOUND.reason}: the name of `{other}` differs in case")
        found = self._read(candidates[0]) if candidates else NOT_FOUND
        return NOT_FOUND if isinstance(found, Document) and is_cpp(found.text.data) else found

    def exists(self, name: str, angled: bool, includer: DocumentName) -> bool:
        """Implements `__has_include`: whether `load` would return a document."""
        return isinstance(self.load(name, angled, includer), Document)

    def forced_includes(self) -> Iterator[Document | Refusal]:
        """Yields the documents that `-include` options name, in order."""
        for path in self.configuration.forced_includes:
            yield self.load(path, False, path)

    def list_names(self, folder: str, angled: bool, includer: DocumentName) -> tuple[tuple[str, bool], ...]:
        """Returns the files and folders that an include may name after the path `folder`.

        `folder` is relative to each searched folder. Files come first. Each entry is a name and whether it is
        a folder. Hidden entries, files without a source file's name, and everything outside the permission
        are omitted.
        """
        found: dict[tuple[str, bool], None] = {}
        for searched in self._searched_folders(angled, includer):
            place = os.path.join(searched, folder)
            if len(place) > MAXIMUM_LENGTH or not self._parent_folders_exist(place):
                continue
            located = self.documents.file_system.locate(place, self.permission)
            if located is None or self.permission.is_hidden(located):
                continue
            for each in self.documents.file_system.entries(place, self.permission):
                is_folder = each.kind is FileKind.FOLDER
                is_source = each.kind is FileKind.FILE and has_source_file_name(each.name)
                if (is_folder or is_source) and not each.name.startswith("."):
                    found[each.name, is_folder] = None
        return tuple(sorted(found, key=lambda pair: pair[1]))

    def _searched_folders(self, angled: bool, includer: DocumentName) -> Iterator[str]:
        if not angled:
            if os.path.isabs(includer):
                yield os.path.dirname(includer)
            yield from self.configuration.quote_folders
        yield from self.configuration.include_folders

    def _read(self, candidate: str) -> Document | Refusal:
        if len(candidate) > MAXIMUM_LENGTH:
            return NOT_FOUND
        local = self.documents.file_system
        located = local.locate(candidate, self.permission)
        if located is None:
            return OUTSIDE_REFUSAL
        # One file has one document name, whatever the spelling of the include: `dir/../a.h` and `a.h`.
        plain = os.path.normpath(candidate)
        same = plain == candidate or local.locate(plain, self.permission) == located
        name = plain if same else located
        opened = self.documents.open_documents.get(name)
        if opened is None and local.kind(located) is not FileKind.FILE:
            return NOT_FOUND
        if not self._parent_folders_exist(candidate):
            return NOT_FOUND
        if self.permission.is_hidden(located):
            return HIDDEN_FILE_REFUSAL
        document = self.documents.read(name, self.permission)
        if isinstance(document, FileProblem):
            return Refusal(f"the file {document.reason}", document.unreadable_by_every_compiler)
        by_person = located in self.permission.files
        if not (by_person or has_source_file_name(located) or looks_like_opencl(document.text.data)):
            return NOT_SOURCE_REFUSAL
        return document

    def _parent_folders_exist(self, candidate: str) -> bool:
        """Whether each folder before a `..` in a path exists: `gone/../a.h` requires the folder `gone`.

        A folder that openclsp is not permitted to read is not looked up and counts as existing, so that the
        answer reveals nothing.
        """
        local = self.documents.file_system
        parts = candidate.replace(os.altsep or os.sep, os.sep).split(os.sep)
        left = (os.sep.join(parts[:place]) for place, part in enumerate(parts) if part == os.pardir)
        located = (local.locate(folder, self.permission) for folder in left)
        return all(folder is None or local.kind(folder) is FileKind.FOLDER for folder in located)
