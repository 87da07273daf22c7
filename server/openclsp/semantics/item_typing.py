"""Typing one item: the one pass that makes its exports, its entities and the facts for the rules."""

from __future__ import annotations

# These register what they type, see `dispatch`.
import openclsp.semantics.blocks
import openclsp.semantics.calls
import openclsp.semantics.literals
import openclsp.semantics.operators
import openclsp.semantics.primaries
import openclsp.semantics.records  # noqa: F401
from openclsp.language.dialect import Dialect
from openclsp.semantics.context import Context, Exports, FunctionFrame, Names
from openclsp.semantics.declarations import define_function
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.half_storage import tell_half_storage, tell_narrow_stores
from openclsp.semantics.statements import type_body, type_statement
from openclsp.semantics.syntax import tell_faults
from openclsp.semantics.table import Table
from openclsp.semantics.types import UNKNOWN
from openclsp.source.tree import kind

_FUNCTION_DEFINITION = kind("function_definition")
_STATEMENTS = frozenset(
    kind(f"{word}_statement")
    for word in ("compound", "if", "for", "while", "do", "switch", "labeled", "expression", "return")
)


def type_item(
    table: Table,
    item: ItemKey,
    dialect: Dialect,
    names: Names,
    *,
    bodies: bool = True,
    trace: bool = False,
    deferring: bool = False,
) -> Context:
    """Type an item; without `bodies` a function is read up to its body, which is all that others can see of it.

    `trace`: keep the value of every expression. `deferring`: of functions in other items look at the results alone, and
    list the calls.
    """
    ctx = Context(table, item, dialect, names)
    ctx.deferred = [] if deferring else None
    ctx.trace = {} if trace else None
    if not table.kind:
        return ctx
    if bodies:
        tell_faults(ctx)
    if table.kind[0] == _FUNCTION_DEFINITION:
        body = define_function(ctx, 0)
        if body >= 0 and bodies:
            type_body(ctx, body)
        ctx.close_scope()
        ctx.frames.pop()
    elif table.kind[0] in _STATEMENTS:
        # a fragment of a function, which may be a kernel: what it declares is not the program's
        ctx.frames.append(FunctionFrame("", UNKNOWN, ctx.ref(0), True))
        ctx.open_scope()
        type_statement(ctx, 0)
        ctx.close_scope()
        ctx.frames.pop()
    else:
        type_statement(ctx, 0)
    tell_half_storage(ctx)
    if bodies:
        tell_narrow_stores(ctx)
    return ctx


def exports_of(ctx: Context) -> Exports:
    """What a typed item declares for those after it."""
    return Exports(dict(ctx.program_symbols), dict(ctx.tags[0]), dict(ctx.local_members))
