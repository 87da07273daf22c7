"""Where an `#include` leads: the search for the document, and the refusal of what may not be read."""

from __future__ import annotations

import os.path
from collections.abc import Iterator
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.source.document import Document, DocumentName
from openclsp.source.options import Refusal
from openclsp.workspace.configuration import BuildConfiguration
from openclsp.workspace.files import Documents, FileProblem
from openclsp.workspace.project_headers import ProjectHeaders, is_cpp
from openclsp.workspace.roots import ReadableRoots

__all__ = ["IncludeLoader", "Refusal"]

NOT_FOUND = Refusal("file not found")
OUTSIDE = Refusal("the file lies outside the workspace and the include folders")


@dataclass(frozen=True, slots=True)
class IncludeLoader:
    """Finds included documents for one configuration (C99 6.10.2; the search order is clang's).

    Names of documents are absolute paths; an includer that is no file (an `untitled:` document) has no folder
    beside it, so that only the include folders are searched.
    """

    configuration: BuildConfiguration
    roots: ReadableRoots
    documents: Documents = field(default_factory=Documents)
    headers: ProjectHeaders | None = None
    """What is searched where none of the folders has the file"""

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """The document that `#include "name"` (or, angled, `<name>`) in `includer` means."""
        refused: Refusal | None = None
        for folder in self._folders(angled, includer):
            candidate = os.path.join(folder, name)
            if not self.documents.exists(candidate):
                continue
            found = self._read(candidate)
            if isinstance(found, Document):
                return found
            refused = refused or found
        return refused or self._in_project(name, angled, includer)

    def _in_project(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """The only file of the project that the name fits."""
        headers = self.headers
        candidates = () if headers is None else headers.candidates(name, angled, includer)
        if headers is not None and len(candidates) > 1:
            return Refusal(headers.ambiguous(candidates))
        found = self._read(candidates[0]) if candidates else NOT_FOUND
        return NOT_FOUND if isinstance(found, Document) and is_cpp(found.text.data) else found

    def exists(self, name: str, angled: bool, includer: DocumentName) -> bool:
        """What `__has_include` tells: whether `load` would give a document."""
        return isinstance(self.load(name, angled, includer), Document)

    def forced(self) -> Iterator[Document | Refusal]:
        """The documents of `-include`, in order."""
        for path in self.configuration.forced_includes:
            yield self._read(path) if self.documents.exists(path) else NOT_FOUND

    def _folders(self, angled: bool, includer: DocumentName) -> Iterator[str]:
        if not angled:
            if os.path.isabs(includer):
                yield os.path.dirname(includer)
            yield from self.configuration.quote_folders
        yield from self.configuration.include_folders

    def _read(self, candidate: str) -> Document | Refusal:
        resolved = self.documents.files.resolve(candidate)
        if not self.roots.allow(resolved):
            return OUTSIDE
        # one name for one file, however the include spells it: `dir/../a.h` and `a.h`
        plain = os.path.normpath(candidate)
        document = self.documents.read(plain if self.documents.files.resolve(plain) == resolved else resolved)
        if isinstance(document, FileProblem):
            return Refusal(f"the file {document.reason}")
        return document
