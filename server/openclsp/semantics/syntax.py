"""What the parser could not read, and address space names that stand where an identifier should.

Every spelling of an address space name is reserved (OpenCL C 6.7: the names shall not be used otherwise); the parser
takes it for a qualifier and misses the name.
"""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.spaces import QUALIFIERS
from openclsp.semantics.context import Context
from openclsp.semantics.entities import Place
from openclsp.semantics.facts import Construct, ConstructKind, SyntaxFault
from openclsp.semantics.table import Table
from openclsp.source.tree import ERROR, FIELDS, kind

_NAMES = frozenset(kind(f"{word}identifier") for word in ("", "field_", "type_", "statement_"))
_FUNCTION_DEFINITION = kind("function_definition")
_FUNCTION_DECLARATOR = kind("function_declarator")
_TOLERATED = frozenset(
    kind(name) for name in ("macro_modifier", "macro_statement", "macro_argument", "macro_type_specifier")
)
_DECLARATOR = FIELDS["declarator"]
_RESERVED = frozenset(QUALIFIERS) - {"generic"}


def tell_faults(ctx: Context) -> None:
    """Emit a fact for each fault of syntax, and each reserved name; an item with an unknown macro is left in peace."""
    table = ctx.table
    tolerated = any(number in _TOLERATED for number in table.kind)
    reserved = set(_reserved_leaves(table))
    for leaf in sorted(reserved):
        place = Place(leaf, leaf + 1)
        ctx.emit(Construct(ConstructKind.RESERVED_NAME, place, table.leaf(leaf)))
    if tolerated:
        return
    for leaf, expected in table.missing.items():
        if leaf - 1 not in reserved:
            ctx.emit(SyntaxFault(Place(max(leaf - 1, 0), max(leaf, 1)), expected=expected))
    for row, number in enumerate(table.kind):
        if number == ERROR and not _excused(table, row, reserved):
            place = Place(table.first[row], max(table.last[row], table.first[row] + 1))
            ctx.emit(SyntaxFault(place, found=table.leaf(table.first[row])))


def _reserved_leaves(table: Table) -> Iterator[int]:
    for row, number in enumerate(table.kind):
        if number in _NAMES and table.text(row) in _RESERVED:
            yield table.first[row]
    for leaf, expected in table.missing.items():
        if expected.endswith("identifier") and table.leaf(leaf - 1) in _RESERVED:
            yield leaf - 1
    if table.kind[0] == _FUNCTION_DEFINITION:
        declarator = table.child(0, _DECLARATOR)
        if declarator >= 0 and table.kind[declarator] != _FUNCTION_DECLARATOR:
            before = table.first[declarator] - 1
            if table.leaf(before) in _RESERVED:
                yield before


def _excused(table: Table, row: int, reserved: set[int]) -> bool:
    """Whether an error is only the echo of a reserved name, or a qualifier that qualifies nothing (`int local;`),
    which declares nothing and harms nobody."""
    leaves = range(table.first[row], table.last[row])
    if any(leaf in reserved for leaf in leaves):
        return True
    return len(leaves) == 1 and table.leaf(leaves[0]) in QUALIFIERS
