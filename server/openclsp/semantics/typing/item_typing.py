"""Types one item: its exports, its entities, and the facts for the rules.

`full` types the item in a single pass. `update` types an edited item from its previous pass, with the same
result (`tests/test_reuse_contracts.py`).
"""

from __future__ import annotations

# Importing these modules registers their handlers in `dispatch`.
import openclsp.semantics.typing.block_literals
import openclsp.semantics.typing.calls
import openclsp.semantics.typing.literals
import openclsp.semantics.typing.operators
import openclsp.semantics.typing.primary_expressions
import openclsp.semantics.typing.records
import openclsp.semantics.typing.type_specifiers  # noqa: F401
from openclsp.dataclass import dataclass
from openclsp.language.dialect import Dialect
from openclsp.semantics.facts.constructs import SyntaxFault
from openclsp.semantics.facts.entities import ItemKey, Place
from openclsp.semantics.items.reparsing import NameClass, reparse
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types.type_model import UNKNOWN
from openclsp.semantics.typing.attribute_faults import emit_attribute_faults
from openclsp.semantics.typing.declarations import define_function
from openclsp.semantics.typing.half_storage import emit_half_storage, emit_narrow_stores
from openclsp.semantics.typing.incremental_typing import LOGGED_NODES, retype_statement
from openclsp.semantics.typing.misused_types import emit_types_as_values
from openclsp.semantics.typing.statement_faults import emit_statement_faults
from openclsp.semantics.typing.statements import type_body, type_statement
from openclsp.semantics.typing.symbols import Exports, Names
from openclsp.semantics.typing.syntax_errors import emit_faults
from openclsp.semantics.typing.typing_context import FunctionFrame, TypingContext, TypingLog
from openclsp.semantics.typing.undeclared_names import emit_undeclared_names
from openclsp.semantics.typing.unknown_names import TOLERATED
from openclsp.semantics.typing.unused_names import emit_unused_names
from openclsp.source.parser import ERROR, FIELDS, kind

_FUNCTION_DEFINITION = kind("function_definition")
_BODY = FIELDS["body"]
_TYPE_IDENTIFIER = kind("type_identifier")
_MAXIMUM_PASSES = 3
"""The limit of passes until no name is found to be misclassified by the parser."""
_EXPRESSION_STATEMENT = kind("expression_statement")
_STATEMENTS = frozenset(
    kind(f"{word}_statement")
    for word in ("compound", "if", "for", "while", "do", "switch", "labeled", "expression", "return")
)


def full(
    table: Table,
    item: ItemKey,
    dialect: Dialect,
    names: Names,
    *,
    bodies: bool = True,
    trace: bool = False,
    deferring: bool = False,
    logged: bool = False,
    uses: bool = False,
) -> TypingContext:
    """Types an item.

    - `bodies`: if false, a function is typed up to its body; other items see no more of it.
    - `trace`: whether to keep the value of every expression.
    - `deferring`: whether a call of a function in another item is typed by the function's result type alone.
      Such calls are listed, and their arguments are checked later.
    - `logged`: whether to keep the log that incremental typing needs.
    - `uses`: whether to record what each name denotes.
    """
    known: dict[int, NameClass] = {}
    for _ in range(_MAXIMUM_PASSES):
        ctx = _type_once(table, item, dialect, names, bodies, trace, deferring, logged, uses)
        known.update(ctx.misparsed_names)
        again = reparse(ctx.table, known) if ctx.misparsed_names else None
        if again is None:
            if ctx.misparsed_names:
                _emit_value_as_type(ctx)
            break
        table = again
    if ctx.misparsed_names:
        emit_types_as_values(ctx)
    ctx.misparsed_names = known
    return ctx


@dataclass(frozen=True, slots=True, eq=False)
class TypingUpdate:
    """The result of typing an edited item; `partial` means that only one statement was typed again."""

    result: TypingContext
    partial: bool


def update(previous: TypingContext, table: Table, names: Names) -> TypingUpdate:
    """Returns what `full` returns for an edited item, reusing its previous pass.

    The previous pass must have a trace, a log and deferred calls. The new pass has a trace and deferred
    calls, and a log if the item is large enough. The caller guarantees that lookups of names in other items
    still have the same results.
    """
    found = retype_statement(previous, table, names)
    if found is not None:
        return TypingUpdate(found, True)
    logged = len(table.kind) >= LOGGED_NODES
    item, dialect = previous.item, previous.dialect
    return TypingUpdate(full(table, item, dialect, names, trace=True, deferring=True, logged=logged), False)


def _emit_value_as_type(ctx: TypingContext) -> None:
    """Emits a fact for a variable's name in the place of a type, `int T; T x;`, if no other reading is
    possible.
    """
    table = ctx.table
    if table.has_error_or_missing or not TOLERATED.isdisjoint(table.kind):
        return
    for node, number in enumerate(table.kind):
        token_index = table.first[node]
        if (
            number == _TYPE_IDENTIFIER
            and ctx.misparsed_names.get(token_index) is NameClass.VALUE
            and table.token(token_index + 1).isidentifier()
        ):
            place = Place(token_index, token_index + 1)
            ctx.emit(SyntaxFault(place, found=table.token(token_index), expected=";"))
            return


