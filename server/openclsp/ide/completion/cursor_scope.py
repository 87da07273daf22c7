"""Scope at the cursor: the local names, and the operand of a member access."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.dataclass import dataclass
from openclsp.ide.completion.unfinished_code import PLACEHOLDER, close_open_brackets
from openclsp.semantics.facts.entities import Entity, EntityKind, ItemKey
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.items.syntax_table_builder import build_table
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Type
from openclsp.semantics.typing import item_typing
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import (
    COMMENT,
    FIELDS,
    TOKEN,
    kind,
    kind_of,
    parse,
)

_COMPOUND, _FOR = kind("compound_statement"), kind("for_statement")
_FUNCTION, _FIELD_EXPRESSION = kind("function_definition"), kind("field_expression")
_PARAMETERS = kind("parameter_list")
_ARGUMENT, _BODY = FIELDS["argument"], FIELDS["body"]
_LOCAL = frozenset((EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.TYPEDEF, EntityKind.ENUMERATOR))


@dataclass(frozen=True, slots=True)
class CursorScope:
    """The scope at the cursor, determined by type checking the text before the cursor.

    `locals` are the local entities in scope, inner ones last. `operand_type` is the type of the operand of
    the `.` or `->` before the cursor, if there is one. `context` gives access to the members of the operand's
    struct.
    """

    locals: tuple[Entity, ...]
    operand_type: Type | None
    context: TypingContext


def compute_cursor_scope(unit: TranslationUnit, key: ItemKey, text: bytes) -> CursorScope | None:
    """Type-checks the unfinished item at the cursor and returns the scope there; None outside of items.

    `text` is the item's text before the cursor. Only names that are visible from the item `key` count as
    declared at program scope.
    """
    table = _table(close_open_brackets(text))
    if table is None:
        return None
    ctx = item_typing.full(table, key, unit.dialect, unit.names(key), trace=True)
    token_index = next(
        (n for n in range(len(table.tokens) - 1, -1, -1) if table.tokens[n] == PLACEHOLDER.encode()), -1
    )
    if token_index < 0:
        return None
    return CursorScope(tuple(_in_scope(ctx, token_index)), _operand_type(ctx, token_index), ctx)


def _table(text: bytes) -> Table | None:
    """Builds the syntax table of the construct that contains the placeholder at the cursor.

    Returns None if no top-level construct contains the placeholder.
    """
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


def _in_scope(ctx: TypingContext, token_index: int) -> Iterator[Entity]:
    """Yields the local entities that are in scope at the token and declared before it."""
    table = ctx.table
    if table.kind[0] != _FUNCTION:
        return
    ended = list(_closed_scopes(table, token_index))
    for entity in ctx.entities.values():
        at = entity.place.first
        if entity.kind not in _LOCAL or not entity.name or at >= token_index:
            continue
        if not any(first <= at < last for first, last in ended):
            yield entity


def _closed_scopes(table: Table, token_index: int) -> Iterator[tuple[int, int]]:
    """Yields the token ranges of the scopes in the function's body that do not contain the token.

    Scopes nested in one of these are omitted.
    """
    syntax_node, end = max(table.child(0, _BODY), 0), len(table.kind)
    while syntax_node < end:
        first, last = table.first[syntax_node], table.last[syntax_node]
        if table.kind[syntax_node] in (_COMPOUND, _FOR, _PARAMETERS) and not first <= token_index < last:
            block = table.kind[syntax_node] == _PARAMETERS and table.token(first - 1) == "^"
            if not block:
                yield first, last
                syntax_node = table.skip[syntax_node]
                continue
        syntax_node += 1


def _operand_type(ctx: TypingContext, token_index: int) -> Type | None:
    table = ctx.table
    for syntax_node, number in enumerate(table.kind):
        if number == _FIELD_EXPRESSION and table.last[syntax_node] == token_index + 1:
            argument = table.child(syntax_node, _ARGUMENT)
            value = (ctx.trace or {}).get(argument)
            return value.type if value is not None else None
    return None
