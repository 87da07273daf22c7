"""Evaluates string expressions of host code.

The value of a variable consists of the strings that a function assigns and appends to it, in order. A part
with an unknown value is a hole. The evaluators for the different host languages derive from
`StringEvaluator`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from tree_sitter import Node

from openclsp.host_code.host_tree import HostTree, ancestors
from openclsp.host_code.python_literals import Formatting
from openclsp.host_code.string_value import StringValue, hole, join_values, statement_hole

MAXIMUM_EVALUATION_DEPTH: Final = 40
"""The maximum depth of nested expressions and variables; deeper ones become holes (unknown text)"""
MAXIMUM_EVALUATED_BYTES: Final = 16 * 1024 * 1024
"""The maximum total size in bytes of one file's values; what exceeds it becomes a hole (unknown text)"""

_ALTERNATIVES: Final = frozenset(
    ("else_clause", "elif_clause", "preproc_else", "preproc_elif", "preproc_elifdef")
)

VariableKey: TypeAlias = "tuple[int, bytes]"
"""The function's first byte (-1 outside functions) and the name of a variable, or of a member of one"""


class Contribution(NamedTuple):
    """A statement that sets a variable (`replaces`) or appends to it.

    - `start`: the offset of the statement.
    - `value`: the expression that is assigned or appended.
    - `branches`: the offsets of the conditional statements and loops around the statement.
    """

    start: int
    value: Node
    replaces: bool
    branches: frozenset[int]


