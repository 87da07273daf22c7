"""Notes on the sizes of types and the offsets of members; definitions of structs with offsets."""

from __future__ import annotations

from openclsp.ide.layout.layout_text import count_bytes
from openclsp.ide.layout.record_definitions import record_of_member
from openclsp.ide.location_map import LocationMap
from openclsp.semantics.facts.entities import Entity, EntityKind
from openclsp.semantics.types.sizes import Layout, PlacedMember, layout_of, placed_members
from openclsp.semantics.types.type_model import Array, Record, Type, Vector, spell
from openclsp.semantics.typing.typing_context import TypingContext

_MAXIMUM_MEMBERS = 32
"""The maximum number of members that a hover lists"""


def describe_size(ctx: TypingContext, type_: Type) -> tuple[str, ...]:
    """Describes the size and alignment of a type; empty if they are not known."""
    bits = ctx.dialect.address_bits
    own, other = (layout_of(type_, ctx.find_slots, each) for each in (bits, 96 - bits))
    if own is None:
        return ()
    elsewhere = f" (on {96 - bits}-bit devices {_size(other)})" if other not in (None, own) else ""
    return (_size(own) + elsewhere,)


def has_notable_size(type_: Type) -> bool:
    """Whether a hover shows the size of a variable of this type; scalars and pointers are excluded."""
    return isinstance(type_, Array | Vector | Record)


def _size(layout: Layout | None) -> str:
    return f"{count_bytes(layout.size)}, aligned to {layout.alignment}" if layout is not None else "unknown"


def describe_member(places: LocationMap, member: Entity) -> tuple[str, ...]:
    """Describes the offset and padding of a member in its struct or union; empty if they are not known."""
    if member.ref.item not in places.unit.by_key:
        return ()
    ctx = places.context(member.ref.item)
    type_ = record_of_member(ctx, member)
    if type_ is None:
        return ()
    bits = ctx.dialect.address_bits
    own, other = (_placed(ctx, type_, member.name, each) for each in (bits, 96 - bits))
    if own is None:
        return ()
    differs = other is not None and other[0].offset != own[0].offset
    elsewhere = (
        f" (on {96 - bits}-bit devices {other[0].offset // 8})" if differs and other is not None else ""
    )
    found, padding = own
    if found.member.bits:
        first = found.offset % 8
        size = f"bits {first} to {first + found.size - 1}"
    else:
        size = count_bytes(found.size // 8)
    after = f", then {count_bytes(padding)} of padding" if padding else ""
    return (f"offset {found.offset // 8}{elsewhere} in `{spell(type_)}`, {size}{after}",)


def _placed(
    ctx: TypingContext, type_: Record, name: str, address_bits: int
) -> tuple[PlacedMember, int] | None:
    """Returns the layout of the member called `name`, and the number of bytes of padding after it.

    None if the layout of the struct or union is not known.
    """
    placed = placed_members(type_, ctx.find_slots, address_bits)
    if placed is None:
        return None
    whole, members = placed
    for number, each in enumerate(members):
        if each.member.name == name:
            end = -(-(each.offset + each.size) // 8)
            following = members[number + 1].offset // 8 if number + 1 < len(members) else whole.size
            if type_.keyword == "union":
                following = end
            return each, max(0, following - end)
    return None


def spell_record(ctx: TypingContext, type_: Record, typedef: str = "") -> str:
    """Spells the definition of a struct or union with the offset and size of each member.

    `typedef` is the name that a typedef gives to the type; empty if there is none. If the members are not
    known, the definition has no body.
    """
    slots = ctx.find_slots(type_)
    tag = "" if type_.name.startswith("typedef ") else type_.name
    head = f"{type_.keyword} {tag}".strip()
    if slots is None:
        return f"typedef {head} {typedef}" if typedef else head
    placed = placed_members(type_, ctx.find_slots, ctx.dialect.address_bits)
    lines: list[str] = []
    for number, slot in enumerate(slots.members[:_MAXIMUM_MEMBERS]):
        width = f" : {slot.width}" if slot.bits and slot.width is not None else ""
        line = f"    {spell(slot.type, slot.name)}{width};"
        if placed is not None:
            at = placed[1][number]
            size = count_bytes(at.size // 8) if not slot.bits else f"bit {at.offset % 8}"
            line += f"  // offset {at.offset // 8}, {size}"
        lines.append(line)
    left_out = len(slots.members) - _MAXIMUM_MEMBERS
    if left_out > 0:
        lines.append(f"    // and {left_out} more")
    body = "\n".join([f"{head} {{", *lines, "}"])
    return f"typedef {body} {typedef}" if typedef else body


def spell_enum(ctx: TypingContext, typedef: Entity) -> str:
    """Spells the untagged enumeration that a typedef names, with its enumerators."""
    inside = typedef.whole
    names = [
        each.name
        for each in ctx.entities.values()
        if each.kind is EntityKind.ENUMERATOR and each.place.overlaps(inside)
    ]
    more = ", …" if len(names) > _MAXIMUM_MEMBERS else ""
    return f"enum {{ {', '.join(names[:_MAXIMUM_MEMBERS])}{more} }}"
