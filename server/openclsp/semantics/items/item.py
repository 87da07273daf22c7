"""Items (top-level constructs, with position-independent keys) and groups of items.

A group has the items of one chunk of text (see `source.chunks`): usually one, several if a brace is not
closed or the chunk has a syntax error. An item's table is freed when the item has been analysed; later
requests parse the chunk again.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import field
from hashlib import blake2b

from openclsp.dataclass import dataclass
from openclsp.semantics.facts.entities import ItemKey, Place
from openclsp.semantics.items.number_classes import number_class
from openclsp.semantics.items.number_edits import (
    Numbers,
    numbers_in,
)
from openclsp.semantics.items.syntactic_summary import SyntacticSummary, summarise_item
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.limits import Limit
from openclsp.semantics.typing.item_typing import TypedHead
from openclsp.source.other_languages import Evidence
from openclsp.source.parser import FIELDS, kind, kind_name
from openclsp.source.preprocessed import Preprocessed

_DECLARATOR, _NAME = FIELDS["declarator"], FIELDS["name"]
_LOCAL = frozenset((kind("compound_statement"), kind("parameter_list"), kind("initializer_list")))
_TAGS = {kind(f"{word}_specifier"): word for word in ("struct", "union", "enum")}
_ENUMERATOR = kind("enumerator")
_ERROR = kind("ERROR")
_FUNCTION_DECLARATOR = kind("function_declarator")
_INNER = frozenset((kind("ERROR"), kind("parenthesized_declarator"), kind("attributed_declarator")))


class ExpandedDocument:
    """A preprocessed document; the positions of its groups and items refer to its expanded text."""

    def __init__(self, preprocessed: Preprocessed, *, checks_bodies: bool, declared: bool) -> None:
        self.preprocessed = preprocessed
        self.size = len(preprocessed.text)
        """The size of the expanded text to which the groups belong, in bytes."""
        self.checks_bodies = checks_bodies
        """Whether its function bodies are checked, as those of the root document are."""
        self.declared = declared
        """Whether its functions are reduced to declarations; then nothing in it is checked."""

    def close(self) -> None:
        """Releases the preprocessed document."""
        del self.preprocessed

    def table_of(self, item: Item) -> Table:
        """Returns the table of one of the document's items."""
        raise NotImplementedError


@dataclass(slots=True, eq=False)
class Item:
    """One top-level construct. `offset` is its start in bytes from the group's start.

    `order` sorts the items of a unit. `token_index_starts` and `token_index_ends` map token indices to byte
    offsets from the item's start. `table` and `typed_head` (the item typed up to its body) are kept only
    until the item has been analysed.

    There are three digests: `digest` covers all tokens, `head_digest` those before the function body, and
    `structural_digest` all but the values of `numbers`, the literals in the body that come from macro
    expansions. Most queries depend on `structural_digest` only, so that redefining a macro as another number
    invalidates few of them.
    """

    group: ItemGroup
    offset: int
    length: int
    name: str
    kind: int
    names: tuple[str, ...]
    digest: bytes
    structural_digest: bytes
    head_digest: bytes
    numbers: Numbers
    summary: SyntacticSummary
    table: Table | None
    token_index_starts: array[int]
    token_index_ends: array[int]
    key: ItemKey = ("", "", 0)
    order: int = 0
    typed_head: TypedHead | None = None

    @property
    def start(self) -> int:
        """The item's first byte in the part's expanded text."""
        return self.group.start + self.offset

    def copy(self, group: ItemGroup) -> Item:
        """Returns a copy of the item, in a copy of its group."""
        return Item(
            group,
            self.offset,
            self.length,
            self.name,
            self.kind,
            self.names,
            self.digest,
            self.structural_digest,
            self.head_digest,
            self.numbers,
            self.summary,
            self.table,
            self.token_index_starts,
            self.token_index_ends,
            self.key,
            self.order,
        )


