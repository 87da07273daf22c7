"""The ways through a function: what each variable holds after a branch, a loop, a jump, and where a test has told."""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.dispatch import is_expression
from openclsp.semantics.entities import Entity, EntityKind, EntityRef, ItemKey, Place
from openclsp.semantics.facts import Value
from openclsp.semantics.flow.building import Builder, Environment, Exits, Memory, merged, through
from openclsp.semantics.flow.expressions import (
    ADDRESS_FUNCTIONS,
    IDENTIFIER,
    PARENTHESES,
    block_value,
    converted,
    copy_object,
    flow_of,
    hooks,
    initialised,
    is_aggregate,
)
from openclsp.semantics.flow.graph import (
    BASE,
    OBJECT,
    Atom,
    CallSite,
    Declared,
    Event,
    EventKind,
    Flow,
    FunctionFlow,
    ObjectId,
    Parameter,
    Store,
)
from openclsp.semantics.flow.layout import leaves_of
from openclsp.semantics.flow.transfers import (
    BIT_OF_SPACE,
    FOUND_IN,
    IDENTITY,
    IS_NULL,
    NOT_FOUND_IN,
    NOT_NULL,
    UNKNOWN,
    Transfer,
    conversion_to,
)
from openclsp.semantics.context import Context
from openclsp.semantics.types import Array, Function, Pointer, Record, Type
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


def function_flows(ctx: Context, trace: dict[int, Value]) -> tuple[tuple[FunctionFlow, ...], list[Builder]]:
    """The flow of an item: of a function and the block literals in it, or of a declaration's initialisers; and the
    builders, for those who ask what stands where."""
    table = ctx.table
    if not table.kind or table.kind[0] not in (_FUNCTION_DEFINITION, _DECLARATION):
        return (), []
    builder = Builder(ctx, trace, (ctx.item, 0), None)
    builders: list[Builder] = [builder]
    _builders[id(builder)] = builders
    try:
        name = ""
        if table.kind[0] == _FUNCTION_DEFINITION:
            function = next((e for e in ctx.entities.values() if e.kind is EntityKind.FUNCTION), None)
            body = table.child(0, _BODY)
            if function is None or body < 0 or not isinstance(function.type, Function):
                return (), []
            name = function.name
            symbol = ctx.program_symbols.get(name)
            builder.kernel = symbol is not None and symbol.kernel
            builder.result_type = function.type.result
            count = len(symbol.parameters) if symbol is not None else 0
            entities = [ctx.entities.get(function.ref.number + 1 + i) for i in range(count)]
            _take_parameters(builder, [each for each in entities if each is not None])
            _run_children(builder, body)
            place = function.place
        else:
            _declare(builder, 0)
            place = Place(0, 1)
        own = builder.finish(name, place)
    finally:
        del _builders[id(builder)]
    if not (own.calls or own.stores or own.parameters or own.events or len(own.nodes) > 1 or builder.blocks):
        return (), builders
    return (own, *builder.blocks), builders


_builders: dict[int, list[Builder]] = {}


def _take_parameters(builder: Builder, entities: list[Entity]) -> None:
    ctx = builder.ctx
    for entity in entities:
        number = entity.ref.number
        node = builder.node("parameter", entity.name, entity.place)
        base = _argument_of_outside(builder, entity)
        transfer = conversion_to(entity.type)
        builder.parameters.append(Parameter(node, entity.name, entity.place, transfer, base, number))
        builder.own.add(number)
        flow = builder.copy(node, entity.place)
        if builder.is_followed(entity):
            if builder.environment is not None:
                builder.environment[number] = flow
            builder.names[entity.place.first] = flow
        elif isinstance(entity.type, Record):
            if leaves_of(ctx, entity.type):
                target = Memory(builder.object_at(entity.type, entity.ref, entity.name, entity.place), ())
                copy_object(builder, Memory(flow, ()), target, entity.type, entity.place, entity.name)
        elif isinstance(entity.type, Pointer):
            address = builder.object_at(entity.type, entity.ref, entity.name, entity.place)
            builder.stores.append(Store(address, (), flow, entity.place, entity.name))
            builder.names[entity.place.first] = flow


def _argument_of_outside(builder: Builder, entity: Entity) -> Flow:
    """What is passed where nobody in the unit calls: by the host to a kernel, or by functions that are not known."""
    type_ = entity.type
    if not isinstance(type_, Pointer):
        return ()
    pointee = type_.pointee
    bit = BIT_OF_SPACE.get(pointee.space) if pointee.space is not None else None
    if bit is None:
        return builder.unknown(entity.place)
    leaves = leaves_of(builder.ctx, pointee)
    what = "kernel parameter" if builder.kernel else "parameter"
    declared = Declared(entity.name, what, entity.ref)
    if leaves:
        made = ObjectId("host", str(pointee.unqualified), pointee.space, leaves, "")
        return (Atom(OBJECT, made, (), IDENTITY, entity.place),)
    return (Atom(BASE, bit, declared, IDENTITY, entity.place),)


