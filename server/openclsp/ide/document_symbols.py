"""Document symbols: functions, types with their members, variables and macros, in text order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Location
from openclsp.semantics.context import Context
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import Entity, EntityKind, ItemKey, Place
from openclsp.semantics.fragment import Fragment
from openclsp.semantics.heads import EXPORTS
from openclsp.semantics.inputs import CONTENT
from openclsp.semantics.items import Item, span
from openclsp.semantics.table import Table
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types import Enum as Enumeration
from openclsp.semantics.types import Function, Record, spell
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.tree import FIELDS, kind


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
class Symbol:
    """A document symbol.

    `whole` is its full range, `name_at` the range of its name or, without one, of its keyword.
    """

    name: str
    kind: SymbolKind
    detail: str
    whole: Location
    name_at: Location
    children: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class Outlined:
    """A symbol with its ranges as token indices of its item, which edits elsewhere do not change."""

    name: str
    kind: SymbolKind
    detail: str
    whole: Place
    name_at: Place
    children: tuple[Outlined, ...] = field(default=())


_TAGS = {
    kind("struct_specifier"): SymbolKind.STRUCT,
    kind("union_specifier"): SymbolKind.STRUCT,
    kind("enum_specifier"): SymbolKind.ENUM,
}
_FUNCTION = kind("function_definition")
_NAME, _BODY = FIELDS["name"], FIELDS["body"]
_MEMBERS = {EntityKind.MEMBER: SymbolKind.MEMBER, EntityKind.ENUMERATOR: SymbolKind.ENUMERATOR}


def document_symbols(unit: TranslationUnit, document: str) -> list[Symbol]:
    """The symbols of a document of the unit, sorted by place."""
    fragment = next((each for each in unit.fragments() if each.preprocessed.document.name == document), None)
    if fragment is None:
        return []
    found = list(_macros(fragment.preprocessed))
    for group in fragment.groups:
        for item in group.items:
            for outlined in unit.engine.get(OUTLINED, item.key):
                symbol = _placed(fragment, item, outlined)
                if symbol is not None and symbol.whole.document == document:
                    found.append(symbol)
    found.sort(key=lambda symbol: (symbol.whole.start, -symbol.whole.end))
    return found


def _outlined(unit: TranslationUnit, key: ItemKey) -> tuple[Outlined, ...]:
    if not unit.engine.read(CONTENT, key):
        return ()
    function = _function(unit, key) if key[0] == "function_definition" else None
    if function is not None:
        return (function,)
    table = unit.table(key)
    ctx = unit.typed(key, bodies=False, table=table)
    return tuple(_of_item(ctx, table))


def _function(unit: TranslationUnit, key: ItemKey) -> Outlined | None:
    """Creates a function's symbol without parsing it again.

    It uses the cached signature. None if the item also defines a type.
    """
    item = unit.by_key[key]
    symbol = unit.engine.get(EXPORTS, key).symbols.get(item.name)
    if symbol is None or not isinstance(symbol.type, Function):
        return None
    name, text, base = item.name.encode(), item.group.text, item.offset
    for leaf, (start, end) in enumerate(zip(item.leaf_starts, item.leaf_ends, strict=True)):
        spelled = text[base + start : base + end]
        if spelled == b"{":
            return None
        if spelled == name:
            kind_, detail = SymbolKind.FUNCTION, spell(symbol.type)
            if symbol.kernel:
                kind_, detail = SymbolKind.KERNEL, f"kernel {detail}"
            whole = Place(0, len(item.leaf_starts))
            return Outlined(item.name, kind_, detail, whole, Place(leaf, leaf + 1))
    return None


OUTLINED: Query[ItemKey, tuple[Outlined, ...]] = Query("outlined", _outlined, ())
"""The symbols that an item declares at program scope, in the order of their names in the text."""


def _of_item(ctx: Context, table: Table) -> Iterator[Outlined]:
    entities = sorted(ctx.entities.values(), key=lambda each: each.place.first)
    numbers = {symbol.ref.number for symbol in ctx.program_symbols.values()}
    own = [each for each in entities if each.ref.number in numbers and each.kind is not EntityKind.ENUMERATOR]
    everything = Place(0, len(table.leaves))
    tags = list(_tags(table, entities))
    # `typedef struct { … } S;` is one symbol if the struct is anonymous or has the same tag
    named = next((each for each in own if each.kind is EntityKind.TYPEDEF), None)
    if named is not None and tags and isinstance(named.type, Record | Enumeration):
        tag = tags[0]
        if tag.name in (named.name, f"({tag.detail})"):
            own.remove(named)
            tags[0] = replace(tag, name=named.name, whole=everything, name_at=named.place)
    yield from tags
    for entity in own:
        whole = everything if len(own) == 1 and not tags else entity.place
        what = _kind(entity, table)
        detail = "kernel " + _detail(entity) if what is SymbolKind.KERNEL else _detail(entity)
        yield Outlined(entity.name, what, detail, whole, entity.place)


def _kind(entity: Entity, table: Table) -> SymbolKind:
    if entity.kind is EntityKind.FUNCTION:
        words = {table.leaf(leaf) for leaf in range(entity.place.first)}
        return SymbolKind.KERNEL if words & {"kernel", "__kernel"} else SymbolKind.FUNCTION
    if entity.kind is EntityKind.TYPEDEF:
        return SymbolKind.STRUCT if isinstance(entity.type, Record) else SymbolKind.TYPE
    words = {table.leaf(leaf) for leaf in range(entity.place.first)}
    return SymbolKind.CONSTANT if words & {"const", "constant", "__constant"} else SymbolKind.VARIABLE


def _detail(entity: Entity) -> str:
    """The type with the address space of every level; for a function, its type without the name."""
    return spell(entity.type) if isinstance(entity.type, Function) else spell(entity.type.with_space(None))


def _tags(table: Table, entities: Iterable[Entity]) -> Iterator[Outlined]:
    """Yields the outermost structs, unions and enumerations that the item defines, with their members."""
    function = table.kind[0] == _FUNCTION
    row, end = 0, table.child(0, _BODY) if function else len(table.kind)
    while row < end:
        what = _TAGS.get(table.kind[row])
        body = table.child(row, _BODY) if what is not None else -1
        if what is None or body < 0:
            row += 1
            continue
        name_row = table.child(row, _NAME)
        inside = Place(table.first[body], table.last[body])
        children = tuple(
            Outlined(each.name, _MEMBERS[each.kind], _member_detail(each), each.place, each.place)
            for each in entities
            if each.kind in _MEMBERS and each.name and inside.first <= each.place.first < inside.last
        )
        whole = Place(table.first[row], table.last[row])
        at = (
            Place(table.first[name_row], table.last[name_row])
            if name_row >= 0
            else Place(whole.first, whole.first + 1)
        )
        name = table.text(name_row) if name_row >= 0 else f"({table.leaf(whole.first)})"
        yield Outlined(name, what, table.leaf(whole.first), whole, at, children)
        row = table.skip[row]


def _member_detail(entity: Entity) -> str:
    return "" if entity.kind is EntityKind.ENUMERATOR else spell(entity.type.with_space(None))


def _placed(fragment: Fragment, item: Item, outlined: Outlined) -> Symbol | None:
    """Maps the symbol to its place in the source text; None if that spans several documents."""
    source_map = fragment.preprocessed.source_map
    first, last = outlined.whole.first, outlined.whole.last
    ends = (Place(first, first + 1), Place(last - 1, last), outlined.name_at)
    head, tail, name = (source_map.written(*span(item, place)) for place in ends)
    if not head.document == tail.document == name.document:
        return None
    start, end = min(head.start, name.start), max(head.end, tail.end, name.end)
    children = (_placed(fragment, item, child) for child in outlined.children)
    return Symbol(
        outlined.name,
        outlined.kind,
        outlined.detail,
        Location(head.document, start, end),
        Location(name.document, name.start, name.end),
        tuple(child for child in children if child is not None),
    )


def _macros(preprocessed: Preprocessed) -> Iterator[Symbol]:
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
        yield Symbol(word, SymbolKind.MACRO, "", whole, Location(name, at.start, at.start + len(macro.name)))
