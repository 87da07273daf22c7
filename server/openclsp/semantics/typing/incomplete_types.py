"""Objects and elements of incomplete type (C99 6.2.5p1, p22), and operands of `sizeof` and `vec_step`.

These are `void`, arrays without a size, and structs and unions whose members are not known yet.
"""

from __future__ import annotations

from collections.abc import Sequence

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.faults import DeclaratorFault, InvalidDeclarator, InvalidOperands
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.operand_types import OperandFault
from openclsp.semantics.types.type_model import Array, Opaque, Pointer, Record, Type, Void
from openclsp.semantics.typing.fault_facts import emit_fault
from openclsp.semantics.typing.typing_context import TypingContext


def emit_incomplete(ctx: TypingContext, fault: DeclaratorFault, type_: Type, name: str, place: Place) -> None:
    """Emits the fault at a declarator if the type is certainly incomplete."""
    if name and _is_incomplete(ctx, type_):
        emit_fault(ctx, InvalidDeclarator(fault, name, place, type_.unqualified.with_space(None)))


def emit_incomplete_element(ctx: TypingContext, array: int, element: Type, name: str) -> None:
    """Emits the fault at the declarator node `array` if it declares an array of an incomplete type."""
    fault, place = DeclaratorFault.INCOMPLETE_ELEMENT, ctx.place(array)
    # the element's size is unknown also if a name that the host defines is between the brackets
    if name and isinstance(element, Array) and has_empty_brackets(ctx, place.last):
        emit_fault(ctx, InvalidDeclarator(fault, name, place, element))
    else:
        emit_incomplete(ctx, fault, element, name, place)


def emit_incomplete_variable(
    ctx: TypingContext, type_: Type, name_place: Place, place: Place, initialised: bool
) -> None:
    """Emits a fault for a variable of an incomplete type, such as an uninitialised array without a size."""
    name = ctx.table.token(name_place.first) if name_place.last > name_place.first else ""
    fault = DeclaratorFault.INCOMPLETE_OBJECT
    if isinstance(type_, Array) and type_.size is None:
        if name and not initialised and has_empty_brackets(ctx, name_place.last):
            emit_fault(ctx, InvalidDeclarator(fault, name, name_place, type_.with_space(None)))
    else:
        emit_incomplete(ctx, fault, type_, name, place)


def check_measured(ctx: TypingContext, operator: str, type_: Type, place: Place) -> None:
    """Checks that a type, which is written at `place`, has a size (C99 6.5.3.4p1)."""
    is_unsized = isinstance(type_, Array) and type_.size is None and has_empty_brackets(ctx, place.last - 2)
    if is_unsized or _is_incomplete(ctx, type_):
        value = Value(type_.unqualified.with_space(None), place)
        emit_fault(ctx, InvalidOperands(OperandFault.TYPE, operator, (value,), place))


def check_vec_step(ctx: TypingContext, operands: Sequence[Value]) -> None:
    """Checks that the operand of `vec_step` is a scalar or vector, or `void` (OpenCL C 6.15.13)."""
    for value in operands:
        type_ = value.type
        if isinstance(type_, Array | Pointer | Record | Opaque):
            emit_fault(ctx, InvalidOperands(OperandFault.TYPE, "vec_step", (value,), value.place))


def has_empty_brackets(ctx: TypingContext, token_index: int) -> bool:
    """Whether the token at `token_index` is `[`, and the next token is `]`."""
    return ctx.table.token(token_index) == "[" and ctx.table.token(token_index + 1) == "]"


def _is_incomplete(ctx: TypingContext, type_: Type) -> bool:
    """Whether a type is `void`, or a struct or union that is not defined before this use.

    A struct or union is not yet defined within its own definition. False if it has no definition, but the host
    or a missing header may define it.
    """
    if isinstance(type_, Void):
        return True
    if not isinstance(type_, Record):
        return False
    if type_.identity in ctx.open_records:
        return True
    return ctx.members(type_) is None and not ctx.names.host_may_define_names()
