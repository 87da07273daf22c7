"""Statements of a function that may be calls of unknown macros: `SHARED(float, t, 4);`, `DECLARE;`.

A macro that the host or a missing header defines may declare variables, open or close a loop, and define a
label. A call of an undeclared lower-case name counts as a function call, unless an argument is a type or a
block.
"""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_CALL, _EXPRESSION_STATEMENT = kind("call_expression"), kind("expression_statement")
_COMPOUND, _IDENTIFIER = kind("compound_statement"), kind("identifier")
_LABELS = frozenset((kind("case_statement"), kind("labeled_statement"), kind("attributed_statement")))
_NO_VALUES = frozenset((kind("type_descriptor"), _COMPOUND))
_ARGUMENTS = FIELDS["arguments"]
_MAXIMUM_VARIABLE = 2
"""The length up to which a name alone in small letters is taken for that of a variable."""


@dataclass(frozen=True, slots=True)
class UnknownStatement:
    """A statement that consists of the undeclared name `name` or a call of it.

    - `node`, `block`: the nodes of the statement and of the innermost block around it.
    - `arguments`: the names among the arguments.
    - `is_macro`: whether the name looks like that of a macro; otherwise, it is probably a function.
    """

    name: str
    node: int
    block: int
    arguments: frozenset[str]
    is_macro: bool


def unknown_statements(ctx: TypingContext) -> list[UnknownStatement]:
    """Returns the statements of the item that consist of an undeclared name or a call of one, in order."""
    table = ctx.table
    found: list[UnknownStatement] = []
    for node, called in sorted(ctx.undeclared.items()):
        statement = node - 2 if called else node - 1
        if (
            statement < 0
            or table.kind[statement] != _EXPRESSION_STATEMENT
            or (called and table.kind[node - 1] != _CALL)
        ):
            continue
        block = _enclosing(table, statement)
        while block >= 0 and table.kind[block] in _LABELS:
            block = _enclosing(table, block)
        if block < 0 or table.kind[block] != _COMPOUND:
            continue
        name = table.text(node)
        arguments = _arguments(table, node - 1) if called else []
        is_macro = (
            name.upper() == name
            or (not called and len(name) > _MAXIMUM_VARIABLE)
            or any(table.kind[each] in _NO_VALUES for each in arguments)
        )
        names = frozenset(table.text(each) for each in arguments if table.kind[each] == _IDENTIFIER)
        found.append(UnknownStatement(name, statement, block, names, is_macro))
    return found


def unknown_surroundings(ctx: TypingContext) -> list[tuple[int, int]]:
    """Returns the ranges of nodes around which an unknown macro may put a loop or a `switch`.

    These are the arguments of an undeclared name, `LOOP(g, { break; });`, and what is between two macros in
    the same block, `BEGIN(x); break; END(x);`.
    """
    table = ctx.table
    found = [
        (node, table.skip[node - 1])
        for node, called in ctx.undeclared.items()
        if called and node and table.kind[node - 1] == _CALL
    ]
    begins: dict[int, int] = {}
    for each in unknown_statements(ctx):
        if each.is_macro:
            found.append((begins.setdefault(each.block, each.node), each.node))
    return found


def _arguments(table: Table, call: int) -> list[int]:
    arguments = table.child(call, _ARGUMENTS)
    return list(table.children(arguments)) if arguments >= 0 else []


def _enclosing(table: Table, node: int) -> int:
    """Returns the node directly around a node; -1 if there is none."""
    around = node - 1
    while around >= 0 and table.skip[around] <= node:
        around -= 1
    return around
