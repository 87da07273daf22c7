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
from openclsp.semantics.context import Context, Exports, FunctionFrame, Log, Names
from openclsp.semantics.declarations import define_function
from openclsp.semantics.entities import ItemKey, Place
from openclsp.semantics.facts.constructs import SyntaxFault
from openclsp.semantics.half_storage import tell_half_storage, tell_narrow_stores
from openclsp.semantics.rereading_names import reread
from openclsp.semantics.statements import type_body, type_statement
from openclsp.semantics.syntax import tell_faults
from openclsp.semantics.table import Table
from openclsp.semantics.types import UNKNOWN
from openclsp.semantics.unknown_names import TOLERATED
from openclsp.source.tree import FIELDS, kind

_FUNCTION_DEFINITION, _CALL = kind("function_definition"), kind("call_expression")
_BODY = FIELDS["body"]
_TYPE_IDENTIFIER = kind("type_identifier")
_READINGS = 3
"""How often an item is typed until each name stands for what the parser takes it for"""
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
    logged: bool = False,
) -> Context:
    """Type an item; without `bodies` a function is read up to its body, which is all that others can see of it.

    `trace`: keep the value of every expression. `deferring`: of functions in other items look at the results alone, and
    list the calls. `logged`: so that it can be gone on with after an edit.
    """
    known: dict[int, bool] = {}
    for _ in range(_READINGS):
        ctx = _typed(table, item, dialect, names, bodies, trace, deferring, logged)
        known.update(ctx.misread)
        again = reread(ctx.table, known) if ctx.misread else None
        if again is None:
            _tell_value_as_type(ctx)
            break
        table = again
    ctx.misread = known
    return ctx


def _tell_value_as_type(ctx: Context) -> None:
    """Tell of a variable's name that stands for a type, where it can be nothing else: `int T; T x;`."""
    table = ctx.table
    if table.flawed or not TOLERATED.isdisjoint(table.kind):
        return
    for row, number in enumerate(table.kind):
        leaf = table.first[row]
        if (
            number == _TYPE_IDENTIFIER
            and ctx.misread.get(leaf, True) is False
            and table.leaf(leaf + 1).isidentifier()
        ):
            place = Place(leaf, leaf + 1)
            ctx.emit(SyntaxFault(place, found=table.leaf(leaf), expected=";"))
            return


def _typed(
    table: Table,
    item: ItemKey,
    dialect: Dialect,
    names: Names,
    bodies: bool,
    trace: bool,
    deferring: bool,
    logged: bool,
) -> Context:
    ctx = Context(table, item, dialect, names)
    ctx.log = Log() if logged else None
    ctx.deferred = [] if deferring else None
    ctx.trace = {} if trace else None
    if not table.kind:
        return ctx
    if bodies:
        tell_faults(ctx)
        if ctx.log is not None:
            ctx.log.faults = len(ctx.facts)
    body = _type_head(ctx)
    if bodies:
        _type_rest(ctx, body)
    else:
        tell_half_storage(ctx)
    return ctx


class Begun:
    """An item typed up to a function's body, which is to be gone on with. `exports` and `facts` are what is known by then."""

    __slots__ = ("_body", "context", "exports", "facts")

    def __init__(
        self, table: Table, item: ItemKey, dialect: Dialect, names: Names, *, logged: bool = False
    ) -> None:
        """As `type_item` without bodies; see `can_begin`."""
        self.context = ctx = Context(table, item, dialect, names)
        ctx.log = Log() if logged else None
        ctx.deferred, ctx.trace = [], {}
        self._body = _type_head(ctx)
        own = len(ctx.facts)
        tell_half_storage(ctx)
        self.exports, self.facts = exports_of(ctx), tuple(ctx.facts)
        del ctx.facts[own:]

    def finished(self) -> Context:
        """The item typed with its body, as `type_item` with everything. To be called once."""
        ctx = self.context
        head, ctx.facts = ctx.facts, []
        tell_faults(ctx)
        if ctx.log is not None:
            ctx.log.faults = len(ctx.facts)
        ctx.facts += head
        _type_rest(ctx, self._body)
        if ctx.misread:
            return type_item(
                ctx.table,
                ctx.item,
                ctx.dialect,
                ctx.names,
                trace=True,
                deferring=True,
                logged=ctx.log is not None,
            )
        return ctx


def can_begin(table: Table) -> bool:
    """Whether an item is typed up to its body in one way, whoever wants it: faults of syntax are judged with the whole item in
    sight, and calls only where they are not left to be judged later."""
    if table.flawed or not table.kind:
        return False
    body = table.child(0, _BODY) if table.kind[0] == _FUNCTION_DEFINITION else -1
    head = table.kind[:body] if body >= 0 else table.kind
    return _CALL not in head and TOLERATED.isdisjoint(table.kind)


def _type_head(ctx: Context) -> int:
    """Types an item up to a function's body; the row of this, or -1."""
    number = ctx.table.kind[0]
    if number == _FUNCTION_DEFINITION:
        return define_function(ctx, 0)
    if number in _STATEMENTS:
        # a fragment of a function, which may be a kernel: what it declares is not the program's
        ctx.frames.append(FunctionFrame("", UNKNOWN, ctx.ref(0), True))
        ctx.open_scope()
        type_statement(ctx, 0)
        ctx.close_scope()
        ctx.frames.pop()
    else:
        type_statement(ctx, 0)
    return -1


def _type_rest(ctx: Context, body: int) -> None:
    """Types a function's body, and tells what only the whole item shows."""
    if ctx.table.kind[0] == _FUNCTION_DEFINITION:
        if body >= 0:
            type_body(ctx, body)
        ctx.close_scope()
        frame = ctx.frames.pop()
        if ctx.log is not None:
            ctx.log.frame = frame
    if ctx.log is not None:
        ctx.log.end = len(ctx.facts)
    tell_half_storage(ctx)
    tell_narrow_stores(ctx)


def exports_of(ctx: Context) -> Exports:
    """What a typed item declares for those after it."""
    return Exports(dict(ctx.program_symbols), dict(ctx.tags[0]), dict(ctx.local_members))
