"""Items: the top-level things of a translation unit, each with a key that does not depend on where it stands.

A *fragment* is one document's expanded text; a unit has one for the main document and one for each header between its
top-level items. A fragment is cut into *groups*, one for each chunk of its text (see `source.chunks`), and a group into
items: usually one, more where a brace is open or the parser found an error. Trees and tables are kept only until an
item has been analysed: what is asked of it later parses its chunk again.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import field

from tree_sitter import Node, Tree

from openclsp.dataclass import dataclass
from openclsp.semantics.entities import ItemKey, Place
from openclsp.semantics.item_typing import Begun
from openclsp.semantics.number_class import number_class
from openclsp.semantics.outline import Outline, outline
from openclsp.semantics.renumbering import (
    Change,
    Numbers,
    made_by_macros,
    moved,
    number_changes,
    numbers_in,
    renumbered,
)
from openclsp.semantics.table import Table, build_table
from openclsp.source.chunks import chunk_ends
from openclsp.source.digest import blake2b
from openclsp.source.incremental import ExpandedEdit
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.tree import COMMENT, FIELDS, TOKEN, kind, kind_name, kind_of, parse

_DECLARATOR, _NAME, _BODY = FIELDS["declarator"], FIELDS["name"], FIELDS["body"]
_FEW = 4
_NEAR = 3
"""Groups so far from an edit may end elsewhere after it."""
_MAXIMUM_DROPPED = 2 << 20
"""Bytes of text of the chunks that are kept though they are gone."""
_LOCAL = frozenset((kind("compound_statement"), kind("parameter_list"), kind("initializer_list")))
_TAGS = {kind(f"{word}_specifier"): word for word in ("struct", "union", "enum")}
_ENUMERATOR = kind("enumerator")
_ERROR = kind("ERROR")
_FUNCTION_DECLARATOR = kind("function_declarator")
_INNER = frozenset((kind("ERROR"), kind("parenthesized_declarator"), kind("attributed_declarator")))


@dataclass(slots=True, eq=False)
class Item:
    """One item. `offset` is its start in bytes from the group's; `order` sorts the items of a unit.

    `leaf_starts` and `leaf_ends` turn leaves into bytes from the item's start; `table` is kept only until the item
    has been analysed, as is `begun`, the item typed up to its body. `digest` stands for all that it says, `head` for what it
    says before its body, `structure` for all but the values of `numbers`, which macros bring into the body: as much as most
    who look at it want to know.
    """

    group: Group
    offset: int
    length: int
    name: str
    kind: int
    names: tuple[str, ...]
    digest: bytes
    structure: bytes
    head: bytes
    numbers: Numbers
    outline: Outline
    table: Table | None
    leaf_starts: array[int]
    leaf_ends: array[int]
    key: ItemKey = ("", "", 0)
    order: int = 0
    begun: Begun | None = None

    @property
    def start(self) -> int:
        """Its first byte in the fragment's expanded text."""
        return self.group.start + self.offset


@dataclass(slots=True, eq=False)
class Group:
    """The items of one chunk, which is the bytes `start` to `end` of the fragment's expanded text. `faulty`: there is a
    fault of syntax in it.

    Behind the last edit a place is kept as its distance from the text's end: so the next edit there moves none of them.
    """

    fragment: Fragment
    text: bytes
    items: list[Item] = field(default_factory=list)
    faulty: bool = False
    _place: int = 0
    _from_end: bool = False

    @property
    def start(self) -> int:
        """Its first byte in the fragment's expanded text."""
        return self.fragment.size - self._place if self._from_end else self._place

    @property
    def end(self) -> int:
        """The byte after its last one."""
        return self.start + len(self.text)

    def put(self, start: int) -> None:
        """Say where it begins, whatever comes behind it."""
        self._place, self._from_end = start, False

    def hang(self) -> None:
        """Let it move with the text's end."""
        if not self._from_end:
            self._place, self._from_end = self.fragment.size - self._place, True


@dataclass(frozen=True, slots=True)
class Replaced:
    """Of a fragment's groups, those from `first` to `last` (exclusive) are new; `gone` are the items that were in the
    place of theirs."""

    first: int
    last: int
    gone: list[Item]


