"""Sizes of arrays, which have to be integer constant expressions (OpenCL C 6.11.d; C99 6.6p6, 6.7.5.2).

An array of size `1 ? 2 : n` is a variable length array, although a compiler knows the size. In a `case`
label, however, a compiler may accept such an expression as a constant (C99 6.6p10).
"""

from __future__ import annotations

from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.entities import place_of
from openclsp.semantics.facts.faults import DeclaratorFault, InvalidDeclarator
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.types.type_model import Type
from openclsp.semantics.types.type_structure import element_type, is_integer_scalar, is_unknown
from openclsp.semantics.typing.dispatch import value_of
from openclsp.semantics.typing.fault_facts import check_integer_constant, emit_fault
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_VALUE, _LEFT, _RIGHT = FIELDS["value"], FIELDS["left"], FIELDS["right"]
_NUMBER, _PARENTHESES, _CAST = (
    kind("number_literal"),
    kind("parenthesized_expression"),
    kind("cast_expression"),
)
_BINARY, _COMMA, _CALL = kind("binary_expression"), kind("comma_expression"), kind("call_expression")
_CONDITIONAL, _COMPOUND = kind("conditional_expression"), kind("compound_statement")
_MEASURES = frozenset((kind("sizeof_expression"), kind("alignof_expression"), kind("offsetof_expression")))
_LEAVES = _MEASURES | {_NUMBER, kind("char_literal"), kind("true"), kind("false"), kind("identifier")}
_OPERATIONS = frozenset((_PARENTHESES, kind("unary_expression"), _BINARY, _CONDITIONAL, _COMMA))
"""The expressions that are integer constant expressions if their operands are."""
_NEVER_OPERANDS = frozenset(
    kind(name)
    for name in (
        "pointer_expression",
        "subscript_expression",
        "field_expression",
        "string_literal",
        "assignment_expression",
        "update_expression",
    )
)
"""The expressions that are not in an integer constant expression, whatever they contain."""


def read_array_size(ctx: TypingContext, node: int, element: Type, name: str) -> int | None:
    """Types the size of an array, and returns the number of elements; None if unknown.

    `name` is the declared name. If the element type is unknown, the size is not checked, because the
    text may be no declaration: `MACRO a[i].x = 0;`.
    """
    kept = ctx.trace
    if kept is None and ctx.table.kind[node] not in _LEAVES:
        ctx.trace = {}
    value = value_of(ctx, node)
    values, ctx.trace = ctx.trace, kept
    place = value.place
    if is_unknown(element_type(element)) or is_unknown(value.type):
        pass
    elif not is_integer_scalar(value.type):
        check_integer_constant(ctx, value, "the size of an array")
    elif value.constancy is Constancy.NOT_CONSTANT or (
        values is not None and value.constancy is Constancy.CONSTANT and _is_folded(ctx, node, values)
    ):
        ctx.emit(Construct(ConstructKind.VARIABLE_LENGTH_ARRAY, place, name))
    elif value.number is not None and value.number < 0:
        emit_fault(ctx, InvalidDeclarator(DeclaratorFault.NEGATIVE_SIZE, name, place))
        return None
    return value.number


def _is_folded(ctx: TypingContext, node: int, values: dict[int, Value]) -> bool:
    """Whether an expression with a constant value is certainly no integer constant expression (C99 6.6p6).

    `values` are the values of the expression and of its operands. The nodes are visited without recursion, so
    deep nesting cannot overflow the stack.
    """
    table = ctx.table
    end = table.skip[node]
    folded = chosen = False
    while node < end:
        number = table.kind[node]
        value = values.get(node)
        if number in _MEASURES:
            node = table.skip[node]
        elif number == _COMPOUND:
            folded, node = True, table.skip[node]
        elif value is None or is_unknown(value.type) or value.constancy is Constancy.UNKNOWN:
            return False
        elif number == _CAST:
            folded = folded or not is_integer_scalar(value.type)
            node = _operand_of_cast(ctx, node)
        elif number in _NEVER_OPERANDS or (number == _CALL and value.constancy is Constancy.NOT_CONSTANT):
            folded, node = True, table.skip[node]
        elif number in _OPERATIONS or number in _LEAVES:
            chosen = chosen or number == _CONDITIONAL or _has_sign(ctx, node, ("&&", "||"))
            folded = folded or not is_integer_scalar(value.type)
            folded = folded or (number in _LEAVES and value.constancy is Constancy.NOT_CONSTANT)
            # these are valid in an operand that is not evaluated (C99 6.6p3)
            folded = folded or (not chosen and (number == _COMMA or _divides_by_zero(ctx, node, values)))
            node += 1
        else:
            return False
    return folded


def _operand_of_cast(ctx: TypingContext, node: int) -> int:
    """Returns the node after the type of a cast; a literal operand is skipped.

    `(int)2.5f` is an integer constant expression, but `(int)(1.5f + 1.0f)` is none (C99 6.6p6).
    """
    operand = ctx.table.child(node, _VALUE)
    inner = operand
    while ctx.table.kind[inner] == _PARENTHESES:
        inner += 1
    is_literal = ctx.table.kind[inner] == _NUMBER and not ctx.table.text(inner).startswith(("-", "+"))
    return ctx.table.skip[operand] if is_literal else operand


def _has_sign(ctx: TypingContext, node: int, signs: tuple[str, ...]) -> bool:
    """Whether the node is a binary expression with one of these operators."""
    table = ctx.table
    return table.kind[node] == _BINARY and table.token(table.last[table.child(node, _LEFT)]) in signs


def _divides_by_zero(ctx: TypingContext, node: int, values: dict[int, Value]) -> bool:
    if not _has_sign(ctx, node, ("/", "%")):
        return False
    divisor = values.get(ctx.table.child(node, _RIGHT))
    return divisor is not None and divisor.number == 0


def emit_star(ctx: TypingContext, node: int, name: str) -> None:
    """Emits a fact for `[*]`, a variable length in a prototype (C99 6.7.5.2p4)."""
    star = ctx.table.last[node] - 2
    if ctx.table.token(star) == "*" and ctx.table.token(star - 1) == "[":
        ctx.emit(Construct(ConstructKind.VARIABLE_LENGTH_ARRAY, place_of(star, star + 1), name))
