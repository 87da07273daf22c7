"""Scope at the cursor: the local names, and the operand of a member access."""

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
    """The scope at the cursor, from typing the text before it.

    `locals` are the local entities in scope, inner ones last. `base` is the type of the operand of the `.` or
    `->` before the cursor, if there is one. `context` gives access to the members of its struct.
    """

    locals: tuple[Entity, ...]
    base: Type | None
    context: Context


def look_inside(unit: TranslationUnit, key: ItemKey, text: bytes) -> Inside | None:
    """Types the unfinished item at the cursor and determines the scope there; None if it is empty.

    `text` is the item's text before the cursor. Names at program scope are those visible from the item `key`.
    """
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
    """Builds the syntax table of the last top-level construct in the text; None if there is none."""
    nodes = [node for node in parse(text).root_node.children if kind_of(node) not in (COMMENT, TOKEN)]
    # the closing tokens that were appended may form a node of their own after the construct
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
    """Yields the local entities declared before the token whose scope contains it."""
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
    """Yields the token ranges of the outermost scopes in the body that do not contain the token."""
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