class Fragment:
    """One document's expanded text and its groups in order. `main` tells the root document's."""

    def __init__(self, preprocessed: Preprocessed, *, main: bool) -> None:
        self.preprocessed = preprocessed
        self.main = main
        """Whether the bodies of its functions are looked at, as those of the root document are"""
        self.groups: list[Group] = []
        self.size = len(preprocessed.text)
        self._hanging = 0
        """The number of the first group that moves with the text's end"""
        self._parsed: tuple[bytes, Tree] = (b"", parse(b""))
        self._dropped: dict[bytes, Group] = {}
        groups: list[Group] = []
        self._cut(groups, 0, ExpandedEdit(0, 0, 0), deque(), 0, {})
        self.groups, self._hanging = groups, len(groups)

    def close(self) -> None:
        """Let go of the groups and their items, which know each other and the fragment: see `Engine.close`."""
        for group in self.groups:
            group.items = []
        self.groups = []
        self._dropped.clear()
        # groups that edits have replaced, and not yet found to be garbage, know the fragment as well
        del self.preprocessed, self._parsed

    def update(self, preprocessed: Preprocessed, edits: Sequence[ExpandedEdit]) -> Replaced:
        """Take the next state of the document. For each edit chunks are found anew from the one before it (whose end may
        depend on what follows) up to where a chunk behind it ends as it did; what has the same text keeps its items."""
        self.preprocessed = preprocessed
        if not edits:
            return Replaced(0, 0, [])
        groups = self.groups
        known: dict[bytes, Group] = {}
        first = at = max(bisect_right(groups, edits[0].start, key=_start) - 2, 0)
        for group in groups[self._hanging : first]:
            group.put(group.start)
        for group in groups[first : self._hanging]:
            group.hang()
        now = groups[:first]
        shift = 0
        pending = deque(edits)
        others = self._with_other_numbers(edits)
        while pending:
            edit = pending.popleft()
            begin = bisect_right(groups, edit.start, lo=at, key=_start) - 1
            other = others.get(begin)
            if other is not None and begin >= at:
                for group in groups[at:begin]:
                    group.put(group.start + shift)
                group = groups[begin]
                other.put(group.start + shift)
                now += groups[at:begin]
                now.append(other)
                at, shift = begin + 1, shift + len(other.text) - len(group.text)
                while pending and pending[0].start < group.end:
                    pending.popleft()
                continue
            begin = max(begin - 1, at)
            for group in groups[at:begin]:
                group.put(group.start + shift)
            now += groups[at:begin]
            at, shift = self._cut(now, begin, edit, pending, shift, known)
        gone = [item for group in groups[first:at] for item in group.items]
        last = self._hanging = len(now)
        now += groups[at:]
        self._keep(known, lost=len(groups) - len(now))
        self.groups, self.size = now, len(preprocessed.text)
        return Replaced(first, last, gone)

    def _cut(
        self,
        made: list[Group],
        behind: int,
        edit: ExpandedEdit,
        pending: deque[ExpandedEdit],
        shift: int,
        known: dict[bytes, Group],
    ) -> tuple[int, int]:
        """Make groups after those in `made`, in the place of those from number `behind` on, until a chunk that ends behind
        the edit, and behind each of the pending ones that it reaches, ends where a group begins. The number of this group,
        and by how much it has moved."""
        groups, text = self.groups, self.preprocessed.text
        least, shift = edit.new_end + shift, shift + edit.new_end - edit.old_end
        behind = _drop(groups, behind, edit.old_end, known)
        for end in chunk_ends(text, made[-1].end if made else 0):
            made.append(self._group(made[-1].end if made else 0, end, known))
            while pending and pending[0].start + shift < end:
                edit = pending.popleft()
                least, shift = edit.new_end + shift, shift + edit.new_end - edit.old_end
                behind = _drop(groups, behind, edit.old_end, known)
            behind = _drop(groups, behind, end - shift, known)
            if end >= least and behind < len(groups) and groups[behind].start + shift == end:
                return behind, shift
        pending.clear()
        return _drop(groups, behind, groups[-1].end + 1 if groups else 0, known), shift

    def _with_other_numbers(self, edits: Sequence[ExpandedEdit]) -> dict[int, Group]:
        """The groups that stand in the place of those, by number, of which the edits change numbers alone, far from all
        others that they change."""
        groups, text = self.groups, self.preprocessed.text
        found: dict[int, Group] = {}
        others: list[tuple[int, int]] = []
        shift = 0
        pending = deque(edits)
        while pending:
            edit = pending.popleft()
            number = bisect_right(groups, edit.start, key=_start) - 1
            group = groups[number] if number >= 0 else None
            start, last, by = edit.start, edit.old_end, edit.new_end - edit.old_end
            while pending and group is not None and pending[0].start < group.end:
                edit = pending.popleft()
                last, by = edit.old_end, by + edit.new_end - edit.old_end
            other = None
            if group is not None and last < group.end:
                begin = group.start + shift
                other = _renumbered(group, text[begin : begin + len(group.text) + by], start, last)
            if other is None:
                others.append((number, bisect_right(groups, last, key=_start) - 1))
            else:
                found[number] = other
            shift += by
        return {
            number: group
            for number, group in found.items()
            if not any(first - _NEAR <= number <= last + _NEAR for first, last in others)
        }

    def _keep(self, known: dict[bytes, Group], lost: int) -> None:
        """Keep groups that went without others in their place: a comment or a branch that swallows them is often undone."""
        if lost < _FEW:
            return
        dropped = self._dropped
        dropped.update(known)
        size = sum(map(len, dropped))
        while size > _MAXIMUM_DROPPED:
            oldest = next(iter(dropped))
            del dropped[oldest]
            size -= len(oldest)

    def _group(self, start: int, end: int, known: dict[bytes, Group]) -> Group:
        text = self.preprocessed.text[start:end]
        group = known.pop(text, None) or self._dropped.pop(text, None)
        if group is not None:
            group.put(start)
            return group
        group = Group(self, text)
        group.put(start)
        root = parse(text).root_node
        group.faulty = root.has_error
        expanded = () if group.faulty else made_by_macros(self.preprocessed.source_map, start, end)
        for node in root.children:
            if kind_of(node) in (COMMENT, TOKEN):
                continue
            pending = [node]
            while pending:
                inner = pending.pop()
                table = build_table(inner, text)
                if table.leaves:
                    group.items.append(_item(group, inner, table, expanded))
                pending.extend(reversed(table.nested))
                table.nested = []
        return group

    def table_of(self, item: Item) -> Table:
        """The table of an item."""
        if item.table is not None:
            return item.table
        text = item.group.text
        if self._parsed[0] is not text:
            # of several items in one chunk the next ones find the tree
            self._parsed = text, parse(text)
        node: Node | None = self._parsed[1].root_node.descendant_for_byte_range(
            item.offset, item.offset + item.length
        )
        while node is not None and kind_of(node) != item.kind:
            node = node.parent
        assert node is not None, "an item's chunk parses as it did when the item was cut"
        return build_table(node, text)


