"""Document symbols: functions, types with their members, variables and macros, in text order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.ide.document_part import find_part
from openclsp.ide.feature_results import Location
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.database.unit_inputs import CONTENT
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    ItemKey,
    Place,
)
from openclsp.semantics.items.item import Item, byte_range
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Enum as Enumeration
from openclsp.semantics.types.type_model import Function, Record, spell
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind
from openclsp.source.preprocessed import Preprocessed


class SymbolKind(Enum):
    """The kind of a symbol; the value is its display name."""

    FUNCTION = "function"
    KERNEL = "kernel"
    STRUCT = "struct"
    ENUM = "enum"
    ENUMERATOR = "enumerator"
    MEMBER = "member"
    TYPE = "type"
    VARIABLE = "variable"
    CONSTANT = "constant"
    MACRO = "macro"


@dataclass(frozen=True, slots=True)
class DocumentSymbol:
    """A document symbol.

    `full_range` is the range of the whole construct, `name_range` that of its name or, without a name, of its
    keyword.
    """

    name: str
    kind: SymbolKind
    detail: str
    full_range: Location
    name_range: Location
    children: tuple[DocumentSymbol, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemSymbol:
    """A symbol whose ranges are token indices of its item, so that edits outside of it do not change them."""

    name: str
    kind: SymbolKind
    detail: str
    full_range: Place
    name_range: Place
    children: tuple[ItemSymbol, ...] = field(default=())


_TAGS = {
    kind("struct_specifier"): SymbolKind.STRUCT,
    kind("union_specifier"): SymbolKind.STRUCT,
    kind("enum_specifier"): SymbolKind.ENUM,
}
_FUNCTION = kind("function_definition")
_NAME, _BODY = FIELDS["name"], FIELDS["body"]
_MEMBERS = {EntityKind.MEMBER: SymbolKind.MEMBER, EntityKind.ENUMERATOR: SymbolKind.ENUMERATOR}


def compute_document_symbols(unit: TranslationUnit, document: str) -> list[DocumentSymbol]:
    """Returns the symbols of a document of the unit, sorted by place."""
    part = find_part(unit, document)
    if part is None:
        return []
    found = list(_macros(part.preprocessed))
    for group in part.groups:
        for item in group.items:
            for outlined in unit.database.get(ITEM_SYMBOLS, item.key):
                symbol = _placed(part, item, outlined)
                if symbol is not None and symbol.full_range.document == document:
                    found.append(symbol)
    found.sort(key=lambda symbol: (symbol.full_range.start, -symbol.full_range.end))
    return found


def _item_symbols(unit: TranslationUnit, key: ItemKey) -> tuple[ItemSymbol, ...]:
    if not unit.database.read(CONTENT, key):
        return ()
    function = _function(unit, key) if key[0] == "function_definition" else None
    if function is not None:
        return (function,)
    table = unit.table(key)
    ctx = unit.typed(key, bodies=False, table=table)
    return tuple(_declared_symbols(ctx, table))


def _function(unit: TranslationUnit, key: ItemKey) -> ItemSymbol | None:
    """Creates the symbol of a function from its cached signature, without parsing the item again.

    None if the item also defines a type.
    """
    item = unit.by_key[key]
    symbol = unit.database.get(EXPORTS, key).symbols.get(item.name)
    if symbol is None or not isinstance(symbol.type, Function):
        return None
    name, text, base = item.name.encode(), item.group.text, item.offset
    for token_index, (start, end) in enumerate(
        zip(item.token_index_starts, item.token_index_ends, strict=True)
    ):
        spelled = text[base + start : base + end]
        if spelled == b"{":
            return None
        if spelled == name:
            kind_, detail = SymbolKind.FUNCTION, spell(symbol.type)
            if symbol.kernel:
                kind_, detail = SymbolKind.KERNEL, f"kernel {detail}"
            whole = Place(0, len(item.token_index_starts))
            return ItemSymbol(item.name, kind_, detail, whole, Place(token_index, token_index + 1))
    return None


ITEM_SYMBOLS: Query[ItemKey, tuple[ItemSymbol, ...]] = Query("item symbols", _item_symbols, ())
"""The symbols that an item declares at program scope, in the order of their names in the text."""


def _declared_symbols(ctx: TypingContext, table: Table) -> Iterator[ItemSymbol]:
    entities = sorted(ctx.entities.values(), key=lambda each: each.place.first)
    numbers = {symbol.ref.number for symbol in ctx.program_symbols.values()}
    own = [each for each in entities if each.ref.number in numbers and each.kind is not EntityKind.ENUMERATOR]
    everything = Place(0, len(table.tokens))
    tags = list(_tags(table, entities))
    # `typedef struct { … } S;` is one symbol if the struct is anonymous or has the same tag
    named = next((each for each in own if each.kind is EntityKind.TYPEDEF), None)
    if named is not None and tags and isinstance(named.type, Record | Enumeration):
        tag = tags[0]
        if tag.name in (named.name, f"({tag.detail})"):
            own.remove(named)
            tags[0] = replace(tag, name=named.name, full_range=everything, name_range=named.place)
    yield from tags
    for entity in own:
        whole = everything if len(own) == 1 and not tags else entity.place
        what = _kind(entity, table)
        detail = "kernel " + _detail(entity) if what is SymbolKind.KERNEL else _detail(entity)
        yield ItemSymbol(entity.name, what, detail, whole, entity.place)


def _kind(entity: Entity, table: Table) -> SymbolKind:
    if entity.kind is EntityKind.FUNCTION:
        words = {table.token(token_index) for token_index in range(entity.place.first)}
        return SymbolKind.KERNEL if words & {"kernel", "__kernel"} else SymbolKind.FUNCTION
    if entity.kind is EntityKind.TYPEDEF:
        return SymbolKind.STRUCT if isinstance(entity.type, Record) else SymbolKind.TYPE
    words = {table.token(token_index) for token_index in range(entity.place.first)}
    return SymbolKind.CONSTANT if words & {"const", "constant", "__constant"} else SymbolKind.VARIABLE


def _detail(entity: Entity) -> str:
    """Spells the type with the address spaces of its pointees, but without that of the entity itself."""
    return spell(entity.type) if isinstance(entity.type, Function) else spell(entity.type.with_space(None))


def _tags(table: Table, entities: Iterable[Entity]) -> Iterator[ItemSymbol]:
    """Yields the outermost structs, unions and enumerations that the item defines, with their members."""
    function = table.kind[0] == _FUNCTION
    node, end = 0, table.child(0, _BODY) if function else len(table.kind)
    while node < end:
        what = _TAGS.get(table.kind[node])
        body = table.child(node, _BODY) if what is not None else -1
        if what is None or body < 0:
            node += 1
            continue
        name_node = table.child(node, _NAME)
        inside = Place(table.first[body], table.last[body])
        children = tuple(
            ItemSymbol(each.name, _MEMBERS[each.kind], _member_detail(each), each.place, each.place)
            for each in entities
            if each.kind in _MEMBERS and each.name and inside.first <= each.place.first < inside.last
        )
        whole = Place(table.first[node], table.last[node])
        at = (
            Place(table.first[name_node], table.last[name_node])
            if name_node >= 0
            else Place(whole.first, whole.first + 1)
        )
        name = table.text(name_node) if name_node >= 0 else f"({table.token(whole.first)})"
        yield ItemSymbol(name, what, table.token(whole.first), whole, at, children)
        node = table.skip[node]


def _member_detail(entity: Entity) -> str:
    return "" if entity.kind is EntityKind.ENUMERATOR else spell(entity.type.with_space(None))


def _placed(part: UnitPart, item: Item, outlined: ItemSymbol) -> DocumentSymbol | None:
    """Maps a symbol of an item to the source text; None if the symbol spans several documents."""
    source_map = part.preprocessed.source_map
    first, last = outlined.full_range.first, outlined.full_range.last
    ends = (Place(first, first + 1), Place(last - 1, last), outlined.name_range)
    head, tail, name = (source_map.written(*byte_range(item, place)) for place in ends)
    if not head.document == tail.document == name.document:
        return None
    start, end = min(head.start, name.start), max(head.end, tail.end, name.end)
    children = (_placed(part, item, child) for child in outlined.children)
    return DocumentSymbol(
        outlined.name,
        outlined.kind,
        outlined.detail,
        Location(head.document, start, end),
        Location(name.document, name.start, name.end),
        tuple(child for child in children if child is not None),
    )


def _macros(preprocessed: Preprocessed) -> Iterator[DocumentSymbol]:
    """Yields the macros that the document defines and that are still defined at its end."""
    source_map = preprocessed.source_map
    name, text = preprocessed.document.name, source_map.document.text
    for macro in preprocessed.macros.values():
        if macro.document != name:
            continue
        at = source_map.definition(macro)
        if at is None:
            continue
        line = text.line_of(at.start)
        whole = Location(name, text.line_start(line), at.end)
        word = macro.name.decode("utf-8", "replace")
        yield DocumentSymbol(
            word, SymbolKind.MACRO, "", whole, Location(name, at.start, at.start + len(macro.name))
        )
