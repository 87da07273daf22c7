"""The layout of a struct or union on devices with 32 and 64 address bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.ide.layout.record_definitions import (
    RecordDefinition,
    definition_around,
    definitions_in,
    record_in,
    record_of_member,
)
from openclsp.ide.location_map import LocationMap, nodes_around
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.sizes import FindSlots, PlacedMember, placed_members
from openclsp.semantics.types.type_model import Record, Type, spell
from openclsp.semantics.typing.typing_context import TypingContext

ADDRESS_WIDTHS = (32, 64)
MAXIMUM_ROWS = 1000
"""The maximum number of rows of a layout; nested members beyond it are not listed"""


@dataclass(frozen=True, slots=True)
class LayoutRow:
    """A row of a layout: a member, or padding if `declaration` is empty.

    `depth` is 0 for a member of the record itself, and 1 for a member of such a member. `offset` and `size`
    are in bits; the offset is relative to the start of the record. `bit_field` is whether the member is a
    bit-field.
    """

    depth: int
    name: str
    declaration: str
    offset: int
    size: int
    bit_field: bool = False


@dataclass(frozen=True, slots=True)
class DeviceLayout:
    """The layout on devices with this number of address bits; sizes are in bytes.

    `padding` is the number of bytes that belong to no member. Padding within members is not counted.
    """

    address_bits: int
    size: int
    alignment: int
    padding: int
    rows: tuple[LayoutRow, ...]


@dataclass(frozen=True, slots=True)
class RecordLayout:
    """The layout of a struct or union.

    `name` has the form `struct s`. `location` is the location of the keyword in the definition, if the
    definition is known. `devices` is empty if the layout is not known.
    """

    name: str
    location: Location | None
    devices: tuple[DeviceLayout, ...]

    @property
    def is_the_same(self) -> bool:
        """Whether the layout is the same for all address widths."""
        first, *others = self.devices
        return all(
            (each.size, each.alignment, each.rows) == (first.size, first.alignment, first.rows)
            for each in others
        )


def compute_layout_at(unit: TranslationUnit, document: str, offset: int) -> RecordLayout | None:
    """Computes the layout of the struct or union at a byte of a document; None if there is none.

    It is the type of the variable, member, typedef or expression at the byte, or else the innermost
    definition around the byte.
    """
    places = LocationMap(unit)
    found = places.item_at(document, offset)
    if found is None:
        return None
    item, token_index = found
    ctx = places.context(item.key)
    type_ = _record_named_at(places, ctx, token_index)
    if type_ is not None:
        return layout_of_record(places, ctx, type_)
    around = definition_around(ctx, token_index)
    return None if around is None else _of_definition(places, around)


def compute_layouts(unit: TranslationUnit, document: str) -> Iterator[RecordLayout]:
    """Yields the layouts of all structs and unions that a document of the unit defines, in source order."""
    places = LocationMap(unit)
    for item in unit.items:
        if item.group.part.preprocessed.document.name == document:
            for definition in definitions_in(places, item.key):
                yield _of_definition(places, definition)


def _record_named_at(places: LocationMap, ctx: TypingContext, token_index: int) -> Record | None:
    """Returns the record type of the entity, type name or expression at the token.

    For a member whose type is no record, this is the record that declares the member.
    """
    table = ctx.table
    named = [
        entity for entity in ctx.entities.values() if entity.place.first <= token_index < entity.place.last
    ]
    if named:
        return record_in(min(named, key=lambda each: each.place.last - each.place.first).type)
    word = table.token(token_index)
    previous = table.token(token_index - 1)
    if previous in ("struct", "union"):
        tag = ctx.find_tag(f"{previous} {word}")
        return record_in(tag) if tag is not None else None
    if word in ("struct", "union") and table.token(token_index + 1).isidentifier():
        tag = ctx.find_tag(f"{word} {table.token(token_index + 1)}")
        return record_in(tag) if tag is not None else None
    for node in reversed(nodes_around(table, token_index)):
        value = (ctx.trace or {}).get(node)
        if value is not None:
            own = record_in(value.measured or value.type)
            member = places.entity(value.origin.entity) if value.origin is not None and own is None else None
            if member is None or member.name != word:
                return own
            return record_of_member(places.context(member.ref.item), member)
        if table.last[node] > table.first[node] + 1:
            break
    symbol = ctx.find(word)
    return record_in(symbol.type) if symbol is not None else None


def _of_definition(places: LocationMap, definition: RecordDefinition) -> RecordLayout:
    ctx = places.context(definition.item)
    first = ctx.table.first[definition.node]
    location = places.location(definition.item, Place(first, first + 1))
    return RecordLayout(spell(definition.record), location, device_layouts(ctx.find_slots, definition.record))


def layout_of_record(places: LocationMap, ctx: TypingContext, type_: Record) -> RecordLayout:
    """Computes the layout of a record type that the code of `ctx` uses."""
    members = ctx.members(type_)
    location = None
    if members:
        owner = places.context(members[0].ref.item) if members[0].ref.item in places.unit.by_key else None
        entity = owner.entities.get(members[0].ref.number) if owner is not None else None
        if owner is not None and entity is not None:
            around = definition_around(owner, entity.place.first)
            if around is not None and around.record.identity == type_.identity:
                first = owner.table.first[around.node]
                location = places.location(around.item, Place(first, first + 1))
    return RecordLayout(spell(type_.unqualified), location, device_layouts(ctx.find_slots, type_))


def device_layouts(find: FindSlots, type_: Record) -> tuple[DeviceLayout, ...]:
    """Computes the layout of a record type for each address width; empty if the layout is not known.

    `find` returns the members of a record type.
    """
    made = [_device_layout(find, type_, bits) for bits in ADDRESS_WIDTHS]
    return tuple(each for each in made if each is not None) if None not in made else ()


def _device_layout(find: FindSlots, type_: Record, address_bits: int) -> DeviceLayout | None:
    placed = placed_members(type_, find, address_bits)
    if placed is None:
        return None
    whole, members = placed
    rows: list[LayoutRow] = []
    _add_rows(rows, find, type_, address_bits, 0, 0)
    padding = whole.size - _used_bytes(members)
    return DeviceLayout(address_bits, whole.size, whole.alignment, padding, tuple(rows))


def _used_bytes(members: Iterable[PlacedMember]) -> int:
    """Counts the bytes that members occupy, each byte once."""
    used = end = 0
    for each in members:
        first, last = each.offset // 8, -(-(each.offset + each.size) // 8)
        used += max(0, last - max(first, end))
        end = max(end, last)
    return used


def _add_rows(
    rows: list[LayoutRow], find: FindSlots, type_: Record, address_bits: int, start: int, depth: int
) -> None:
    """Appends the rows of a record that begins at bit `start`: its members and their padding.

    Padding is before members and at the end.
    """
    placed = placed_members(type_, find, address_bits)
    if placed is None or len(rows) >= MAXIMUM_ROWS:
        return
    whole, members = placed
    end = 0
    for each in members:
        if type_.keyword == "struct":
            _add_padding(rows, depth, start + end, start + each.offset)
        inner: Type = each.member.type.unqualified
        rows.append(
            LayoutRow(
                depth,
                each.member.name,
                spell(inner, each.member.name),
                start + each.offset,
                each.size,
                each.member.bits,
            )
        )
        if isinstance(inner, Record):
            _add_rows(rows, find, inner, address_bits, start + each.offset, depth + 1)
        end = max(end, each.offset + each.size)
        if len(rows) >= MAXIMUM_ROWS:
            return
    _add_padding(rows, depth, start + end, start + 8 * whole.size)


def _add_padding(rows: list[LayoutRow], depth: int, start: int, end: int) -> None:
    """Appends a row for the whole bytes of padding from bit `start` to bit `end`, if there are any."""
    start = -(-start // 8) * 8
    if end // 8 * 8 > start:
        rows.append(LayoutRow(depth, "", "", start, end // 8 * 8 - start))
