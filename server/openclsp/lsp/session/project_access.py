"""Access to the files of a document's project beyond those of its unit. Valid only within a job."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.root_kernels import RootKernels
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.project.file_system import DocumentStore, FileProblem, FileSystem
from openclsp.project.project_roots import find_project_root
from openclsp.project.read_permission import ReadPermission
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.name_index import ProjectNames

MAXIMUM_INDEX_SECONDS: Final = 10.0
"""How long a request waits for the index of the project; then it is answered from the files read so far."""


@dataclass(frozen=True, slots=True)
class ProjectAccess:
    """The project of a document: its name index, its other programs, the texts of its files.

    `open_units` returns the units of the other open documents that share a document with this unit,
    `units_of` the units of a program.
    """

    document: OpenDocument
    unit: TranslationUnit
    snapshot: Snapshot
    root_kernels: RootKernels
    files: FileSystem
    documents: DocumentStore
    permission: ReadPermission
    open_units: Callable[[], Sequence[TranslationUnit]]
    units_of: Callable[[DocumentName], Sequence[TranslationUnit]]
    check: CancellationCheck

    def names(self) -> ProjectNames:
        """The names in the project's files and open documents.

        Indexes the remaining files first, for at most `MAXIMUM_INDEX_SECONDS`.
        """
        graph, index = self.root_kernels.name_index(self.document, self.snapshot, self.check)
        index.advance_for(MAXIMUM_INDEX_SECONDS, self.check)
        opened = {name: each.text for name, each in self.snapshot.documents.items()}
        return ProjectNames(graph, index, opened)

    def advance_index(self, seconds: float) -> int | None:
        """Indexes the project's files for at most `seconds`; returns how many a limit leaves out.

        None if there are further files to index.
        """
        _, index = self.root_kernels.name_index(self.document, self.snapshot, self.check)
        index.advance_for(seconds, self.check)
        return index.left_out if index.is_complete else None

    def other_programs(
        self, included: Collection[DocumentName], word: bytes, limit: int
    ) -> list[TranslationUnit] | int:
        """The other programs that include one of the documents and whose further files contain a word.

        If they are more than `limit`, their number.
        """
        graph, _ = self.root_kernels.name_index(self.document, self.snapshot, self.check)
        own = self.unit.preprocessed.documents()
        has_word: dict[DocumentName, bool] = {}

        def contains_word(name: DocumentName) -> bool:
            if name not in has_word:
                self.check()
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
        """Whether a document belongs to the project, or to a folder of the workspace."""
        top = find_project_root(self.document.name, self.snapshot.folders)
        return name == self.document.name or any(
            folder and name.startswith(folder.rstrip(os.sep) + os.sep)
            for folder in (top, *self.snapshot.folders)
        )

    def read(self, name: DocumentName) -> Document | None:
        """A file of the project, or an open document; None if it can no longer be read."""
        found = self.documents.read(name, self.permission)
        return None if isinstance(found, FileProblem) else found