# --- statements


def run(builder: Builder, row: int) -> None:
    """Take a statement into account."""
    number = builder.table.kind[row]
    handler = _STATEMENTS.get(number)
    if handler is not None:
        handler(builder, row)
    elif is_expression(number):
        flow_of(builder, row)
    elif number != _TYPE_DEFINITION:
        _run_children(builder, row)


def _run_children(builder: Builder, row: int) -> None:
    for child in builder.table.children(row):
        run(builder, child)


def _declare(builder: Builder, row: int) -> None:
    table = builder.table
    for child in table.children(row):
        if table.field[child] != _DECLARATOR:
            continue
        value_row, whole = -1, child
        if table.kind[child] == _INIT_DECLARATOR:
            value_row = table.child(child, _VALUE)
            child = table.child(child, _DECLARATOR)
        entity = _declared_within(builder, table.first[child], table.last[child])
        if entity is None:
            if value_row >= 0:
                flow_of(builder, value_row)
            continue
        number = entity.ref.number
        place = builder.ctx.place(whole)
        if builder.is_followed(entity):
            builder.declare(number)
            if value_row >= 0:
                value_row = _unbraced(builder, value_row)
                flow = converted(builder, value_row, entity.type) if value_row >= 0 else ()
                flow = builder.assign(number, flow, entity.name, place)
                builder.names[entity.place.first] = flow
        elif value_row >= 0:
            address = builder.object_at(entity.type, entity.ref, entity.name, entity.place)
            initialised(builder, Memory(address, ()), entity.type, value_row, entity.name)
            if isinstance(entity.type, Pointer):
                builder.names[entity.place.first] = builder.values.get(value_row, ())


_LIST = kind("initializer_list")


def _unbraced(builder: Builder, row: int) -> int:
    while row >= 0 and builder.table.kind[row] == _LIST:
        row = next(iter(builder.table.children(row)), -1)
    return row


def _declared_within(builder: Builder, first: int, last: int) -> Entity | None:
    for entity in builder.ctx.entities.values():
        if entity.kind is EntityKind.VARIABLE and first <= entity.place.first < last:
            return entity
    return None


def _if(builder: Builder, row: int) -> None:
    table = builder.table
    true, false = branches(builder, table.child(row, _CONDITION))
    builder.environment = true
    consequence = table.child(row, _CONSEQUENCE)
    if consequence >= 0:
        run(builder, consequence)
    after, builder.environment = builder.environment, false
    alternative = table.child(row, _ALTERNATIVE)
    if alternative >= 0:
        _run_children(builder, alternative)
    builder.environment = merged(builder, (after, builder.environment), builder.ctx.place(row))


def _open_loop(builder: Builder, row: int) -> dict[int, int]:
    """A node for each variable that the loop changes: what it holds before any turn."""
    nodes: dict[int, int] = {}
    environment = builder.environment
    if environment is None:
        return nodes
    for number in sorted(builder.assigned_in(row)):
        if number in environment:
            entity = builder.ctx.entities[number]
            nodes[number] = builder.node("merge", entity.name, entity.place, environment[number])
    builder.environment = dict(environment)
    for number, node in nodes.items():
        builder.environment[number] = builder.copy(node, builder.infos[node].place)
    return nodes


def _close_loop(builder: Builder, nodes: dict[int, int]) -> None:
    """What holds at the end of a turn holds at the start of the next."""
    if builder.environment is not None:
        for number, node in nodes.items():
            builder.feed(node, builder.environment.get(number, ()))


def _loop(builder: Builder, row: int) -> None:
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
    if not first_turn and condition >= 0:
        builder.environment, after = branches(builder, condition)
    builder.exits.append(exits)
    if body >= 0:
        run(builder, body)
    builder.exits.pop()
    builder.environment = merged(builder, (builder.environment, *(exits.continues or ())), place)
    if update >= 0:
        flow_of(builder, update)
    if first_turn and condition >= 0:
        builder.environment, after = branches(builder, condition)
    _close_loop(builder, nodes)
    builder.environment = merged(builder, (after, *exits.breaks), place)


def _switch(builder: Builder, row: int) -> None:
    table = builder.table
    condition, body = table.child(row, _CONDITION), table.child(row, _BODY)
    flow_of(builder, condition)
    entry = builder.environment
    exits = Exits([], builder.exits[-1].continues if builder.exits else None)
    builder.exits.append(exits)
    builder.environment = None
    has_default = False
    if body >= 0:
        for child in table.children(body):
            if table.kind[child] == _CASE:
                has_default = has_default or table.leaf(table.first[child]) == "default"
                builder.environment = merged(builder, (entry, builder.environment), builder.ctx.place(child))
                builder.environment = dict(builder.environment) if builder.environment is not None else None
            run(builder, child)
    builder.exits.pop()
    ways = [builder.environment, *exits.breaks]
    if not has_default:
        ways.append(entry)
    builder.environment = merged(builder, ways, builder.ctx.place(row))


