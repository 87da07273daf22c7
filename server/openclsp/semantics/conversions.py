"""From what an expression designates to the value that is used, and what is told when values are converted."""

from __future__ import annotations

from dataclasses import replace

from openclsp.semantics.context import Context, deeper, moved
from openclsp.semantics.endianness import tell_endian_conversion
from openclsp.semantics.entities import Origin, Place
from openclsp.semantics.facts import Application, Constancy, Construct, ConstructKind, Conversion, Value
from openclsp.semantics.facts import Context as Why
from openclsp.semantics.types import (
    Array,
    BlockPointer,
    Enum,
    Function,
    Opaque,
    Scalar,
    Type,
    Vector,
    pointer_to,
)

_RECENT = 8
"""How many facts back a cast's own one may be: the cast was the last thing that was typed."""


def rvalue(value: Value) -> Value:
    """The value that is used: an array is a pointer to its first element, a function its address."""
    type_ = value.type
    if isinstance(type_, Array):
        constancy = Constancy.CONSTANT if value.fixed or value.string else Constancy.NOT_CONSTANT
        if value.constancy is Constancy.UNKNOWN and not value.fixed:
            constancy = Constancy.UNKNOWN
        return value._replace(
            type=pointer_to(type_.element),
            lvalue=False,
            origin=deeper(value.origin, -1),
            held=moved(value.held, 1),
            constancy=constancy,
            number=None,
        )
    if isinstance(type_, Function):
        return value._replace(type=pointer_to(type_), lvalue=False, constancy=Constancy.CONSTANT)
    return value


def tell_conversion(
    ctx: Context,
    why: Why,
    value: Value,
    target: Type,
    target_origin: Origin | None,
    *,
    place: Place | None = None,
    callee: str = "",
    argument: int = -1,
    name: str = "",
) -> None:
    """Emit the fact, unless both sides are plain numbers, about which no rule has anything to say. `name` is that of
    the entity that takes the value."""
    value = rvalue(value)
    if isinstance(value.type, Scalar | Enum) and isinstance(target, Scalar | Enum | Vector):
        return
    if target_origin is not None and value.origin is not None:
        _tell_cast(ctx, value.origin, target_origin)
        if ctx.endianness:
            tell_endian_conversion(ctx, value, target_origin, place or value.place)
    ctx.emit(Conversion(why, value, target, place or value.place, target_origin, callee, argument, name))


def _tell_cast(ctx: Context, cast: Origin, taker: Origin) -> None:
    """Where the value converted is a cast's, let the cast's own fact say who takes it."""
    facts = ctx.facts
    for index in range(len(facts) - 1, max(len(facts) - _RECENT, 0) - 1, -1):
        fact = facts[index]
        if isinstance(fact, Conversion) and fact.context is Why.CAST and fact.target_origin == cast:
            facts[index] = replace(fact, outer_origin=taker)
            return


def tell_application(
    ctx: Context, operator: str, *operands: Value, place: Place | None = None, target: Type | None = None
) -> None:
    """Tell of an operator, a cast or a condition that is given an opaque value or a block."""
    if any(isinstance(operand.type, Opaque | BlockPointer) for operand in operands):
        ctx.emit(Application(operator, operands, place or operands[0].place, target))


def tell_cast(ctx: Context, value: Value, target: Type) -> None:
    """Tell of a cast from or to an opaque type or a block."""
    if isinstance(value.type, Opaque | BlockPointer) or isinstance(target, Opaque | BlockPointer):
        ctx.emit(Application("cast", (value,), value.place, target))


def tell_opaque(ctx: Context, value: Value) -> None:
    """Tell of an opaque object whose contents are asked for with an operator (OpenCL C 6.3.3)."""
    if isinstance(value.type, Opaque):
        ctx.emit(Construct(ConstructKind.OPAQUE_ELEMENT, value.place, value.type.name))
