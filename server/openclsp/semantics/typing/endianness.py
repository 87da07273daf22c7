"""The byte order that the attribute `endian` gives pointees (OpenCL C 6.13.3)."""

from __future__ import annotations

from collections.abc import Iterable

from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.entities import (
    Entity,
    EntityRef,
    Origin,
    Place,
)
from openclsp.semantics.facts.expressions import EndianConversion
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import Pointer
from openclsp.semantics.typing.typing_context import TypingContext

_ATTRIBUTE, _HOST, _DEVICE = "endian", "host", "device"


def note_endianness(ctx: TypingContext, ref: EntityRef, attributes: Iterable[str]) -> None:
    """Records the byte order that a declaration's attributes give an entity."""
    names = frozenset(attributes)
    if _ATTRIBUTE in names:
        ctx.endianness[ref] = _HOST if _HOST in names else _DEVICE


def emit_endianness(ctx: TypingContext, entity: Entity) -> None:
    """Emits a fact for a declaration with the attribute `endian`."""
    order = ctx.endianness.get(entity.ref)
    if order is not None:
        ctx.emit(Construct(ConstructKind.ENDIAN, entity.place, order, entity))


def emit_endian_conversion(ctx: TypingContext, value: Value, target: Origin, place: Place) -> None:
    """Emits a fact for a conversion between pointers of different byte orders.

    The byte order of a pointee without the attribute is that of the device. Only pointers declared in the
    same item are compared.
    """
    source = value.origin
    if source is None or source.entity.item != ctx.item or target.entity.item != ctx.item:
        return
    if source.level or target.level or not value.name or not isinstance(value.type, Pointer):
        return
    orders = [ctx.endianness.get(each.entity, _DEVICE) for each in (source, target)]
    if orders[0] != orders[1]:
        ctx.emit(EndianConversion(value.name, orders[0], orders[1], place, source, target))
