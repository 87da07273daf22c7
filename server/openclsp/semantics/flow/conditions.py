"""Branch refinement: narrows the pointers that a condition tests."""

from __future__ import annotations

from openclsp.semantics.dispatch import is_expression
from openclsp.semantics.entities import Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.flow.building import Builder, Environment, merged, through, united
from openclsp.semantics.flow.expressions import (
    ADDRESS_FUNCTIONS,
    IDENTIFIER,
    PARENTHESES,
    as_type,
    flow_of,
    handles,
)
from openclsp.semantics.flow.graph import Event, EventKind, Flow
from openclsp.semantics.flow.guards import is_guard
from openclsp.semantics.flow.memory import type_of
from openclsp.semantics.flow.plain_data import shifted
from openclsp.semantics.flow.transfers import (
    FOUND_IN,
    IS_NULL,
    MOVED_NUMBER,
    NOT_FOUND_IN,
    NOT_NULL,
    Transfer,
)
from openclsp.semantics.masks import HIGH, PAGE
from openclsp.semantics.types import Array, Pointer
from openclsp.source.tree import FIELDS, kind

_CONDITION, _CONSEQUENCE, _ALTERNATIVE = FIELDS["condition"], FIELDS["consequence"], FIELDS["alternative"]
_LEFT, _RIGHT, _ARGUMENT, _VALUE = FIELDS["left"], FIELDS["right"], FIELDS["argument"], FIELDS["value"]
_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
_BINARY, _UNARY, _CALL = kind("binary_expression"), kind("unary_expression"), kind("call_expression")
_ASSIGNMENT, _CAST = kind("assignment_expression"), kind("cast_expression")
_COMMA = kind("comma_expression")
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_LOGICAL = frozenset(("&&", "||"))


def branches(builder: Builder, row: int) -> tuple[Environment | None, Environment | None]:
    """Evaluates a condition; returns the environments of the true and of the false branch."""
    table = builder.table
    if row < 0:
        return builder.environment, _copied(builder.environment)
    number = table.kind[row]
    if number == PARENTHESES:
        inner = next(iter(table.children(row)), -1)
        if inner >= 0 and is_expression(table.kind[inner]):
            return branches(builder, inner)
    if number == _COMMA:
        flow_of(builder, table.child(row, _LEFT))
        return branches(builder, table.child(row, _RIGHT))
    if number == _UNARY and table.leaf(table.first[row]) == "!":
        true, false = branches(builder, table.child(row, _ARGUMENT))
        return false, true
    if number == _BINARY:
        found = _binary_branches(builder, row)
        if found is not None:
            return found
    flow_of(builder, row)
    value = builder.trace.get(row)
    true, false = builder.environment, _copied(builder.environment)
    if value is not None and value.number is not None:
        return (true, None) if value.number else (None, false)
    return _told(builder, row, true, false)


def _copied(environment: Environment | None) -> Environment | None:
    return None if environment is None else dict(environment)


def _binary_branches(builder: Builder, row: int) -> tuple[Environment | None, Environment | None] | None:
    table = builder.table
    left, right = table.child(row, _LEFT), table.child(row, _RIGHT)
    if left < 0 or right < 0:
        return None
    sign = table.leaf(table.last[left])
    place = builder.ctx.place(row)
    if sign in ("&&", "||"):
        doubt = is_guard(builder, left)
        true, false = branches(builder, left)
        builder.environment = true if sign == "&&" else false
        builder.doubts += doubt
        second_true, second_false = branches(builder, right)
        builder.doubts -= doubt
        if sign == "&&":
            return second_true, merged(builder, (false, second_false), place)
        return merged(builder, (true, second_true), place), second_false
    if sign not in ("==", "!="):
        return None
    for tested, other in ((left, right), (right, left)):
        value = builder.trace.get(other)
        type_ = builder.trace.get(tested)
        if value is not None and value.null and type_ is not None and isinstance(type_.type, Pointer):
            flow_of(builder, left)
            flow_of(builder, right)
            unequal, equal = _told(builder, tested, builder.environment, _copied(builder.environment))
            return (unequal, equal) if sign == "!=" else (equal, unequal)
    return None


