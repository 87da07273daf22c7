"""Emits facts about misplaced statements and wrong labels, after the body of a function has been typed.

The checks need the whole body: `case` labels are compared with all others of their `switch`, and a `goto` may
precede its label (C99 6.8.1, 6.8.4.2, 6.8.6). Only the statements concerned are visited.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.semantics.facts.constructs import SyntaxFault, SyntaxReason
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.facts.entities import Place, place_of
from openclsp.semantics.facts.faults import InvalidStatement, StatementFault
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types.type_model import UNKNOWN, Scalar
from openclsp.semantics.types.type_structure import is_unknown
from openclsp.semantics.typing.arithmetic import promoted, wrapped
from openclsp.semantics.typing.fault_facts import check_integer_constant, is_certain
from openclsp.semantics.typing.macro_statements import unknown_statements, unknown_surroundings
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_FUNCTION_DEFINITION = kind("function_definition")
_BREAK, _CONTINUE, _CASE = kind("break_statement"), kind("continue_statement"), kind("case_statement")
_GOTO, _LABEL = kind("goto_statement"), kind("labeled_statement")
_LOOPS = tuple(kind(f"{word}_statement") for word in ("for", "while", "do"))
_ATTRIBUTES: Final = (b"__attribute__", b"[")
_SWITCH, _BLOCK = kind("switch_statement"), kind("block_literal")
_JUMPS: Final = frozenset((_BREAK, _CONTINUE, _CASE))
_ENCLOSING: Final = frozenset((*_LOOPS, _SWITCH, _BLOCK))
_VALUE, _END, _LABEL_FIELD = FIELDS["value"], FIELDS["end"], FIELDS["label"]
_CONDITION = FIELDS["condition"]
_LOCAL_LABEL = kind("label_declaration")
_LABEL_ADDRESS = kind("label_address_expression")
_NAMING_LABELS: Final = frozenset((_GOTO, _LABEL, _LABEL_ADDRESS))
_MOST_RANGES: Final = 256
"""The number of GNU's ranges of values in a `switch` that are compared with its other labels"""
_SHOWN_CASE: Final = 40
"""The number of characters of a case's expression that a message shows."""


@dataclass(frozen=True, slots=True)
class _Range:
    """GNU's `case first ... last`."""

    first: int
    last: int
    place: Place


@dataclass(slots=True)
class _Labels:
    """The labels of a `switch` so far: its values, GNU's ranges of values, and the place of `default`."""

    values: set[int] = field(default_factory=set)
    ranges: list[_Range] = field(default_factory=list)
    default: Place | None = None


def emit_statement_faults(ctx: TypingContext) -> None:
    """Emits a fact for each misplaced statement and each wrong label of a function."""
    table = ctx.table
    if table.kind[0] != _FUNCTION_DEFINITION or not is_certain(ctx):
        return
    if table.in_function:
        _emit_nested_function(ctx)
    for token, word in ctx.names.loop_pragmas():
        if _precedes_no_loop(ctx, token):
            ctx.emit(InvalidStatement(StatementFault.PRAGMA_WITHOUT_LOOP, word, Place(token, token + 1)))
    if _JUMPS.isdisjoint(table.kind) and _NAMING_LABELS.isdisjoint(table.kind):
        return
    if not any(isinstance(fact, FunctionDeclaration) for fact in ctx.facts):
        # `FOR_EACH(x) { break; }`: a block after a macro call, which may be part of a function
        return
    for fault, word, place in _misplaced(ctx, table):
        ctx.emit(InvalidStatement(fault, word, place))
    if not _NAMING_LABELS.isdisjoint(table.kind) and not (_LOCAL_LABEL in table.kind or _BLOCK in table.kind):
        # `FOR_EACH(x) { label: … }` is parsed as a function, and is an item of its own
        may_define_labels = table.has_nested or (
            bool(ctx.undeclared) and any(each.is_macro for each in unknown_statements(ctx))
        )
        for fault, word, place in _wrong_labels(table):
            if fault is StatementFault.UNKNOWN_LABEL and may_define_labels:
                continue
            ctx.emit(InvalidStatement(fault, word, place))


def _emit_nested_function(ctx: TypingContext) -> None:
    """Emits a fact for a function that is defined in another function (C99 6.9.1, 6.8.2)."""
    for fact in ctx.facts:
        if isinstance(fact, FunctionDeclaration) and not is_unknown(fact.result):
            name = fact.entity
            ctx.emit(SyntaxFault(name.place, name.name, reason=SyntaxReason.FUNCTION))
            return


def _precedes_no_loop(ctx: TypingContext, token: int) -> bool:
    """Whether a token begins a statement that is certainly not a loop.

    A macro of the host may expand to a loop. For this reason, False if the statement uses an undeclared name,
    or if the parser made the block after the macro an item of its own.
    """
    table = ctx.table
    if table.has_nested or not 0 <= token < len(table.tokens) or table.tokens[token] in _ATTRIBUTES:
        return False
    node = bisect_left(table.first, token)
    while node < len(table.first) and table.first[node] == token:
        if table.kind[node] in _LOOPS or node in ctx.undeclared or table.kind[node] == _LABEL:
            return False
        node += 1
    return True


def _nodes_of(table: Table, kinds: frozenset[int]) -> list[int]:
    return [node for node, number in enumerate(table.kind) if number in kinds]