def _case(builder: Builder, row: int) -> None:
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
    builder.environment = None


def _return_object(builder: Builder, type_: Record, flow: Flow, place: Place) -> None:
    """A struct that is returned: a copy of it."""
    leaves = leaves_of(builder.ctx, type_)
    if not leaves:
        return
    made = ObjectId("result", builder.id, Space.PRIVATE, leaves, "result")
    address: Flow = (Atom(OBJECT, made, (), IDENTITY, place),)
    copy_object(builder, Memory(flow, ()), Memory(address, ()), type_, place, "the result")
    builder.feed(builder.result, address)


def _break(builder: Builder, row: int) -> None:
    builder.leave(builder.exits[-1].breaks if builder.exits else None)


def _continue(builder: Builder, row: int) -> None:
    builder.leave(builder.exits[-1].continues if builder.exits else None)


def _goto(builder: Builder, row: int) -> None:
    label = builder.table.child(row, _LABEL)
    if label >= 0 and builder.environment is not None:
        builder.label(builder.table.text(label), builder.environment)
    builder.environment = None


def _labeled(builder: Builder, row: int) -> None:
    table = builder.table
    label = table.child(row, _LABEL)
    if label >= 0:
        builder.environment = builder.label(table.text(label), builder.environment)
    for child in table.children(row):
        if child != label:
            run(builder, child)


_STATEMENTS = {
    _DECLARATION: _declare,
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


# --- conditions


def branches(builder: Builder, row: int) -> tuple[Environment | None, Environment | None]:
    """What is held where a condition is true, and where it is false."""
    table = builder.table
    if row < 0:
        return builder.environment, _copied(builder.environment)
    number = table.kind[row]
    if number == PARENTHESES:
        inner = next(iter(table.children(row)), -1)
        if inner >= 0 and is_expression(table.kind[inner]):
            return branches(builder, inner)
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


def _binary_branches(
    builder: Builder, row: int
) -> tuple[Environment | None, Environment | None] | None:
    table = builder.table
    left, right = table.child(row, _LEFT), table.child(row, _RIGHT)
    if left < 0 or right < 0:
        return None
    sign = table.leaf(table.last[left])
    place = builder.ctx.place(row)
    if sign in ("&&", "||"):
        true, false = branches(builder, left)
        builder.environment = true if sign == "&&" else false
        second_true, second_false = branches(builder, right)
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
    """What it tells that a pointer is not null, or is."""
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
    node = builder.node("narrowed", entity.name, place, through(environment[number], transfer))
    return {**environment, number: builder.copy(node, place)}


def _condition(builder: Builder, row: int) -> Flow:
    """A logical operator whose value is not branched on."""
    true, false = branches(builder, row)
    builder.environment = merged(builder, (true, false), builder.ctx.place(row))
    return ()


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


# --- block literals

_PARAMETERS = FIELDS["parameters"]


def _block(builder: Builder, row: int) -> Flow:
    """A block literal: a function of its own, to which what it captures is passed where it is made."""
    ctx, table = builder.ctx, builder.table
    value = builder.trace.get(row)
    if value is None or value.origin is None:
        return ()
    number = value.origin.entity.number
    place = ctx.place(row)
    inner = Builder(ctx, builder.trace, (ctx.item, number), builder)
    body = table.child(row, _BODY)
    if body >= 0:
        before = table.first[body]
        parameters = [
            entity
            for entity in ctx.entities.values()
            if entity.kind is EntityKind.PARAMETER and place.first < entity.place.first < before
        ]
        _take_parameters(inner, sorted(parameters, key=_place))
        _run_children(inner, body)
    own = inner.finish(f"block in {_outermost(builder)}", Place(place.first, place.first + 1))
    outermost = builder
    while outermost.outer is not None:
        outermost = outermost.outer
    outermost.blocks += [own, *inner.blocks]
    _builders[id(outermost)].append(inner)
    arguments = tuple(
        builder.read(each.number, place) if each.captured else () for each in inner.parameters
    )
    if any(each.captured for each in inner.parameters):
        places = tuple(place for _ in arguments)
        builder.calls.append(CallSite("", None, (), own.id, arguments, places, place))
    return block_value(builder, number, place)


def _outermost(builder: Builder) -> str:
    while builder.outer is not None:
        builder = builder.outer
    item: ItemKey = builder.ctx.item
    return item[1]


def _place(entity: Entity) -> Place:
    return entity.place


hooks["condition"] = _condition
hooks["branches"] = branches  # type: ignore[assignment]
hooks["statement_expression"] = _statement_expression
hooks["block"] = _block
__all__ = ["BASE", "UNKNOWN", "EntityRef", "Array", "Type", "function_flows"]