def _told(
    builder: Builder, row: int, true: Environment | None, false: Environment | None
) -> tuple[Environment | None, Environment | None]:
    """Narrows a pointer tested against null, or by an address space function, in both branches."""
    table = builder.table
    while row >= 0 and table.kind[row] in (PARENTHESES, _CAST):
        row = table.child(row, _VALUE) if table.kind[row] == _CAST else next(iter(table.children(row)), -1)
    if row < 0:
        return true, false
    if table.kind[row] == _ASSIGNMENT:
        right = table.child(row, _RIGHT)
        true, false = _told(builder, right, true, false)
        row = table.child(row, _LEFT)
    if table.kind[row] == _CALL:
        function, arguments = table.child(row, _FUNCTION), table.child(row, _ARGUMENTS)
        target = ADDRESS_FUNCTIONS.get(table.text(function)) if function >= 0 else None
        given = [child for child in table.children(arguments)] if arguments >= 0 else []
        if target is None or len(given) != 1:
            return true, false
        return (
            _narrowed(builder, given[0], true, FOUND_IN[target]),
            _narrowed(builder, given[0], false, NOT_FOUND_IN[target]),
        )
    return _narrowed(builder, row, true, NOT_NULL), _narrowed(builder, row, false, IS_NULL)


def _narrowed(
    builder: Builder, row: int, environment: Environment | None, transfer: Transfer
) -> Environment | None:
    table = builder.table
    while row >= 0 and table.kind[row] in (PARENTHESES, _CAST):
        row = table.child(row, _VALUE) if table.kind[row] == _CAST else next(iter(table.children(row)), -1)
    entity = builder.named(row) if row >= 0 and table.kind[row] == IDENTIFIER else None
    if entity is None or environment is None or entity.ref.number not in environment:
        return environment
    number = entity.ref.number
    if not builder.is_followed(entity) or not isinstance(entity.type, Pointer):
        return environment
    place = builder.ctx.place(row)
    kind_ = "null" if transfer == IS_NULL else "narrowed"
    node = builder.node(kind_, entity.name, place, through(environment[number], transfer))
    return {**environment, number: builder.copy(node, place)}


@handles("binary_expression")
def _binary(builder: Builder, row: int) -> Flow:
    table = builder.table
    left, right = table.child(row, _LEFT), table.child(row, _RIGHT)
    if left < 0 or right < 0:
        return ()
    leaf = table.last[left]
    sign = table.leaf(leaf)
    if sign in _LOGICAL:
        true, false = branches(builder, row)
        builder.environment = merged(builder, (true, false), builder.ctx.place(row))
        return ()
    first, second = flow_of(builder, left), flow_of(builder, right)
    if sign in _COMPARISONS:
        types = type_of(builder, left), type_of(builder, right)
        if all(isinstance(each, Pointer | Array) for each in types) and Pointer in map(type, types):
            place = Place(leaf, leaf + 1)
            builder.events.append(Event(EventKind.COMPARISON, place, first, second, 0, sign))
        return ()
    if isinstance(type_of(builder, row), Pointer):
        moved = first if isinstance(type_of(builder, left), Pointer | Array) else second
        return shifted(builder, type_of(builder, row), moved, builder.ctx.place(row))
    if sign == "-" and isinstance(type_of(builder, left), Pointer | Array):
        return ()
    return _computed(builder, row, sign, first, second, builder.trace.get(right))


def _computed(builder: Builder, row: int, sign: str, first: Flow, second: Flow, right: Value | None) -> Flow:
    """Returns the value of integer arithmetic whose operands may hold addresses.

    Adding an offset or masking keeps an address in its object; the result of any other operation is unknown.
    """
    number = right.number if right is not None else None
    if sign == "&" and number is not None and 0 <= number < PAGE:
        return ()
    if sign in ("+", "|", "-") and number is not None and 0 <= number < PAGE:
        return first
    if sign in ("+", "|") or not (first or second):
        return through(united(first, second), MOVED_NUMBER)
    if sign == "-" and first:
        return through(first, MOVED_NUMBER)
    if sign == "&" and number is not None and (number < 0 or number >= HIGH) and first:
        return first
    return united(first, second, builder.unknown(builder.ctx.place(row)))


@handles("conditional_expression")
def _conditional(builder: Builder, row: int) -> Flow:
    table = builder.table
    condition = table.child(row, _CONDITION)
    consequence, alternative = table.child(row, _CONSEQUENCE), table.child(row, _ALTERNATIVE)
    if condition < 0 or alternative < 0:
        return ()
    type_ = type_of(builder, row)
    doubt = is_guard(builder, condition)
    true, false = branches(builder, condition)
    builder.doubts += doubt
    flows: list[Flow] = []
    after: list[Environment | None] = []
    for way, branch in ((true, consequence), (false, alternative)):
        builder.environment = way
        chosen = branch if branch >= 0 else condition
        flow = builder.values.get(condition, ()) if branch < 0 else flow_of(builder, branch)
        alive = builder.environment is not None
        if alive:
            flows.append(flow if type_ is None else as_type(builder, chosen, flow, type_))
        after.append(builder.environment)
    builder.doubts -= doubt
    builder.environment = merged(builder, after, builder.ctx.place(row))
    return united(*flows)