def _start(group: Group) -> int:
    return group.start


def _drop(groups: list[Group], behind: int, before: int, known: dict[bytes, Group]) -> int:
    """The number of the first group from number `behind` on that begins at `before` or later; those passed over are known."""
    while behind < len(groups) and groups[behind].start < before:
        known[groups[behind].text] = groups[behind]
        behind += 1
    return behind


def span(item: Item, place: Place, start: int = -1) -> tuple[int, int]:
    """The bytes of a place in the fragment's expanded text; an empty place is the gap before its leaf. `start` is the item's,
    where it is at hand."""
    start, count = item.start if start < 0 else start, len(item.leaf_starts)
    if not count:
        return start, start
    if place.first >= count:
        end = start + item.leaf_ends[count - 1]
        return end, end
    first = start + item.leaf_starts[place.first]
    if place.last <= place.first:
        return first, first
    return first, start + item.leaf_ends[min(place.last, count) - 1]


def _renumbered(group: Group, text: bytes, start: int, end: int) -> Group | None:
    """The group with a text that differs between two bytes of the fragment, if that is in numbers whose values are others;
    else None."""
    if group.faulty or not any(item.numbers for item in group.items):
        return None
    changes = number_changes(group.text, text, start - group.start, end - group.start)
    if not changes:
        return None
    made = Group(group.fragment, text)
    taken = 0
    for item in group.items:
        first, last = item.offset, item.offset + item.length
        own = [Change(a - first, b - first, new) for a, b, new in changes if first <= a and b <= last]
        before = sum(len(new) - (b - a) for a, b, new in changes if b <= first)
        after = _with_numbers(made, item, own, before)
        if after is None:
            return None
        made.items.append(after)
        taken += len(own)
    # what is left stands in no item: in a comment
    return made if taken == len(changes) else None


