"""Chooses the kernel through which an open document is analysed, and keeps the choice up to date.

Each candidate that was tried is kept with what it read, so that after an edit only those are preprocessed again
whose directives may have changed. The choice is always the one that would be made from nothing.
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

    `through` is None if its file cannot be read. `asked` names the documents that it looked for, found or not;
    `texts` are those of them that were open.
    """

    includer: IncludingProgram
    through: IncluderUnit | None
    reaches: bool
    asked: frozenset[DocumentName]
    texts: Mapping[DocumentName, Text]
    by_content: bool
    """Whether the result depends on more than directives: an include within an item is seen only by its tokens"""

    def after_edits(self, world: Snapshot, plan: Plan) -> _Attempt | None:
        """The attempt for the present texts, if preprocessing them would give the same result; else None."""
        texts = _open_texts(world, self.asked)
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
        opened = None if self.includer.parts else world.documents.get(self.includer.path)
        root = through.root if opened is None else opened.document
        if plan(root) != through.planned_unit:
            return None
        return replace(self, texts=texts, through=replace(through, root=root)) if changed else self


@dataclass(slots=True)
class IncluderChoice:
    """The choice for one document among its `candidates`, the best first, while the files on disk stay."""

    subject: DocumentName
    candidates: tuple[IncludingProgram, ...]
    permission: ReadPermission
    asked: frozenset[DocumentName] = frozenset()
    """The documents on which the choice depends"""
    cache: tuple[PlannedUnit, IncludeCache] | None = None
    """The included documents of the chosen kernel, with the unit that they were read for; taken once"""
    _attempts: list[_Attempt] = field(default_factory=list)
    _seen: _Moment | None = None
    _refuted: Mapping[DocumentName, Text] | None = None
    """The open texts when an open kernel turned out not to include the document"""

    def root(
        self, world: Snapshot, files: FileSystem, plan: Plan, check: CancellationCheck
    ) -> Document | None:
        """The kernel that includes the document; None if no candidate does."""
        documents = DocumentStore(files, {name: each.document for name, each in world.documents.items()})
        by_content = any(each.by_content for each in self._attempts)
        moment = _Moment.of(world, "" if by_content else self.subject)
        if self._seen is None or not moment.same(self._seen):
            self._seen = None
            self._try_all(world, documents, plan, check)
            self._seen = moment
        if not self._attempts or not self._attempts[-1].reaches:
            return None
        root = self._attempts[-1].includer.load_document(documents, self.permission)
        return None if isinstance(root, FileProblem) else root

    def refute(self, root: Document, world: Snapshot, asked: frozenset[DocumentName]) -> None:
        """Takes back that `root` includes the document: its analysis, which looked for `asked`, shows the opposite."""
        last = self._attempts[-1] if self._attempts else None
        if last is None or not last.reaches:
            self._refuted = _open_texts(world, world.documents)
            return
        asked |= last.asked
        texts = _open_texts(world, asked)
        self._attempts[-1] = replace(last, reaches=False, asked=asked, texts=texts, by_content=True)
        self._seen = None

    def may_ask_open_kernels(self, world: Snapshot) -> bool:
        """Whether an open kernel may include the document; not if one was just refuted in this very state."""
        refuted = self._refuted
        if refuted is None:
            return True
        now = _open_texts(world, world.documents)
        return now.keys() != refuted.keys() or any(now[name] is not refuted[name] for name in now)

    def _try_all(
        self, world: Snapshot, documents: DocumentStore, plan: Plan, check: CancellationCheck
    ) -> None:
        """Tries the candidates up to the first that includes the document, reusing the attempts that still hold."""
        before, self._attempts = self._attempts, []
        for place, includer in enumerate(self.candidates):
            check()
            # that the chosen kernel still includes the document, its own analysis shows
            old = before[place] if place < len(before) else None
            attempt = old if old is None or old.reaches else old.after_edits(world, plan)
            self._attempts.append(attempt or self._try(includer, world, documents, plan))
            if self._attempts[-1].reaches:
                break
        self.asked = frozenset().union(*(each.asked for each in self._attempts))

    def _try(
        self, includer: IncludingProgram, world: Snapshot, documents: DocumentStore, plan: Plan
    ) -> _Attempt:
        """Preprocesses a candidate."""
        noted = RecordingFiles(documents.file_system)
        through, found = unit_through(
            includer, self.permission, plan, DocumentStore(noted, documents.open_documents)
        )
        reached = frozenset() if found is None else found.documents()
        asked = frozenset((*noted.requested_paths, *reached, includer.path))
        reaches = self.subject in reached
        if through is not None and reaches:
            self.cache = through.planned_unit, through.cache
        elif through is not None:
            through = replace(through, cache=IncludeCache())
        by_content = not reaches and found is not None and self.subject in asked and _splices(found)
        return _Attempt(includer, through, reaches, asked, _open_texts(world, asked), by_content)


@dataclass(frozen=True, slots=True)
class _Moment:
    """What a choice depends on besides the files on disk: the options and the other open documents."""

    options: tuple[object, ...]
    texts: Mapping[DocumentName, Text]

    @staticmethod
    def of(world: Snapshot, subject: DocumentName) -> _Moment:
        """The present one, without the text of `subject`."""
        texts = {name: each.text for name, each in world.documents.items() if name != subject}
        return _Moment((world.settings, world.chosen_version, world.chosen_variants), texts)

    def same(self, other: _Moment) -> bool:
        """Whether no text was replaced, opened or closed, and no option changed."""
        texts = other.texts
        return (
            self.texts.keys() == texts.keys()
            and all(text is texts[name] for name, text in self.texts.items())
            and self.options == other.options
        )


def _splices(found: Preprocessed) -> bool:
    return any(unit.trace.splices for unit in found.units())


def _open_texts(
    world: Snapshot, names: Mapping[DocumentName, object] | frozenset[DocumentName]
) -> dict[DocumentName, Text]:
    return {name: each.text for name, each in world.documents.items() if name in names}
