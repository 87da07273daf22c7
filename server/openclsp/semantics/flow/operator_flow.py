"""Flow of casts, assignments and the unary operators that change or negate their operand."""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.flow.expression_flow import (
    IDENTIFIER,
    PARENTHESES,
    as_type,
    converted,
    flow_of,
    handles,
    holds_pointers,
    lvalue_of,
)
from openclsp.semantics.flow.flow_values import Memory, is_open, through, united
from openclsp.semantics.flow.graph import (
    ANYWHERE,
    Event,
    EventKind,
    Flow,
    Store,
)
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.guards import note_number
from openclsp.semantics.flow.memory_access import (
    nothing,
    store,
    type_of,
)
from openclsp.semantics.flow.plain_data import copied_address, plain_data, shifted
from openclsp.semantics.flow.transfers import (
    BIT_OF_SPACE,
    MOVED_NUMBER,
)
from openclsp.semantics.types.type_model import (
    Pointer,
    Record,
    Scalar,
    Type,
    Vector,
)
from openclsp.source.parser import FIELDS, kind

_ARGUMENT, _LEFT, _RIGHT, _VALUE = FIELDS["argument"], FIELDS["left"], FIELDS["right"], FIELDS["value"]
_FIELD_EXPRESSION = kind("field_expression")


@handles("cast_expression")
def _cast(builder: Builder, syntax_node: int) -> Flow:
    operand = builder.table.child(syntax_node, _VALUE)
    value = builder.trace.get(syntax_node)
    flow = flow_of(builder, operand)
    return flow if value is None else cast_to(builder, syntax_node, operand, flow, value.type)


def cast_to(builder: Builder, syntax_node: int, operand: int, flow: Flow, target: Type) -> Flow:
    """Converts the operand's value by a cast."""
    place = builder.ctx.place(syntax_node)
    source = type_of(builder, operand)
    if isinstance(target, Pointer):
        space = target.pointee.space
        bit = BIT_OF_SPACE.get(space) if space is not None else None
        if bit is not None and isinstance(source, Pointer) and source.pointee.space is Space.GENERIC:
            builder.events.append(Event(EventKind.CAST, place, flow, (), bit, ""))
        elif bit is not None and isinstance(source, Scalar):
            builder.events.append(Event(EventKind.INTEGER, place, flow, (), bit, ""))
        if flow and isinstance(source, Pointer) and _lays_another_type(source.pointee, target.pointee):
            flow = (
                builder.moved(flow, (ANYWHERE,), place) if holds_pointers(builder, target.pointee) else flow
            )
    flow = as_type(builder, operand, flow, target)
    if builder.as_if_generic and flow and is_open(target, None):
        flow = _named_cast(builder, syntax_node, flow, place)
    if not flow and builder.carrying and isinstance(source, Pointer) and not isinstance(target, Pointer):
        return nothing(place)
    return flow


def _named_cast(builder: Builder, syntax_node: int, flow: Flow, place: Place) -> Flow:
    """Puts the result of a cast into a node.

    It can then be queried by the entity of the cast.
    """
    value = builder.trace.get(syntax_node)
    if value is None or value.origin is None:
        return flow
    node = builder.node("cast", "", place, flow)
    builder.infos[node] = builder.infos[node]._replace(entity=value.origin.entity.number)
    return builder.copy(node, place)


def _lays_another_type(source: Type, target: Type) -> bool:
    """Whether a cast converts between pointers to different structs: member offsets may differ."""
    return (
        isinstance(source, Record)
        and isinstance(target, Record)
        and source.unqualified is not target.unqualified
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
    copied = copied_address(builder, left, target, right)
    if copied and isinstance(target, Memory):
        builder.stores.append(Store(target.address, target.path, (), place, "", copied))
    else:
        name = _spelled(builder, left)
        if isinstance(type_, Scalar | Vector):
            # array elements are not distinguished, and a number may change without a change of its flow
            name = name.partition("[")[0]
        flow = store(builder, target, type_, flow, place, name)
    _note_name(builder, left, flow)
    return flow


def _note_name(builder: Builder, syntax_node: int, flow: Flow) -> None:
    """Records the value of a name after an assignment to it."""
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
    shown = text.decode("utf-8", "replace")
    for mark in (".", "->", "[", "]", "(", ")"):
        shown = shown.replace(f" {mark} ", mark).replace(f" {mark}", mark).replace(f"{mark} ", mark)
    return shown.replace("* ", "*")


def _changed(builder: Builder, left: int, right: int, place: Place) -> Flow:
    """Evaluates a compound assignment."""
    given = flow_of(builder, right)
    flow = flow_of(builder, left)
    note_number(builder, builder.named(left), right)
    type_ = type_of(builder, left)
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