def _with_numbers(group: Group, item: Item, changes: Sequence[Change], by: int) -> Item | None:
    numbers = renumbered(item.numbers, item.leaf_starts, item.leaf_ends, changes) if changes else item.numbers
    if numbers is None or item.table is not None:
        return None
    starts, ends = moved(item.leaf_starts, item.leaf_ends, changes)
    return Item(
        group,
        item.offset + by,
        item.length + sum(len(new) - (end - start) for start, end, new in changes),
        item.name,
        item.kind,
        item.names,
        _digest(item.structure, numbers) if numbers else item.digest,
        item.structure,
        item.head,
        numbers,
        item.outline,
        None,
        starts,
        ends,
        item.key,
    )


def _digest(structure: bytes, numbers: Numbers) -> bytes:
    return blake2b(b"\0".join((structure, *(text for _, text in numbers))), digest_size=16).digest()


def _item(group: Group, node: Node, table: Table, expanded: Sequence[tuple[int, int]]) -> Item:
    number = kind_of(node)
    names = tuple(declared_names(table))
    head = table.head()
    numbers: Numbers = ()
    if expanded and head is not table and not table.flawed:
        numbers = numbers_in(table, len(head.leaves), node.start_byte, expanded)
    structure = table.digest({leaf: _class_of(text) for leaf, text in numbers})
    digest = _digest(structure, numbers) if numbers else structure
    return Item(
        group,
        node.start_byte,
        node.end_byte - node.start_byte,
        names[0] if names else "",
        number,
        names,
        digest,
        structure,
        structure if head is table else head.digest(),
        numbers,
        outline(table),
        table,
        array("I", table.starts),
        array("I", table.ends),
        (kind_name(number), names[0] if names else "", 0),
    )


def _class_of(text: bytes) -> bytes:
    """What stands for a number in a digest: no token begins so."""
    return b"\1" + (number_class(text) or text)


def declared_names(table: Table) -> list[str]:
    """The names that an item declares at program scope; a tag as `struct S`. Read from the syntax alone."""
    if table.kind[0] == _ERROR:
        return []
    names = [
        name
        for child in table.children(0)
        if table.field[child] == _DECLARATOR
        if (name := _name(table, child))
    ]
    row, end = 0, len(table.kind)
    while row < end:
        number = table.kind[row]
        if number in _LOCAL:
            row = table.skip[row]
            continue
        word = _TAGS.get(number)
        if word is not None:
            tag = table.child(row, _NAME)
            if tag >= 0:
                names.append(f"{word} {table.text(tag)}")
        elif number == _ENUMERATOR:
            name_row = table.child(row, _NAME)
            if name_row >= 0:
                names.append(table.text(name_row))
        row += 1
    return names


def _name(table: Table, row: int) -> str:
    """The name in a declarator."""
    while True:
        inner = table.child(row, _DECLARATOR)
        if inner < 0 and table.kind[row] in _INNER:
            inner = row + 1 if table.skip[row] > row + 1 else -1
        if inner >= 0 and table.kind[row] == table.kind[inner] == _FUNCTION_DECLARATOR:
            return ""  # a macro makes the name
        if inner < 0:
            return table.text(row) if table.last[row] == table.first[row] + 1 else ""
        row = inner
