"""The analyses of the open documents. Everything here is owned by the analysis thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING

from openclsp.dataclass import dataclass
from openclsp.lsp.disk import CachedFiles, NotedFiles
from openclsp.lsp.documents import OpenDocument
from openclsp.lsp.garbage import leave_out_what_there_is
from openclsp.lsp.hosts import Hosts
from openclsp.lsp.jobs import InUse
from openclsp.lsp.planning import Planner, complaints
from openclsp.lsp.roots import Roots
from openclsp.lsp.status import Status
from openclsp.lsp.superseded import Check
from openclsp.lsp.uris import uri_of
from openclsp.lsp.world import World
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.checkpoint import Checkpoint
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text
from openclsp.workspace.discovery import KERNEL_SUFFIXES
from openclsp.workspace.files import Documents, FileProblem
from openclsp.workspace.loader import IncludeLoader, Refusal
from openclsp.workspace.project_headers import ProjectHeaders
from openclsp.workspace.units import PlannedUnit

if TYPE_CHECKING:
    from openclsp.ide.project_sharing import ProjectSharing


@dataclass(slots=True)
class LiveLoader:
    """A unit's include loader whose document snapshot is replaced by each job."""

    now: IncludeLoader

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Resolves an include directive to a document, or to the reason why it cannot be read."""
        return self.now.load(name, angled, includer)


@dataclass(frozen=True, slots=True)
class Notes:
    """Side results of an analysis, which the event loop stores.

    `dependencies` are the names of the files requested so far, found or not. `complaints` are messages about
    the options, one line each. `fragment`: a change of another kernel may change the kernel through which the
    document is analysed. `status` is the configuration under which it is analysed.
    """

    dependencies: frozenset[str]
    complaints: tuple[str, ...]
    fragment: bool
    status: Status


@dataclass(slots=True)
class _Entry:
    """The state of an open document between jobs. `unit` is None if the document is not OpenCL C."""

    opening: int
    planned: PlannedUnit
    files: NotedFiles
    loader: LiveLoader
    unit: TranslationUnit | None
    seen: _Seen
    _told: tuple[PlannedUnit, tuple[str, ...], Status] | None = None

    def of_options(self) -> tuple[tuple[str, ...], Status]:
        """The messages about the unit's options, and the document's status; cached for the current plan."""
        told = self._told
        if told is None or told[0] is not self.planned:
            told = self._told = self.planned, complaints(self.planned), Status.of(self.planned.unit)
        return told[1], told[2]

    def serves(self, document: OpenDocument, planned: PlannedUnit) -> bool:
        """Whether the unit can be updated to this version; otherwise a new one must be created."""
        return self.opening == document.opening and self.planned == planned

    def is_current(self, document: OpenDocument, world: World) -> bool:
        """Whether the unit was brought up to the present texts of the document and of all that it includes."""
        seen = self.seen
        return (
            seen.text is document.text
            and seen.disk == world.disk
            and seen.others == _texts_of(world, self.files.asked)
        )

    def close(self) -> None:
        """Releases the unit's memory without waiting for the garbage collector."""
        if self.unit is not None:
            self.unit.close()

    def told(self, planned: PlannedUnit) -> None:
        """Replaces the plan by an equal one.

        They may differ in fields that `==` ignores, such as the origins of the options, which answers show.
        """
        self.planned = planned
        if self.unit is not None:
            self.unit.unit = planned.unit


@dataclass(frozen=True, slots=True)
class _Seen:
    """The inputs to which a unit was last updated; it is up to date as long as they are equal."""

    text: Text
    disk: int
    others: dict[DocumentName, Text]
    headers: ProjectHeaders | None

    @staticmethod
    def of(
        document: OpenDocument,
        world: World,
        asked: set[str],
        planned: PlannedUnit,
        unit: TranslationUnit | None,
        before: _Seen | None = None,
    ) -> _Seen:
        """The inputs of an analysis that requested the files `asked`.

        The project's list of headers is an input only if the unit has an include that could not be resolved.
        """
        headers = planned.headers
        if before is not None and unit is not None and not unit.preprocessed.has_unknown_include:
            headers = before.headers
        return _Seen(document.text, world.disk, _texts_of(world, asked), headers)

    def same_headers(self, before: _Seen) -> bool:
        """Whether no included file can have changed."""
        return self.disk == before.disk and self.others == before.others and self.headers is before.headers


