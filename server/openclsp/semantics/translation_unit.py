"""A translation unit that is updated after edits: its items, and the inputs of the queries about them.

It is mutable and owned by one thread. `update` gets the new text, finds the items that really changed and
sets the query database's inputs; everything about types and names is a query on these inputs.

Invariants:

- The answer to every query equals that of a new unit built from the same text.
- A lookup finds the last declaration of a name before an item. Adding, removing or moving an item invalidates
  exactly the queries that looked up one of its names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from openclsp.language.dialect import Dialect
from openclsp.semantics.analysis_target import AnalysisTarget
from openclsp.semantics.database.item_scope import ItemScope
from openclsp.semantics.database.query_database import QueryDatabase
from openclsp.semantics.database.signatures import HEAD
from openclsp.semantics.database.unit_inputs import CONTENT, HEAD_CONTENT, NUMBER, NUMBERS, OUTSIDE
from openclsp.semantics.facts.entities import ItemKey, Place
from openclsp.semantics.flow.program_summary import OtherPrograms
from openclsp.semantics.items.item import Item
from openclsp.semantics.items.item_list import ItemList
from openclsp.semantics.items.parsed_groups import ParsedGroups
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.semantics.items.unit_parts import UnitParts
from openclsp.semantics.overlay_loader import OverlayLoader
from openclsp.semantics.typing import item_typing
from openclsp.semantics.typing.incremental_typing import LOGGED_NODES
from openclsp.semantics.typing.item_typing import TypedHead, can_type_head_separately
from openclsp.semantics.typing.number_uses import used_numbers
from openclsp.semantics.typing.symbols import Names
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.unit_caches import UnitCaches
from openclsp.semantics.unit_wide_inputs import UnitWideInputs
from openclsp.source import document_preprocessing
from openclsp.source.build_configuration import derive_preprocessor_options, load_forced_includes
from openclsp.source.checkpoint import Checkpoint, no_checkpoint
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.source.incremental_preprocessing import ExpandedEdit
from openclsp.source.options import ForcedInclude, Loader
from openclsp.source.other_files import NO_DECLARATIONS_ELSEWHERE, DeclarationsElsewhere
from openclsp.source.parser import kind
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.text import Edit, Text, difference

_FUNCTION_DEFINITION = kind("function_definition")
_OTHER_ROOT = -2
"""The revision of an alternative unit that still has the previous root."""


class TranslationUnit:
    """One translation unit, updated by `update`. `items` are in source order."""

    def __init__(
        self,
        target: AnalysisTarget,
        document: Document,
        loader: Loader,
        include_cache: IncludeCache | None = None,
        checkpoint: Checkpoint = no_checkpoint,
        *,
        declared: bool = False,
        tracks_numbers: bool = True,
    ) -> None:
        """Preprocesses and parses the unit.

        If `declared` is true, functions of documents other than the analysed one are reduced to declarations.
        This serves a cheap first analysis of that document; such a unit must not be updated.
        `tracks_numbers` makes edits of macros cheap: see `UnitPart.full`.
        """
        self.target, self._loader = target, loader
        self._outside: DeclarationsElsewhere = NO_DECLARATIONS_ELSEWHERE
        self.other_programs: OtherPrograms | None = None
        """The flow of other programs that share documents with this one; set by the project's owner."""
        self.dialect: Dialect = target.configuration.dialect
        self.database = QueryDatabase(self)
        self._list = ItemList(self.database)
        self.items, self.by_key = self._list.items, self._list.by_key
        self.reexpansion_count = 0
        """Counts updates that re-expanded unedited lines and may have moved positions there."""
        self.header_revision = 0
        """Counts updates in which more than the root document's text may have changed."""
        self.changed_keys: set[ItemKey] = set()
        """Keys of items added, removed or moved; the consumer clears the set."""
        self.change_listeners = self._list.change_listeners
        self.change_listeners.append(self.changed_keys)
        self.caches = UnitCaches()
        self._include_cache = IncludeCache() if include_cache is None else include_cache
        self._options = derive_preprocessor_options(target.configuration)
        self._alternatives: dict[Dialect, tuple[int, int, TranslationUnit]] = {}
        self.typed_tokens = 0
        """The number of tokens typed: a deterministic measure of cost for the same sequence of texts."""
        self.revision = 0
        """Incremented by each update; `with_edits` restores it."""
        self.is_edited = False
        """Whether the text of the root document was updated; only then are typing passes logged."""
        self._inputs = UnitWideInputs(self.database)
        self.subject = target.subject or document.name
        """The document that the unit is analysed for: only its function bodies are checked."""
        self.preprocessed = document_preprocessing.full(
            document, self._options, self._loader, self._include_cache, self._forced_includes(), checkpoint
        )
        self._parts = UnitParts(
            self.preprocessed, self.subject, checkpoint, declared=declared, tracks_numbers=tracks_numbers
        )
        self._replace_items(0, len(self.items), self._parts.items())

    @property
    def outside(self) -> DeclarationsElsewhere:
        """The declarations of the project's other files; assigned by the code that manages the project."""
        return self._outside

    @outside.setter
    def outside(self, value: DeclarationsElsewhere) -> None:
        self._outside = value
        self.database.set(OUTSIDE, "", value)

    @property
    def document(self) -> Document:
        """The root document."""
        return self.preprocessed.document

    def close(self) -> None:
        """Frees all memory of the unit at once; it must not be used afterwards."""
        self.database.close()
        self._parts.close()
        for _, _, other in self._alternatives.values():
            other.close()
        self._alternatives.clear()
        self.caches.clear()
        self.other_programs = None

    def update(self, document: Document, *, headers_changed: bool = True) -> None:
        """Updates the unit to the new text of the root document.

        Only the edited lines are preprocessed again, if possible. `headers_changed` also reloads headers.
        """
        self.database.sweep()
        self.is_edited = True
        before = self.preprocessed
        edit = difference(before.document.text.data, document.text.data)
        change = None
        if edit is not None:
            start, old_end, new_end = edit
            change = Edit(start, old_end, document.text.data[start:new_end])
        again = document_preprocessing.update(
            before,
            document,
            change,
            self._options,
            self._loader,
            self._include_cache,
            self._forced_includes(),
            headers_changed=headers_changed or edit is None,
        )
        if edit is None or not again.partial:
            self.reexpansion_count += 1
        self.header_revision += headers_changed or edit is None
        self._take_text(again.result, again.edits)

    def _take_text(self, after: Preprocessed, edits: Sequence[ExpandedEdit]) -> None:
        """Updates the unit to the preprocessed text `after`, which results from these edits."""
        before, self.preprocessed = self.preprocessed, after
        replaced = self._parts.root.update(after, edits)
        replaced_range = self._parts.replaced_range(self.items, before, replaced)
        self._replace_items(*(replaced_range or (0, len(self.items), self._parts.items())))

    def change_root(
        self, target: AnalysisTarget, document: Document, loader: Loader, parsed: ParsedGroups | None = None
    ) -> None:
        """Makes this the unit of another root document, whose dialect must be the same.

        Headers that both roots include keep their items. The query database keeps all results that do not
        depend on the root, and so do `caches`, whose values follow the changed items. What was known about
        other files and other language versions is forgotten. Other headers reuse groups in `parsed`, or add
        theirs. Both targets must analyse their root.
        """
        self.database.sweep()
        self.database.forget_previous_inputs()
        self.target, self._loader, self.subject = target, loader, document.name
        self._options = derive_preprocessor_options(target.configuration)
        self.outside, self.other_programs = NO_DECLARATIONS_ELSEWHERE, None
        self._alternatives = {
            dialect: (_OTHER_ROOT, 0, other) for dialect, (_, _, other) in self._alternatives.items()
        }
        self.reexpansion_count += 1
        self.header_revision += 1
        self.is_edited = False
        self.preprocessed = document_preprocessing.full(
            document, self._options, loader, self._include_cache, self._forced_includes()
        )
        self._parts.replace_root(self.preprocessed, parsed)
        self._replace_items(0, len(self.items), self._parts.items())
        self._parts.close_replaced()

    def fork(self, target: AnalysisTarget, document: Document, loader: Loader) -> TranslationUnit | None:
        """Returns a copy of this unit, changed to another root document as by `change_root`.

        The copy is independent. It starts from an empty text, which costs nothing. No query may be running. None
        if a target does not analyse its root, or if a header is included twice with the same result.
        """
        parts = self._parts.copy()
        copies = dict(zip(self._parts.items_by_part(), parts.items_by_part(), strict=True))
        if self.target.subject or target.subject or len(copies) != len(self.items):
            return None
        made = TranslationUnit(target, Document.of(document.name, b""), loader, self._include_cache)
        made.database = self.database.copy(made)
        made._list = self._list.copy(made.database, copies)
        made.items, made.by_key = made._list.items, made._list.by_key
        made.change_listeners = made._list.change_listeners
        made.change_listeners.append(made.changed_keys)
        made._inputs = self._inputs.copy(made.database)
        made._parts, made.preprocessed = parts, self.preprocessed
        made.change_root(target, document, loader)
        return made

    def _forced_includes(self) -> tuple[ForcedInclude, ...]:
        """Returns what the `-include` options name."""
        return load_forced_includes(self.target.configuration, self.target.root, self._loader)

    def _replace_items(self, first: int, last: int, items: list[Item]) -> None:
        """Replaces the items `first` to `last` (exclusive), and updates the query database's inputs."""
        self.revision += 1
        self._list.replace(first, last, items)
        self._inputs.update(self.preprocessed, self._parts, self._list, is_part=self.is_part)

    @property
    def is_part(self) -> bool:
        """Whether the root is only part of a program: a header, a raw string, or text joined by the host."""
        return self.preprocessed.code.raw or not self.target.is_root_kernel_file

    def table(self, key: ItemKey) -> Table:
        """Returns the table of an item; the calling query must have read the item's content."""
        item = self.by_key[key]
        return item.group.part.table_of(item)

    def typed(
        self,
        key: ItemKey,
        *,
        bodies: bool,
        trace: bool = False,
        deferring: bool = False,
        values: bool = True,
        table: Table | None = None,
        logged: bool = False,
        uses: bool = False,
    ) -> TypingContext:
        """Types an item; within a query, its lookups are recorded as dependencies.

        If the caller passes `table`, the item is not parsed. Without `values`, the caller must record the
        dependencies on values of numbers (see `depend_on_numbers`). For the other parameters, see
        `item_typing.full`.
        """
        self.database.read(CONTENT if bodies else HEAD_CONTENT, key)
        if bodies and values:
            self.database.depend_on(NUMBERS, key, self.by_key[key].digest)
        table = table or self.table(key)
        table = table if bodies else table.head()
        self.typed_tokens += len(table.tokens)
        return item_typing.full(
            table,
            key,
            self.dialect,
            self.names(key),
            bodies=bodies,
            trace=trace,
            deferring=deferring,
            logged=logged,
            uses=uses,
        )

    def depend_on_text(self, key: ItemKey, places: Iterable[Place]) -> None:
        """Makes the running query depend on the values of the number literals within some places."""
        for token_index, text in self.by_key[key].numbers:
            if any(place.first <= token_index < place.last for place in places):
                self.database.depend_on(NUMBER, (key, token_index), text)

    def depend_on_numbers(self, typed: TypingContext) -> None:
        """Makes the running query depend on the values of those numbers that affect the typing pass."""
        numbers = dict(self.by_key[typed.item].numbers)
        for token_index in used_numbers(typed, numbers) if numbers else ():
            self.database.depend_on(NUMBER, (typed.item, token_index), numbers[token_index])

    def begin_typing(self, key: ItemKey) -> TypedHead | None:
        """Types the head of an item, which is everything before its function body; records its lookups.

        `finish_typing` types the rest. Returns None if the item's syntax table was freed, if the item is a
        function in a header (its body may never be needed), or if the body can affect the head.
        """
        item = self.by_key[key]
        # the body of a header's function may never be requested; everything else in a header is checked
        is_checked = item.group.part.checks_bodies or item.kind != _FUNCTION_DEFINITION
        if item.table is None or not is_checked or not can_type_head_separately(item.table):
            return None
        self.database.read(HEAD_CONTENT, key)
        # at the first analysis, the item that will be edited is not known yet
        logged = self.is_edited and len(item.table.kind) >= LOGGED_NODES
        found = TypedHead(item.table, key, self.dialect, self.names(key), logged=logged)
        if not found.is_complete:
            return None
        item.typed_head = found
        return found

    def finish_typing(self, key: ItemKey) -> TypingContext | None:
        """Types the rest of an item after `begin_typing`; to be called once for each call of `begin_typing`.

        The running query gets the dependencies of the first part. Returns None if `begin_typing` was not
        called for the item, or if one of these dependencies has changed since.
        """
        item = self.by_key[key]
        head, item.typed_head = item.typed_head, None
        if head is None or head.context.item != key or not self.database.inherit_dependencies(HEAD, key):
            return None
        self.database.read(CONTENT, key)
        self.typed_tokens += len(head.context.table.tokens)
        return head.finish()

    def names(self, key: ItemKey) -> Names:
        """Returns the program-scope names visible to an item."""
        return ItemScope(self.database, key)

    def declared_names(self) -> Iterable[str]:
        """Returns every name declared at program scope by some item. A tag is listed as `struct S`."""
        return self._list.declared_names()

    def parts(self) -> Iterator[UnitPart]:
        """Yields the root document's part, then those of the headers included between its items."""
        return self._parts.every()

    def document_named(self, name: DocumentName) -> Document | None:
        """Returns the named document; loads it if the unit no longer includes it. None if that fails."""
        for each in self.preprocessed.with_included():
            if each.document.name == name:
                return each.document
        found = self._loader.load(name, False, self.target.root)
        return found if isinstance(found, Document) else None

    @contextmanager
    def with_edits(self, texts: Mapping[DocumentName, Text]) -> Iterator[None]:
        """Replaces the texts of documents within a `with` block and restores them afterwards."""
        document, loader = self.document, self._loader
        self._loader = OverlayLoader(loader, texts)
        revision, reexpansions, before = self.revision, self.reexpansion_count, self.preprocessed
        changed = Document(document.name, texts.get(document.name, document.text))
        headers = any(name != document.name for name in texts)
        try:
            self.update(changed, headers_changed=headers)
            yield
        finally:
            self._loader = loader
            # the earlier result is reused: preprocessing the text again took as long as the edits themselves
            self.reexpansion_count += self.reexpansion_count != reexpansions
            self.header_revision += headers
            change = difference(self.preprocessed.text, before.text)
            self.database.sweep()
            self._take_text(before, () if change is None else (ExpandedEdit(*change),))
            self.revision = revision

    def with_texts(self, texts: Mapping[str, Text], target: AnalysisTarget | None = None) -> TranslationUnit:
        """Returns a unit of the same root with some texts replaced, or for another target of the same dialect."""
        document = Document(self.document.name, texts.get(self.document.name, self.document.text))
        target, loader = target or self.target, OverlayLoader(self._loader, texts)
        made = self.fork(target, document, loader) or TranslationUnit(target, document, loader)
        made.outside, made.other_programs = self.outside, self.other_programs
        return made

    def as_dialect(self, dialect: Dialect) -> TranslationUnit:
        """Returns the unit of this document in another dialect for the same device; cached and up to date."""
        dialect = self._on_device(dialect)
        revision, renewals, kept = self._alternatives.get(dialect, (-1, -1, None))
        target = self.target.with_configuration(replace(self.target.configuration, dialect=dialect))
        if kept is None:
            cache, tracks = self._include_cache, self._parts.tracks_numbers
            kept = TranslationUnit(target, self.document, self._loader, cache, tracks_numbers=tracks)
        elif revision == _OTHER_ROOT:
            kept.change_root(target, self.document, self._loader)
        elif revision != self.revision:
            kept.update(self.document, headers_changed=renewals != self.header_revision)
        kept.database.checkpoint = self.database.checkpoint
        kept.outside, kept.other_programs = self.outside, self.other_programs
        self._alternatives[dialect] = self.revision, self.header_revision, kept
        return kept

    def is_created_as(self, dialect: Dialect) -> bool:
        """Whether the unit that `as_dialect` returns for this dialect exists already."""
        return self._on_device(dialect) in self._alternatives

    def _on_device(self, dialect: Dialect) -> Dialect:
        own = self.dialect
        bits, blocks, single = own.address_bits, own.blocks_enabled, own.single_precision
        return replace(dialect, address_bits=bits, blocks_enabled=blocks, single_precision=single)
