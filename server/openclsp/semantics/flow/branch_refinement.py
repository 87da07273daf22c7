"""Branch refinement: narrows the pointers that a condition tests."""

from __future__ import annotations

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.flow.builder_state import Environment, through, united
from openclsp.semantics.flow.environment_merge import merged
from openclsp.semantics.flow.expression_flow import (
    ADDRESS_FUNCTIONS,
    IDENTIFIER,
    PARENTHESES,
    as_type,
    flow_of,
    handles,
)
from openclsp.semantics.flow.graph import Event, EventKind, Flow
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.guards import may_guard
from openclsp.semantics.flow.memory_access import type_of
from openclsp.semantics.flow.plain_data import shifted
from openclsp.semantics.flow.transfers import (
    FOUND_IN,
    IS_NULL,
    MOVED_NUMBER,
    NOT_FOUND_IN,
    NOT_NULL,
    Transfer,
)
from openclsp.semantics.types.type_model import Array, Pointer
from openclsp.semantics.typing.address_masks import HIGH, PAGE
from openclsp.semantics.typing.dispatch import is_expression
from openclsp.source.parser import FIELDS, kind

_CONDITION, _CONSEQUENCE, _ALTERNATIVE = FIELDS["condition"], FIELDS["consequence"], FIELDS["alternative"]
_LEFT, _RIGHT, _ARGUMENT, _VALUE = FIELDS["left"], FIELDS["right"], FIELDS["argument"], FIELDS["value"]
_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
_BINARY, _UNARY, _CALL = kind("binary_expression"), kind("unary_expression"), kind("call_expression")
_ASSIGNMENT, _CAST = kind("assignment_expression"), kind("cast_expression")
_COMMA = kind("comma_expression")
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_LOGICAL = frozenset(("&&", "||"))


def branches(builder: Builder, syntax_node: int) -> tuple[Environment | None, Environment | None]:
    """Evaluates a condition; returns the environments of the true and of the false branch."""
    table = builder.table
    if syntax_node < 0:
        return builder.environment, _copied(builder.environment)
    number = table.kind[syntax_node]
    if number == PARENTHESES:
        inner = next(iter(table.children(syntax_node)), -1)
        if inner >= 0 and is_expression(table.kind[inner]):
            return branches(builder, inner)
    if number == _COMMA:
        flow_of(builder, table.child(syntax_node, _LEFT))
        return branches(builder, table.child(syntax_node, _RIGHT))
    if number == _UNARY and table.token(table.first[syntax_node]) == "!":
        true, false = branches(builder, table.child(syntax_node, _ARGUMENT))
        return false, true
    if number == _BINARY:
        found = _binary_branches(builder, syntax_node)
        if found is not None:
            return found
    flow_of(builder, syntax_node)
    value = builder.trace.get(syntax_node)
    true, false = builder.environment, _copied(builder.environment)
    if value is not None and value.number is not None:
        return (true, None) if value.number else (None, false)
    return _narrow_by_test(builder, syntax_node, true, false)


def _copied(environment: Environment | None) -> Environment | None:
    return None if environment is None else dict(environment)


def _binary_branches(
    builder: Builder, syntax_node: int
) -> tuple[Environment | None, Environment | None] | None:
    table = builder.table
    left, right = table.child(syntax_node, _LEFT), table.child(syntax_node, _RIGHT)
    if left < 0 or right < 0:
        return None
    sign = table.token(table.last[left])
    place = builder.ctx.place(syntax_node)
    if sign in ("&&", "||"):
        doubt = may_guard(builder, left)
        true, false = branches(builder, left)
        builder.environment = true if sign == "&&" else false
        builder.guard_depth += doubt
        second_true, second_false = branches(builder, right)
        builder.guard_depth -= doubt
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
            unequal, equal = _narrow_by_test(
                builder, tested, builder.environment, _copied(builder.environment)
            )
            return (unequal, equal) if sign == "!=" else (equal, unequal)
    return None


