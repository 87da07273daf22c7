"""Branch refinement: narrows the pointers that a condition tests."""

from __future__ import annotations

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.flow.builder_state import Environment, through, united
from openclsp.semantics.flow.environment_merge import merged
from openclsp.semantics.flow.expression_flow import (
    PARENTHESES,
    as_type,
    flow_of,
    handles,
)
from openclsp.semantics.flow.expression_values import value_of
from openclsp.semantics.flow.graph import COPY, Event, EventKind, Flow
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.guards import may_guard
from openclsp.semantics.flow.loop_environments import changes_nothing
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
from openclsp.semantics.flow.value_numbers import (
    AND,
    CAST,
    NOT,
    OR,
    TO_SPACE,
    TRUTH,
    ValueNumber,
    operands,
)
from openclsp.semantics.types.type_model import Array, Pointer
from openclsp.semantics.typing.address_masks import HIGH, PAGE
from openclsp.semantics.typing.dispatch import is_expression
from openclsp.source.parser import FIELDS, kind

_CONDITION, _CONSEQUENCE, _ALTERNATIVE = FIELDS["condition"], FIELDS["consequence"], FIELDS["alternative"]
_LEFT, _RIGHT, _ARGUMENT = FIELDS["left"], FIELDS["right"], FIELDS["argument"]
_BINARY, _UNARY = kind("binary_expression"), kind("unary_expression")
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
    if value is not None and value.number is not None:
        true, false = builder.environment, _copied(builder.environment)
        return (true, None) if value.number else (None, false)
    return _by_value(builder, syntax_node)


def tested_branches(
    builder: Builder, syntax_node: int
) -> tuple[ValueNumber, Environment | None, Environment | None]:
    """Evaluates a condition; returns its value number (0 if unknown) and the environments of its branches."""
    before = value_of(builder, syntax_node, assigned=False)
    true, false = branches(builder, syntax_node)
    if before or true is None or false is None or not changes_nothing(builder, syntax_node):
        return before, true, false
    # the condition may have no number because it reads a pointer through a pointer, which gets its number
    # when it is read first; the condition is known if it has the same number in both branches now
    builder.environment = true
    tested = value_of(builder, syntax_node, assigned=False)
    builder.environment = false
    same = tested == value_of(builder, syntax_node, assigned=False)
    return tested if same else 0, true, false


def _copied(environment: Environment | None) -> Environment | None:
    return None if environment is None else environment.copied()


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
        is_guarded = may_guard(builder, left)
        true, false = branches(builder, left)
        builder.environment = true if sign == "&&" else false
        builder.guard_depth += is_guarded
        second_true, second_false = branches(builder, right)
        builder.guard_depth -= is_guarded
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
            unequal, equal = _by_value(builder, tested)
            return (unequal, equal) if sign == "!=" else (equal, unequal)
    return None


def _by_value(builder: Builder, syntax_node: int) -> tuple[Environment | None, Environment | None]:
    """Returns the environments in which a condition that was just evaluated is true and is false."""
    tested = value_of(builder, syntax_node)
    place = builder.ctx.place(syntax_node)
    true, false = builder.environment, _copied(builder.environment)
    if true is None or false is None or not tested:
        return true, false
    return refined(builder, true, tested, True, place), refined(builder, false, tested, False, place)


