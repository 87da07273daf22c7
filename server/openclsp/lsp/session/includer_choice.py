"""Chooses the kernel file that includes an open document; the document is analysed as part of this file.

After an edit, the choice is updated incrementally. Each candidate that was tried is cached with the names of
the documents that it requested, and only candidates whose directives may have changed are preprocessed again.
The updated choice is always the one that a new search would make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace

from openclsp.dataclass import dataclass
from openclsp.lsp.session.cancellation import CancellationCheck
from openclsp.lsp.session.file_systems import RecordingFiles
from openclsp.lsp.session.snapshot import Snapshot
from openclsp.project.file_system import DocumentStore, FileProblem, FileSystem
from openclsp.project.read_permission import ReadPermission
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.special_lines import changes_directives
from openclsp.source.text import Text
from openclsp.workspace.include_graph import IncludingProgram
from openclsp.workspace.includer_units import IncluderUnit, unit_through
from openclsp.workspace.units import PlannedUnit

Plan = Callable[[Document], PlannedUnit]


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A candidate with the result of preprocessing it.

    - `through`: the unit of the candidate; None if the candidate's file cannot be read
    - `includes_subject`: whether the candidate includes the document
    - `requested`: the names of the documents that the candidate requested, whether found or not
    - `texts`: the texts of the requested documents that were open
    """

    includer: IncludingProgram
    through: IncluderUnit | None
    includes_subject: bool
    requested: frozenset[DocumentName]
    texts: Mapping[DocumentName, Text]
    by_content: bool
    """Whether the result depends on more than directives, because the document may be included within an
    item.
    """
    may_include_more: bool
    """See `Preprocessed.may_include_more`."""

    def after_edits(self, snapshot: Snapshot, plan: Plan) -> _Attempt | None:
        """Returns the attempt for the current texts; None if preprocessing them might give another result."""
        texts = _open_texts(snapshot, self.requested)
        if texts.keys() != self.texts.keys():
            return None
        changed = [name for name, text in texts.items() if text is not self.texts[name]]
        if changed and self.by_content:
            return None
        if any(changes_directives(self.texts[name], texts[name]) for name in changed):
            return None
        through = self.through
        if through is None:
            return self
        opened = None if self.includer.parts else snapshot.documents.get(self.includer.path)
        root = through.root if opened is None else opened.document
        if plan(root) != through.planned_unit:
            return None
        return replace(self, texts=texts, through=replace(through, root=root)) if changed else self


