"""Cache of the results of preprocessing included documents.

A result is found by the document's name and content, and by the definitions of the macros that are looked up
while the document is preprocessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.source import lexer
from openclsp.source.brace_nesting import ALL_BALANCED, UnbalancedBrackets
from openclsp.source.document import Document, DocumentName
from openclsp.source.macro_history import History
from openclsp.source.macros import Macro
from openclsp.source.options import ForcedInclude, Loader, PreprocessorOptions, Refusal, UnreadInclude
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.preprocessing_run import MAX_INCLUDE_DEPTH, MAX_INCLUDED_BYTES, MAX_INCLUDES, Session

_MAX_VARIANTS: Final = 16
_MAXIMUM_ROOTS: Final = 4
MAXIMUM_BYTES: Final = 128 << 20
"""The limit for the memory of all results; the least recently used ones are dropped."""
_BYTES_OF_SEGMENT: Final = 256
"""The memory of a segment or call of an expanded row: in unrolled kernels, 30 times that of the text"""


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """The effects of an included document on the preprocessor's state in its includer."""

    macros: Mapping[bytes, Macro | None]
    defined: frozenset[bytes]
    once: frozenset[DocumentName]
    lacks_header: bool
    """Whether a header has not been found, up to its end"""
    too_large: frozenset[bytes]
    """The macros in `Session.too_large` at its end"""
    steps_allowed: int
    """`Expander.steps_allowed` at its end"""


@dataclass(frozen=True, slots=True, eq=False)
class IncludeDependencies:
    """What a result depends on, besides the document's content.

    - `macros`: the names that were looked up, with their definitions.
    - `words`: all words of the text and of the documents that it includes.
    - `unread`: the macros of these words that are not looked up, for example because only the body of another
      macro names them, with their definitions at the start. Other definitions do not change the text.
    - `defined`: the undefined names in the document's conditions, except those that the document defines
      itself. The value is whether the name was in `Session.defined`.
    - `too_large`, `steps_allowed`: `Session.too_large` and `Expander.steps_allowed` at the start of the
      document.
    """

    macros: Mapping[bytes, Macro | None]
    words: frozenset[bytes]
    unread: Mapping[bytes, Macro | None]
    loads: tuple[tuple[str, bool, DocumentName, Document | Refusal], ...]
    once: Mapping[DocumentName, bool]
    defined: Mapping[bytes, bool]
    too_large: frozenset[bytes]
    steps_allowed: int
    height: int
    """Levels of inclusion nested in the document"""
    lacks_header: bool
    """Whether some header before it could not be loaded"""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A cached result, with its dependencies and effects."""

    inputs: IncludeDependencies
    unit: Preprocessed
    effects: Effects
    ended: bool
    """Whether the text's last token can end an item"""
    depth: int
    """Number of brackets that it leaves open; negative if it closes brackets that it does not open"""
    count: int
    """Number of documents in it, including itself"""
    size: int
    """Number of bytes in these documents"""
    steps: int
    """Number of steps that its macro expansions take"""
    unbalanced: UnbalancedBrackets
    """Whether documents that it includes have unbalanced brackets"""
    joins_unbalanced: bool
    """Whether these documents were spliced"""

    def at(self, session: Session) -> Entry | None:
        """Returns the result of preprocessing the document at the current point of a run; None if it is unknown.

        That is this entry, or a copy in which macros that were not looked up have their present definitions.
        It is unknown also if a limit of the run may be reached within the document.
        """
        if not self._is_valid(session):
            return None
        table, unread = session.table, self.inputs.unread
        changed = {
            name: table.get(name) for name, was in unread.items() if not _is_same(table.get(name), was)
        }
        if not changed:
            return self
        if any(not changed.keys().isdisjoint(_changed_macros(each)) for each in self.unit.with_included()):
            return None
        inputs = replace(self.inputs, unread={name: table.get(name) for name in unread})
        return replace(self, inputs=inputs, unit=_with_macros(self.unit, changed))

    def _is_valid(self, session: Session) -> bool:
        inputs, expander = self.inputs, session.expander
        if (
            inputs.height > MAX_INCLUDE_DEPTH - session.depth - 1
            or session.includes + self.count > MAX_INCLUDES
            or session.included_bytes + self.size > MAX_INCLUDED_BYTES
            or self.steps > expander.steps_left
        ):
            return False
        if inputs.lacks_header != session.lacks_header or inputs.steps_allowed != expander.steps_allowed:
            return False
        if self.unbalanced != ALL_BALANCED and self.joins_unbalanced != session.joins_unbalanced:
            return False
        table = session.table
        for name, macro in inputs.macros.items():
            if not _is_same(table.get(name), macro):
                return False
        if any(
            name not in inputs.unread and name not in inputs.macros for name in table.keys() & inputs.words
        ):
            return False
        if any((name in session.once) is not included for name, included in inputs.once.items()):
            return False
        if any((name in session.defined) is not defined for name, defined in inputs.defined.items()):
            return False
        return inputs.too_large == session.too_large and _loads_same(inputs.loads, session.loader)


