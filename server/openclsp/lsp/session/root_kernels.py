"""Chooses the kernel file through which an included file is analysed. Used by the analysis thread only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.includer_choice import IncluderChoice
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.uris import is_file_name
from openclsp.project.file_discovery import KERNEL_SUFFIXES
from openclsp.project.file_system import DocumentStore, FileProblem, FileSystem
from openclsp.project.project_roots import find_project_root
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.source.lexer import words
from openclsp.source.other_files import NO_DECLARATIONS_ELSEWHERE, DeclarationsElsewhere
from openclsp.workspace.configured_scan import scan_configured_project
from openclsp.workspace.include_graph import IncludeGraph, IncludingProgram
from openclsp.workspace.includer_units import unit_through
from openclsp.workspace.name_index import NameIndex
from openclsp.workspace.units import PlannedUnit

_Key = tuple[object, ...]


@dataclass(slots=True)
class _ProjectState:
    """The include graph of a project, for the revision `Snapshot.tree_revision` of its files."""

    include_graph: IncludeGraph = field(default_factory=IncludeGraph)
    names: NameIndex = field(default_factory=NameIndex)
    tree_revision: int = -1


@dataclass(slots=True)
class RootKernels:
    """Chooses for each document one of the kernels that may include it; see `IncluderChoice`."""

    _projects: dict[str, _ProjectState] = field(default_factory=dict)
    _choices: dict[DocumentName, tuple[_Key, IncluderChoice]] = field(default_factory=dict)
    _outside_uses: dict[DocumentName, tuple[_Key, DeclarationsElsewhere]] = field(default_factory=dict)
    _roots: dict[DocumentName, tuple[_Key, str]] = field(default_factory=dict)
    """The roots of the projects of open documents. They are cached because finding one takes ten system
    calls, and each keystroke needs it.
    """

    def choose_root(
        self,
        document: OpenDocument,
        snapshot: Snapshot,
        files: FileSystem,
        plan: Callable[[Document], PlannedUnit],
        check: CancellationCheck,
        including: Callable[[], Iterator[Document]],
        revision: int,
    ) -> Document | None:
        """Returns the kernel through which the document is analysed; None if the document is a program.

        `including` yields the open kernels whose current text, saved or not, includes the document.
        `revision` is the revision of the project's header list; the search for an including kernel depends on
        it. A file with a kernel's file ending is rarely a fragment; for such a file, the result is None until
        the project has been scanned.
        """
        name = document.name
        if not is_file_name(name):
            return None
        key: _Key = (
            document.opening,
            snapshot.tree_revision,
            snapshot.disk_revision,
            snapshot.folders,
            snapshot.chosen_includers.get(name, ""),
            revision,
        )
        cached = self._choices.get(name)
        if cached is None or cached[0] != key:
            top = self.project_root_of(name, snapshot)
            if top not in self._projects and name.lower().endswith(KERNEL_SUFFIXES):
                return None
            graph = self._graph_of_project(top, snapshot, check)
            candidates = _chosen_first(_candidates(graph, name, files), snapshot.chosen_includers.get(name))
            choice = IncluderChoice(name, candidates, graph.permission)
            cached = self._choices[name] = key, choice
        choice = cached[1]
        root = choice.root(snapshot, files, plan, check)
        # A file with a kernel's ending that no file includes is a program of its own.
        if root is None and (choice.candidates or not name.lower().endswith(KERNEL_SUFFIXES)):
            return next(including(), None) if choice.may_ask_open_kernels(snapshot) else None
        return root

    def complete_plan(self, planned: PlannedUnit, name: DocumentName, root: Document | None) -> PlannedUnit:
        """Returns the plan for the root that `choose_root` returned for the document.

        If no kernel certainly includes the document, but one may do so after text that is not read, the plan
        takes this text into account.
        """
        cached = self._choices.get(name)
        possible = None if cached is None or root is not None else cached[1].possible_plan()
        return planned if possible is None else planned.after_unread_text(possible)

    def find_includers(
        self,
        document: OpenDocument,
        snapshot: Snapshot,
        files: FileSystem,
        plan: Callable[[Document], PlannedUnit],
        check: CancellationCheck,
    ) -> tuple[DocumentName, ...]:
        """Returns at most `MAXIMUM_CANDIDATES` programs that include a file, the best first.

        The file need not be open. Each candidate is preprocessed, so that a conditional include counts only
        where it is active. The result is empty for a kernel that is a program of its own.
        """
        name = document.name
        if not is_file_name(name):
            return ()
        graph = self.include_graph(name, snapshot, check)
        documents = DocumentStore(files, {name: each.document for name, each in snapshot.documents.items()})
        found = []
        for candidate in _candidates(graph, name, files):
            check()
            preprocessed = unit_through(candidate, graph.permission, plan, documents)[1]
            if preprocessed is not None and name in preprocessed.documents():
                found.append(candidate.path)
        return tuple(found)

    def retain_projects(self, roots: frozenset[str]) -> None:
        """Drops the include graphs of all projects except those with `roots`."""
        self._projects = {root: each for root, each in self._projects.items() if root in roots}

    def outside_uses(self, name: DocumentName, snapshot: Snapshot) -> DeclarationsElsewhere:
        """Returns what the project's other files declare, and whether one of them includes the file `name`.

        The result is that of the project's last scan.
        """
        key: _Key = (snapshot.tree_revision, snapshot.disk_revision, snapshot.folders)
        cached = self._outside_uses.get(name)
        if cached is None or cached[0] != key:
            project = self._projects.get(self.project_root_of(name, snapshot)) if is_file_name(name) else None
            cached = (
                key,
                NO_DECLARATIONS_ELSEWHERE
                if project is None
                else project.include_graph.declarations_elsewhere(name),
            )
            self._outside_uses[name] = cached
        return cached[1]

    def take_include_cache(self, name: DocumentName, planned: PlannedUnit) -> IncludeCache | None:
        """Returns the include cache that was filled while choosing the kernel file that includes the document.

        Returns None if there is no such cache, or if it was returned before.
        """
        cached = self._choices.get(name)
        found = None if cached is None else cached[1].cache
        if cached is None or found is None:
            return None
        cached[1].cache = None
        return found[1] if found[0] == planned else None

    def depends_on(self, name: DocumentName) -> frozenset[DocumentName]:
        """Returns the names of the documents on which the choice of the document's kernel depends."""
        cached = self._choices.get(name)
        return frozenset() if cached is None else cached[1].requested

    def refute(
        self, name: DocumentName, root: Document, snapshot: Snapshot, requested: frozenset[DocumentName]
    ) -> None:
        """Revokes the choice of the kernel `root` for the document `name`.

        The analysis of `root` has shown that `root` does not include this document. `requested` contains the
        documents that the analysis requested.
        """
        self._choices[name][1].refute(root, snapshot, requested)

    def drop_document(self, name: DocumentName) -> None:
        """Drops all state of a closed document."""
        self._choices.pop(name, None)
        self._roots.pop(name, None)

    def scan_project(
        self, document: OpenDocument, snapshot: Snapshot, files: FileSystem, check: CancellationCheck
    ) -> frozenset[DocumentName]:
        """Scans the project of a document, unless it has been scanned.

        Returns the open documents that the scan may affect: kernels may include them, or other files may use
        their declarations.
        """
        top = find_project_root(document.name, snapshot.folders)
        if not is_file_name(document.name) or top in self._projects:
            return frozenset()
        graph = self._graph_of_project(top, snapshot, check)
        graph.declaring_files(check)
        return frozenset(
            name
            for name, each in snapshot.documents.items()
            if _candidates(graph, name, files)
            or _is_declared_outside(graph.declarations_elsewhere(name), each)
        )

    def scanned_include_graph(
        self, name: DocumentName, snapshot: Snapshot, check: CancellationCheck
    ) -> IncludeGraph:
        """Returns the include graph of the document's project; empty before the project's first scan."""
        top = self.project_root_of(name, snapshot)
        return self._graph_of_project(top, snapshot, check) if top in self._projects else IncludeGraph()

    def project_root_of(self, name: DocumentName, snapshot: Snapshot) -> str:
        """Returns the root folder of a document's project.

        The root of an open document is cached until files or workspace folders change.
        """
        key: _Key = (snapshot.tree_revision, snapshot.disk_revision, snapshot.folders)
        cached = self._roots.get(name)
        if cached is not None and cached[0] == key:
            return cached[1]
        top = find_project_root(name, snapshot.folders)
        if name in snapshot.documents:
            self._roots[name] = key, top
        return top

    def include_graph(self, name: DocumentName, snapshot: Snapshot, check: CancellationCheck) -> IncludeGraph:
        """Returns the include graph of the project that contains the file `name`.

        Scans the project if necessary.
        """
        return self._graph_of_project(self.project_root_of(name, snapshot), snapshot, check)

    def name_index(
        self, document: OpenDocument, snapshot: Snapshot, check: CancellationCheck
    ) -> tuple[IncludeGraph, NameIndex]:
        """Returns the include graph and the name index of the document's project.

        The index may be incomplete; `NameIndex.advance_for` adds the remaining files.
        """
        if not is_file_name(document.name):
            return IncludeGraph(), NameIndex()
        top = self.project_root_of(document.name, snapshot)
        graph = self._graph_of_project(top, snapshot, check)
        index = self._projects[top].names
        index.update(graph.opencl_files, graph.permission)
        return graph, index

    def _graph_of_project(self, top: str, snapshot: Snapshot, check: CancellationCheck) -> IncludeGraph:
        project = self._projects.get(top, _ProjectState())
        if project.tree_revision != snapshot.tree_revision:
            project.include_graph.update(scan_configured_project(top, snapshot.folders, check))
            project.tree_revision = snapshot.tree_revision
            self._outside_uses.clear()
            self._projects[top] = project
        return project.include_graph


def _chosen_first(
    candidates: tuple[IncludingProgram, ...], chosen: DocumentName | None
) -> tuple[IncludingProgram, ...]:
    """Returns the candidates; a candidate that was chosen by command comes first."""
    return tuple(sorted(candidates, key=lambda each: each.path != chosen))


def _candidates(graph: IncludeGraph, name: DocumentName, files: FileSystem) -> tuple[IncludingProgram, ...]:
    """Returns the kernels through which the file `name` can be analysed; empty if it is a program itself.

    The file's text on disk decides; unsaved edits are ignored.
    """
    data = files.read(name, graph.permission)
    return graph.candidate_programs(name, b"" if isinstance(data, FileProblem) else data)


def _is_declared_outside(outside: DeclarationsElsewhere, document: OpenDocument) -> bool:
    """Whether another file includes the document, or may declare a name that occurs in it."""
    return outside.is_included or any(
        outside.declares(word.decode("utf-8", "replace")) for word in set(words(document.text.data))
    )
