"""From what an expression designates to the value that is used, and what is told when values are converted."""

from __future__ import annotations

from openclsp.semantics.context import Context, deeper
from openclsp.semantics.entities import Origin, Place
from openclsp.semantics.facts import Constancy, Conversion, Value
from openclsp.semantics.facts import Context as Why
from openclsp.semantics.types import Array, Enum, Function, Scalar, Type, Vector, pointer_to


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
) -> None:
    """Emit the fact, unless both sides are plain numbers, about which no rule has anything to say."""
    value = rvalue(value)
    if isinstance(value.type, Scalar | Enum) and isinstance(target, Scalar | Enum | Vector):
        return
    ctx.emit(Conversion(why, value, target, place or value.place, target_origin, callee, argument))
