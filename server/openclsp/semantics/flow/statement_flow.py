"""Flow of statements: environments after branches, loops and jumps."""

from __future__ import annotations

from collections.abc import Sequence

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Entity, EntityKind, Place
from openclsp.semantics.flow.branch_refinement import branches, tested_branches
from openclsp.semantics.flow.builder_state import Environment, Exits, Memory, SwitchState
from openclsp.semantics.flow.environment_merge import merged
from openclsp.semantics.flow.expression_flow import converted, flow_of, handles
from openclsp.semantics.flow.expression_values import set_number, value_of
from openclsp.semantics.flow.graph import OBJECT, Atom, Event, EventKind, Flow, ObjectId, Store
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.guards import may_guard, note_number
from openclsp.semantics.flow.initialiser_flow import initialised, zeroed
from openclsp.semantics.flow.loop_environments import at_label, close_loop, open_loop
from openclsp.semantics.flow.memory_access import copy_object, is_aggregate, loaded, write
from openclsp.semantics.flow.object_parts import declare_parts, exact_object
from openclsp.semantics.flow.transfers import IDENTITY
from openclsp.semantics.types.type_model import Pointer, Record, Scalar, Vector
from openclsp.semantics.typing.dispatch import is_expression
from openclsp.source.parser import FIELDS, kind

_CONDITION, _CONSEQUENCE, _ALTERNATIVE = FIELDS["condition"], FIELDS["consequence"], FIELDS["alternative"]
_INITIALIZER, _UPDATE, _BODY = FIELDS["initializer"], FIELDS["update"], FIELDS["body"]
_DECLARATOR, _VALUE, _LABEL = FIELDS["declarator"], FIELDS["value"], FIELDS["label"]
_IF, _FOR, _WHILE, _DO = (kind(f"{word}_statement") for word in ("if", "for", "while", "do"))
_SWITCH, _CASE, _RETURN = kind("switch_statement"), kind("case_statement"), kind("return_statement")
_BREAK, _CONTINUE, _GOTO = kind("break_statement"), kind("continue_statement"), kind("goto_statement")
_LABELED, _DECLARATION = kind("labeled_statement"), kind("declaration")
_EXPRESSION_STATEMENT = kind("expression_statement")
_INIT_DECLARATOR = kind("init_declarator")
_TYPE_DEFINITION = kind("type_definition")


def run(builder: Builder, syntax_node: int) -> None:
    """Executes a statement abstractly."""
    number = builder.table.kind[syntax_node]
    handler = _STATEMENTS.get(number)
    if handler is not None:
        handler(builder, syntax_node)
    elif is_expression(number):
        flow_of(builder, syntax_node)
    elif number != _TYPE_DEFINITION:
        run_children(builder, syntax_node)


def run_children(builder: Builder, syntax_node: int) -> None:
    """Executes the parts of a statement in order."""
    for child in builder.table.children(syntax_node):
        run(builder, child)


def declare(builder: Builder, syntax_node: int) -> None:
    """Executes a declaration with its initialisers."""
    table = builder.table
    entities = builder.declared_in_order()
    # entities are in text order, so that the search continues after the last one declared
    at = builder.declared_last
    for child in table.children(syntax_node):
        if table.field[child] != _DECLARATOR:
            continue
        value_node, whole = -1, child
        if table.kind[child] == _INIT_DECLARATOR:
            value_node = table.child(child, _VALUE)
            child = table.child(child, _DECLARATOR)
        at = _declared_within(entities, at, table.first[child], table.last[child])
        entity = entities[at] if at < len(entities) else None
        if entity is None:
            if value_node >= 0:
                flow_of(builder, value_node)
            continue
        builder.declared_last = at
        number = entity.ref.number
        place = builder.ctx.place(whole)
        note_number(builder, entity, value_node)
        builder.own.add(number)
        if builder.environment is not None:
            builder.environment.values.pop(number, None)
        if builder.is_tracked(entity):
            builder.declare(number)
            builder.names[entity.place.first] = ()
            if value_node >= 0:
                value_node = _unbraced(builder, value_node)
                flow = converted(builder, value_node, entity.type) if value_node >= 0 else ()
                value = value_of(builder, value_node)
                flow = builder.assign(number, flow, entity.name, place, value)
                builder.names[entity.place.first] = flow
            continue
        address = builder.object_at(entity.type, entity.ref, entity.name, entity.place)
        exact = exact_object(builder, entity)
        declare_parts(builder, exact)
        if value_node >= 0:
            initialised(builder, Memory(address, (), exact), entity.type, value_node, entity.name)
            set_number(builder, entity, value_of(builder, value_node))
        elif _is_extern(builder, syntax_node):
            unknown = builder.unknown(entity.place)
            for pointer_path in builder.pointer_paths(entity.type):
                write(builder, Store(address, pointer_path, unknown, entity.place, entity.name))
        elif entity.type.space in (Space.GLOBAL, Space.CONSTANT):
            # static storage (C99 6.7.8p10); local memory starts with anything (OpenCL C 6.7.2)
            zeroed(builder, Memory(address, ()), entity.type, entity.place, entity.name)
        if isinstance(entity.type, Pointer):
            builder.names[entity.place.first] = loaded(builder, Memory(address, (), exact), entity.place)


