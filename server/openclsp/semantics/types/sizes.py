"""Sizes and alignments of types (OpenCL C 6.3.5, C99 6.7.2.1; otherwise as in clang).

Scalars and vectors are aligned to their size; a vector of three elements has the size of four. Members of a
structure follow each other, each at the next multiple of its alignment, and the size of the structure is a
multiple of its alignment. clang's `packed` removes alignment, `aligned` raises it, and `#pragma pack` limits
it. Bit-fields, which OpenCL C does not have and clang does, are placed as in the Itanium C++ ABI.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from openclsp.language.builtin_types import ADDRESS_SIZED, BUILTIN_TYPES
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

    - `packed`: whether the member or its structure has the attribute `packed`.
    - `alignment`: the minimum requested by attributes: 0 for none, None if unknown.
    - `natural`: the alignment that a typedef sets for the member's type: 0 if no typedef does, None if
      unknown.
    - `bits`: whether the member is a bit-field.
    - `width`: the number of bits of a bit-field; None if unknown.
    - `name`: empty for an unnamed member.
    """

    type: Type
    packed: bool = False
    alignment: int | None = 0
    bits: bool = False
    natural: int | None = 0
    width: int | None = None
    name: str = ""


class Slots(NamedTuple):
    """The members of a structure or union, and the alignment that the structure or union requests.

    `alignment` is the minimum requested by its attributes: 0 for none, None if unknown. `packing` is the
    maximum that `#pragma pack` sets for its members: 0 for none, None if unknown.
    """

    members: tuple[MemberLayout, ...] = ()
    alignment: int | None = 0
    packing: int | None = 0


class PlacedMember(NamedTuple):
    """A member and its position in the structure.

    - `offset`: the distance from the start of the structure, in bits.
    - `size`: the size of the member's type, in bits; for a bit-field, its width.
    - `alignment`: in bytes.
    """

    member: MemberLayout
    offset: int
    size: int
    alignment: int


FindSlots = Callable[[Record], "Slots | None"]
"""The members of a structure or union; None if it is incomplete or unknown."""


Known = dict[Type, "tuple[Layout, tuple[PlacedMember, ...]] | None"]
"""The structures already placed: nested ones would otherwise cost time exponential in the depth."""


def layout_of(
    type_: Type, find: FindSlots, address_bits: int, depth: int = 0, known: Known | None = None
) -> Layout | None:
    """Returns the memory layout of an object of the type; None if unknown.

    The layout of opaque types, whose size the specification does not give, is unknown. `find` returns the
    members of a record. `depth` is the number of enclosing records, `known` caches the layouts of records.
    """
    if isinstance(type_, Scalar):
        size = address_bits // 8 if type_.name in ADDRESS_SIZED else type_.size
        return Layout(size, size)
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
        name = type_.name.removeprefix("atomic_")
        if name in ADDRESS_SIZED:
            return Layout(address_bits // 8, address_bits // 8)
        scalar = BUILTIN_TYPES[BUILTIN_TYPES[type_.name].element].scalar
        return Layout(scalar.size, scalar.size) if scalar is not None else None
    if isinstance(type_, Array):
        element = layout_of(type_.element, find, address_bits, depth, known)
        if element is None or type_.size is None:
            return None
        return Layout(element.size * type_.size, element.alignment)
    if isinstance(type_, Record):
        known = {} if known is None else known
        plain = type_.unqualified
        if plain not in known:
            known[plain] = placed_members(type_, find, address_bits, depth, known)
        placed = known[plain]
        return placed[0] if placed is not None else None
    return None


def placed_members(
    type_: Record, find: FindSlots, address_bits: int, depth: int = 0, known: Known | None = None
) -> tuple[Layout, tuple[PlacedMember, ...]] | None:
    """Returns the layout of a structure or union, and its members with their positions; None if unknown.

    The parameters are those of `layout_of`.
    """
    slots = find(type_) if depth < MAXIMUM_DEPTH else None
    if slots is None or slots.alignment is None or slots.packing is None:
        return None
    union = type_.keyword == "union"
    known = {} if known is None else known
    # `used` is the end in bits, `size` the end in bytes of all members so far
    used, size, alignment = 0, 0, max(1, slots.alignment)
    placed: list[PlacedMember] = []
    for member in slots.members:
        own = layout_of(member.type, find, address_bits, depth + 1, known)
        if own is None or member.alignment is None or member.natural is None:
            return None
        at = _place_member(member, own, 0 if union else used, slots.packing)
        if at is None:
            return None
        placed.append(at)
        used = at.offset + at.size
        size = max(size, -(-used // 8))
        # an unnamed bit-field does not align the structure
        if not member.bits or member.name:
            alignment = max(alignment, at.alignment)
    return Layout(_align_up(size, alignment), alignment), tuple(placed)


def _place_member(member: MemberLayout, own: Layout, used: int, packing: int) -> PlacedMember | None:
    """Places a member after the first `used` bits; None if the width of a bit-field is unknown or invalid.

    `own` is the layout of the member's type, `packing` the limit of `#pragma pack`, or 0.
    """
    requested, natural = member.alignment or 0, member.natural or own.alignment
    if not member.bits:
        least = max(1 if member.packed else natural, requested)
        if packing:
            least = min(least, packing)
        return PlacedMember(member, _align_up(used, 8 * least), 8 * own.size, least)
    width, unit = member.width, 8 * own.size
    if width is None or width > unit:
        return None
    # clang, ItaniumRecordLayoutBuilder::LayoutBitField; alignments in bits
    unpacked = max(8 * natural, 8 * requested)
    least = max(1, 8 * requested) if member.packed and width else unpacked
    if packing and width:
        least = min(unpacked, 8 * packing) if member.packed else min(least, 8 * packing)
    crosses = not packing and used % least + width > unit
    offset = _align_up(used, least) if not width or crosses else used
    if width and not crosses and requested and (not packing or requested <= packing):
        offset = _align_up(used, 8 * requested)
    return PlacedMember(member, offset, width, max(1, least // 8))


def _align_up(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def total_size(layouts: Iterable[Layout]) -> int:
    """Returns the number of bytes that objects take if they are stored in order of decreasing alignment.

    In this order, padding is needed only after an object whose size is not a multiple of its alignment. If
    there is no such object, no other order takes fewer bytes.
    """
    end = 0
    for size, alignment in sorted(layouts, key=lambda each: (-each.alignment, -each.size)):
        end = _align_up(end, alignment) + size
    return end
