"""The indexes of the names in a project's OpenCL files and in its host code."""

from __future__ import annotations

from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import host_language_of_identifier
from openclsp.host_code.program_names import host_of_program
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.host_scans import HostScans
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.root_kernels import RootKernels
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.project.file_system import DocumentStore, FileProblem, FileSystem
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.host_names import HostNames
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.name_index import ProjectNames

MAXIMUM_INDEX_SECONDS: Final = 10.0
"""The maximum seconds that a request waits for an index of the project. After that, it is answered from the
files read so far.
"""


@dataclass(frozen=True, slots=True)
class ProjectIndexes:
    """The indexes of the project of a document, which need not be OpenCL C."""

    document: OpenDocument
    snapshot: Snapshot
    root_kernels: RootKernels
    host_scans: HostScans
    files: FileSystem
    check: CancellationCheck

    def names(self) -> ProjectNames:
        """Returns the names in the project's OpenCL files and in the open documents.

        First indexes the remaining files, for at most `MAXIMUM_INDEX_SECONDS`.
        """
        graph, index = self.root_kernels.name_index(self.document, self.snapshot, self.check)
        index.advance_for(MAXIMUM_INDEX_SECONDS, self.check)
        opened = {name: each.text for name, each in self.snapshot.documents.items()}
        return ProjectNames(graph, index, opened)

    def host_names(self) -> HostNames:
        """Returns the names of kernels in the project's host code and in the open host files.

        First indexes the remaining files, for at most `MAXIMUM_INDEX_SECONDS`.
        """
        index = self.host_scans.name_index(self.document, self.snapshot)
        index.advance(MAXIMUM_INDEX_SECONDS, self.check)
        opened = {}
        for name, each in self.snapshot.documents.items():
            language = host_language_of_identifier(each.language.lower(), name)
            if language is not None and host_of_program(name) is None:
                opened[name] = each.text, language
        return HostNames(index, opened)

    def advance(self, seconds: float) -> int | None:
        """Indexes the project's files for at most `seconds`.

        Returns None if a further call is needed; otherwise the number of files that are not indexed, because
        the project has more than `MAXIMUM_INDEXED_FILES`.
        """
        _, index = self.root_kernels.name_index(self.document, self.snapshot, self.check)
        if not index.is_complete:
            index.advance_for(seconds, self.check)
            return None
        host_index = self.host_scans.name_index(self.document, self.snapshot)
        host_index.advance(seconds, self.check)
        return index.left_out if host_index.is_complete else None

    def include_graph(self) -> IncludeGraph:
        """Returns the include graph of the project."""
        return self.root_kernels.name_index(self.document, self.snapshot, self.check)[0]

    def built_by(self, host: DocumentName) -> frozenset[DocumentName]:
        """Returns the kernel files that the host file named `host` is known to build."""
        project = self.host_scans.of(self.snapshot.root_of(host), host)
        builds = {} if project is None else project.builds
        return frozenset(
            kernel for kernel, found in builds.items() if any(each.place.path == host for each in found)
        )

    def read(self, name: DocumentName) -> Document | None:
        """Reads a file of the project, or an open document; None if it can no longer be read."""
        documents = DocumentStore(self.files, self.snapshot.open_texts())
        found = documents.read(name, self.include_graph().permission)
        return None if isinstance(found, FileProblem) else found
