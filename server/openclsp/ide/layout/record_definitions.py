"""Finds the definitions of structs and unions in a unit, and the record type of each definition."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.dataclass import dataclass
from openclsp.ide.location_map import LocationMap, nodes_around
from openclsp.semantics.facts.entities import Entity, EntityKind, ItemKey
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types.type_model import Array, Pointer, Record, Type, record
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_STRUCT, _UNION = kind("struct_specifier"), kind("union_specifier")
_FIELD = kind("field_declaration")
_NAME, _BODY = FIELDS["name"], FIELDS["body"]


@dataclass(frozen=True, slots=True)
class RecordDefinition:
    """A definition of a struct or union: the type, the item that contains the definition, and its node there."""

    record: Record
    item: ItemKey
    node: int


def definitions_in(places: LocationMap, key: ItemKey) -> Iterator[RecordDefinition]:
    """Yields the definitions in an item in the order of their keywords."""
    ctx = places.context(key)
    for node, kind_ in enumerate(ctx.table.kind):
        if kind_ in (_STRUCT, _UNION):
            found = _record_at(ctx, node)
            if found is not None:
                yield RecordDefinition(found, key, node)


def definition_around(ctx: TypingContext, token_index: int) -> RecordDefinition | None:
    """Returns the innermost definition that contains a token; None if there is none."""
    for node in reversed(nodes_around(ctx.table, token_index)):
        if ctx.table.kind[node] in (_STRUCT, _UNION):
            found = _record_at(ctx, node)
            if found is not None:
                return RecordDefinition(found, ctx.item, node)
    return None


def definition_of_tag(ctx: TypingContext, token_index: int) -> RecordDefinition | None:
    """Returns the definition whose keyword or tag is this token; None if there is none."""
    found = definition_around(ctx, token_index)
    if found is None:
        return None
    name = ctx.table.child(found.node, _NAME)
    named = name >= 0 and ctx.table.first[name] == token_index
    return found if named or ctx.table.first[found.node] == token_index else None


def record_in(type_: Type) -> Record | None:
    """Removes all pointers and arrays from a type; returns the struct or union that remains."""
    while isinstance(type_, Pointer | Array):
        type_ = type_.pointee if isinstance(type_, Pointer) else type_.element
    found = type_.unqualified
    return found if isinstance(found, Record) else None


def record_of_member(ctx: TypingContext, member: Entity) -> Record | None:
    """Returns the innermost struct or union that declares `member`; `ctx` is the context of its item."""
    if member.kind is not EntityKind.MEMBER:
        return None
    found = definition_around(ctx, member.place.first)
    return found.record if found is not None else None


def _record_at(ctx: TypingContext, node: int) -> Record | None:
    """Returns the type that a specifier defines; None if it has no body, or if its members are not known.

    The type is found by its members, because an untagged type has no name to be found by.
    """
    table = ctx.table
    body = table.child(node, _BODY)
    if body < 0:
        return None
    keyword = "union" if table.kind[node] == _UNION else "struct"
    name = table.child(node, _NAME)
    places = {
        (table.first[field], table.last[field])
        for field in table.children(body)
        if table.kind[field] == _FIELD
    }
    declared = {
        entity.ref
        for entity in ctx.entities.values()
        if entity.kind is EntityKind.MEMBER and (entity.whole.first, entity.whole.last) in places
    }
    for identity, members in ctx.local_members.items():
        if any(member.ref in declared and not member.anonymous for member in members):
            return record(keyword, table.text(name) if name >= 0 else _typedef_name(ctx, node), identity)
    if not declared and not places and name >= 0:
        identity = (keyword, table.text(name))
        return record(keyword, table.text(name), identity) if identity in ctx.local_members else None
    return _record_of_unnamed(ctx, table, node, keyword)


def _record_of_unnamed(ctx: TypingContext, table: Table, node: int, keyword: str) -> Record | None:
    """Returns the type of a specifier whose members are all unnamed structs or unions.

    The type is found by the members inside of these.
    """
    name = table.child(node, _NAME)
    inside = {
        entity.ref
        for entity in ctx.entities.values()
        if entity.kind is EntityKind.MEMBER
        and table.first[node] <= entity.whole.first
        and entity.whole.last <= table.last[node]
    }
    # an enclosing type whose only member is this one holds the same members, and is completed later
    holding = [
        (len(members), -number, identity)
        for number, (identity, members) in enumerate(ctx.local_members.items())
        if members and all(member.anonymous and member.ref in inside for member in members)
    ]
    if not holding:
        return None
    identity = max(holding, key=lambda each: each[:2])[2]
    return record(keyword, table.text(name) if name >= 0 else _typedef_name(ctx, node), identity)


def _typedef_name(ctx: TypingContext, node: int) -> str:
    """Returns the display name of an untagged type that a typedef names, such as `typedef T`.

    Empty if no typedef names the type.
    """
    for entity in ctx.entities.values():
        if (
            entity.kind is EntityKind.TYPEDEF
            and entity.whole.first <= ctx.table.first[node] < entity.whole.last
        ):
            type_ = entity.type.unqualified
            if isinstance(type_, Record) and ctx.table.last[node] == entity.place.first:
                return f"typedef {entity.name}"
    return ""
