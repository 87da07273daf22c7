"""Results of included documents, kept under their content and the macros that they looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.source import lexer
from openclsp.source.document import Document, DocumentName
from openclsp.source.macros import Macro, MacroTable
from openclsp.source.nesting import NONE_UNEVEN, Uneven
from openclsp.source.options import Loader, Refusal
from openclsp.source.preprocessed import Preprocessed

_MAX_VARIANTS: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """What including a document does to its includer."""

    macros: Mapping[bytes, Macro | None]
    defined: frozenset[bytes]
    once: frozenset[DocumentName]
    lacking: bool
    """Whether a header was not found by its end"""


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What the result hangs on beside the content.

    `macros`: the names that were looked up, and what they stood for. `present`: the words of the text that
    were macros; another word that has become one since would have been looked up.
    """

    macros: Mapping[bytes, Macro | None]
    words: frozenset[bytes]
    present: frozenset[bytes]
    loads: tuple[tuple[str, bool, DocumentName, Document | Refusal], ...]
    once: Mapping[DocumentName, bool]
    height: int
    """How many levels of inclusion stand above the document's own"""
    lacking: bool
    """Whether a header was not found before it"""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One result."""

    inputs: Inputs
    unit: Preprocessed
    effects: Effects
    ended: bool
    """Whether the text's last token can end an item"""
    depth: int
    """How many brackets it leaves open; below 0, how many it closes that it does not open"""
    count: int
    """How many documents it holds, itself among them"""
    size: int
    """How many bytes those have"""
    uneven: Uneven
    """What is uneven of the documents that it includes"""
    joins_uneven: bool
    """Whether those were spliced"""

    def stands(
        self,
        table: MacroTable,
        loader: Loader,
        once: set[DocumentName],
        room: int,
        lacking: bool,
        joins_uneven: bool,
    ) -> bool:
        """Whether the same would come out again under these macros, with `room` levels of inclusion left; `lacking` says
        whether a header was not found before."""
        inputs = self.inputs
        if inputs.height > room or inputs.lacking != lacking:
            return False
        if self.uneven != NONE_UNEVEN and self.joins_uneven != joins_uneven:
            return False
        for name, macro in inputs.macros.items():
            now = table.get(name)
            if now is not macro and not (now is not None and macro is not None and _same(now, macro)):
                return False
        if not (table.keys() & inputs.words) <= inputs.present:
            return False
        if any((name in once) is not included for name, included in inputs.once.items()):
            return False
        return all(
            _same_document(loader.load(name, angled, includer), found)
            for name, angled, includer, found in inputs.loads
        )


@dataclass(slots=True)
class IncludeCache:
    """The results of included documents, for any number of includers. Not safe for several threads."""

    misses: int = 0
    _entries: dict[tuple[DocumentName, bytes], list[Entry]] = field(default_factory=dict)
    _words: dict[bytes, frozenset[bytes]] = field(default_factory=dict)

    def find(
        self,
        document: Document,
        table: MacroTable,
        loader: Loader,
        once: set[DocumentName],
        room: int,
        *,
        lacking: bool,
        joins_uneven: bool,
    ) -> Entry | None:
        """The kept result for `document`, where one stands."""
        for entry in self._entries.get((document.name, document.text.data), ()):
            if entry.stands(table, loader, once, room, lacking, joins_uneven):
                return entry
        self.misses += 1
        return None

    def add(self, document: Document, entry: Entry) -> None:
        """Keeps a result; an older content of the same document is dropped."""
        key = (document.name, document.text.data)
        if key not in self._entries:
            for other in [other for other in self._entries if other[0] == document.name]:
                del self._entries[other]
                self._words.pop(other[1], None)
        entries = self._entries.setdefault(key, [])
        entries.insert(0, entry)
        del entries[_MAX_VARIANTS:]

    def earlier(self, name: DocumentName) -> Entry | None:
        """The kept result for a document, whatever its content was."""
        return next((entries[0] for key, entries in self._entries.items() if key[0] == name), None)

    def words(self, data: bytes) -> frozenset[bytes]:
        """Every word of a text."""
        words = self._words.get(data)
        if words is None:
            words = frozenset(lexer.words(data))
            self._words[data] = words
        return words


def _same(a: Macro, b: Macro) -> bool:
    return a.document == b.document and a.start == b.start and a.end == b.end and a.same_as(b)


def _same_document(a: Document | Refusal, b: Document | Refusal) -> bool:
    if isinstance(a, Document) and isinstance(b, Document):
        return a is b or (a.name == b.name and a.text.data == b.text.data)
    return a == b