@dataclass(slots=True, eq=False)
class ItemGroup:
    """The items of one chunk: the bytes `start` to `end` of the part's expanded text.

    `has_error` means that the chunk has a syntax error. If the chunk is too large, or too far from the start
    of the document, the group has no items, and `bound` is the limit that the chunk exceeds.

    Groups after the last edit store their distance from the end of the text, so that the next edit at the
    same position need not change them.
    """

    part: ExpandedDocument
    text: bytes
    items: list[Item] = field(default_factory=list)
    has_error: bool = False
    bound: Limit | None = None
    foreign: Evidence | None = None
    """Evidence that the chunk is C++ or another language, not OpenCL C."""
    _place: int = 0
    _from_end: bool = False

    @property
    def start(self) -> int:
        """The position of the chunk's first byte in the part's expanded text."""
        return self.part.size - self._place if self._from_end else self._place

    @property
    def end(self) -> int:
        """The position after the chunk's last byte."""
        return self.start + len(self.text)

    def copy(self, part: ExpandedDocument) -> ItemGroup:
        """Returns a copy of the group, with copies of its items, in a copy of its part."""
        made = ItemGroup(part, self.text, [], self.has_error, self.bound, self.foreign)
        made.items = [each.copy(made) for each in self.items]
        made.anchor_to_start(self.start)
        return made

    def anchor_to_start(self, start: int) -> None:
        """Stores the start of the group as an offset from the beginning of the text."""
        self._place, self._from_end = start, False

    def anchor_to_end(self) -> None:
        """Stores the start of the group as a distance from the end of the text."""
        if not self._from_end:
            self._place, self._from_end = self.part.size - self._place, True


def byte_range(item: Item, place: Place, start: int = -1) -> tuple[int, int]:
    """Converts a place into a byte range of the part's expanded text.

    An empty place is converted to the empty range before its token. `start` is the item's first byte if the
    caller knows it, else -1.
    """
    start, count = item.start if start < 0 else start, len(item.token_index_starts)
    if not count:
        return start, start
    if place.first >= count:
        end = start + item.token_index_ends[count - 1]
        return end, end
    first = start + item.token_index_starts[place.first]
    if place.last <= place.first:
        return first, first
    return first, start + item.token_index_ends[min(place.last, count) - 1]


def digest_with_numbers(structure: bytes, numbers: Numbers) -> bytes:
    """Returns the digest of an item's tokens from its structural digest and the texts of its numbers."""
    return blake2b(b"\0".join((structure, *(text for _, text in numbers))), digest_size=16).digest()


def item_of(
    group: ItemGroup, number: int, start: int, end: int, table: Table, expanded: Sequence[tuple[int, int]]
) -> Item:
    """Builds the item from byte `start` to byte `end` of the group.

    `number` is the number of the item's node kind. `expanded` are the byte ranges of the group that come from
    macro expansions.
    """
    names = tuple(declared_names(table))
    head = table.head()
    numbers: Numbers = ()
    if expanded and head is not table and not table.has_error_or_missing:
        numbers = numbers_in(table, len(head.tokens), start, expanded)
    structure = table.digest({token_index: _class_bytes(text) for token_index, text in numbers})
    digest = digest_with_numbers(structure, numbers) if numbers else structure
    return Item(
        group,
        start,
        end - start,
        names[0] if names else "",
        number,
        names,
        digest,
        structure,
        structure if head is table else head.digest(),
        numbers,
        summarise_item(table, group.text[start:end]),
        table,
        array("I", table.starts),
        array("I", table.ends),
        (kind_name(number), names[0] if names else "", 0),
    )


def _class_bytes(text: bytes) -> bytes:
    """Returns the bytes that a structural digest hashes in place of a number literal.

    The first byte is one that no token begins with.
    """
    return b"\1" + (number_class(text) or text)


def declared_names(table: Table) -> list[str]:
    """Returns the names that an item declares at program scope, from syntax alone. A tag is listed as `struct
    S`.
    """
    if table.kind[0] == _ERROR:
        return []
    names = [
        name
        for child in table.children(0)
        if table.field[child] == _DECLARATOR
        if (name := _declarator_name(table, child))
    ]
    node, end = 0, len(table.kind)
    while node < end:
        number = table.kind[node]
        if number in _LOCAL:
            node = table.skip[node]
            continue
        word = _TAGS.get(number)
        if word is not None:
            tag = table.child(node, _NAME)
            if tag >= 0:
                names.append(f"{word} {table.text(tag)}")
        elif number == _ENUMERATOR:
            name_node = table.child(node, _NAME)
            if name_node >= 0:
                names.append(table.text(name_node))
        node += 1
    return names


def _declarator_name(table: Table, node: int) -> str:
    """Returns the name that a declarator declares; empty if there is none or a macro expands to it."""
    while True:
        inner = table.child(node, _DECLARATOR)
        if inner < 0 and table.kind[node] in _INNER:
            inner = node + 1 if table.skip[node] > node + 1 else -1
        if inner >= 0 and table.kind[node] == table.kind[inner] == _FUNCTION_DECLARATOR:
            return ""  # a macro makes the name
        if inner < 0:
            return table.text(node) if table.last[node] == table.first[node] + 1 else ""
        node = inner