def _narrow_by_test(
    builder: Builder, syntax_node: int, true: Environment | None, false: Environment | None
) -> tuple[Environment | None, Environment | None]:
    """Narrows a pointer tested against null, or by an address space function, in both branches."""
    table = builder.table
    while syntax_node >= 0 and table.kind[syntax_node] in (PARENTHESES, _CAST):
        syntax_node = (
            table.child(syntax_node, _VALUE)
            if table.kind[syntax_node] == _CAST
            else next(iter(table.children(syntax_node)), -1)
        )
    if syntax_node < 0:
        return true, false
    if table.kind[syntax_node] == _ASSIGNMENT:
        right = table.child(syntax_node, _RIGHT)
        true, false = _narrow_by_test(builder, right, true, false)
        syntax_node = table.child(syntax_node, _LEFT)
    if table.kind[syntax_node] == _CALL:
        function, arguments = table.child(syntax_node, _FUNCTION), table.child(syntax_node, _ARGUMENTS)
        target = ADDRESS_FUNCTIONS.get(table.text(function)) if function >= 0 else None
        given = [child for child in table.children(arguments)] if arguments >= 0 else []
        if target is None or len(given) != 1:
            return true, false
        return (
            _narrowed(builder, given[0], true, FOUND_IN[target]),
            _narrowed(builder, given[0], false, NOT_FOUND_IN[target]),
        )
    return _narrowed(builder, syntax_node, true, NOT_NULL), _narrowed(builder, syntax_node, false, IS_NULL)


def _narrowed(
    builder: Builder, syntax_node: int, environment: Environment | None, transfer: Transfer
) -> Environment | None:
    table = builder.table
    while syntax_node >= 0 and table.kind[syntax_node] in (PARENTHESES, _CAST):
        syntax_node = (
            table.child(syntax_node, _VALUE)
            if table.kind[syntax_node] == _CAST
            else next(iter(table.children(syntax_node)), -1)
        )
    entity = (
        builder.named(syntax_node) if syntax_node >= 0 and table.kind[syntax_node] == IDENTIFIER else None
    )
    if entity is None or environment is None or entity.ref.number not in environment:
        return environment
    number = entity.ref.number
    if not builder.is_tracked(entity) or not isinstance(entity.type, Pointer):
        return environment
    place = builder.ctx.place(syntax_node)
    kind_ = "null" if transfer == IS_NULL else "narrowed"
    node = builder.node(kind_, entity.name, place, through(environment[number], transfer))
    return {**environment, number: builder.copy(node, place)}


@handles("binary_expression")
def _binary(builder: Builder, syntax_node: int) -> Flow:
    table = builder.table
    left, right = table.child(syntax_node, _LEFT), table.child(syntax_node, _RIGHT)
    if left < 0 or right < 0:
        return ()
    token_index = table.last[left]
    sign = table.token(token_index)
    if sign in _LOGICAL:
        true, false = branches(builder, syntax_node)
        builder.environment = merged(builder, (true, false), builder.ctx.place(syntax_node))
        return ()
    first, second = flow_of(builder, left), flow_of(builder, right)
    if sign in _COMPARISONS:
        types = type_of(builder, left), type_of(builder, right)
        if all(isinstance(each, Pointer | Array) for each in types) and Pointer in map(type, types):
            place = Place(token_index, token_index + 1)
            builder.events.append(Event(EventKind.COMPARISON, place, first, second, 0, sign))
        return ()
    if isinstance(type_of(builder, syntax_node), Pointer):
        moved = first if isinstance(type_of(builder, left), Pointer | Array) else second
        return shifted(builder, type_of(builder, syntax_node), moved, builder.ctx.place(syntax_node))
    if sign == "-" and isinstance(type_of(builder, left), Pointer | Array):
        return ()
    return _computed(builder, syntax_node, sign, first, second, builder.trace.get(right))


def _computed(
    builder: Builder, syntax_node: int, sign: str, first: Flow, second: Flow, right: Value | None
) -> Flow:
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
    return united(first, second, builder.unknown(builder.ctx.place(syntax_node)))


@handles("conditional_expression")
def _conditional(builder: Builder, syntax_node: int) -> Flow:
    table = builder.table
    condition = table.child(syntax_node, _CONDITION)
    consequence, alternative = table.child(syntax_node, _CONSEQUENCE), table.child(syntax_node, _ALTERNATIVE)
    if condition < 0 or alternative < 0:
        return ()
    type_ = type_of(builder, syntax_node)
    doubt = may_guard(builder, condition)
    true, false = branches(builder, condition)
    builder.guard_depth += doubt
    flows: list[Flow] = []
    after: list[Environment | None] = []
    for environment, branch in ((true, consequence), (false, alternative)):
        builder.environment = environment
        chosen = branch if branch >= 0 else condition
        flow = builder.values.get(condition, ()) if branch < 0 else flow_of(builder, branch)
        alive = builder.environment is not None
        if alive:
            flows.append(flow if type_ is None else as_type(builder, chosen, flow, type_))
        after.append(builder.environment)
    builder.guard_depth -= doubt
    builder.environment = merged(builder, after, builder.ctx.place(syntax_node))
    return united(*flows)