@dataclass(slots=True)
class IncluderChoice:
    """The choice for one document among its `candidates`, which are sorted with the best first.

    Valid while the files on disk are the same.
    """

    subject: DocumentName
    candidates: tuple[IncludingProgram, ...]
    permission: ReadPermission
    requested: frozenset[DocumentName] = frozenset()
    """The documents on which the choice depends."""
    cache: tuple[PlannedUnit, IncludeCache] | None = None
    """The include cache of the chosen kernel, with the unit for which it was filled; it can be taken only
    once.
    """
    _attempts: list[_Attempt] = field(default_factory=list)
    _inputs: _ChoiceInputs | None = None
    _refuted: Mapping[DocumentName, Text] | None = None
    """The open texts at the time when an open kernel turned out not to include the document."""

    def root(
        self, snapshot: Snapshot, files: FileSystem, plan: Plan, check: CancellationCheck
    ) -> Document | None:
        """Returns the kernel that includes the document; None if no candidate does."""
        documents = DocumentStore(files, {name: each.document for name, each in snapshot.documents.items()})
        by_content = any(each.by_content for each in self._attempts)
        inputs = _ChoiceInputs.of(snapshot, "" if by_content else self.subject)
        if self._inputs is None or not inputs.equals(self._inputs):
            self._inputs = None
            self._try_all(snapshot, documents, plan, check)
            self._inputs = inputs
        if not self._attempts or not self._attempts[-1].includes_subject:
            return None
        root = self._attempts[-1].includer.load_document(documents, self.permission)
        return None if isinstance(root, FileProblem) else root

    def possible_plan(self) -> PlannedUnit | None:
        """Returns the plan of a kernel that may include the document after text that is not read.

        Returns None if a kernel certainly includes the document. Must be called after `root`.
        """
        if not self._attempts or self._attempts[-1].includes_subject:
            return None
        possible = (each.through for each in self._attempts if each.may_include_more)
        return next((each.planned_unit for each in possible if each is not None), None)

    def refute(self, root: Document, snapshot: Snapshot, requested: frozenset[DocumentName]) -> None:
        """Records that `root` does not include the document, as the analysis of `root` has shown.

        `requested` names the documents that this analysis requested.
        """
        last = self._attempts[-1] if self._attempts else None
        if last is None or not last.includes_subject:
            self._refuted = _open_texts(snapshot, snapshot.documents)
            return
        requested |= last.requested
        texts = _open_texts(snapshot, requested)
        self._attempts[-1] = replace(
            last, includes_subject=False, requested=requested, texts=texts, by_content=True
        )
        self._inputs = None

    def may_ask_open_kernels(self, snapshot: Snapshot) -> bool:
        """Whether an open kernel may include the document.

        Returns False if this has been refuted for the current texts of the open documents.
        """
        refuted = self._refuted
        if refuted is None:
            return True
        now = _open_texts(snapshot, snapshot.documents)
        return now.keys() != refuted.keys() or any(now[name] is not refuted[name] for name in now)

    def _try_all(
        self, snapshot: Snapshot, documents: DocumentStore, plan: Plan, check: CancellationCheck
    ) -> None:
        """Tries the candidates in order until one includes the document; reuses valid earlier attempts."""
        before, self._attempts = self._attempts, []
        for index, includer in enumerate(self.candidates):
            check()
            # The chosen kernel is not checked: its own analysis shows whether it still includes the document.
            old = before[index] if index < len(before) else None
            attempt = old if old is None or old.includes_subject else old.after_edits(snapshot, plan)
            self._attempts.append(attempt or self._try(includer, snapshot, documents, plan))
            if self._attempts[-1].includes_subject:
                break
        self.requested = frozenset().union(*(each.requested for each in self._attempts))

    def _try(
        self, includer: IncludingProgram, snapshot: Snapshot, documents: DocumentStore, plan: Plan
    ) -> _Attempt:
        """Preprocesses the candidate `includer` to determine whether it includes the document."""
        recording = RecordingFiles(documents.file_system)
        through, found = unit_through(
            includer, self.permission, plan, DocumentStore(recording, documents.open_documents)
        )
        reached = frozenset() if found is None else found.documents()
        requested = frozenset((*recording.requested_paths, *reached, includer.path))
        includes_subject = self.subject in reached
        if through is not None and includes_subject:
            self.cache = through.planned_unit, through.cache
        elif through is not None:
            through = replace(through, cache=IncludeCache())
        by_content = (
            not includes_subject and found is not None and self.subject in requested and _splices(found)
        )
        texts = _open_texts(snapshot, requested)
        more = found is not None and found.may_include_more
        return _Attempt(includer, through, includes_subject, requested, texts, by_content, more)


@dataclass(frozen=True, slots=True)
class _ChoiceInputs:
    """The inputs of a choice other than files on disk: the options and the texts of open documents."""

    options: tuple[object, ...]
    texts: Mapping[DocumentName, Text]

    @staticmethod
    def of(snapshot: Snapshot, subject: DocumentName) -> _ChoiceInputs:
        """Collects the inputs from a snapshot, without the text of `subject`."""
        texts = {name: each.text for name, each in snapshot.documents.items() if name != subject}
        return _ChoiceInputs((snapshot.settings, snapshot.chosen_versions, snapshot.chosen_variants), texts)

    def equals(self, other: _ChoiceInputs) -> bool:
        """Whether no text was replaced, opened or closed, and no option changed."""
        texts = other.texts
        return (
            self.texts.keys() == texts.keys()
            and all(text is texts[name] for name, text in self.texts.items())
            and self.options == other.options
        )


def _splices(found: Preprocessed) -> bool:
    return any(part.trace.splices for part in found.with_included())


def _open_texts(
    snapshot: Snapshot, names: Mapping[DocumentName, object] | frozenset[DocumentName]
) -> dict[DocumentName, Text]:
    return {name: each.text for name, each in snapshot.documents.items() if name in names}
