"""The syntax tree of one item as flat columns.

All later steps use it instead of tree-sitter's nodes. The named nodes are numbered in preorder: node i is row
i of each column. The first child of node i is i + 1 if `skip[i] > i + 1`; the next sibling of a child c is
`skip[c]`. Tokens exclude comments and are numbered from 0: a node covers the tokens `first[i]` to `last[i]`
(exclusive). The table does not depend on the item's position; `starts` and `ends` map a token index to byte
offsets from the item's start. Flat lists of integers cost the garbage collector nothing, unlike a tree of
objects.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from openclsp.source.digest import blake2b
from openclsp.source.parser import (
    ERROR,
    FIELDS,
    kind,
)

_FUNCTION_DEFINITION = kind("function_definition")
_BODY = FIELDS["body"]
TOO_DEEP = kind("too deep")
"""The kind of a node nested deeper than the limit: one opaque token."""


class Table:
    """The columns of one item's syntax tree.

    `nested` are the nodes inside this item that become items of their own: functions inside a function, and
    declarations that the parser found inside an error. (If a brace is not closed, all later functions are
    parsed as functions inside a function.) The tokens of nested nodes are not in this table.
    """

    __slots__ = (
        "declared",
        "deepest",
        "ends",
        "field",
        "first",
        "has_error",
        "has_error_or_missing",
        "has_nested",
        "in_function",
        "kind",
        "last",
        "missing",
        "nested",
        "skip",
        "starts",
        "tokens",
    )

    def __init__(self) -> None:
        self.kind: list[int] = []
        self.field: list[int] = []
        self.first: list[int] = []
        self.last: list[int] = []
        self.skip: list[int] = []
        self.tokens: list[bytes] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.nested: list[Node] = []
        self.declared: frozenset[str] | None = None
        """The names declared anywhere in the item, computed on demand: see `unknown_names`."""
        self.deepest = 0
        """The greatest depth of a node in the item, in nodes."""
        self.missing: dict[int, str] = {}
        """Token indices of tokens that the parser inserted, with what it expected: `;`, `identifier` …"""
        self.has_error = False
        """Whether the item contains an ERROR node."""
        self.has_error_or_missing = False
        """Whether it contains an ERROR node or contains an inserted token."""
        self.has_nested = False
        """Whether nodes inside the item became items of their own, which are then not in this table."""
        self.in_function = False
        """Whether the item is in the body of a function that is certainly complete."""

    def children(self, node: int) -> Iterator[int]:
        """Yields the named children of a node."""
        child, end = node + 1, self.skip[node]
        while child < end:
            yield child
            child = self.skip[child]

    def child(self, node: int, field: int) -> int:
        """Returns the child of `node` in the field `field`, or -1."""
        child, end = node + 1, self.skip[node]
        while child < end:
            if self.field[child] == field:
                return child
            child = self.skip[child]
        return -1

    def find(self, node: int, wanted: int) -> int:
        """Returns the first child of `node` of the kind `wanted`, or -1."""
        child, end = node + 1, self.skip[node]
        while child < end:
            if self.kind[child] == wanted:
                return child
            child = self.skip[child]
        return -1

    def text(self, node: int) -> str:
        """Returns the tokens of a node, joined without white space. Meant for names and single tokens."""
        first, last = self.first[node], self.last[node]
        if last == first + 1:
            return self.tokens[first].decode("utf-8", "replace")
        return b"".join(self.tokens[first:last]).decode("utf-8", "replace")

    def token(self, number: int) -> str:
        """Returns the text of a token; empty if there is no such token or if the parser inserted it."""
        return self.tokens[number].decode("utf-8", "replace") if 0 <= number < len(self.tokens) else ""

    def same_shape(self, other: Table) -> bool:
        """Whether two tables differ only in the texts and offsets of their tokens."""
        return (
            len(self.tokens) == len(other.tokens)
            and self.kind == other.kind
            and self.last == other.last
            and self.first == other.first
            and self.missing == other.missing
        )

    def digest(self, instead: Mapping[int, bytes] | None = None) -> bytes:
        """Returns a digest of tokens and tree shape, independent of layout and position.

        For the tokens in `instead`, the given bytes are hashed in place of their text.
        """
        tokens = self.tokens
        if instead:
            tokens = [instead.get(number, token) for number, token in enumerate(tokens)]
        # a head also depends on whether there is a syntax error in the body
        errors = self.has_error_or_missing + self.has_error + 4 * self.has_nested + 8 * self.in_function
        shape = array("I", self.kind).tobytes() + array("I", self.last).tobytes()
        if self.missing:
            # The text after an item can show which token is missing at its end (see `source/missing_separators.py`).
            shape += repr(sorted(self.missing.items())).encode()
        return blake2b(
            b"%d %d " % (errors, len(self.kind)) + shape + b"\0".join(tokens), digest_size=16
        ).digest()

    def head(self) -> Table:
        """Returns the table with an empty function body: the body's node has no children and no tokens.

        Returns the table itself if there is no body, or if there is a syntax error outside of the body.
        """
        if not self.kind or self.kind[0] != _FUNCTION_DEFINITION:
            return self
        body = self.child(0, _BODY)
        if body < 0 or self.skip[body] != len(self.kind):
            return self
        token_index = self.first[body]
        if self.has_error_or_missing and (
            ERROR in self.kind[:body] or any(each < token_index for each in self.missing)
        ):
            return self
        head = Table()
        head.has_error, head.has_error_or_missing = self.has_error, self.has_error_or_missing
        head.has_nested, head.in_function = self.has_nested, self.in_function
        head.kind, head.field = self.kind[: body + 1], self.field[: body + 1]
        head.first, head.last = self.first[: body + 1], self.last[: body + 1]
        head.skip = self.skip[: body + 1]
        head.last[0] = head.last[body] = token_index
        head.skip[0] = head.skip[body] = body + 1
        head.tokens, head.starts, head.ends = (
            self.tokens[:token_index],
            self.starts[:token_index],
            self.ends[:token_index],
        )
        return head
