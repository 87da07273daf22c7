"""Objects and elements of incomplete type (C99 6.2.5p1, p22), and operands of `sizeof` and `vec_step`.

These are `void`, arrays without a size, and structs, unions and enumerations that are not defined yet.

An enumeration that is only named (`enum e *p;`) declares no tag. At program scope, its identity is its tag. In
a function, its type is stored among the tags of its scope with a key of its own, so that the next `enum e` of
the scope denotes the same type.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.semantics.facts.entities import Entity, Place
from openclsp.semantics.facts.faults import DeclaratorFault, InvalidDeclarator, InvalidOperands
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.operand_types import OperandFault
from openclsp.semantics.types.type_model import Array, Enum, Opaque, Pointer, Record, Type, Void
from openclsp.semantics.typing.fault_facts import emit_fault
from openclsp.semantics.typing.typing_context import TypingContext

_NAMED_ENUM: Final = "named enum "
"""The key of an enumeration that is only named, among the tags of its scope"""


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


def check_parameters(ctx: TypingContext, parameters: Sequence[Entity]) -> None:
    """Checks that no parameter of a function's definition has an incomplete type (C99 6.7.5.3p4)."""
    for each in parameters:
        if isinstance(each.type, Record | Enum):
            emit_incomplete(ctx, DeclaratorFault.INCOMPLETE_OBJECT, each.type, each.name, each.place)


def check_cast_target(ctx: TypingContext, type_: Type, place: Place) -> None:
    """Checks that the enumeration to which a value is cast is defined."""
    if isinstance(type_, Enum) and _is_incomplete(ctx, type_):
        value = Value(type_.unqualified.with_space(None), place)
        emit_fault(ctx, InvalidOperands(OperandFault.TYPE, "cast", (value,), place))


def named_enum(ctx: TypingContext, name: str) -> Enum | None:
    """Returns the enumeration that is only named in a scope around this place of a function, if any."""
    for scope in reversed(ctx.tags):
        found = scope.get(_NAMED_ENUM + name)
        if isinstance(found, Enum):
            return found
    return None


def note_named_enum(ctx: TypingContext, type_: Enum) -> None:
    """Records that the scope names an enumeration which is not defined yet."""
    if ctx.depth and type_.name:
        ctx.tags[-1][_NAMED_ENUM + type_.name] = type_


def complete_enum(ctx: TypingContext, name: str) -> Enum | None:
    """Returns the enumeration named earlier in this scope, which a definition completes (C99 6.7.2.3p4)."""
    found = ctx.tags[-1].pop(_NAMED_ENUM + name, None)
    return found if isinstance(found, Enum) else None


def has_empty_brackets(ctx: TypingContext, token_index: int) -> bool:
    """Whether the token at `token_index` is `[`, and the next token is `]`."""
    return ctx.table.token(token_index) == "[" and ctx.table.token(token_index + 1) == "]"


def _is_incomplete(ctx: TypingContext, type_: Type) -> bool:
    """Whether a type is `void`, or a struct, union or enumeration that is not defined before this use.

    Such a type is not yet defined within its own definition. False if it has no definition, but the host or a
    missing header may define it.
    """
    if isinstance(type_, Void):
        return True
    if not isinstance(type_, Record | Enum):
        return False
    if type_.identity in ctx.open_records:
        return True
    is_undefined = ctx.members(type_) is None if isinstance(type_, Record) else _is_only_named(ctx, type_)
    return is_undefined and not ctx.names.host_may_define_names()


def _is_only_named(ctx: TypingContext, type_: Enum) -> bool:
    if type_.identity == ("enum", type_.name):
        tag = f"enum {type_.name}"
        return ctx.tags[0].get(tag) is None and ctx.names.tag(tag) is None
    named = (scope.get(_NAMED_ENUM + type_.name) for scope in ctx.tags)
    return any(isinstance(each, Enum) and each.identity == type_.identity for each in named)