def _texts_of(world: World, names: set[str]) -> dict[DocumentName, Text]:
    return {name: each.text for name, each in world.documents.items() if name in names}


@dataclass(frozen=True, slots=True)
class Analysed:
    """A document with its translation unit, updated to that version. Valid only within the job."""

    document: OpenDocument
    unit: TranslationUnit
    world: World
    _session: Session

    def sharing(self, check: Check) -> tuple[TranslationUnit, ...]:
        """The up-to-date units of the other open documents that share a document with this one."""
        own = {each.document.name for each in self.unit.preprocessed.units()}
        found = (self._session.known(each, self.world, check) for each in self.world.documents.values())
        return tuple(
            unit
            for unit in found
            if unit is not None
            and unit is not self.unit
            and not own.isdisjoint(each.document.name for each in unit.preprocessed.units())
        )

    def project(self, check: Check) -> ProjectSharing:
        """The open documents and project files in which a fix of this document must be checked."""
        return self._session.project_of(self, check)

    def text_of(self, name: DocumentName) -> Text:
        """The text of a document of the unit; empty if it can no longer be read."""
        found = self.unit.document_named(name)
        return Text.of(b"") if found is None else found.text

    def is_open(self, name: DocumentName) -> bool:
        """Whether the document is open in the editor."""
        return name in self.world.documents

    def uri_of(self, name: DocumentName) -> str:
        """The URI of a document, in the client's spelling if the document is open."""
        opened = self.world.documents.get(name)
        return uri_of(name) if opened is None else opened.uri


