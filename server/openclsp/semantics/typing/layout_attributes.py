"""Layout attributes: `packed` and `aligned(n)` (OpenCL C 6.13.1 and 6.13.2)."""

from __future__ import annotations

from typing import NamedTuple

from openclsp.semantics.facts.entities import EntityKind
from openclsp.semantics.typing.dispatch import is_expression, value_without_facts
from openclsp.semantics.typing.specifiers import is_attribute
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_ATTRIBUTED, _POINTER = kind("attributed_declarator"), kind("pointer_declarator")
_DECLARATOR = FIELDS["declarator"]
_TYPE_NAME = kind("type_identifier")
GREATEST = 16
"""The alignment in bytes that clang applies for `aligned` without a number."""


class Alignment(NamedTuple):
    """The layout that the attributes `packed` and `aligned` request.

    `least` is the requested alignment in bytes: 0 if none is requested, None if it is unknown.
    """

    packed: bool = False
    least: int | None = 0

    def with_(self, other: Alignment) -> Alignment:
        """Returns the layout that this and another set of attributes request together."""
        if self.least is None or other.least is None:
            return Alignment(self.packed or other.packed, None)
        return Alignment(self.packed or other.packed, max(self.least, other.least))


def alignment_at(ctx: TypingContext, node: int) -> Alignment:
    """Returns the layout requested by the attributes of a declaration or declarator.

    `node` is the parent of the attributes. For a declarator, attributes nested in it are included.
    """
    table = ctx.table
    found = Alignment()
    while True:
        for child in table.children(node):
            if is_attribute(table.kind[child]):
                found = found.with_(_read_alignment(ctx, child))
        if table.kind[node] == _ATTRIBUTED:
            node += 1
        elif table.kind[node] == _POINTER:
            node = table.child(node, _DECLARATOR)
        else:
            return found


def natural_alignment(ctx: TypingContext, node: int, declarator: int) -> int | None:
    """Returns the alignment, in bytes, that a typedef requests for the type of a declared object.

    As in clang, it replaces the natural alignment of the type. Returns 0 if there is no such request, or if
    the declarator declares a pointer to the typedef's type. Returns None if the alignment is unknown.
    """
    table = ctx.table
    if any(table.kind[inner] == _POINTER for inner in range(declarator, table.skip[declarator])):
        return 0
    for child in table.children(node):
        if table.kind[child] == _TYPE_NAME:
            symbol = ctx.find(table.text(child))
            return symbol.alignment if symbol is not None and symbol.kind is EntityKind.TYPEDEF else 0
    return 0


def typedef_alignment(ctx: TypingContext, node: int, declarator: int) -> int | None:
    """Returns the alignment requested by a typedef's attributes, or else by the typedef that it renames.

    Returns 0 if neither requests one, and None if the alignment is unknown.
    """
    requested = alignment_at(ctx, node).with_(alignment_at(ctx, declarator)).least
    return natural_alignment(ctx, node, declarator) if requested == 0 else requested


def _read_alignment(ctx: TypingContext, node: int) -> Alignment:
    table = ctx.table
    found = Alignment()
    for token_index in range(table.first[node], table.last[node]):
        word = table.token(token_index).strip("_")
        if word == "packed":
            found = found.with_(Alignment(packed=True))
        elif word == "aligned":
            found = found.with_(Alignment(least=_alignment_argument(ctx, node, token_index)))
    return found


def _alignment_argument(ctx: TypingContext, node: int, token_index: int) -> int | None:
    """Returns the alignment that the attribute `aligned` at `token_index` requests.

    For `aligned` without an argument, this is `GREATEST`. None if the alignment is unknown or not a power of
    two.
    """
    table = ctx.table
    if table.token(token_index + 1) != "(":
        return GREATEST
    inside = range(node, table.skip[node])
    operand = next(
        (r for r in inside if table.first[r] == token_index + 2 and is_expression(table.kind[r])), -1
    )
    number = value_without_facts(ctx, operand).number if operand >= 0 else None
    return number if number is not None and 0 < number <= 1 << 28 and not number & (number - 1) else None