def _is_extern(builder: Builder, syntax_node: int) -> bool:
    """Whether a declaration is `extern`: another file may then store anything in the declared objects."""
    table = builder.table
    for child in table.children(syntax_node):
        if table.field[child] == _DECLARATOR:
            break
        if table.text(child) == "extern":
            return True
    return False


_LIST = kind("initializer_list")


def _unbraced(builder: Builder, syntax_node: int) -> int:
    while syntax_node >= 0 and builder.table.kind[syntax_node] == _LIST:
        syntax_node = next(iter(builder.table.children(syntax_node)), -1)
    return syntax_node


def _declared_within(entities: Sequence[Entity], at: int, first: int, last: int) -> int:
    """Returns the index of a variable that is declared at the tokens `first` to `last` (exclusive).

    The search begins at index `at` and wraps around. Returns the number of entities if there is none.
    """
    count = len(entities)
    for number in range(at, at + count):
        entity = entities[number % count]
        if entity.kind is EntityKind.VARIABLE and first <= entity.place.first < last:
            return number % count
    return count


def _if(builder: Builder, syntax_node: int) -> None:
    table = builder.table
    condition = table.child(syntax_node, _CONDITION)
    is_guarded = may_guard(builder, condition)
    tested, true, false = tested_branches(builder, condition)
    builder.guard_depth += is_guarded
    builder.environment = true
    consequence = table.child(syntax_node, _CONSEQUENCE)
    if consequence >= 0:
        run(builder, consequence)
    after, builder.environment = builder.environment, false
    alternative = table.child(syntax_node, _ALTERNATIVE)
    if alternative >= 0:
        run_children(builder, alternative)
    builder.guard_depth -= is_guarded
    ways = after, builder.environment
    builder.environment = merged(builder, ways, builder.ctx.place(syntax_node), tested)


def _loop(builder: Builder, syntax_node: int) -> None:
    """Executes a loop's body once, abstractly.

    The merge nodes at the loop's head stand for all iterations, so that no fixpoint iteration is needed here.
    """
    table = builder.table
    place = builder.ctx.place(syntax_node)
    initializer, update = table.child(syntax_node, _INITIALIZER), table.child(syntax_node, _UPDATE)
    condition, body = table.child(syntax_node, _CONDITION), table.child(syntax_node, _BODY)
    if initializer >= 0:
        run(builder, initializer)
    nodes = open_loop(builder, syntax_node)
    exits = Exits([], [])
    after: Environment | None = None
    first_turn = table.kind[syntax_node] == _DO
    is_guarded = not first_turn and may_guard(builder, condition)
    if not first_turn and condition >= 0:
        builder.environment, after = branches(builder, condition)
    builder.exits.append(exits)
    left = builder.left_loop
    builder.guard_depth += is_guarded
    if body >= 0:
        run(builder, body)
    builder.exits.pop()
    builder.environment = merged(builder, (builder.environment, *(exits.continues or ())), place)
    if update >= 0:
        flow_of(builder, update)
    if first_turn and condition >= 0:
        builder.environment, after = branches(builder, condition)
    builder.guard_depth -= is_guarded
    builder.left_loop = left
    close_loop(builder, nodes)
    builder.environment = merged(builder, (after, *exits.breaks), place)


