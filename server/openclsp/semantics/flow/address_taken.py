"""Finds the variables whose address is taken.

The flow analysis models these variables as memory, without a value in the environment.
"""

from __future__ import annotations

from openclsp.semantics.facts.values import Value
from openclsp.semantics.items.unevaluated_operands import has_unevaluated_operands
from openclsp.semantics.types.type_model import Array, Record
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_ARGUMENT = FIELDS["argument"]
_IDENTIFIER, _PARENTHESES = kind("identifier"), kind("parenthesized_expression")
_POINTER_EXPRESSION = kind("pointer_expression")
_FIELD, _SUBSCRIPT = kind("field_expression"), kind("subscript_expression")
_PLACES = frozenset((_IDENTIFIER, _FIELD, _SUBSCRIPT))
_NOT_TAKING = frozenset((_SUBSCRIPT, _PARENTHESES))


def variables_with_address(
    ctx: TypingContext, trace: dict[int, Value]
) -> tuple[frozenset[int], frozenset[int]]:
    """Returns the scalar variables, and all variables, whose address is taken, by entity number.

    Only variables of the item are considered. The address of a struct or array is taken if `&` is applied to
    any part of it, or if an array is converted to a pointer for anything but a subscript.
    """
    table = ctx.table
    scalars: set[int] = set()
    found: set[int] = set()
    subscripted: set[int] = set()
    """Expressions that do not take the address of an array, such as `a` in `a[i]`, by syntax node"""
    unevaluated_until = 0
    for syntax_node, number in enumerate(table.kind):
        if has_unevaluated_operands(table, syntax_node):
            unevaluated_until = max(unevaluated_until, table.skip[syntax_node])
        if syntax_node < unevaluated_until:
            continue
        if number == _POINTER_EXPRESSION and table.token(table.first[syntax_node]) == "&":
            operand = _within(ctx, table.child(syntax_node, _ARGUMENT))
            subscripted.add(operand)
            base = _base(ctx, trace, operand)
            if base is not None:
                found.add(base)
                if table.kind[operand] == _IDENTIFIER and not isinstance(trace[operand].type, Array | Record):
                    scalars.add(base)
        elif number in _NOT_TAKING:
            # an index is never an array
            if number != _PARENTHESES or syntax_node in subscripted:
                subscripted.update(table.children(syntax_node))
        elif number in _PLACES and syntax_node not in subscripted:
            value = trace.get(syntax_node)
            if value is not None and isinstance(value.type, Array):
                base = _base(ctx, trace, syntax_node)
                if base is not None:
                    found.add(base)
    return frozenset(scalars), frozenset(found)


def _within(ctx: TypingContext, node: int) -> int:
    """Returns the expression inside any parentheses."""
    while node >= 0 and ctx.table.kind[node] == _PARENTHESES:
        node = next(iter(ctx.table.children(node)), -1)
    return node


def _base(ctx: TypingContext, trace: dict[int, Value], node: int) -> int | None:
    """Returns the item's variable that contains the object named by an expression.

    None if the expression goes through a pointer, or does not name a variable of this item.
    """
    table = ctx.table
    while node >= 0 and table.kind[node] in (_FIELD, _SUBSCRIPT):
        if table.kind[node] == _FIELD and "->" in table.token(table.last[node] - 2):
            return None
        node = _within(ctx, next(iter(table.children(node)), -1))
        if table.kind[node] in _PLACES and not isinstance(
            trace[node].type if node in trace else None, Array | Record
        ):
            return None
    value = trace.get(node)
    if node < 0 or table.kind[node] != _IDENTIFIER or value is None or value.origin is None:
        return None
    return value.origin.entity.number if value.origin.entity.item == ctx.item else None