def _type_once(
    table: Table,
    item: ItemKey,
    dialect: Dialect,
    names: Names,
    bodies: bool,
    trace: bool,
    deferring: bool,
    logged: bool,
    uses: bool,
) -> TypingContext:
    ctx = TypingContext(table, item, dialect, names)
    ctx.log = TypingLog() if logged else None
    ctx.deferred = [] if deferring else None
    ctx.trace = {} if trace else None
    ctx.uses = {} if uses else None
    if not table.kind:
        return ctx
    if bodies:
        emit_faults(ctx)
        if ctx.log is not None:
            ctx.log.faults = len(ctx.facts)
    body = _type_head(ctx)
    if bodies:
        _type_rest(ctx, body)
    else:
        emit_half_storage(ctx)
    return ctx


class TypedHead:
    """An item typed up to its function body; `finish` types the rest.

    `exports` and `facts` are the exports and facts of the head.
    """

    __slots__ = ("_body", "context", "exports", "facts")

    def __init__(
        self, table: Table, item: ItemKey, dialect: Dialect, names: Names, *, logged: bool = False
    ) -> None:
        """Types the head of an item, as `full` does with `bodies=False`; `can_type_head_separately` must be
        true.
        """
        self.context = ctx = TypingContext(table, item, dialect, names)
        ctx.log = TypingLog() if logged else None
        ctx.deferred, ctx.trace = [], {}
        self._body = _type_head(ctx)
        own = len(ctx.facts)
        emit_half_storage(ctx)
        self.exports, self.facts = exports_of(ctx), tuple(ctx.facts)
        del ctx.facts[own:]

    @property
    def is_complete(self) -> bool:
        """Whether the exports and facts are complete, that is, those of `full` without bodies.

        False if the arguments of a call in the head are not checked yet, or if the head must be parsed again.
        """
        # a cast to a typedef, `(T)(1)`, is parsed as a call but never deferred; an item may have 30,000 of them
        return not self.context.deferred and not self.context.misparsed_names

    def finish(self) -> TypingContext:
        """Types the rest of the item, like `full` with `trace` and `deferring`. To be called once."""
        ctx = self.context
        # `full` looks for syntax errors before anything of the item is declared
        undeclared = TypingContext(ctx.table, ctx.item, ctx.dialect, ctx.names)
        emit_faults(undeclared)
        if ctx.log is not None:
            ctx.log.faults = len(undeclared.facts)
        ctx.facts = undeclared.facts + ctx.facts
        _type_rest(ctx, self._body)
        if ctx.misparsed_names:
            return full(
                ctx.table,
                ctx.item,
                ctx.dialect,
                ctx.names,
                trace=True,
                deferring=True,
                logged=ctx.log is not None,
            )
        return ctx


def can_type_head_separately(table: Table) -> bool:
    """Whether the head of an item can be typed without its function body.

    False if the item has a syntax error, because such errors are reported for the whole item. Also False if
    an unknown macro occurs only in the body: it makes the whole item uncertain (`fault_facts.is_certain`),
    and so affects the head. See also `TypedHead.is_complete`.
    """
    if table.has_error_or_missing or not table.kind:
        return False
    if TOLERATED.isdisjoint(table.kind):
        return True
    body = table.child(0, _BODY) if table.kind[0] == _FUNCTION_DEFINITION else -1
    return body < 0 or not TOLERATED.isdisjoint(table.kind[:body])


def _type_head(ctx: TypingContext) -> int:
    """Types an item up to its function body; returns the body's node, or -1."""
    number = ctx.table.kind[0]
    if number == _FUNCTION_DEFINITION:
        return define_function(ctx, 0)
    if number == _EXPRESSION_STATEMENT and ctx.table.tokens[1:3] == [b"(", b")"]:
        # `barrier(x);` at top level: its arguments are blanked as those of an unknown macro (`source.macro_calls`)
        return -1
    if number in _STATEMENTS or number == ERROR:
        # a statement at top level is a fragment of a function, maybe of a kernel: its declarations are not at
        # program scope. Those that an ERROR node still contains follow a brace that nothing closes; the others
        # are items of their own (`items.syntax_table_builder`)
        ctx.frames.append(FunctionFrame("", UNKNOWN, ctx.ref(0), True))
        ctx.open_scope()
        type_statement(ctx, 0)
        ctx.close_scope()
        ctx.frames.pop()
    else:
        type_statement(ctx, 0)
    return -1


def _type_rest(ctx: TypingContext, body: int) -> None:
    """Types the function body and runs the checks that need the whole item."""
    if ctx.table.kind[0] == _FUNCTION_DEFINITION:
        if body >= 0:
            type_body(ctx, body)
        ctx.close_scope()
        frame = ctx.frames.pop()
        if ctx.log is not None:
            ctx.log.frame = frame
    if ctx.log is not None:
        ctx.log.end = len(ctx.facts)
    emit_half_storage(ctx)
    emit_narrow_stores(ctx)
    emit_statement_faults(ctx)
    emit_attribute_faults(ctx)
    emit_undeclared_names(ctx)
    emit_unused_names(ctx)


def exports_of(ctx: TypingContext) -> Exports:
    """Returns the declarations of a typed item that are visible to later items."""
    return Exports(dict(ctx.program_symbols), dict(ctx.tags[0]), dict(ctx.local_members))
