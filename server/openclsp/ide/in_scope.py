"""What a function has declared before the cursor, and what a member is asked of there."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.dataclass import dataclass
from openclsp.ide.broken_text import PLACEHOLDER, closed
from openclsp.semantics.context import Context
from openclsp.semantics.entities import Entity, EntityKind, ItemKey
from openclsp.semantics.item_typing import type_item
from openclsp.semantics.table import Table, build_table
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types import Type
from openclsp.source.tree import COMMENT, FIELDS, TOKEN, kind, kind_of, parse

_COMPOUND, _FOR = kind("compound_statement"), kind("for_statement")
_FUNCTION, _FIELD_EXPRESSION = kind("function_definition"), kind("field_expression")
_PARAMETERS = kind("parameter_list")
_ARGUMENT, _FIELD, _BODY = FIELDS["argument"], FIELDS["field"], FIELDS["body"]
_LOCAL = frozenset((EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.TYPEDEF, EntityKind.ENUMERATOR))


@dataclass(frozen=True, slots=True)
class Inside:
    """What typing the text up to the cursor tells. `locals` are the entities in scope there, inner ones last; `base` is
    the type of what stands before the `.` or `->`, if one does; `context` knows the members of its struct."""

    locals: tuple[Entity, ...]
    base: Type | None
    context: Context


def look_inside(unit: TranslationUnit, key: ItemKey, text: bytes) -> Inside | None:
    """What a top-level thing, of which `text` is all that stands before the cursor, tells about that place; None where
    there is nothing yet. Names of the program are those in sight of the item `key`."""
    table = _table(closed(text))
    if table is None:
        return None
    ctx = type_item(table, key, unit.dialect, unit.names(key), trace=True)
    leaf = next(
        (n for n in range(len(table.leaves) - 1, -1, -1) if table.leaves[n] == PLACEHOLDER.encode()), -1
    )
    if leaf < 0:
        return None
    return Inside(tuple(_in_scope(ctx, leaf)), _base(ctx, leaf), ctx)


def _table(text: bytes) -> Table | None:
    """The table of the last top-level thing in the text."""
    nodes = [node for node in parse(text).root_node.children if kind_of(node) not in (COMMENT, TOKEN)]
    # what closes the text may stand behind it as a thing of its own
    holding = [node for node in nodes if PLACEHOLDER.encode() in text[node.start_byte : node.end_byte]]
    if not holding:
        return None
    table = build_table(holding[-1], text)
    while table.nested:
        inner = table.nested[-1]
        if PLACEHOLDER.encode() not in text[inner.start_byte : inner.end_byte]:
            break
        table = build_table(inner, text)
    table.nested = []
    return table


def _in_scope(ctx: Context, leaf: int) -> Iterator[Entity]:
    """The local entities that are declared before the leaf, and whose scope holds it."""
    table = ctx.table
    if table.kind[0] != _FUNCTION:
        return
    ended = list(_ended(table, leaf))
    for entity in ctx.entities.values():
        at = entity.place.first
        if entity.kind not in _LOCAL or not entity.name or at >= leaf:
            continue
        if not any(first <= at < last for first, last in ended):
            yield entity


def _ended(table: Table, leaf: int) -> Iterator[tuple[int, int]]:
    """The leaves of the scopes in the body that do not hold the leaf, outermost ones only."""
    row, end = max(table.child(0, _BODY), 0), len(table.kind)
    while row < end:
        first, last = table.first[row], table.last[row]
        if table.kind[row] in (_COMPOUND, _FOR, _PARAMETERS) and not first <= leaf < last:
            block = table.kind[row] == _PARAMETERS and table.leaf(first - 1) == "^"
            if not block:
                yield first, last
                row = table.skip[row]
                continue
        row += 1


def _base(ctx: Context, leaf: int) -> Type | None:
    table = ctx.table
    for row, number in enumerate(table.kind):
        if number == _FIELD_EXPRESSION and table.last[row] == leaf + 1:
            argument = table.child(row, _ARGUMENT)
            value = (ctx.trace or {}).get(argument)
            return value.type if value is not None else None
    return None