@dataclass(slots=True)
class Session:
    """The analyses of all open documents, with the caches that they share."""

    _entries: dict[str, _Entry] = field(default_factory=dict)
    _files: CachedFiles = field(default_factory=CachedFiles)
    _roots: Roots = field(default_factory=Roots)
    _hosts: Hosts = field(default_factory=Hosts)
    _disk: int = 0
    _unsettled: bool = False
    _asking: bool = False
    """Whether `_including` is running; it must not recurse when it analyses other documents."""
    _planner: Planner = field(init=False)
    _in_work: list[DocumentName] = field(default_factory=list)
    """The documents of the running jobs, outermost first; each runs in a check of the one before it."""

    def __post_init__(self) -> None:
        self._planner = Planner(self._hosts, self._files)

    @contextmanager
    def working_on(self, name: DocumentName) -> Iterator[None]:
        """Marks the document's analysis as in use; nested jobs cannot use it then."""
        self._in_work.append(name)
        try:
            yield
        finally:
            self._in_work.pop()

    def analysed(self, document: OpenDocument, world: World, check: Check) -> Analysed | None:
        """The analysis of this version of the document, updated incrementally from the last version.

        None if the document is not OpenCL C. Raises InUse if an outer job is in the middle of this analysis.
        """
        if document.name in self._in_work[:-1]:
            raise InUse
        if world.disk != self._disk:
            self._files, self._disk = CachedFiles(), world.disk
            self._planner.files = self._files
        entry = self._entries.get(document.name)
        files = NotedFiles(self._files) if entry is None else entry.files
        files.files = self._files
        documents = Documents(files, {name: each.document for name, each in world.documents.items()})

        def planned_through(root: Document | None) -> PlannedUnit:
            return self._planner.plan(document, world, root)

        def including() -> Iterator[Document]:
            return self._including(document, world, check)

        changed = False
        root = self._roots.root_of(
            document, world, self._files, planned_through, check, including, self._hosts.revision
        )
        planned = planned_through(root)
        start = document.document if root is None else root
        if root is not None:
            files.asked.add(root.name)
        if entry is None or not entry.serves(document, planned):
            loader = LiveLoader(planned.loader(documents))
            cache = self._roots.cache_of(document.name, planned)
            unit = TranslationUnit(planned.unit, start, loader, cache, check) if planned.analysed else None
            if entry is not None:
                entry.close()
            self._unsettled = True
            entry = _Entry(
                document.opening,
                planned,
                files,
                loader,
                unit,
                # Evaluated after the unit was created, which adds the requested files to `files.asked`.
                _Seen.of(document, world, files.asked, planned, unit),
            )
            self._entries[document.name] = entry
            changed = True
        elif entry.unit is not None:
            seen = _Seen.of(document, world, files.asked, planned, entry.unit, entry.seen)
            changed = seen != entry.seen
            if changed:
                entry.loader.now = planned.loader(documents)
                same_headers = root is None and seen.same_headers(entry.seen)
                # For a fragment the edit is in an included document, so the headers count as changed.
                entry.unit.update(start, headers_changed=not same_headers)
                # The update may have requested other files.
                entry.seen = _Seen.of(document, world, files.asked, planned, entry.unit, seen)
        entry.told(planned)
        if entry.unit is None:
            return None
        if changed and root is not None:
            reached = entry.unit.preprocessed.documents()
            if document.name not in reached:
                self._roots.refute(document.name, root, world, reached | entry.files.asked)
                return self.analysed(document, world, check)
        entry.unit.engine.checkpoint = check
        entry.unit.outside = self._roots.outside(entry.unit.document.name, world)
        return Analysed(document, entry.unit, world, self)

    def _including(self, document: OpenDocument, world: World, check: Check) -> Iterator[Document]:
        """The open documents that are programs of their own and whose present text includes this document."""
        if self._asking:
            return
        self._asking = True
        try:
            for each in world.documents.values():
                entry = self._entries.get(each.name)
                if entry is None or entry.unit is None or each.name == document.name:
                    continue
                unit: TranslationUnit | None = entry.unit
                if entry.unit.document.name != each.name:
                    continue
                if not entry.is_current(each, world):
                    unit = self.known(each, world, check)
                if unit is not None and document.name in unit.preprocessed.documents():
                    yield each.document
        finally:
            self._asking = False

    def look_over(self, document: OpenDocument, world: World, check: Check) -> frozenset[DocumentName]:
        """Scans the document's project, once.

        Returns the open documents whose root kernel may change by that.
        """
        return self._roots.look_over(document, world, self._files, check)

    def look_at_hosts(
        self, document: OpenDocument, world: World, seconds: float
    ) -> frozenset[DocumentName] | None:
        """Scans the host code of the document's project for at most `seconds`.

        Returns the open documents whose options or headers may have changed by that; None if there is more to
        do.
        """
        return self._hosts.look_over(document, world, seconds)

    def known(self, document: OpenDocument, world: World, check: Check) -> TranslationUnit | None:
        """The up-to-date unit of another open document; None if it was never analysed or is not OpenCL C."""
        if document.name not in self._entries:
            return None
        analysed = self.analysed(document, world, check)
        return None if analysed is None else analysed.unit

    def project_of(self, analysed: Analysed, check: Check) -> ProjectSharing:
        """The documents in which a fix must be checked: see `Analysed.project`."""
        from openclsp.ide.project_sharing import ProjectSharing

        document, world = analysed.document, analysed.world
        documents = Documents(self._files, {name: each.document for name, each in world.documents.items()})

        permission = self._entries[document.name].planned.permission

        def units_of(name: DocumentName, checkpoint: Checkpoint) -> list[TranslationUnit]:
            root = documents.read(name, permission)
            if isinstance(root, FileProblem):
                return []
            planned = self._planner.plan(document, world, root)
            if planned.cpp_for_opencl:
                return []
            unit = TranslationUnit(planned.unit, root, planned.loader(documents), checkpoint=checkpoint)
            unit.engine.checkpoint = check
            return [unit]

        return ProjectSharing(
            lambda name: self._roots.includers_of(name, world, check),
            units_of,
            lambda: analysed.sharing(check),
            header_bodies=False,
        )

    def notes(self, document: OpenDocument) -> Notes:
        """The side results of the document's analysis so far."""
        entry = self._entries[document.name]
        kernel = document.name.lower().endswith(KERNEL_SUFFIXES)
        fragment = bool(entry.planned.unit.subject) or not kernel
        told, status = entry.of_options()
        dependencies = self._roots.depends_on(document.name).union(entry.files.asked)
        if not entry.planned.unit.subject:
            # who looked for it once may include it again
            others = [(name, each) for name, each in self._entries.items() if each is not entry]
            dependencies |= {name for name, each in others if document.name in each.files.asked}
        return Notes(dependencies, told, fragment, status)

    def settle(self) -> None:
        """Exempts a new unit's objects from garbage collection, after its first answer."""
        if self._unsettled:
            self._unsettled = False
            leave_out_what_there_is()

    def drop(self, name: DocumentName) -> None:
        """Drops the analysis of a closed document; with the last one, also the cached file contents."""
        entry = self._entries.pop(name, None)
        if entry is not None:
            entry.close()
        self._planner.drop(name)
        self._roots.drop(name)
        if not self._entries:
            self._files = self._planner.files = CachedFiles()