def _is_same(now: Macro | None, was: Macro | None) -> bool:
    return now is was or (now is not None and was is not None and now.is_same_definition(was))


def _changed_macros(unit: Preprocessed) -> Iterator[bytes]:
    """Yields the names of the macros that a document defines or undefines."""
    return (each.name for each in unit.source_map.history.changes)


def _with_macros(unit: Preprocessed, changed: Mapping[bytes, Macro | None]) -> Preprocessed:
    """Returns a result with other definitions of the macros in `changed`, which the document does not change."""
    history = unit.source_map.history
    final = history.final.copy()
    for name, macro in changed.items():
        if macro is None:
            final.pop(name, None)
        else:
            final[name] = macro
    return replace(
        unit,
        source_map=replace(unit.source_map, history=History(final, history.changes, history.places)),
        includes=tuple(
            [replace(each, preprocessed=_with_macros(each.preprocessed, changed)) for each in unit.includes]
        ),
        macros=final,
    )


def unread_macros(
    words: frozenset[bytes],
    used: Mapping[bytes, Macro | None],
    before: Mapping[bytes, Macro | None],
    after: Mapping[bytes, Macro],
) -> dict[bytes, Macro | None]:
    """Returns `IncludeDependencies.unread` for a document with these words, which looked up the macros in `used`.

    `before` has the definitions at the start of the macros that the document changes, and `after` all macros
    at its end.
    """
    found: dict[bytes, Macro | None] = {}
    for name in words & (before.keys() | after.keys()):
        macro = before[name] if name in before else after[name]
        if macro is not None and name not in used:
            found[name] = macro
    return found


_RootKey = tuple[object, ...]
"""All that the result of a root document depends on, except what it loads: see `root_key`."""
_Loads = tuple[tuple[str, bool, DocumentName, Document | Refusal], ...]


def root_key(document: Document, options: PreprocessorOptions, forced: Sequence[ForcedInclude]) -> _RootKey:
    """Returns the cache key of a root document: its name and text, options, and `-include` documents."""
    texts = tuple(
        [
            (each.name, None if isinstance(each, UnreadInclude) else each.text.data)
            for each in (document, *forced)
        ]
    )
    return texts, id(options.predefined), options.defines, options.undefines, options.known


