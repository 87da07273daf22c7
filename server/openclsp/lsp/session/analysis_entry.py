"""The analysis of one open document, which is kept between jobs with the inputs of its last update."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.lsp.session.document_status import Status
from openclsp.lsp.session.file_systems import RecordingFiles
from openclsp.lsp.session.open_documents import OpenDocument
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.lsp.session.unit_planner import option_messages, project_file_problems
from openclsp.project.file_system import DocumentStore
from openclsp.project.project_headers import ProjectHeaders
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document, DocumentName
from openclsp.source.text import Text
from openclsp.workspace.include_loader import IncludeLoader, Refusal
from openclsp.workspace.units import PlannedUnit


@dataclass(frozen=True, slots=True)
class SideResults:
    """Side results of an analysis, which the event loop stores.

    - `dependencies`: the names of the files requested so far, whether found or not
    - `option_messages`: messages about the build options, one line each
    - `project_file_problems`: the path of the project file, and a message about its problems
    - `may_be_fragment`: whether a change of another kernel may change the root of the document's unit
    - `status`: the configuration under which the document is analysed
    """

    dependencies: frozenset[str]
    option_messages: tuple[str, ...]
    project_file_problems: tuple[str, str]
    may_be_fragment: bool
    status: Status


@dataclass(slots=True)
class SnapshotLoader:
    """The include loader of a unit. Each job replaces `loader`, which reads one snapshot of the documents."""

    loader: IncludeLoader

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """Resolves an include directive to a document, or to the reason why it cannot be read."""
        return self.loader.load(name, angled, includer)


@dataclass(slots=True)
class AnalysisEntry:
    """The state of an open document between jobs. `unit` is None if the document is not OpenCL C."""

    opening: int
    plan: PlannedUnit
    files: RecordingFiles
    loader: SnapshotLoader
    unit: TranslationUnit | None
    inputs: UpdateInputs
    _cached_messages: tuple[PlannedUnit, tuple[str, ...], tuple[str, str], Status] | None = None

    def messages_and_status(self) -> tuple[tuple[str, ...], tuple[str, str], Status]:
        """Returns the messages about build options, `project_file_problems`, and the document's status.

        The result is cached until the plan changes.
        """
        cached = self._cached_messages
        if cached is None or cached[0] is not self.plan:
            cached = self._cached_messages = (
                self.plan,
                option_messages(self.plan),
                project_file_problems(self.plan),
                Status.of(self.plan.unit_config),
            )
        return cached[1], cached[2], cached[3]

    def can_update(self, document: OpenDocument, plan: PlannedUnit) -> bool:
        """Whether the unit can be updated to this version of the document.

        Otherwise a new unit must be created.
        """
        return self.opening == document.opening and self.plan == plan

    def update(
        self,
        document: OpenDocument,
        snapshot: Snapshot,
        plan: PlannedUnit,
        root: Document | None,
        documents: DocumentStore,
    ) -> bool:
        """Updates the unit to this version of the document, and returns whether an input of the unit has changed.

        `root` is the kernel that includes the document; None if the document itself is the unit's root.
        """
        if self.unit is None:
            return False
        requested = self.files.requested_paths
        inputs = UpdateInputs.of(document, snapshot, requested, plan, self.unit, self.inputs)
        if inputs == self.inputs:
            return False
        self.loader.loader = plan.make_include_loader(documents)
        # For a fragment the edit is in an included document, so the headers count as changed.
        same_headers = root is None and inputs.has_same_headers(self.inputs)
        self.unit.update(document.document if root is None else root, headers_changed=not same_headers)
        # The update may have requested other files.
        self.inputs = UpdateInputs.of(document, snapshot, requested, plan, self.unit, inputs)
        return True

    def is_current(self, document: OpenDocument, snapshot: Snapshot) -> bool:
        """Whether the unit is up to date with the texts of the document and of all files that it includes."""
        inputs = self.inputs
        return (
            inputs.text is document.text
            and inputs.disk_revision == snapshot.disk_revision
            and inputs.included_texts == _texts_of(snapshot, self.files.requested_paths)
        )

    def close(self) -> None:
        """Releases the unit's memory without waiting for the garbage collector."""
        if self.unit is not None:
            self.unit.close()

    def replace_plan(self, plan: PlannedUnit) -> None:
        """Replaces the plan by an equal one.

        The two plans may differ in fields that `==` ignores but answers show, such as the origins of the
        options.
        """
        self.plan = plan
        if self.unit is not None:
            self.unit.target = plan.unit_config


@dataclass(frozen=True, slots=True)
class UpdateInputs:
    """The inputs to which a unit was last updated. While they are unchanged, the unit is up to date."""

    text: Text
    disk_revision: int
    included_texts: dict[DocumentName, Text]
    headers: ProjectHeaders | None

    @staticmethod
    def of(
        document: OpenDocument,
        snapshot: Snapshot,
        requested_paths: set[str],
        plan: PlannedUnit,
        unit: TranslationUnit | None,
        before: UpdateInputs | None = None,
    ) -> UpdateInputs:
        """Returns the inputs of an analysis that requested the files `requested_paths`.

        If every include of the unit was resolved, the project's list of headers cannot affect the analysis. The
        result then has the same list as `before`, so that a change of the list causes no new analysis.
        """
        headers = plan.headers
        if before is not None and unit is not None and not unit.preprocessed.has_unknown_include:
            headers = before.headers
        return UpdateInputs(
            document.text, snapshot.disk_revision, _texts_of(snapshot, requested_paths), headers
        )

    def has_same_headers(self, before: UpdateInputs) -> bool:
        """Whether no included file can have changed since the inputs `before`."""
        return (
            self.disk_revision == before.disk_revision
            and self.included_texts == before.included_texts
            and self.headers is before.headers
        )


def _texts_of(snapshot: Snapshot, names: set[str]) -> dict[DocumentName, Text]:
    return {name: each.text for name, each in snapshot.documents.items() if name in names}
