"""Items: the top-level things of a translation unit, each with a key that does not depend on where it stands.

A *fragment* is one document's expanded text with its tree; a unit has one for the main document and one for each
header between its top-level items. A fragment is cut into *groups*, one for each child of its root, and a group into
items: usually one, more where a brace is open or the parser found an error.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tree_sitter import Node, Tree

from openclsp.semantics.entities import ItemKey, Place
from openclsp.semantics.table import Table, build_table
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.tree import COMMENT, FIELDS, TOKEN, kind, kind_name, kind_of, parse, reparse

_DECLARATOR, _NAME, _BODY = FIELDS["declarator"], FIELDS["name"], FIELDS["body"]
_LOCAL = frozenset((kind("compound_statement"), kind("parameter_list"), kind("initializer_list")))
_TAGS = {kind(f"{word}_specifier"): word for word in ("struct", "union", "enum")}
_ENUMERATOR = kind("enumerator")
_ERROR = kind("ERROR")
_INNER = frozenset((kind("ERROR"), kind("parenthesized_declarator"), kind("attributed_declarator")))


@dataclass(slots=True, eq=False)
class Item:
    """One item. `offset` is its start in bytes from the group's; `order` sorts the items of a unit.

    `leaf_starts` and `leaf_ends` turn leaves into bytes from the item's start; `table` is kept only until the item
    has been analysed.
    """

    group: Group
    offset: int
    length: int
    name: str
    kind: int
    names: tuple[str, ...]
    digest: bytes
    table: Table | None
    key: ItemKey = ("", "", 0)
    order: int = 0

    @property
    def start(self) -> int:
        """Its first byte in the fragment's expanded text."""
        return self.group.start + self.offset


@dataclass(slots=True, eq=False)
class Group:
    """The items of one child of the root, at bytes `start` to `end` of the fragment's expanded text."""

    fragment: Fragment
    start: int
    end: int
    items: list[Item] = field(default_factory=list)


class Fragment:
    """One document's expanded text, its tree, and its groups in order. `main` tells the root document's."""

    def __init__(self, preprocessed: Preprocessed, *, main: bool) -> None:
        self.preprocessed = preprocessed
        self.main = main
        self.tree: Tree = parse(preprocessed.text)
        self.groups: list[Group] = []
        self._cut(0, len(preprocessed.text), 0, 0)

    def update(self, preprocessed: Preprocessed, edit: tuple[int, int, int]) -> None:
        """Take the next state of the document: the expanded bytes `edit[0]` to `edit[1]` became `edit[0]` to
        `edit[2]`. Only groups that the edit or a changed range of the tree touches are cut anew."""
        old_text, old_tree = self.preprocessed.text, self.tree
        tree = reparse(old_tree, old_text, preprocessed.text, edit)
        self.preprocessed, self.tree = preprocessed, tree
        low, high = edit[0], edit[2]
        for changed in old_tree.changed_ranges(tree):
            low, high = min(low, changed.start_byte), max(high, changed.end_byte)
        shift = edit[2] - edit[1]
        before = 0
        while before < len(self.groups) and self.groups[before].end < low:
            before += 1
        after = len(self.groups)
        while (
            after > before
            and self.groups[after - 1].start >= edit[1]
            and (self.groups[after - 1].start + shift > high)
        ):
            after -= 1
        for group in self.groups[after:]:
            group.start += shift
            group.end += shift
        self._cut(low, high, before, after)

    def _cut(self, low: int, high: int, before: int, after: int) -> None:
        """Cut the root's children between the groups before `before` and those from `after` on."""
        start = self.groups[before - 1].end if before else 0
        made: list[Group] = []
        cursor = self.tree.root_node.walk()
        more = cursor.goto_first_child_for_byte(start) is not None
        while more:
            child = cursor.node
            assert child is not None
            if child.start_byte >= start and child.end_byte > start or child.start_byte >= start:
                while after < len(self.groups) and self.groups[after].start < child.start_byte:
                    after += 1
                if after < len(self.groups) and self.groups[after].start == child.start_byte:
                    break
                group = self._group(child)
                if group is not None:
                    made.append(group)
            more = cursor.goto_next_sibling()
        else:
            after = len(self.groups)
        self.groups[before:after] = made

    def _group(self, child: Node) -> Group | None:
        number = kind_of(child)
        if number in (COMMENT, TOKEN):
            return None
        group = Group(self, child.start_byte, child.end_byte)
        pending = [child]
        while pending:
            node = pending.pop()
            table = build_table(node, self.preprocessed.text)
            if table.leaves:
                group.items.append(_item(group, node, table))
            pending.extend(reversed(table.nested))
            table.nested = []
        return group if group.items else None

    def node_of(self, item: Item) -> Node:
        """The node of an item in the tree as it is now."""
        start, end = item.start, item.start + item.length
        node: Node | None = self.tree.root_node.descendant_for_byte_range(start, end)
        while node is not None:
            if kind_of(node) == item.kind and node.start_byte == start and node.end_byte == end:
                return node
            node = node.parent
        return self.tree.root_node

    def table_of(self, item: Item) -> Table:
        """The table of an item."""
        return (
            item.table if item.table is not None else build_table(self.node_of(item), self.preprocessed.text)
        )


def span(item: Item, table: Table, place: Place) -> tuple[int, int]:
    """The bytes of a place in the fragment's expanded text; an empty place is the gap before its leaf."""
    if not table.starts:
        return item.start, item.start
    count = len(table.starts)
    if place.first >= count:
        end = item.start + table.ends[count - 1]
        return end, end
    first = item.start + table.starts[place.first]
    if place.last <= place.first:
        return first, first
    return first, item.start + table.ends[min(place.last, count) - 1]


def _item(group: Group, node: Node, table: Table) -> Item:
    number = kind_of(node)
    names = tuple(declared_names(table))
    return Item(
        group,
        node.start_byte - group.start,
        node.end_byte - node.start_byte,
        names[0] if names else "",
        number,
        names,
        table.digest(),
        table,
        (kind_name(number), names[0] if names else "", 0),
    )


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
        if inner < 0:
            return table.text(row) if table.last[row] == table.first[row] + 1 else ""
        row = inner
