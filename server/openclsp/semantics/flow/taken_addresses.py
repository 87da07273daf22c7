"""The variables of an item whose address is taken."""

from __future__ import annotations

from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import (
    Array,
    Record,
)
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_ARGUMENT = FIELDS["argument"]
_IDENTIFIER, _PARENTHESES = kind("identifier"), kind("parenthesized_expression")
_POINTER_EXPRESSION = kind("pointer_expression")


def address_taken(ctx: TypingContext, trace: dict[int, Value]) -> frozenset[int]:
    """Returns the item's variables whose address is taken."""
    table, found = ctx.table, set()
    for syntax_node, number in enumerate(table.kind):
        if number != _POINTER_EXPRESSION or table.token(table.first[syntax_node]) != "&":
            continue
        operand = table.child(syntax_node, _ARGUMENT)
        while operand >= 0 and table.kind[operand] == _PARENTHESES:
            operand = next(iter(table.children(operand)), -1)
        value = trace.get(operand)
        if value is None or table.kind[operand] != _IDENTIFIER or value.origin is None:
            continue
        if value.origin.entity.item == ctx.item and not isinstance(value.type, Array | Record):
            found.add(value.origin.entity.number)
    return frozenset(found)
