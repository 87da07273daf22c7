"""The analyses of the open documents. All objects of this module are owned by the analysis thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.ide.unit_creation import create_unit
from openclsp.lsp.session.analysis_entry import AnalysisEntry, SideResults, SnapshotLoader, UpdateInputs
from openclsp.lsp.session.analysis_thread import AnalysisInUse
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.file_systems import CachedFiles, RecordingFiles
from openclsp.lsp.session.garbage_collection import freeze_live_objects
from openclsp.lsp.session.host_scans import HostScans
from openclsp.lsp.session.join_step import JoinStep
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.project_access import ProjectAccess
from openclsp.lsp.session.project_flows import SessionFlows
from openclsp.lsp.session.project_indexes import ProjectIndexes
from openclsp.lsp.session.root_kernels import RootKernels
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.session.unit_planner import UnitPlanner
from openclsp.lsp.uris import document_uri
from openclsp.project.file_discovery import KERNEL_SUFFIXES
from openclsp.project.file_system import DocumentStore, FileProblem
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.checkpoint import Checkpoint
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text
from openclsp.workspace.include_loader import IncludeLoader
from openclsp.workspace.units import PlannedUnit

if TYPE_CHECKING:
    from openclsp.host_options.host_project import HostProject
    from openclsp.ide.feature_results import TextEdit
    from openclsp.ide.file_renames.file_moves import FileMoves
    from openclsp.ide.fixes.project_units import ProjectUnitSource


@dataclass(frozen=True, slots=True)
class DocumentAnalysis:
    """A document with its translation unit, which is up to date with its text. Valid only within the job."""

    document: OpenDocument
    unit: TranslationUnit
    snapshot: Snapshot
    _session: AnalysisSession

    def units_sharing_documents(self, check: CancellationCheck) -> tuple[TranslationUnit, ...]:
        """Returns the updated units of other open documents that share a document with this unit."""
        own = {each.document.name for each in self.unit.preprocessed.with_included()}
        found = (
            self._session.known_unit(each, self.snapshot, check) for each in self.snapshot.documents.values()
        )
        return tuple(
            unit
            for unit in found
            if unit is not None
            and unit is not self.unit
            and not own.isdisjoint(each.document.name for each in unit.preprocessed.with_included())
        )

    def project_sharing(self, check: CancellationCheck) -> ProjectUnitSource:
        """Returns an object that finds and analyses the project's programs that a fix may affect."""
        return self._session.project_sharing_of(self, check)

    def project_access(self, check: CancellationCheck) -> ProjectAccess:
        """Returns access to the other files of the document's project."""
        return self._session.project_access_of(self, check)

    def list_headers(self, folder: str, angled: bool) -> tuple[tuple[str, bool], ...]:
        """Returns the names that can follow `folder` in an include path, each with whether it is a folder."""
        return self._session.include_loader_of(self.document.name).list_names(
            folder, angled, self.document.name
        )

    def text_of(self, name: DocumentName) -> Text:
        """Returns the text of a document of the unit; empty if it can no longer be read."""
        found = self.unit.document_named(name)
        return Text.of(b"") if found is None else found.text

    def is_open(self, name: DocumentName) -> bool:
        """Whether the document is open in the editor."""
        return name in self.snapshot.documents

    def version_of(self, name: DocumentName) -> int | None:
        """Returns the version of an open document; None if it is not open."""
        opened = self.snapshot.documents.get(name)
        return None if opened is None else opened.version

    def uri_of(self, name: DocumentName) -> str:
        """Returns the URI of a document, in the client's spelling if the document is open."""
        opened = self.snapshot.documents.get(name)
        return document_uri(name) if opened is None else opened.uri


