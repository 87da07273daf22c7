"""Incremental typing of a function after an edit within one statement.

Only the statement is typed; the rest of the result is copied from the previous pass. The rest is unchanged
if:

- the tokens outside the statement keep their token indices;
- no name that the statement now declares differently is used after the statement;
- lookups of names in other items still have the same results, which the caller verifies.

Checks that need the whole item, such as those for syntax errors, are repeated as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from openclsp.dataclass import dataclass
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.typing.attribute_faults import emit_attribute_faults
from openclsp.semantics.typing.dispatch import is_expression
from openclsp.semantics.typing.half_storage import emit_half_storage, emit_narrow_stores
from openclsp.semantics.typing.statement_faults import emit_statement_faults
from openclsp.semantics.typing.statements import type_statement
from openclsp.semantics.typing.symbols import Names, Symbol
from openclsp.semantics.typing.syntax_errors import emit_faults
from openclsp.semantics.typing.typing_context import StatementMark, TypingContext, TypingLog
from openclsp.semantics.typing.undeclared_names import emit_undeclared_names
from openclsp.semantics.typing.unknown_names import TOLERATED
from openclsp.semantics.typing.unused_names import emit_unused_names
from openclsp.source.parser import kind
from openclsp.source.shared_ends import shared_back, shared_front

_MACRO_STATEMENT = kind("macro_statement")
_FUNCTION_DEFINITION = kind("function_definition")
LOGGED_NODES = 40
"""The smallest number of nodes of an item that is typed incrementally."""
_MAXIMUM = 64
"""The limit of consecutive incremental passes, whose lookups accumulate as dependencies."""


def retype_statement(before: TypingContext, table: Table, names: Names) -> TypingContext | None:
    """Types an item incrementally: the edited statement anew, the rest copied from the pass `before`.

    The caller guarantees that lookups of names in other items still have the same results. Returns None if
    the whole item must be typed.
    """
    log = before.log
    if (
        before.uncertain
        or before.misparsed_names
        or log is None
        or log.frame is None
        or log.incremental_passes >= _MAXIMUM
        or not _is_restorable(before)
    ):
        return None
    mark = _edited_statement(log, before.table, table)
    if mark is None:
        return None
    ctx = TypingContext(table, before.item, before.dialect, names)
    # an unknown macro silences the faults of all statements
    if ctx.uncertain or TOLERATED.isdisjoint(before.table.kind) != TOLERATED.isdisjoint(table.kind):
        return None
    emit_faults(ctx)
    faults = len(ctx.facts)
    _restore_state(ctx, before, mark)
    type_statement(ctx, mark.node)
    now = ctx.log
    # entities are referred to by number: another count in the statement would shift those of the rest
    if ctx.misparsed_names or now is None or ctx.next_number != mark.number_end or not _is_restorable(ctx):
        return None
    behind = before.table.skip[mark.node]
    bound = log.bindings[mark.bindings : mark.bindings_end]
    others = _changed_bindings(bound, now.bindings[mark.bindings :])
    if others is None or not others.isdisjoint(table.tokens[table.last[mark.node] :]):
        return None
    _copy_rest(ctx, before, mark, behind, faults)
    return ctx


def _is_restorable(ctx: TypingContext) -> bool:
    """Whether the log can restore the state of typing before any statement of the function.

    The log records symbols and entities. It cannot restore other state that one statement may change for
    another, such as tags, block literals and byte orders.
    """
    tagged = ctx.log is not None and ctx.log.tagged
    others = ctx.records or ctx.block_literals or ctx.endianness or ctx.local_members
    return not (tagged or others or any(ctx.tags))


def _edited_statement(log: TypingLog, before: Table, now: Table) -> StatementMark | None:
    """Returns the innermost statement that contains all differences of two tables; None if there is none."""
    if (
        before.has_error != now.has_error
        or before.has_error_or_missing != now.has_error_or_missing
        or len(before.tokens) != len(now.tokens)
        or now.kind[0] != _FUNCTION_DEFINITION
    ):
        return None
    first_token_index = shared_front(before.tokens, now.tokens)
    behind_token_index = len(now.tokens) - shared_back(before.tokens, now.tokens)
    nodes = same_nodes = len(now.kind)
    for was, are in (
        (before.kind, now.kind),
        (before.first, now.first),
        (before.last, now.last),
        (before.field, now.field),
    ):
        if was != are:
            nodes, same_nodes = min(nodes, shared_front(was, are)), min(same_nodes, shared_back(was, are))
    # marks are in preorder: in reverse order, the innermost statement that contains the change comes first
    for mark in reversed(log.marks):
        node = mark.node
        if (
            node >= len(now.kind)
            or before.first[node] > first_token_index
            or before.last[node] < behind_token_index
        ):
            continue
        end, behind = before.skip[node], now.skip[node]
        rest = len(before.kind) - end
        if (
            nodes >= node
            and rest <= same_nodes
            and len(now.kind) - behind == rest
            and before.first[node] == now.first[node]
            and before.last[node] == now.last[node]
            and before.field[node] == now.field[node]
        ):
            own = before.kind[node], now.kind[node]
            usable = not (mark.follows_macro or is_expression(own[1]) or _MACRO_STATEMENT in own)
            return mark if usable else None
    return None


def _restore_state(ctx: TypingContext, before: TypingContext, mark: StatementMark) -> None:
    """Gives `ctx` the state that `before`, the last pass, had when it reached the statement at `mark`."""
    log = before.log
    assert (
        log is not None and log.frame is not None and before.deferred is not None and before.trace is not None
    )
    faults = len(ctx.facts)
    now = ctx.log = TypingLog()
    now.faults, now.frame, now.incremental_passes = faults, log.frame, log.incremental_passes + 1
    ctx.replay(log.bindings[: mark.bindings])
    node, number = mark.node, mark.number
    ctx.facts += before.facts[log.faults : mark.facts]
    ctx.deferred = before.deferred[: mark.deferred]
    ctx.entities = {each: entity for each, entity in before.entities.items() if each < number}
    ctx.trace = {each: value for each, value in before.trace.items() if each < node}
    ctx.half_values = {each: value for each, value in before.half_values.items() if each < node}
    ctx.undeclared = {each: called for each, called in before.undeclared.items() if each < node}
    ctx.next_number, ctx.unknown_names = number, mark.unknown
    ctx.frames.append(log.frame)
    # the outermost block of a function shares the scope of its parameters
    ctx.blocks = ctx.open_scopes - 1


def _changed_bindings(before: Sequence[Symbol | int], now: Sequence[Symbol | int]) -> set[bytes] | None:
    """Returns the names that a statement now binds differently in the enclosing scope.

    None if a name cannot be compared with the source bytes, because it is not valid UTF-8.
    """
    if before == now:
        return set()
    one, other = _remaining_bindings(before), _remaining_bindings(now)
    names = [name for name in one.keys() | other.keys() if one.get(name) != other.get(name)]
    if any("\ufffd" in name for name in names):
        return None
    return {name.encode() for name in names}


def _remaining_bindings(bindings: Sequence[Symbol | int]) -> dict[str, Symbol]:
    """Returns the symbols that the sequence binds in its outermost scope, by name.

    A number in the sequence is 1 where a scope is opened and -1 where it is closed.
    """
    found: dict[str, Symbol] = {}
    depth = 0
    for each in bindings:
        if not isinstance(each, Symbol):
            depth += each
        elif not depth:
            found[each.name] = each
    return found


@dataclass(frozen=True, slots=True)
class _Shift:
    """By how much the results behind the edited statement move in the item's lists.

    - `head_facts`: by how much all facts move, because the number of facts about syntax changed, which come
      first. `facts` includes these.
    - the others: the number of new results of the statement minus that of its old ones
    """

    nodes: int
    facts: int
    deferred: int
    bindings: int
    unknown: int
    head_facts: int

    @property
    def is_empty(self) -> bool:
        """Whether nothing moves."""
        return not (
            self.nodes or self.facts or self.deferred or self.bindings or self.unknown or self.head_facts
        )


def _shift_marks(
    log: TypingLog,
    mark: StatementMark,
    inside: Sequence[StatementMark],
    behind: int,
    skip: Sequence[int],
    shift: _Shift,
) -> list[StatementMark]:
    """Returns the statement marks of an item after one statement has been typed again.

    `mark` is the old mark of that statement, and `inside` are the new marks within it. `behind` is the first
    old node after the statement, and `skip` is the column `skip` of the old table. A statement that contains
    the edited one keeps its start, but its end moves.
    """
    if shift.is_empty:
        at = next(index for index, each in enumerate(log.marks) if each is mark)
        end = at + 1
        while end < len(log.marks) and log.marks[end].node < behind:
            end += 1
        return [*log.marks[: at + 1], *inside, *log.marks[end:]]
    made: list[StatementMark] = []
    for each in log.marks:
        node = each.node
        if mark.node < node < behind:
            continue
        starts_behind, ends_behind = node >= behind, skip[node] > mark.node
        after = StatementMark(node + shift.nodes if starts_behind else node, each.follows_macro)
        after.facts = each.facts + (shift.facts if starts_behind else shift.head_facts)
        after.deferred = each.deferred + (shift.deferred if starts_behind else 0)
        after.bindings = each.bindings + (shift.bindings if starts_behind else 0)
        after.unknown = each.unknown + (shift.unknown if starts_behind else 0)
        after.facts_end = each.facts_end + (shift.facts if ends_behind else shift.head_facts)
        after.deferred_end = each.deferred_end + (shift.deferred if ends_behind else 0)
        after.bindings_end = each.bindings_end + (shift.bindings if ends_behind else 0)
        after.unknown_end = each.unknown_end + (shift.unknown if ends_behind else 0)
        after.number, after.number_end = each.number, each.number_end
        made.append(after)
        if node == mark.node:
            made += inside
    return made


def _copy_rest(
    ctx: TypingContext, before: TypingContext, mark: StatementMark, behind: int, faults: int
) -> None:
    """Copies the results for the code after the edited statement from the previous pass, and finishes the
    item.

    `behind` is the first node after that statement. `faults` is the number of facts about syntax, which come
    before those of the function's head.
    """
    log, now = before.log, ctx.log
    assert log is not None and now is not None and ctx.deferred is not None and before.deferred is not None
    assert ctx.trace is not None and before.trace is not None
    nodes = ctx.table.skip[mark.node] - behind
    facts, deferred = len(ctx.facts) - mark.facts_end, len(ctx.deferred) - mark.deferred_end
    bindings, unknown = len(now.bindings) - mark.bindings_end, ctx.unknown_names - mark.unknown_end
    # what follows the statement is at the same token indices, but its nodes and list indices are shifted
    shift = _Shift(nodes, facts, deferred, bindings, unknown, faults - log.faults)
    now.marks = _shift_marks(log, mark, now.marks, behind, before.table.skip, shift)
    ctx.facts += before.facts[mark.facts_end : log.end]
    ctx.deferred += before.deferred[mark.deferred_end :]
    for number, entity in before.entities.items():
        if number >= mark.number_end:
            ctx.entities[number] = entity
    for node, value in before.trace.items():
        if node >= behind:
            ctx.trace[node + nodes] = value
    for node, value in before.half_values.items():
        if node >= behind:
            ctx.half_values[node + nodes] = value
    for node, called in before.undeclared.items():
        if node >= behind:
            ctx.undeclared[node + nodes] = called
    ctx.next_number = before.next_number
    ctx.unknown_names = before.unknown_names + unknown
    # the log is off while the remaining scopes are closed: the previous pass has logged that already
    ctx.log = None
    while ctx.depth:
        ctx.close_scope()
    ctx.frames.pop()
    ctx.blocks = 0
    ctx.log = now
    now.bindings += log.bindings[mark.bindings_end :]
    now.end = len(ctx.facts)
    emit_half_storage(ctx)
    emit_narrow_stores(ctx)
    emit_statement_faults(ctx)
    emit_attribute_faults(ctx)
    emit_undeclared_names(ctx)
    emit_unused_names(ctx)
