"""Flow of statements: environments after branches, loops and jumps."""

from __future__ import annotations

from collections.abc import Sequence

from openclsp.language.spaces import Space
from openclsp.semantics.dispatch import is_expression
from openclsp.semantics.entities import Entity, EntityKind, Place
from openclsp.semantics.flow.building import Builder, Environment, Exits, Memory, Switch, merged
from openclsp.semantics.flow.conditions import branches
from openclsp.semantics.flow.expressions import converted, flow_of, handles
from openclsp.semantics.flow.graph import OBJECT, Atom, Event, EventKind, Flow, ObjectId, Store
from openclsp.semantics.flow.guards import is_guard, note_number
from openclsp.semantics.flow.initialisers import initialised, zeroed
from openclsp.semantics.flow.memory import copy_object, is_aggregate, loaded
from openclsp.semantics.flow.transfers import IDENTITY
from openclsp.semantics.types import Pointer, Record
from openclsp.source.tree import FIELDS, kind

_CONDITION, _CONSEQUENCE, _ALTERNATIVE = FIELDS["condition"], FIELDS["consequence"], FIELDS["alternative"]
_INITIALIZER, _UPDATE, _BODY = FIELDS["initializer"], FIELDS["update"], FIELDS["body"]
_DECLARATOR, _VALUE, _LABEL = FIELDS["declarator"], FIELDS["value"], FIELDS["label"]
_LEFT, _RIGHT, _ARGUMENT = FIELDS["left"], FIELDS["right"], FIELDS["argument"]
_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
_IF, _FOR, _WHILE, _DO = (kind(f"{word}_statement") for word in ("if", "for", "while", "do"))
_SWITCH, _CASE, _RETURN = kind("switch_statement"), kind("case_statement"), kind("return_statement")
_BREAK, _CONTINUE, _GOTO = kind("break_statement"), kind("continue_statement"), kind("goto_statement")
_LABELED, _DECLARATION = kind("labeled_statement"), kind("declaration")
_EXPRESSION_STATEMENT = kind("expression_statement")
_INIT_DECLARATOR, _FUNCTION_DEFINITION = kind("init_declarator"), kind("function_definition")
_BINARY, _UNARY, _CALL = kind("binary_expression"), kind("unary_expression"), kind("call_expression")
_ASSIGNMENT, _CAST = kind("assignment_expression"), kind("cast_expression")
_TYPE_DEFINITION = kind("type_definition")


def run(builder: Builder, row: int) -> None:
    """Executes a statement abstractly."""
    number = builder.table.kind[row]
    handler = _STATEMENTS.get(number)
    if handler is not None:
        handler(builder, row)
    elif is_expression(number):
        flow_of(builder, row)
    elif number != _TYPE_DEFINITION:
        run_children(builder, row)


def run_children(builder: Builder, row: int) -> None:
    """Executes the parts of a statement in order."""
    for child in builder.table.children(row):
        run(builder, child)


def declare(builder: Builder, row: int) -> None:
    """Executes a declaration with its initialisers."""
    table = builder.table
    entities = builder.declared_in_order()
    # entities are in text order, so that the search continues after the last one declared
    at = builder.declared_last
    for child in table.children(row):
        if table.field[child] != _DECLARATOR:
            continue
        value_row, whole = -1, child
        if table.kind[child] == _INIT_DECLARATOR:
            value_row = table.child(child, _VALUE)
            child = table.child(child, _DECLARATOR)
        at = _declared_within(entities, at, table.first[child], table.last[child])
        entity = entities[at] if at < len(entities) else None
        if entity is None:
            if value_row >= 0:
                flow_of(builder, value_row)
            continue
        builder.declared_last = at
        number = entity.ref.number
        place = builder.ctx.place(whole)
        note_number(builder, entity, value_row)
        if builder.is_followed(entity):
            builder.declare(number)
            builder.names[entity.place.first] = ()
            if value_row >= 0:
                value_row = _unbraced(builder, value_row)
                flow = converted(builder, value_row, entity.type) if value_row >= 0 else ()
                flow = builder.assign(number, flow, entity.name, place)
                builder.names[entity.place.first] = flow
            continue
        address = builder.object_at(entity.type, entity.ref, entity.name, entity.place)
        if value_row >= 0:
            initialised(builder, Memory(address, ()), entity.type, value_row, entity.name)
        elif _is_extern(builder, row):
            unknown = builder.unknown(entity.place)
            for leaf in builder.leaves(entity.type):
                builder.stores.append(Store(address, leaf, unknown, entity.place, entity.name))
        elif entity.type.space in (Space.GLOBAL, Space.CONSTANT):
            # static storage (C99 6.7.8p10); local memory starts with anything (OpenCL C 6.7.2)
            zeroed(builder, Memory(address, ()), entity.type, entity.place, entity.name)
        if isinstance(entity.type, Pointer):
            builder.names[entity.place.first] = loaded(builder, Memory(address, ()), entity.place)


