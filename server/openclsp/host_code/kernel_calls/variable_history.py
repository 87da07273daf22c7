"""The value of a variable at a point of a function, from the statements that set the variable.

The value is known if the same statements set the variable on every path to that point. It is unknown if a
branch or loop may have changed the variable since it was last set.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections import defaultdict
from enum import Enum
from typing import Final, Generic, NamedTuple, TypeVar

from tree_sitter import Node

from openclsp.host_code.host_tree import ancestors, field
from openclsp.host_code.kernel_calls.kernel_uses import UseScope

T = TypeVar("T")

_FUNCTIONS: Final = frozenset(("function_definition", "lambda_expression", "lambda"))
_LOOPS: Final = frozenset(
    ("for_statement", "for_range_loop", "while_statement", "do_statement", "list_comprehension")
)
_BRANCHES: Final = frozenset(
    ("else_clause", "elif_clause", "case_statement", "catch_clause", "except_clause", "case_clause")
    + ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef")
)
_CONDITIONALS: Final = frozenset(("if_statement", "conditional_expression"))
_CONDITION: Final = "condition"


class _Unknown(Enum):
    VALUE = "unknown"


UNKNOWN: Final = _Unknown.VALUE
"""The value of a variable that is set, but not to a value that can be read"""


class Change(NamedTuple):
    """A statement that sets a variable; the new value applies from byte `at` on.

    If `increment` is not 0, it is added to the former value; otherwise `value` replaces the former value.
    """

    at: int
    branches: frozenset[int]
    value: object
    increment: int = 0


def scope_of(node: Node) -> tuple[UseScope, frozenset[int]]:
    """Returns the scope in which a node is executed.

    Also returns the offsets of those branches of the scope that are loops.
    """
    branches: list[int] = []
    loops: set[int] = set()
    child = node
    for parent in ancestors(node):
        kind = parent.type
        if kind in _FUNCTIONS:
            return UseScope(parent.start_byte, tuple(branches)), frozenset(loops)
        if kind in _LOOPS and not _is_initialiser(parent, child):
            branches.append(parent.start_byte)
            loops.add(parent.start_byte)
        elif kind in _BRANCHES:
            branches.append(parent.start_byte)
        elif kind in _CONDITIONALS and child != field(parent, _CONDITION) and child.type not in _BRANCHES:
            # The offset of the branch, not of the statement, so that the branches of an `if` differ.
            branches.append(child.start_byte)
        child = parent
    return UseScope(-1, tuple(branches)), frozenset(loops)


def _is_initialiser(loop: Node, child: Node) -> bool:
    """Whether a child of a loop is executed only once, before the first iteration."""
    return child == field(loop, "initializer") or (
        loop.type == "for_range_loop" and child == field(loop, "right")
    )


class VariableHistory(Generic[T]):
    """The statements that set the variables of a file, by function and variable."""

    def __init__(self) -> None:
        self._changes: dict[tuple[int, str], list[Change]] = defaultdict(list)
        self._names: dict[int, set[str]] = defaultdict(set)
        self._forgotten: set[tuple[int, str]] = set()

    def add(self, function: int, name: str, change: Change) -> None:
        """Records a statement that sets a variable."""
        insort(self._changes[function, name], change, key=_place)
        self._names[function].add(name)

    def forget(self, function: int, name: str) -> None:
        """Makes a variable unknown in a whole function, because code that is not analysed may set it."""
        self._forgotten.add((function, name))

    def is_unknown(self, function: int, name: str, at: int, branches: frozenset[int]) -> bool:
        """Whether the change before the offset `at` has made a variable unknown in the same branches.

        Another such change at `at` would have no effect.
        """
        changes = self._changes.get((function, name), [])
        place = bisect(changes, at, key=_place)
        if not place:
            return False
        last = changes[place - 1]
        return last.value is UNKNOWN and not last.increment and last.branches == branches

    def names(self) -> frozenset[str]:
        """Returns the names of all variables that some statement sets."""
        return frozenset(name for _, name in self._changes)

    def names_in(self, function: int) -> tuple[str, ...]:
        """Returns the names of the variables that a function sets."""
        return tuple(self._names.get(function, ()))

    def changes(self, function: int, name: str) -> list[Change]:
        """Returns the statements of a function that set a variable, in order."""
        return self._changes.get((function, name), [])

    def last_before(self, node: Node, name: str) -> T | None:
        """Returns the value that a variable has where a node begins; None if it is unknown."""
        (function, path), loops = scope_of(node)
        changes = self._changes.get((function, name))
        if not changes or (function, name) in self._forgotten:
            return None
        branches = frozenset(path)
        before = [each for each in changes if each.at <= node.start_byte]
        base = len(before) - 1
        while base >= 0 and (before[base].increment or not before[base].branches <= branches):
            base -= 1
        if base < 0 or before[base].value is UNKNOWN:
            return None
        for loop in loops - before[base].branches:
            if any(loop in each.branches for each in changes):
                return None
        value = before[base].value
        for each in before[base + 1 :]:
            if not each.branches <= branches:
                return None
            if isinstance(value, int):
                value += each.increment
        return value  # type: ignore[return-value]


def _place(change: Change) -> int:
    return change.at