class StringEvaluator(ABC):
    """Evaluates the string expressions of one host file."""

    def __init__(self, tree: HostTree) -> None:
        self.tree = tree
        self.contributions: dict[VariableKey, list[Contribution]] = defaultdict(list)
        self._depth = 0
        self._bytes = 0
        self._active: set[tuple[VariableKey, int]] = set()
        self.collect_contributions()
        for found in self.contributions.values():
            found.sort()

    @property
    @abstractmethod
    def function_kinds(self) -> frozenset[str]:
        """The kinds of nodes that are functions."""

    @property
    @abstractmethod
    def branch_kinds(self) -> frozenset[str]:
        """The kinds of nodes that are executed conditionally or repeatedly."""

    @abstractmethod
    def collect_contributions(self) -> None:
        """Fills `contributions` with the statements that set variables or append to them."""

    @abstractmethod
    def evaluate_node(self, node: Node, formatting: Formatting) -> StringValue | None:
        """Evaluates an expression; None if it is not a string, or its value is unknown."""

    def evaluate(self, node: Node, formatting: Formatting = Formatting.NONE) -> StringValue | None:
        """Evaluates an expression.

        Returns None if its value is unknown, if it is nested too deeply, or if all values evaluated so far
        exceed MAXIMUM_EVALUATED_BYTES.
        """
        if self._depth >= MAXIMUM_EVALUATION_DEPTH or self._bytes > MAXIMUM_EVALUATED_BYTES:
            return None
        self._depth += 1
        try:
            value = self.evaluate_node(node, formatting)
        finally:
            self._depth -= 1
        if value is not None and self._depth == 0:
            self._bytes += len(value.data)
        return value

    def evaluate_part(self, node: Node, formatting: Formatting = Formatting.NONE) -> StringValue:
        """Evaluates a part of a longer string; a part with an unknown value is a hole."""
        value = self.evaluate(node, formatting)
        return self.hole_of(node) if value is None else value

    def hole_of(self, node: Node) -> StringValue:
        """Returns a hole (unknown text) that replaces the value of an expression."""
        return hole(node.start_byte, node.end_byte, self.tree.text(node))

    def add_contribution(self, name: bytes, statement: Node, value: Node, *, replaces: bool) -> None:
        """Records a statement that sets the variable `name` (`replaces`) or appends to it."""
        scope, branches = self.place_of(statement)
        contribution = Contribution(statement.start_byte, value, replaces, branches)
        self.contributions[scope, name].append(contribution)

    def place_of(self, node: Node) -> tuple[int, frozenset[int]]:
        """Returns the function that contains a node, and the branches around the node within the function.

        The function and the branches are identified by their offsets. The `else` part of an `if` is not in
        the branch of that `if`.
        """
        branches: list[int] = []
        below = node.type
        for parent in ancestors(node):
            kind = parent.type
            if kind in self.function_kinds:
                return parent.start_byte, frozenset(branches)
            if kind in self.branch_kinds and not (below in _ALTERNATIVES and kind not in _ALTERNATIVES):
                branches.append(parent.start_byte)
            below = kind
        return -1, frozenset(branches)

    def variable_at(self, node: Node, name: bytes) -> VariableKey | None:
        """Returns the variable that a name denotes at a node; None if no statement of the file sets it."""
        scope, _ = self.place_of(node)
        for key in ((scope, name), (-1, name)):
            if key in self.contributions:
                return key
        return None

    def variable_value(self, node: Node, name: bytes, formatting: Formatting) -> StringValue | None:
        """Returns the value of a variable at its use `node`.

        Returns None if the value is unknown or several values are possible.
        """
        key = self.variable_at(node, name)
        if key is None:
            return None
        chains = self.chains(key)
        # A function may use a variable of the file that is set below it.
        last = len(chains) - 1 if key[0] == -1 else self._last_before(chains, node.start_byte)
        if last < 0:
            return None
        head = chains[last][0]
        _, branches = self.place_of(node)
        if len(chains) > 1 and key[0] != -1 and not head.branches <= branches:
            return None
        if len(chains) > 1 and key[0] == -1 and head.branches:
            return None
        limit = None if key[0] == -1 else node.start_byte
        return self.chain_value(key, chains[last], formatting, limit)

    def chains(self, key: VariableKey) -> list[list[Contribution]]:
        """Groups the statements that contribute to a variable, so that each group makes one value.

        A group begins with a statement that sets the variable, followed by the statements that append to it.
        The first group may contain only appending statements.
        """
        chains: list[list[Contribution]] = []
        for each in self.contributions[key]:
            if each.replaces or not chains:
                chains.append([each])
            else:
                chains[-1].append(each)
        return chains

    def chain_value(
        self,
        key: VariableKey,
        chain: Sequence[Contribution],
        formatting: Formatting = Formatting.NONE,
        limit: int | None = None,
        chosen: frozenset[int] = frozenset(),
    ) -> StringValue | None:
        """Joins the strings that the statements of a chain assign and append to the variable `key`.

        Statements from host offset `limit` on are left out. A string that is appended under a condition
        becomes a hole (unknown text), with two exceptions: the first statement of the chain is under the same
        condition, or the branches around the statement are exactly `chosen`. Returns None if the value
        depends on itself.
        """
        active = key, chain[0].start
        if active in self._active:
            return None
        self._active.add(active)
        # If the first part is in a branch that is not chosen, only the unconditional parts are certain.
        certain = chain[0].branches if not chosen or chain[0].branches <= chosen else frozenset()
        try:
            parts = []
            for each in chain:
                if limit is not None and each.start >= limit:
                    break
                if each.branches <= certain or each.branches == chosen:
                    parts.append(self.evaluate_part(each.value, formatting))
                else:
                    parts.append(self._unknown_part(each.value))
            return join_values(parts)
        finally:
            self._active.discard(active)

    def _unknown_part(self, node: Node) -> StringValue:
        """Returns a hole (unknown text) for a part of a string that is appended only under a condition."""
        value = self.evaluate(node)
        if value is None or not value.data.rstrip(b" \t").endswith((b";", b"}", b"\n", b"{")):
            return self.hole_of(node)
        return statement_hole(node.start_byte, node.end_byte, self.tree.text(node))

    @staticmethod
    def _last_before(chains: list[list[Contribution]], offset: int) -> int:
        return bisect_right(chains, offset, key=lambda chain: chain[0].start) - 1