def _switch(builder: Builder, syntax_node: int) -> None:
    """Executes a switch.

    At each case, the environment at the beginning of the switch is merged with that of the fall-through.
    """
    table = builder.table
    condition, body = table.child(syntax_node, _CONDITION), table.child(syntax_node, _BODY)
    flow_of(builder, condition)
    entry = builder.environment
    exits = Exits([], builder.exits[-1].continues if builder.exits else None)
    builder.exits.append(exits)
    builder.stop()
    builder.switches.append(SwitchState(entry))
    is_guarded, left = may_guard(builder, condition), builder.left_loop
    builder.guard_depth += is_guarded
    if body >= 0:
        run(builder, body)
    builder.guard_depth -= is_guarded
    builder.left_loop = left
    builder.exits.pop()
    exits_taken = [builder.environment, *exits.breaks]
    if not builder.switches.pop().has_default:
        exits_taken.append(entry)
    builder.environment = merged(builder, exits_taken, builder.ctx.place(syntax_node))


def _case(builder: Builder, syntax_node: int) -> None:
    table = builder.table
    if builder.switches:
        switch = builder.switches[-1]
        switch.has_default = switch.has_default or table.token(table.first[syntax_node]) == "default"
        exits_taken = switch.entry, builder.environment
        builder.environment = merged(builder, exits_taken, builder.ctx.place(syntax_node))
    for child in builder.table.children(syntax_node):
        if builder.table.field[child] != _VALUE:
            run(builder, child)


def _return(builder: Builder, syntax_node: int) -> None:
    table = builder.table
    for child in table.children(syntax_node):
        if not is_expression(table.kind[child]):
            continue
        type_ = builder.result_type
        place = builder.ctx.place(syntax_node)
        if type_ is None:
            value = builder.trace.get(child)
            type_ = value.type if value is not None else None
        if type_ is None:
            flow_of(builder, child)
            continue
        flow = converted(builder, child, type_)
        if builder.environment is None:
            continue
        if not flow and builder.carrying and isinstance(type_, Scalar | Vector):
            # the caller cannot see how the number is computed
            flow = builder.unknown(place)
        if isinstance(type_, Record):
            _return_object(builder, type_, flow, place)
        elif not is_aggregate(type_) and flow:
            if isinstance(type_, Pointer):
                builder.events.append(Event(EventKind.RETURN, place, flow, (), 0, ""))
            builder.feed(builder.result, builder.copy(builder.node("returned", "", place, flow), place))
    builder.left_under_guard = builder.left_under_guard or not builder.certain
    builder.stop()


def _return_object(builder: Builder, type_: Record, flow: Flow, place: Place) -> None:
    """Copies a returned struct to the function's result object."""
    pointer_paths = builder.pointer_paths(type_)
    if not pointer_paths:
        return
    made = ObjectId("result", builder.id, Space.PRIVATE, pointer_paths, "result")
    address: Flow = (Atom(OBJECT, made, (), IDENTITY, place),)
    copy_object(builder, Memory(flow, ()), Memory(address, ()), type_, place, "the result")
    for pointer_path in pointer_paths:
        held = loaded(builder, Memory(flow, pointer_path), place)
        if pointer_path not in builder.results:
            builder.results[pointer_path] = builder.node("result", "", Place(0, 0))
        builder.feed(builder.results[pointer_path], held)
        builder.events.append(Event(EventKind.RETURN, place, held, (), 0, ""))
    builder.feed(builder.result, address)


def _break(builder: Builder, syntax_node: int) -> None:
    builder.leave(builder.exits[-1].breaks if builder.exits else None)


def _continue(builder: Builder, syntax_node: int) -> None:
    builder.leave(builder.exits[-1].continues if builder.exits else None)


def _goto(builder: Builder, syntax_node: int) -> None:
    label = builder.table.child(syntax_node, _LABEL)
    builder.left_under_guard = True
    if label >= 0 and builder.environment is not None:
        at_label(builder, builder.table.text(label), builder.environment)
    builder.stop()


def _labeled(builder: Builder, syntax_node: int) -> None:
    table = builder.table
    label = table.child(syntax_node, _LABEL)
    if label >= 0:
        builder.environment = at_label(builder, table.text(label), builder.environment)
    for child in table.children(syntax_node):
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
def _statement_expression(builder: Builder, syntax_node: int) -> Flow:
    table = builder.table
    flow: Flow = ()
    for child in table.children(syntax_node):
        flow = ()
        if table.kind[child] == _EXPRESSION_STATEMENT:
            for inner in table.children(child):
                if is_expression(table.kind[inner]):
                    flow = flow_of(builder, inner)
        else:
            run(builder, child)
    return flow
