"""Flow of assignments, `++` and `--`, and of simple expressions such as literals, `sizeof` and `a, b`."""

from __future__ import annotations

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.flow.builder_state import Memory, through, united
from openclsp.semantics.flow.expression_flow import (
    _ARGUMENT,
    _FIELD_EXPRESSION,
    _LEFT,
    _RIGHT,
    IDENTIFIER,
    PARENTHESES,
    converted,
    flow_of,
    handles,
    lvalue_of,
)
from openclsp.semantics.flow.expression_values import part_of, set_number, value_of
from openclsp.semantics.flow.graph import (
    BASE,
    Atom,
    Declared,
    Flow,
    Store,
)
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.guards import note_number
from openclsp.semantics.flow.memory_access import (
    store,
    type_of,
    write,
)
from openclsp.semantics.flow.object_parts import slots_of
from openclsp.semantics.flow.plain_data import copied_address, plain_data, shifted
from openclsp.semantics.flow.transfers import (
    CONSTANT,
    IDENTITY,
    MOVED_NUMBER,
)
from openclsp.semantics.types.type_model import (
    Scalar,
    Vector,
)


@handles("assignment_expression")
def _assignment(builder: Builder, syntax_node: int) -> Flow:
    table = builder.table
    left, right = table.child(syntax_node, _LEFT), table.child(syntax_node, _RIGHT)
    if left < 0 or right < 0:
        return ()
    place = builder.ctx.place(syntax_node)
    type_ = type_of(builder, left)
    sign = table.token(table.last[left])
    if sign != "=":
        return _changed(builder, left, right, place)
    target = lvalue_of(builder, left)
    if type_ is None:
        flow_of(builder, right)
        return ()
    flow = converted(builder, right, type_)
    flow = plain_data(builder, right, target, type_, flow)
    note_number(builder, builder.named(left), right)
    value = value_of(builder, right)
    set_number(builder, builder.named(left), value)
    copied = copied_address(builder, left, target, right)
    if copied and isinstance(target, Memory):
        write(builder, Store(target.address, target.path, (), place, "", copied))
    else:
        name = _spelled(builder, left)
        if isinstance(type_, Scalar | Vector):
            # array elements are not distinguished, and a number may change without a change of its flow
            name = name.partition("[")[0]
        flow = store(builder, target, type_, flow, place, name, value)
    _note_name(builder, left, flow)
    return flow


def _note_name(builder: Builder, syntax_node: int, flow: Flow) -> None:
    """Records `flow` as the value of an assigned expression, and of the variable or member that it names."""
    builder.values[syntax_node] = flow
    table = builder.table
    while table.kind[syntax_node] == PARENTHESES:
        syntax_node = next(iter(table.children(syntax_node)), -1)
        builder.values[syntax_node] = flow
    if table.kind[syntax_node] == IDENTIFIER:
        builder.names[table.first[syntax_node]] = flow
    elif table.kind[syntax_node] == _FIELD_EXPRESSION:
        builder.names[table.last[syntax_node] - 1] = flow


def _spelled(builder: Builder, syntax_node: int) -> str:
    text = b" ".join(builder.table.tokens[builder.table.first[syntax_node] : builder.table.last[syntax_node]])
    spelled = text.decode("utf-8", "replace")
    for mark in (".", "->", "[", "]", "(", ")"):
        spelled = spelled.replace(f" {mark} ", mark).replace(f" {mark}", mark).replace(f"{mark} ", mark)
    return spelled.replace("* ", "*")


def changed_number(builder: Builder, node: int) -> None:
    """Forgets the value number of the variable or object that `++`, `--` or an operator like `+=` changes."""
    environment, entity = builder.environment, builder.named(node)
    if environment is None:
        return
    if entity is not None:
        environment.values.pop(entity.ref.number, None)
    part = part_of(builder, node)
    for slot in (slots_of(builder, part) or ()) if part is not None else ():
        environment.values.pop(slot, None)


def _changed(builder: Builder, left: int, right: int, place: Place) -> Flow:
    """Evaluates a compound assignment; returns the new value of its left operand."""
    given = flow_of(builder, right)
    flow = flow_of(builder, left)
    note_number(builder, builder.named(left), right)
    type_ = type_of(builder, left)
    changed_number(builder, left)
    after = shifted(builder, type_, flow, place)
    if isinstance(type_, Scalar | Vector):
        if given:
            after = united(flow, given, builder.unknown(place))
        elif flow:
            after = through(flow, MOVED_NUMBER)
    if after is not flow and type_ is not None:
        return store(builder, lvalue_of(builder, left), type_, after, place, _spelled(builder, left))
    return flow


@handles("update_expression")
def _update(builder: Builder, syntax_node: int) -> Flow:
    operand = builder.table.child(syntax_node, _ARGUMENT)
    flow = flow_of(builder, operand)
    type_ = type_of(builder, operand)
    place = builder.ctx.place(syntax_node)
    changed_number(builder, operand)
    after = shifted(builder, type_, flow, place)
    if flow and isinstance(type_, Scalar):
        after = through(flow, MOVED_NUMBER)
    if after is not flow and type_ is not None:
        store(builder, lvalue_of(builder, operand), type_, after, place, _spelled(builder, operand))
        # the value of a postfix operator is the former one
        return after if builder.table.first[syntax_node] < builder.table.first[operand] else flow
    return flow


@handles("unary_expression")
def _unary(builder: Builder, syntax_node: int) -> Flow:
    flow = flow_of(builder, builder.table.child(syntax_node, _ARGUMENT))
    return () if builder.table.token(builder.table.first[syntax_node]) == "!" else flow


@handles("string_literal", "concatenated_string")
def _string(builder: Builder, syntax_node: int) -> Flow:
    declared = Declared("string literal", "string", None)
    return (Atom(BASE, CONSTANT, declared, IDENTITY, builder.ctx.place(syntax_node)),)


@handles("vector_literal")
def _vector(builder: Builder, syntax_node: int) -> Flow:
    return united(*(flow_of(builder, child) for child in builder.table.children(syntax_node)))


@handles("sizeof_expression", "alignof_expression", "offsetof_expression", "number_literal", "char_literal")
def _nothing(builder: Builder, syntax_node: int) -> Flow:
    return ()


@handles("comma_expression")
def _comma(builder: Builder, syntax_node: int) -> Flow:
    flow_of(builder, builder.table.child(syntax_node, _LEFT))
    return flow_of(builder, builder.table.child(syntax_node, _RIGHT))