def _is_extern(builder: Builder, row: int) -> bool:
    """Whether another file defines the declared objects and may store anything in them."""
    table = builder.table
    for child in table.children(row):
        if table.field[child] == _DECLARATOR:
            break
        if table.text(child) == "extern":
            return True
    return False


_LIST = kind("initializer_list")


def _unbraced(builder: Builder, row: int) -> int:
    while row >= 0 and builder.table.kind[row] == _LIST:
        row = next(iter(builder.table.children(row)), -1)
    return row


def _declared_within(entities: Sequence[Entity], at: int, first: int, last: int) -> int:
    """Returns the index of the variable declared at these tokens.

    At the token indices `first` to `last`. The search begins at `at`. If there is none, returns the number of
    entities.
    """
    count = len(entities)
    for number in range(at, at + count):
        entity = entities[number % count]
        if entity.kind is EntityKind.VARIABLE and first <= entity.place.first < last:
            return number % count
    return count


def _if(builder: Builder, row: int) -> None:
    table = builder.table
    condition = table.child(row, _CONDITION)
    doubt = is_guard(builder, condition)
    true, false = branches(builder, condition)
    builder.doubts += doubt
    builder.environment = true
    consequence = table.child(row, _CONSEQUENCE)
    if consequence >= 0:
        run(builder, consequence)
    after, builder.environment = builder.environment, false
    alternative = table.child(row, _ALTERNATIVE)
    if alternative >= 0:
        run_children(builder, alternative)
    builder.doubts -= doubt
    builder.environment = merged(builder, (after, builder.environment), builder.ctx.place(row))


def _open_loop(builder: Builder, row: int) -> dict[int, int]:
    """Creates a merge node for each variable that the loop assigns; returns them by variable."""
    nodes: dict[int, int] = {}
    environment = builder.environment
    if environment is None:
        if not _is_jumped_into(builder, row):
            return nodes
        environment = dict.fromkeys(builder.own, ())
        # an environment that enters by a jump stays in the loop too
    changed = builder.assigned_in(row) if builder.environment is not None else builder.own
    for number in sorted(changed):
        if number in environment:
            entity = builder.ctx.entities[number]
            nodes[number] = builder.node("merge", entity.name, entity.place, environment[number])
    builder.environment = dict(environment)
    for number, node in nodes.items():
        builder.environment[number] = builder.copy(node, builder.infos[node].place)
    return nodes


def _is_jumped_into(builder: Builder, row: int) -> bool:
    """Whether a `goto`, or a `case` of an enclosing switch, may jump into a statement."""
    kinds = builder.table.kind[row : builder.table.skip[row]]
    return _LABELED in kinds or _CASE in kinds


def _close_loop(builder: Builder, nodes: dict[int, int]) -> None:
    """Feeds the environment at the end of an iteration into the loop's merge nodes."""
    if builder.environment is not None:
        for number, node in nodes.items():
            builder.feed(node, builder.environment.get(number, ()))


def _loop(builder: Builder, row: int) -> None:
    """Executes a loop's body once.

    Merge nodes at its head stand for all iterations, so that no fixpoint is needed here.
    """
    table = builder.table
    place = builder.ctx.place(row)
    initializer, update = table.child(row, _INITIALIZER), table.child(row, _UPDATE)
    condition, body = table.child(row, _CONDITION), table.child(row, _BODY)
    if initializer >= 0:
        run(builder, initializer)
    nodes = _open_loop(builder, row)
    exits = Exits([], [])
    after: Environment | None = None
    first_turn = table.kind[row] == _DO
    doubt = not first_turn and is_guard(builder, condition)
    if not first_turn and condition >= 0:
        builder.environment, after = branches(builder, condition)
    builder.exits.append(exits)
    left = builder.left_loop
    builder.doubts += doubt
    if body >= 0:
        run(builder, body)
    builder.exits.pop()
    builder.environment = merged(builder, (builder.environment, *(exits.continues or ())), place)
    if update >= 0:
        flow_of(builder, update)
    if first_turn and condition >= 0:
        builder.environment, after = branches(builder, condition)
    builder.doubts -= doubt
    builder.left_loop = left
    _close_loop(builder, nodes)
    builder.environment = merged(builder, (after, *exits.breaks), place)


