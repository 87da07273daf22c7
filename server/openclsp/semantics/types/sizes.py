"""Sizes and alignments of types (OpenCL C 6.3.5, C99 6.7.2.1; otherwise as in clang).

Scalars and vectors are aligned to their size; a vector of three elements has the size of four. Members of a
structure follow each other, each at the next multiple of its alignment, and the size of the structure is a
multiple of its alignment. clang's `packed` removes alignment, and `aligned` raises it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from openclsp.language.builtin_types import BUILTIN_TYPES
from openclsp.semantics.types.type_model import (
    Array,
    BlockPointer,
    Enum,
    Opaque,
    Pointer,
    Record,
    Scalar,
    Type,
    Vector,
)

MAXIMUM_DEPTH = 64
"""The nesting limit of structures: one that contains itself has no size."""


class Layout(NamedTuple):
    """Size and alignment of an object, in bytes."""

    size: int
    alignment: int


class MemberLayout(NamedTuple):
    """The layout of a member in its structure or union.

    `packed` is set by its own attribute or its structure's. `alignment` is the minimum requested by
    attributes: 0 for none, None if unknown. `bits` means that it is a bit-field. `natural` is the alignment
    that a typedef requests in place of its type's own: 0 for none, None if unknown.
    """

    type: Type
    packed: bool = False
    alignment: int | None = 0
    bits: bool = False
    natural: int | None = 0


Slots = tuple[MemberLayout, ...]
FindSlots = Callable[[Record], "Slots | None"]
"""The members of a structure or union; None if it is incomplete or unknown."""


def layout_of(type_: Type, find: FindSlots, address_bits: int, depth: int = 0) -> Layout | None:
    """The memory layout of an object of the type; None if unknown.

    The specification gives opaque types no size, and bit-fields (which OpenCL C does not have) no position.
    """
    if isinstance(type_, Scalar):
        return Layout(type_.size, type_.size)
    if isinstance(type_, Vector):
        # clang rounds its extended vectors of other widths up to a power of two, as it does those of three
        # elements
        size = type_.element.size * (1 << (type_.width - 1).bit_length())
        return Layout(size, size)
    if isinstance(type_, Pointer | BlockPointer):
        return Layout(address_bits // 8, address_bits // 8)
    if isinstance(type_, Enum):
        return Layout(4, 4)
    if isinstance(type_, Opaque) and type_.category == "atomic":
        scalar = BUILTIN_TYPES[BUILTIN_TYPES[type_.name].element].scalar
        return Layout(scalar.size, scalar.size) if scalar is not None else None
    if isinstance(type_, Array):
        element = layout_of(type_.element, find, address_bits, depth)
        if element is None or type_.size is None:
            return None
        return Layout(element.size * type_.size, element.alignment)
    if isinstance(type_, Record) and depth < MAXIMUM_DEPTH:
        slots = find(type_)
        return None if slots is None else _record_layout(type_, slots, find, address_bits, depth)
    return None


def _record_layout(
    type_: Record, slots: Slots, find: FindSlots, address_bits: int, depth: int
) -> Layout | None:
    """Lays out the members of a structure or union; None if any layout is unknown."""
    end, alignment = 0, 1
    for slot in slots:
        own = layout_of(slot.type, find, address_bits, depth + 1)
        if own is None or slot.alignment is None or slot.natural is None or slot.bits:
            return None
        least = max(1 if slot.packed else slot.natural or own.alignment, slot.alignment)
        start = 0 if type_.keyword == "union" else _align_up(end, least)
        end, alignment = max(end, start + own.size), max(alignment, least)
    return Layout(_align_up(end, alignment), alignment)


def _align_up(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def total_size(layouts: Iterable[Layout]) -> int:
    """The number of bytes that objects take, in order of decreasing alignment.

    In this order, padding arises only if an alignment does not divide an object's size, and no other order
    takes less.
    """
    end = 0
    for size, alignment in sorted(layouts, key=lambda each: (-each.alignment, -each.size)):
        end = _align_up(end, alignment) + size
    return end