def _misplaced(ctx: TypingContext, table: Table) -> Iterator[tuple[StatementFault, str, Place]]:
    """Yields the faults of misplaced `break`, `continue` and `case`, and of repeated `case` labels.

    A fault is a tuple of its kind, the text that the message shows, and its place.
    """
    unknown = unknown_surroundings(ctx) if ctx.undeclared else []
    open_nodes: list[int] = []
    cases: dict[int, _Labels] = {}
    for node in _nodes_of(table, _JUMPS | _ENCLOSING):
        while open_nodes and table.skip[open_nodes[-1]] <= node:
            open_nodes.pop()
        number = table.kind[node]
        if number in _ENCLOSING:
            open_nodes.append(node)
            continue
        keyword = table.first[node]
        place, word = Place(keyword, keyword + 1), table.token(keyword)
        around = _within_block(table, open_nodes)
        outside = open_nodes[-len(around) - 1] if len(around) < len(open_nodes) else -1
        macro = max((begin for begin, end in unknown if outside < begin < node < end), default=-1)
        if number in (_BREAK, _CONTINUE):
            left = any(number == _BREAK or table.kind[each] != _SWITCH for each in around)
            if not left and macro < 0:
                yield StatementFault.OUTSIDE_LOOP, word, place
        elif number == _CASE:
            switch = next((each for each in reversed(around) if table.kind[each] == _SWITCH), -1)
            if switch < 0 and macro < 0:
                yield StatementFault.OUTSIDE_SWITCH, word, place
            elif switch > macro:
                _check_constant(ctx, node)
                yield from _repeated(ctx, node, switch, cases.setdefault(switch, _Labels()), place)


def _within_block(table: Table, open_nodes: list[int]) -> list[int]:
    """Returns the loops and switches around a statement that are inside the innermost block literal.

    `open_nodes` are all loops, switches and block literals around the statement, from the outside in.
    """
    for position in range(len(open_nodes) - 1, -1, -1):
        if table.kind[open_nodes[position]] == _BLOCK:
            return open_nodes[position + 1 :]
    return open_nodes


def _repeated(
    ctx: TypingContext, node: int, switch: int, labels: _Labels, place: Place
) -> Iterator[tuple[StatementFault, str, Place]]:
    """Yields a fault if the label at `node`, a `case` or `default`, repeats an earlier one of the `switch`.

    Of two `default` labels, the first one is reported, as clang does.
    """
    table = ctx.table
    value_node = table.child(node, _VALUE)
    if value_node < 0:
        if labels.default is not None:
            yield StatementFault.REPEATED_DEFAULT, "default", labels.default
        labels.default = place
        return
    end_node = table.child(node, _END)
    first = _case_value(ctx, switch, value_node)
    last = _case_value(ctx, switch, end_node) if end_node >= 0 else first
    if first is None or last is None:
        return
    place = place_of(table.first[value_node], table.last[value_node if end_node < 0 else end_node])
    text = table.text(value_node)[:_SHOWN_CASE]
    overlapping = next((each for each in labels.ranges if first <= each.last and each.first <= last), None)
    if end_node < 0:
        if first in labels.values:
            yield StatementFault.REPEATED_CASE, text, place
        elif overlapping is not None:
            # as in clang, the error is at the range
            yield StatementFault.REPEATED_CASE, text, overlapping.place
        labels.values.add(first)
    elif len(labels.ranges) < _MOST_RANGES and first <= last:
        common = min((each for each in labels.values if first <= each <= last), default=None)
        if common is None and overlapping is not None:
            common = max(first, overlapping.first)
        if common is not None:
            yield StatementFault.REPEATED_CASE, str(common), place
        labels.ranges.append(_Range(first, last, place))


def _check_constant(ctx: TypingContext, node: int) -> None:
    """Checks that the values of a `case` label are integer constant expressions (C99 6.8.4.2p3)."""
    for value_field in (_VALUE, _END):
        value_node = ctx.table.child(node, value_field)
        value = ctx.trace.get(value_node) if ctx.trace is not None and value_node >= 0 else None
        if value is not None:
            check_integer_constant(ctx, value, "a `case` label")


def _case_value(ctx: TypingContext, switch: int, node: int) -> int | None:
    """Returns the value of a label, converted to the promoted type of the `switch` (C99 6.8.4.2p5); None if
    unknown.
    """
    trace = ctx.trace
    value = trace.get(node) if trace is not None else None
    if trace is None or value is None or value.number is None:
        return None
    condition = trace.get(ctx.table.child(switch, _CONDITION))
    type_ = condition.type if condition is not None else UNKNOWN
    return wrapped(value.number, promoted(type_)) if isinstance(type_, Scalar) else value.number


def _wrong_labels(table: Table) -> Iterator[tuple[StatementFault, str, Place]]:
    """Yields the faults of labels that are defined twice, and of jumps to labels that are not defined."""
    defined: set[str] = set()
    jumps: list[tuple[str, Place]] = []
    for node in _nodes_of(table, _NAMING_LABELS):
        label = table.child(node, _LABEL_FIELD)
        if label < 0:
            continue
        name, place = table.text(label), Place(table.first[label], table.last[label])
        if table.kind[node] != _LABEL:
            jumps.append((name, place))
        elif name in defined:
            yield StatementFault.REPEATED_LABEL, name, place
        else:
            defined.add(name)
    for name, place in jumps:
        if name not in defined:
            yield StatementFault.UNKNOWN_LABEL, name, place