def _switch(builder: Builder, row: int) -> None:
    """Executes a switch: each case merges the entry's environment with that of the fall-through."""
    table = builder.table
    condition, body = table.child(row, _CONDITION), table.child(row, _BODY)
    flow_of(builder, condition)
    entry = builder.environment
    exits = Exits([], builder.exits[-1].continues if builder.exits else None)
    builder.exits.append(exits)
    builder.stop()
    builder.switches.append(Switch(entry))
    doubt, left = is_guard(builder, condition), builder.left_loop
    builder.doubts += doubt
    if body >= 0:
        run_children(builder, body)
    builder.doubts -= doubt
    builder.left_loop = left
    builder.exits.pop()
    ways = [builder.environment, *exits.breaks]
    if not builder.switches.pop().has_default:
        ways.append(entry)
    builder.environment = merged(builder, ways, builder.ctx.place(row))


def _case(builder: Builder, row: int) -> None:
    table = builder.table
    if builder.switches:
        switch = builder.switches[-1]
        switch.has_default = switch.has_default or table.leaf(table.first[row]) == "default"
        ways = switch.entry, builder.environment
        builder.environment = merged(builder, ways, builder.ctx.place(row))
    for child in builder.table.children(row):
        if builder.table.field[child] != _VALUE:
            run(builder, child)


def _return(builder: Builder, row: int) -> None:
    table = builder.table
    for child in table.children(row):
        if not is_expression(table.kind[child]):
            continue
        type_ = builder.result_type
        place = builder.ctx.place(row)
        if type_ is None:
            value = builder.trace.get(child)
            type_ = value.type if value is not None else None
        if type_ is None:
            flow_of(builder, child)
            continue
        flow = converted(builder, child, type_)
        if builder.environment is None:
            continue
        if isinstance(type_, Record):
            _return_object(builder, type_, flow, place)
        elif not is_aggregate(type_) and flow:
            if isinstance(type_, Pointer):
                builder.events.append(Event(EventKind.RETURN, place, flow, (), 0, ""))
            builder.feed(builder.result, builder.copy(builder.node("returned", "", place, flow), place))
    builder.left = builder.left or not builder.certain
    builder.stop()


def _return_object(builder: Builder, type_: Record, flow: Flow, place: Place) -> None:
    """Copies a returned struct to the function's result object."""
    leaves = builder.leaves(type_)
    if not leaves:
        return
    made = ObjectId("result", builder.id, Space.PRIVATE, leaves, "result")
    address: Flow = (Atom(OBJECT, made, (), IDENTITY, place),)
    copy_object(builder, Memory(flow, ()), Memory(address, ()), type_, place, "the result")
    for leaf in leaves:
        held = loaded(builder, Memory(flow, leaf), place)
        builder.events.append(Event(EventKind.RETURN, place, held, (), 0, ""))
    builder.feed(builder.result, address)


def _break(builder: Builder, row: int) -> None:
    builder.leave(builder.exits[-1].breaks if builder.exits else None)


def _continue(builder: Builder, row: int) -> None:
    builder.leave(builder.exits[-1].continues if builder.exits else None)


def _goto(builder: Builder, row: int) -> None:
    label = builder.table.child(row, _LABEL)
    builder.left = True
    if label >= 0 and builder.environment is not None:
        builder.label(builder.table.text(label), builder.environment)
    builder.stop()


def _labeled(builder: Builder, row: int) -> None:
    table = builder.table
    label = table.child(row, _LABEL)
    if label >= 0:
        builder.environment = builder.label(table.text(label), builder.environment)
    for child in table.children(row):
        if child != label:
            run(builder, child)


_STATEMENTS = {
    _DECLARATION: declare,
    _IF: _if,
    _FOR: _loop,
    _WHILE: _loop,
    _DO: _loop,
    _SWITCH: _switch,
    _CASE: _case,
    _RETURN: _return,
    _BREAK: _break,
    _CONTINUE: _continue,
    _GOTO: _goto,
    _LABELED: _labeled,
}


@handles("compound_statement")
def _statement_expression(builder: Builder, row: int) -> Flow:
    table = builder.table
    flow: Flow = ()
    for child in table.children(row):
        flow = ()
        if table.kind[child] == _EXPRESSION_STATEMENT:
            for inner in table.children(child):
                if is_expression(table.kind[inner]):
                    flow = flow_of(builder, inner)
        else:
            run(builder, child)
    return flow
