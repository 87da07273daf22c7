"""The tree of one item as flat columns: what every later step reads instead of tree-sitter's nodes.

Rows are the named nodes in preorder. The first child of row i is i + 1 if `skip[i] > i + 1`; the next sibling of a
child c is `skip[c]`. Tokens are the *leaves*, comments left out, numbered from 0: a row covers the leaves `first[i]`
to `last[i]` (exclusive). Nothing in the table depends on where the item stands, but `starts`, which turns a leaf into
its offset from the item's start. Flat lists of numbers cost the garbage collector nothing, unlike a tree of objects.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from openclsp.source.digest import blake2b
from openclsp.source.tree import (
    COMMENT,
    ERROR,
    ERROR_SYMBOL,
    FIELDS,
    KIND_OF_SYMBOL,
    MARK_OF_SYMBOL,
    TOKEN,
    kind,
)

_FUNCTION_DEFINITION = kind("function_definition")
_BODY = FIELDS["body"]
_IN_ERROR = frozenset((_FUNCTION_DEFINITION, kind("declaration"), kind("type_definition")))

_NO_MARKS: list[bytes | None] = [None] * len(MARK_OF_SYMBOL)

MAX_DEPTH = 200
"""How deep a tree is read, in nodes; what is deeper is one leaf of kind TOO_DEEP, of which nothing is known."""
TOO_DEEP = kind("too deep")


class Table:
    """The columns of one item. `nested` are the nodes that are items of their own, and whose leaves are left out here:
    functions inside a function, which an unclosed brace makes of everything that follows it, and the declarations
    that the parser found inside an error."""

    __slots__ = (
        "ends",
        "field",
        "first",
        "flawed",
        "kind",
        "last",
        "leaves",
        "missing",
        "nested",
        "skip",
        "starts",
        "torn",
    )

    def __init__(self) -> None:
        self.kind: list[int] = []
        self.field: list[int] = []
        self.first: list[int] = []
        self.last: list[int] = []
        self.skip: list[int] = []
        self.leaves: list[bytes] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.nested: list[Node] = []
        self.missing: dict[int, str] = {}
        """The leaves that the parser only assumed, with what it expected there: `;`, `identifier` …"""
        self.torn = False
        """Whether the parser could not make sense of something in the item"""
        self.flawed = False
        """Whether it is torn, or the parser assumed something"""

    def children(self, row: int) -> Iterator[int]:
        """The rows of the named children."""
        child, end = row + 1, self.skip[row]
        while child < end:
            yield child
            child = self.skip[child]

    def child(self, row: int, field: int) -> int:
        """The row of the child in that field, or -1."""
        child, end = row + 1, self.skip[row]
        while child < end:
            if self.field[child] == field:
                return child
            child = self.skip[child]
        return -1

    def find(self, row: int, wanted: int) -> int:
        """The row of the first child of that kind, or -1."""
        child, end = row + 1, self.skip[row]
        while child < end:
            if self.kind[child] == wanted:
                return child
            child = self.skip[child]
        return -1

    def text(self, row: int) -> str:
        """The leaves of a row, joined without white space: for names and single tokens."""
        first, last = self.first[row], self.last[row]
        if last == first + 1:
            return self.leaves[first].decode("utf-8", "replace")
        return b"".join(self.leaves[first:last]).decode("utf-8", "replace")

    def leaf(self, number: int) -> str:
        """The text of a leaf; empty past the end, or where the parser only assumed one."""
        return self.leaves[number].decode("utf-8", "replace") if 0 <= number < len(self.leaves) else ""

    def digest(self, instead: Mapping[int, bytes] | None = None) -> bytes:
        """Equal exactly for equal content: the same tokens in the same shape, wherever and however laid out. Of some leaves
        only what is given `instead` of their text counts."""
        leaves = self.leaves
        if instead:
            leaves = [instead.get(number, leaf) for number, leaf in enumerate(leaves)]
        # of a head: whether there is a fault behind it
        torn = self.flawed + self.torn
        shape = array("H", self.kind).tobytes() + array("I", self.last).tobytes()
        return blake2b(
            b"%d %d " % (torn, len(self.kind)) + shape + b"\0".join(leaves), digest_size=16
        ).digest()

    def head(self) -> Table:
        """The table without the rows of a function's body, which is empty then; the table itself where there is none, or
        where a fault of syntax is not within it."""
        if not self.kind or self.kind[0] != _FUNCTION_DEFINITION:
            return self
        body = self.child(0, _BODY)
        if body < 0 or self.skip[body] != len(self.kind):
            return self
        leaf = self.first[body]
        if self.flawed and (ERROR in self.kind[:body] or any(each < leaf for each in self.missing)):
            return self
        head = Table()
        head.torn, head.flawed = self.torn, self.flawed
        head.kind, head.field = self.kind[: body + 1], self.field[: body + 1]
        head.first, head.last = self.first[: body + 1], self.last[: body + 1]
        head.skip = self.skip[: body + 1]
        head.last[0] = head.last[body] = leaf
        head.skip[0] = head.skip[body] = body + 1
        head.leaves, head.starts, head.ends = self.leaves[:leaf], self.starts[:leaf], self.ends[:leaf]
        return head


def build_table(node: Node, text: bytes) -> Table:
    """The table of the subtree at `node`, whose bytes are in `text`."""
    table = Table()
    kinds, fields, firsts, lasts, skips = table.kind, table.field, table.first, table.last, table.skip
    leaves, starts, ends = table.leaves, table.starts, table.ends
    base = node.start_byte
    cursor = node.walk()
    open_rows: list[int] = []
    # what is an item of its own inside this one
    own_items = _IN_ERROR if node.kind_id == ERROR_SYMBOL else frozenset((_FUNCTION_DEFINITION,))
    # half of all leaves; where something is wrong, the parser may only have assumed one
    marks = _NO_MARKS if node.has_error else MARK_OF_SYMBOL
    while True:
        current = cursor.node
        assert current is not None
        symbol = current.kind_id
        if symbol == ERROR_SYMBOL:
            number, mark = ERROR, None
        else:
            number, mark = KIND_OF_SYMBOL[symbol], marks[symbol]
        row = -1
        descend = False
        if mark is not None and len(open_rows) <= MAX_DEPTH:
            start = current.start_byte - base
            leaves.append(mark)
            starts.append(start)
            ends.append(start + len(mark))
        elif number == COMMENT:
            pass
        elif open_rows and number in own_items:
            table.nested.append(current)
        elif len(open_rows) > MAX_DEPTH:
            number = TOO_DEEP
            row = len(kinds)
            kinds.append(number)
            fields.append(cursor.field_id or 0)
            firsts.append(len(leaves))
            lasts.append(0)
            skips.append(0)
            start, end = current.start_byte, current.end_byte
            leaves.append(text[start:end])
            starts.append(start - base)
            ends.append(end - base)
        else:
            if number != TOKEN:
                row = len(kinds)
                kinds.append(number)
                fields.append(cursor.field_id or 0)
                firsts.append(len(leaves))
                lasts.append(0)
                skips.append(0)
            descend = cursor.goto_first_child()
            if not descend:
                start, end = current.start_byte, current.end_byte
                if start == end:
                    table.missing[len(leaves)] = current.type
                leaves.append(text[start:end])
                starts.append(start - base)
                ends.append(end - base)
        if descend:
            open_rows.append(row)
            continue
        if row >= 0:
            lasts[row], skips[row] = len(leaves), len(kinds)
        while not cursor.goto_next_sibling():
            if not open_rows:
                return _judged(table)
            cursor.goto_parent()
            row = open_rows.pop()
            if row >= 0:
                lasts[row], skips[row] = len(leaves), len(kinds)
        if not open_rows:
            return _judged(table)


def _judged(table: Table) -> Table:
    table.torn = ERROR in table.kind
    table.flawed = table.torn or bool(table.missing)
    return table
