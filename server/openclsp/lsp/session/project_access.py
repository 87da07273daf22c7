"""Access to the files of a document's project outside its unit. Valid only within a job."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence

from openclsp.dataclass import dataclass
from openclsp.lsp.session.project_indexes import ProjectIndexes
from openclsp.project.file_system import DocumentStore, FileProblem
from openclsp.project.read_permission import ReadPermission
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.host_names import HostNames
from openclsp.workspace.name_index import ProjectNames


@dataclass(frozen=True, slots=True)
class ProjectAccess:
    """The project of a document: its name index, its other programs, the texts of its files.

    - `unit`: the unit of the document
    - `open_units`: returns the units of the other open documents that share a document with `unit`
    - `units_of`: returns the units of a program
    """

    indexes: ProjectIndexes
    unit: TranslationUnit
    documents: DocumentStore
    permission: ReadPermission
    open_units: Callable[[], Sequence[TranslationUnit]]
    units_of: Callable[[DocumentName], Sequence[TranslationUnit]]

    def names(self) -> ProjectNames:
        """Returns the names in the project's OpenCL files and in the open documents."""
        return self.indexes.names()

    def host_names(self) -> HostNames:
        """Returns the names of kernels in the project's host code."""
        return self.indexes.host_names()

    def advance_index(self, seconds: float) -> int | None:
        """Indexes the project's files for at most `seconds`.

        Returns None if a further call is needed; otherwise the number of files that are not indexed, because
        the project has more than `MAXIMUM_INDEXED_FILES`.
        """
        return self.indexes.advance(seconds)

    def other_programs(
        self, included: Collection[DocumentName], word: bytes, limit: int
    ) -> list[TranslationUnit] | int:
        """Returns the units of other programs: open ones, and closed ones that contain `word`.

        The open programs are those that share a document with this unit. The closed programs are those that
        include a document of `included` and contain `word` in a file outside this unit. If there are more
        than `limit` closed programs, returns their number instead.
        """
        graph = self.indexes.include_graph()
        own = self.unit.preprocessed.documents()
        has_word: dict[DocumentName, bool] = {}

        def contains_word(name: DocumentName) -> bool:
            if name not in has_word:
                self.indexes.check()
                read = self.documents.read(name, self.permission)
                has_word[name] = not isinstance(read, FileProblem) and word in read.text.data
            return has_word[name]

        found = list(self.open_units())
        covered = {self.unit.document.name, *(each.document.name for each in found)}
        programs = sorted({root for name in included for root in graph.including_programs(name)} - covered)
        wanted = [root for root in programs if any(map(contains_word, graph.transitive_includes(root) - own))]
        if len(wanted) > limit:
            return len(wanted)
        for root in wanted:
            found += self.units_of(root)
        return found

    def contains(self, name: DocumentName) -> bool:
        """Whether a document belongs to the project or to a workspace folder."""
        own, folders = self.indexes.document.name, self.indexes.snapshot.folders
        root = self.indexes.root_kernels.project_root_of(own, self.indexes.snapshot)
        return name == own or any(
            folder and name.startswith(folder.rstrip(os.sep) + os.sep) for folder in (root, *folders)
        )

    def read(self, name: DocumentName) -> Document | None:
        """Reads a file of the project, or an open document; None if it can no longer be read."""
        found = self.documents.read(name, self.permission)
        return None if isinstance(found, FileProblem) else found