@dataclass(slots=True)
class AnalysisSession:
    """The analyses of all open documents, with the caches that they share."""

    _entries: dict[str, AnalysisEntry] = field(default_factory=dict)
    _files: CachedFiles = field(default_factory=CachedFiles)
    _root_kernels: RootKernels = field(default_factory=RootKernels)
    _host_scans: HostScans = field(default_factory=HostScans)
    _disk_revision: int = 0
    _has_new_unit: bool = False
    _finding_including: bool = False
    """Whether `_including_kernels` is running; it must not recurse when it analyses other documents."""
    _planner: UnitPlanner = field(init=False)
    _flows: SessionFlows = field(init=False)
    _running_documents: list[DocumentName] = field(default_factory=list)
    """The documents of the running jobs, outermost first; each job is nested in the one before it."""

    def __post_init__(self) -> None:
        self._planner = UnitPlanner(self._host_scans, self._files)
        self._flows = SessionFlows(self._root_kernels)

    @contextmanager
    def mark_in_use(self, name: DocumentName) -> Iterator[None]:
        """Marks the document's analysis as in use within the context; nested jobs cannot use it there."""
        self._running_documents.append(name)
        try:
            yield
        finally:
            self._running_documents.pop()

    def analyse(
        self, document: OpenDocument, snapshot: Snapshot, check: CancellationCheck
    ) -> DocumentAnalysis | None:
        """Returns the analysis of this version of the document, updated incrementally from the last version.

        Returns None if the document is not OpenCL C. Raises AnalysisInUse if a job in which this one is
        nested is using this analysis.
        """
        if document.name in self._running_documents[:-1]:
            raise AnalysisInUse
        if snapshot.disk_revision != self._disk_revision:
            self._files, self._disk_revision = CachedFiles(), snapshot.disk_revision
            self._planner.files = self._files
        entry = self._entries.get(document.name)
        files = RecordingFiles(self._files) if entry is None else entry.files
        files.files = self._files
        documents = DocumentStore(files, snapshot.open_texts())

        def planned_through(root: Document | None) -> PlannedUnit:
            return self._planner.plan(document, snapshot, root)

        def including() -> Iterator[Document]:
            return self._including_kernels(document, snapshot, check)

        root = self._root_kernels.choose_root(
            document, snapshot, self._files, planned_through, check, including, self._host_scans.revision
        )
        planned = self._root_kernels.complete_plan(planned_through(root), document.name, root)
        start = document.document if root is None else root
        if root is not None:
            files.requested_paths.add(root.name)
        if entry is None or not entry.can_update(document, planned):
            created = self._create_entry(document, snapshot, planned, start, files, documents, check)
            # The former entry must stay usable if the creation is cancelled.
            if entry is not None:
                entry.close()
            entry = self._entries[document.name] = created
            changed = True
        else:
            changed = entry.update(document, snapshot, planned, root, documents)
        entry.replace_plan(planned)
        if entry.unit is None:
            return None
        if changed and root is not None:
            reached = entry.unit.preprocessed.documents()
            if document.name not in reached:
                self._root_kernels.refute(
                    document.name, root, snapshot, reached | entry.files.requested_paths
                )
                return self.analyse(document, snapshot, check)
        entry.unit.database.checkpoint = check
        self._flows.attach(document, entry.unit, snapshot, check)
        return DocumentAnalysis(document, entry.unit, snapshot, self)

    def _create_entry(
        self,
        document: OpenDocument,
        snapshot: Snapshot,
        planned: PlannedUnit,
        root: Document,
        files: RecordingFiles,
        documents: DocumentStore,
        check: CancellationCheck,
    ) -> AnalysisEntry:
        """Analyses the unit of `root` from scratch, except for what it shares with other units."""
        loader = SnapshotLoader(planned.make_include_loader(documents))
        cache = self._root_kernels.take_include_cache(document.name, planned)
        unit = (
            create_unit(planned.unit_config, root, loader, cache, check, self._idle_units(document.name))
            if planned.is_analysed
            else None
        )
        self._has_new_unit = True
        # The inputs are computed after the unit was created, because that adds to `files.requested_paths`.
        inputs = UpdateInputs.of(document, snapshot, files.requested_paths, planned, unit)
        return AnalysisEntry(document.opening, planned, files, loader, unit, inputs)

    def _idle_units(self, document: DocumentName) -> Iterator[TranslationUnit]:
        """Yields the units of the other documents, except units that are in use: see `mark_in_use`."""
        for name, entry in self._entries.items():
            if entry.unit is not None and name != document and name not in self._running_documents:
                yield entry.unit

    def _including_kernels(
        self, document: OpenDocument, snapshot: Snapshot, check: CancellationCheck
    ) -> Iterator[Document]:
        """Yields the open kernels whose current text includes this document."""
        if self._finding_including:
            return
        self._finding_including = True
        try:
            for each in snapshot.documents.values():
                entry = self._entries.get(each.name)
                if entry is None or entry.unit is None or each.name == document.name:
                    continue
                unit: TranslationUnit | None = entry.unit
                if entry.unit.document.name != each.name:
                    continue
                if not entry.is_current(each, snapshot):
                    unit = self.known_unit(each, snapshot, check)
                if unit is not None and document.name in unit.preprocessed.documents():
                    yield each.document
        finally:
            self._finding_including = False

    def find_includers(
        self, document: OpenDocument, snapshot: Snapshot, check: CancellationCheck
    ) -> tuple[DocumentName, ...]:
        """Returns the programs that include a file, open or not, the best first."""
        try:
            return self._root_kernels.find_includers(
                document,
                snapshot,
                self._files,
                lambda root: self._planner.plan(document, snapshot, root),
                check,
            )
        finally:
            if document.name not in self._entries:
                self._planner.drop_document(document.name)

    def edit_moved_includes(
        self, moves: FileMoves, snapshot: Snapshot, check: CancellationCheck
    ) -> tuple[tuple[Document, list[TextEdit]], ...]:
        """Returns the edits of include directives that a move of files requires, by document."""
        from openclsp.lsp.session.moved_includes import MovedIncludes

        moved = MovedIncludes(moves, snapshot, self._files, self._root_kernels, self._planner, check)
        return tuple(moved.edits())

    def scan_project(
        self, document: OpenDocument, snapshot: Snapshot, check: CancellationCheck
    ) -> frozenset[DocumentName]:
        """Scans the document's project once; returns the open documents whose root kernel may change."""
        return self._root_kernels.scan_project(document, snapshot, self._files, check)

    def advance_flow(self, document: OpenDocument, snapshot: Snapshot, check: CancellationCheck) -> JoinStep:
        """Computes one outdated flow of the document's project, if any: see `SessionFlows.advance`."""
        return self._flows.advance(document, self._planner, snapshot, check)

    def retain_projects(self, snapshot: Snapshot) -> None:
        """Drops the scans of all projects that neither are a workspace folder nor have an open document."""
        roots = frozenset(snapshot.folders).union(map(snapshot.root_of, snapshot.documents))
        self._root_kernels.retain_projects(roots)
        self._host_scans.retain_projects(roots)

    def scan_host_code(
        self, document: OpenDocument, snapshot: Snapshot, seconds: float
    ) -> frozenset[DocumentName] | None:
        """Scans the host code of the document's project for at most `seconds`.

        Returns the open documents whose options or headers the result may change; None if the scan is
        incomplete.
        """
        return self._host_scans.scan_slice(document, snapshot, seconds)

    def host_project_of(self, document: OpenDocument, snapshot: Snapshot) -> HostProject | None:
        """Returns the files and host code of a document's project; None before the first scan."""
        return self._host_scans.of(snapshot.root_of(document.name), document.name)

    def include_loader_of(self, name: DocumentName) -> IncludeLoader:
        """Returns the loader of an analysed document's headers."""
        return self._entries[name].loader.loader

    def known_unit(
        self, document: OpenDocument, snapshot: Snapshot, check: CancellationCheck
    ) -> TranslationUnit | None:
        """Returns the updated unit of another document; None if it was not analysed or is not OpenCL C."""
        if document.name not in self._entries:
            return None
        analysed = self.analyse(document, snapshot, check)
        return None if analysed is None else analysed.unit

    def project_sharing_of(self, analysed: DocumentAnalysis, check: CancellationCheck) -> ProjectUnitSource:
        """Returns an object that finds and analyses the project's programs that a fix may affect."""
        from openclsp.ide.fixes.project_units import ProjectUnitSource
        from openclsp.lsp.session.host_effects import make_host_effects

        snapshot = analysed.snapshot
        documents = DocumentStore(self._files, snapshot.open_texts())
        return ProjectUnitSource(
            lambda name: self._root_kernels.scanned_include_graph(name, snapshot, check),
            lambda build, point, others: self._units_of_program(
                build.root, analysed, documents, point, check, others, build.variant
            ),
            lambda: analysed.units_sharing_documents(check),
            header_bodies=False,
            host_effects=make_host_effects(documents, self._entries[analysed.document.name].plan.permission),
        )

    def _units_of_program(
        self,
        name: DocumentName,
        analysed: DocumentAnalysis,
        documents: DocumentStore,
        checkpoint: Checkpoint,
        check: CancellationCheck,
        others: Sequence[TranslationUnit] = (),
        variant: str | None = None,
    ) -> list[TranslationUnit]:
        """Returns a new unit of a program of the project, in a list. It reuses results of `others`.

        `variant` names the build; None stands for the chosen one. The list is empty if the program cannot be read
        or is C++ for OpenCL.
        """
        root = documents.read(name, self._entries[analysed.document.name].plan.permission)
        if isinstance(root, FileProblem):
            return []
        planned = self._planner.plan_build(analysed.document, analysed.snapshot, root, variant)
        if planned.cpp_for_opencl:
            return []
        loader = planned.make_include_loader(documents)
        unit = create_unit(planned.unit_config, root, loader, None, checkpoint, others)
        unit.database.checkpoint = check
        return [unit]

    def project_access_of(self, analysed: DocumentAnalysis, check: CancellationCheck) -> ProjectAccess:
        """Returns access to the other files of the document's project."""
        document, snapshot = analysed.document, analysed.snapshot
        documents = DocumentStore(self._files, snapshot.open_texts())
        return ProjectAccess(
            self.project_indexes(document, snapshot, check),
            analysed.unit,
            documents,
            self._entries[document.name].plan.permission,
            lambda: analysed.units_sharing_documents(check),
            lambda name: self._units_of_program(name, analysed, documents, check, check),
        )

    def project_indexes(
        self, document: OpenDocument, snapshot: Snapshot, check: CancellationCheck
    ) -> ProjectIndexes:
        """Returns the name indexes of a document's project; the document may be in any language."""
        return ProjectIndexes(document, snapshot, self._root_kernels, self._host_scans, self._files, check)

    def side_results(self, document: OpenDocument) -> SideResults:
        """Returns the side results of the document's analysis so far."""
        entry = self._entries[document.name]
        kernel = document.name.lower().endswith(KERNEL_SUFFIXES)
        fragment = bool(entry.plan.unit_config.subject) or not kernel
        messages, problems, status = entry.messages_and_status()
        dependencies = self._root_kernels.depends_on(document.name).union(entry.files.requested_paths)
        if not entry.plan.unit_config.subject:
            # A kernel that requested the document once may include it again.
            others = [(name, each) for name, each in self._entries.items() if each is not entry]
            dependencies |= {name for name, each in others if document.name in each.files.requested_paths}
        return SideResults(dependencies, messages, problems, fragment, status)

    def freeze_new_unit(self) -> None:
        """Exempts a new unit's objects from garbage collection, after its first answer."""
        if self._has_new_unit:
            self._has_new_unit = False
            freeze_live_objects()

    def drop_document(self, name: DocumentName) -> None:
        """Drops the analysis of a closed document; if no other is left, also the cached file contents."""
        entry = self._entries.pop(name, None)
        if entry is not None:
            entry.close()
            # The remains of this analysis must not be frozen together with the next unit.
            self._has_new_unit = False
        self._planner.drop_document(name)
        self._root_kernels.drop_document(name)
        self._flows.drop_document(name)
        if not self._entries:
            self._files = self._planner.files = CachedFiles()
