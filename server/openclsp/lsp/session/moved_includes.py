"""Finds the include directives that a move of files invalidates, and computes their edits."""

from __future__ import annotations

import os
from collections.abc import Iterator

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import TextEdit
from openclsp.ide.file_renames.file_moves import FileMoves
from openclsp.ide.file_renames.include_edits import IncludeSearch, compute_include_edits
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.root_kernels import RootKernels
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.session.unit_planner import UnitPlanner
from openclsp.project.file_system import DocumentStore, FileProblem, FileSystem
from openclsp.project.project_headers import ProjectHeaders
from openclsp.source.document import Document, DocumentName
from openclsp.workspace.include_graph import IncludeGraph
from openclsp.workspace.units import PlannedUnit

MAXIMUM_EDITED_FILES = 2_000
"""The maximum number of files whose directives are examined for one move; files are sorted by name."""


@dataclass(frozen=True, slots=True)
class MovedIncludes:
    """The computation of the include edits that one move of files requires."""

    moves: FileMoves
    snapshot: Snapshot
    files: FileSystem
    root_kernels: RootKernels
    planner: UnitPlanner
    check: CancellationCheck

    def edits(self) -> Iterator[tuple[Document, list[TextEdit]]]:
        """Yields the documents whose directives change, with their edits."""
        graphs: dict[DocumentName, IncludeGraph] = {}
        for old, _ in self.moves.pairs:
            graph = self.root_kernels.include_graph(old, self.snapshot, self.check)
            moved = graph.files_in(old)
            for name in moved:
                graphs[name] = graph
                graphs.update((each, graph) for each in graph.direct_includers(name))
            if moved:
                # The graph shows the files on disk; an open document may include more.
                graphs.update((each, graph) for each in self.snapshot.documents if os.path.isabs(each))
        headers: dict[int, ProjectHeaders | None] = {}
        for name in sorted(graphs)[:MAXIMUM_EDITED_FILES]:
            self.check()
            document = self._documents().read(name, graphs[name].permission)
            if isinstance(document, FileProblem):
                continue
            search = self._search(document, graphs[name], headers)
            found = None if search is None else compute_include_edits(document, self.moves, search)
            if found:
                yield document, found

    def _documents(self) -> DocumentStore:
        return DocumentStore(
            self.files, {name: each.document for name, each in self.snapshot.documents.items()}
        )

    def _search(
        self, document: Document, graph: IncludeGraph, headers: dict[int, ProjectHeaders | None]
    ) -> IncludeSearch | None:
        """Returns how the document's includes are resolved; None if it is not OpenCL C."""
        planned, documents = self._plan(document, graph), self._documents()
        if not planned.is_analysed:
            return None
        loader = planned.make_include_loader(documents)
        name = document.name

        def target(written: str, angled: bool) -> DocumentName | None:
            found = loader.load(written, angled, name)
            return found.name if isinstance(found, Document) and os.path.isabs(found.name) else None

        def is_file(path: str) -> bool:
            return not isinstance(documents.read(path, planned.permission), FileProblem)

        project = planned.headers
        if id(project) not in headers:
            headers[id(project)] = None if project is None else project.after_moves(self.moves.new_path)
        configuration = planned.unit_config.configuration
        return IncludeSearch(
            target, configuration.quote_folders, configuration.include_folders, is_file, headers[id(project)]
        )

    def _plan(self, document: Document, graph: IncludeGraph) -> PlannedUnit:
        """Returns the unit through which a document is analysed.

        For a header, this is the unit of the best including kernel.
        """
        opened = self.snapshot.documents.get(document.name)
        subject = opened or OpenDocument("", document.name, "", 0, document.text, 0)
        for candidate in graph.candidate_programs(document.name, document.text.data)[:1]:
            root = candidate.load_document(self._documents(), graph.permission)
            if not isinstance(root, FileProblem):
                return self.planner.plan(subject, self.snapshot, root)
        return self.planner.plan(subject, self.snapshot, None)