@dataclass(slots=True)
class IncludeCache:
    """The results of included documents, shared by all includers. Not thread-safe.

    If `keeps_roots`, the last results of root documents are cached too. A program is then preprocessed only
    once, although the result is needed to choose its options, as the includer of a fragment, and for its
    analysis.
    """

    misses: int = 0
    keeps_roots: bool = False
    _roots: dict[_RootKey, tuple[_Loads, Preprocessed]] = field(default_factory=dict)
    _held_bytes: int = 0
    _sizes: dict[Entry, int] = field(default_factory=dict)
    """The memory of each result, in bytes"""
    _entries: dict[tuple[DocumentName, bytes], list[Entry]] = field(default_factory=dict)
    _words: dict[bytes, frozenset[bytes]] = field(default_factory=dict)
    _inclusions: IncludeCache | None = None

    def inclusions(self) -> IncludeCache:
        """Returns the cache for `inclusions.preprocess_directives`.

        It is separate, because the results of `preprocess_directives` contain no expanded text.
        """
        if self._inclusions is None:
            self._inclusions = IncludeCache(keeps_roots=True, _words=self._words)
        return self._inclusions

    def find(self, document: Document, session: Session) -> Entry | None:
        """Returns a cached result for `document` that is valid at the present point of a run, or None."""
        key = document.name, document.text.data
        entries = self._entries.get(key, [])
        for index, entry in enumerate(entries):
            found = entry.at(session)
            if found is not None:
                # The documents used last are at the end.
                del self._entries[key]
                self._entries[key] = entries
                # A copy takes the place of the entry, so that the next run with equal macros gets the same one.
                entries[index] = found
                self._sizes[found] = self._sizes.pop(entry)
                return found
        self.misses += 1
        return None

    def find_root(self, key: _RootKey, loader: Loader) -> Preprocessed | None:
        """Returns the cached result of a root document, if all documents that it loaded are unchanged."""
        known = self._roots.get(key)
        if known is None or not _loads_same(known[0], loader):
            return None
        return known[1]

    def add_root(self, key: _RootKey, loads: _Loads, result: Preprocessed) -> None:
        """Adds the result of a root document if `keeps_roots`; keeps only the latest `_MAXIMUM_ROOTS`."""
        if not self.keeps_roots:
            return
        self._roots.pop(key, None)
        self._roots[key] = loads, result
        while len(self._roots) > _MAXIMUM_ROOTS:
            del self._roots[next(iter(self._roots))]

    def add(self, document: Document, entry: Entry) -> None:
        """Adds a result, and drops the results of other contents of the same document."""
        key = (document.name, document.text.data)
        if key not in self._entries:
            for other in [other for other in self._entries if other[0] == document.name]:
                self._drop(other)
        entries = self._entries[key] = self._entries.pop(key, [])
        entries.insert(0, entry)
        size = self._sizes[entry] = _memory_of(entry.unit)
        self._held_bytes += size
        while len(entries) > _MAX_VARIANTS:
            self._held_bytes -= self._sizes.pop(entries.pop())
        while self._held_bytes > MAXIMUM_BYTES and len(self._entries) > 1:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: tuple[DocumentName, bytes]) -> None:
        for entry in self._entries.pop(key):
            self._held_bytes -= self._sizes.pop(entry)
        self._words.pop(key[1], None)

    def earlier(self, name: DocumentName) -> Entry | None:
        """Returns a cached result of the document `name` for any content; None if there is none."""
        return next((entries[0] for key, entries in self._entries.items() if key[0] == name), None)

    def words(self, data: bytes) -> frozenset[bytes]:
        """Returns the identifiers in a text; the result is cached."""
        words = self._words.get(data)
        if words is None:
            words = frozenset(lexer.words(data))
            self._words[data] = words
        return words


def _memory_of(unit: Preprocessed) -> int:
    """Returns the estimated memory of a result in bytes, without the results of its includes."""
    rows = (row for row in unit.source_map.rows if row is not None)
    return len(unit.text) + _BYTES_OF_SEGMENT * sum(len(row.segments) + len(row.calls) for row in rows)


def _loads_same(loads: _Loads, loader: Loader) -> bool:
    return all(
        _same_document(loader.load(name, angled, includer), found) for name, angled, includer, found in loads
    )


def _same_document(a: Document | Refusal, b: Document | Refusal) -> bool:
    if isinstance(a, Document) and isinstance(b, Document):
        return a is b or (a.name == b.name and a.text.data == b.text.data)
    return a == b