def refined(
    builder: Builder, environment: Environment, tested: ValueNumber, truth: bool, place: Place
) -> Environment:
    """Narrows the variables and object parts whose values a test constrains.

    `tested` is the tested value, and `truth` the result of the test. Changes `environment` and returns it.
    """
    numbers = builder.numbers
    todo = [(tested, truth)]
    seen: set[tuple[ValueNumber, bool]] = set()
    while todo:
        each = todo.pop()
        if each in seen:
            continue
        seen.add(each)
        value, holds = each
        definition = numbers.definitions.get(value, ("",))
        operator = definition[0]
        if operator in (NOT, TRUTH):
            todo.append((operands(definition)[0], holds == (operator == TRUTH)))
        elif operator == CAST and holds:
            todo.append((operands(definition)[0], True))
        elif operator == (AND if holds else OR):
            todo += [(operand, holds) for operand in operands(definition)]
        elif operator == TO_SPACE:
            asked, space = operands(definition)
            _narrow(builder, environment, asked, (FOUND_IN if holds else NOT_FOUND_IN)[space], place)
        chosen = numbers.conditional.get(value)
        if chosen is not None:
            # the value of a flag that only one branch has set tells which branch was taken
            for other, taken in ((chosen.if_true, False), (chosen.if_false, True)):
                constant = numbers.constant(other)
                if constant is not None and bool(constant) != holds:
                    todo.append((chosen.condition, taken))
        _choose(builder, environment, value, holds)
        _narrow(builder, environment, value, NOT_NULL if holds else IS_NULL, place)
    return environment


def _choose(builder: Builder, environment: Environment, condition: ValueNumber, truth: bool) -> None:
    """Replaces values that depend on a condition whose outcome `truth` is now known.

    Such a value was merged from the two branches of an earlier use of the condition, as in `p = c ? a : b`.
    It becomes the value in the branch that `truth` selects.
    """
    known = builder.numbers.conditional
    for number, value in list(environment.values.items()):
        chosen = known.get(value)
        while chosen is not None and chosen.condition == condition:
            value = chosen.if_true if truth else chosen.if_false
            environment.values[number] = value
            flow = environment.flows.get(number)
            if flow is not None:
                environment.flows[number] = _narrowed_like(
                    builder, flow, chosen.flow_if_true if truth else chosen.flow_if_false
                )
            chosen = known.get(value)


def _narrowed_like(builder: Builder, narrowed: Flow, flow: Flow) -> Flow:
    """Returns `flow` after the transfers of all tests that have narrowed the value `narrowed`."""
    transfers: list[Transfer] = []
    while len(narrowed) == 1 and narrowed[0].kind == COPY and narrowed[0].a in builder.narrowed:
        narrowed, transfer = builder.narrowed[narrowed[0].a]
        transfers.append(transfer)
    for transfer in reversed(transfers):
        flow = through(flow, transfer)
    return flow


def _narrow(
    builder: Builder, environment: Environment, tested: ValueNumber, transfer: Transfer, place: Place
) -> None:
    """Narrows the points-to sets of all pointers with the value number `tested`, after a test at `place`.

    `transfer` maps a points-to set before the test to the set after it.
    """
    kind_ = "null" if transfer == IS_NULL else "narrowed"
    for number, value in environment.values.items():
        flow = environment.flows.get(number) if value == tested else None
        if flow is None:
            continue
        name = ""
        if number >= 0:
            entity = builder.ctx.entities[number]
            if not isinstance(entity.type, Pointer):
                continue
            name = entity.name
        node = builder.node(kind_, name, place, through(flow, transfer))
        builder.narrowed[node] = flow, transfer
        environment.flows[number] = builder.copy(node, place)


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

    An address to which an offset is added, or which is masked, still points into the same object. The result
    of any other operation is unknown.
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
    is_guarded = may_guard(builder, condition)
    tested, true, false = tested_branches(builder, condition)
    builder.guard_depth += is_guarded
    flows: list[Flow] = []
    chosen_values: list[ValueNumber] = []
    after: list[Environment | None] = []
    for environment, branch in ((true, consequence), (false, alternative)):
        builder.environment = environment
        chosen = branch if branch >= 0 else condition
        flow = builder.values.get(condition, ()) if branch < 0 else flow_of(builder, branch)
        alive = builder.environment is not None
        if alive:
            flows.append(flow if type_ is None else as_type(builder, chosen, flow, type_))
            chosen_values.append(value_of(builder, chosen) or builder.numbers.fresh())
        after.append(builder.environment)
    builder.guard_depth -= is_guarded
    builder.environment = merged(builder, after, builder.ctx.place(syntax_node), tested)
    if tested and len(flows) == 2:
        builder.chosen[syntax_node] = builder.numbers.choice(tested, chosen_values, flows)
    return united(*flows)
