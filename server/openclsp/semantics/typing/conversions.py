"""Lvalue, array and function conversions, and the facts about conversions between types."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.entities import EntityRef, Origin, Place
from openclsp.semantics.facts.expressions import Application, Conversion
from openclsp.semantics.facts.expressions import ConversionKind as Why
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.types.type_model import (
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
from openclsp.semantics.types.type_structure import accepts_argument_count
from openclsp.semantics.typing.endianness import emit_endian_conversion
from openclsp.semantics.typing.typing_context import TypingContext, deeper, moved


def rvalue(value: Value) -> Value:
    """Applies array-to-pointer and function-to-pointer conversion (C99 6.3.2.1)."""
    type_ = value.type
    if isinstance(type_, Array):
        constancy = Constancy.CONSTANT if value.fixed or value.string else Constancy.NOT_CONSTANT
        if value.constancy is Constancy.UNKNOWN and not value.fixed:
            constancy = Constancy.UNKNOWN
        return value.replaced(
            type=pointer_to(type_.element),
            lvalue=False,
            origin=deeper(value.origin, -1),
            held=moved(value.held, 1),
            constancy=constancy,
            number=None,
            target=value.target if isinstance(type_.element, Array) else value.constancy,
        )
    if isinstance(type_, Function):
        return value.replaced(type=pointer_to(type_), lvalue=False, constancy=Constancy.CONSTANT)
    return value


def constancy_of_pointee(pointer: Value) -> Constancy:
    """Returns the constancy of the object to which a pointer points.

    C99 6.6p10 lets a compiler accept more constant expressions than it lists; clang accepts loads of constant
    objects, also through pointers that are constant themselves.
    """
    if Constancy.NOT_CONSTANT in (pointer.constancy, pointer.target):
        return Constancy.NOT_CONSTANT
    return pointer.target if pointer.constancy is Constancy.CONSTANT else Constancy.UNKNOWN


def target_of(value: Value) -> Constancy:
    """Returns the constancy of the object to which the value points.

    UNKNOWN for an integer of unknown value, which may be an address.
    """
    if isinstance(value.type, Scalar):
        return Constancy.UNKNOWN if value.number is None else Constancy.NOT_CONSTANT
    return Constancy.NOT_CONSTANT if value.null else rvalue(value).target


def emit_conversion(
    ctx: TypingContext,
    why: Why,
    value: Value,
    target: Type,
    target_origin: Origin | None,
    *,
    place: Place | None = None,
    name: str = "",
) -> None:
    """Emits a conversion fact, except between arithmetic types, which no rule checks.

    `why` is the reason for the conversion. `name` is the name of the entity to which the value is converted.
    """
    value = rvalue(value)
    if _is_plain(value.type, target):
        return
    if target_origin is not None and ctx.endianness:
        emit_endian_conversion(ctx, value, target_origin, place or value.place)
    ctx.emit(Conversion(why, value, target, place or value.place, target_origin, target_name=name))


def argument_conversions(
    signature: Function,
    arguments: tuple[Value, ...],
    callee: str,
    ref: EntityRef | None,
    names: tuple[str, ...],
) -> Iterator[Conversion]:
    """Yields the conversions of arguments to parameters.

    `ref` is the declared function, `names` are the names of its parameters. A call with a wrong number of arguments
    has no conversions: which parameter each argument is for is unknown.
    """
    if not accepts_argument_count(signature, len(arguments)):
        return
    for number, (argument, target) in enumerate(zip(arguments, signature.parameters, strict=False)):
        value = rvalue(argument)
        if not _is_plain(value.type, target):
            origin = Origin(EntityRef(ref.item, ref.number + 1 + number), 0) if ref is not None else None
            name = names[number] if number < len(names) else ""
            yield Conversion(Why.ARGUMENT, value, target, value.place, origin, callee, number, name)


def _is_plain(source: Type, target: Type) -> bool:
    return isinstance(source, Scalar | Enum) and isinstance(target, Scalar | Enum | Vector)


def emit_application(
    ctx: TypingContext,
    operator: str,
    *operands: Value,
    place: Place | None = None,
    target: Type | None = None,
) -> None:
    """Emits a fact for an operation on an opaque value or block.

    Operations are operators, casts and conditions.
    """
    if any(isinstance(operand.type, Opaque | BlockPointer) for operand in operands):
        ctx.emit(Application(operator, operands, place or operands[0].place, target))


def emit_cast(ctx: TypingContext, value: Value, target: Type) -> None:
    """Emits a fact for a cast that involves an opaque type or block."""
    if isinstance(value.type, Opaque | BlockPointer) or isinstance(target, Opaque | BlockPointer):
        ctx.emit(Application("cast", (value,), value.place, target))


def emit_opaque(ctx: TypingContext, value: Value) -> None:
    """Emits a fact for an operator that accesses the contents of an opaque object.

    Only built-in functions may access these (OpenCL C 6.3.3).
    """
    if isinstance(value.type, Opaque):
        ctx.emit(Construct(ConstructKind.OPAQUE_ELEMENT, value.place, value.type.name))
