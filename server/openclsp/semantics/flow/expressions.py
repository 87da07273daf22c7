"""What the expressions of a function yield, and what they do to memory and to variables.

An array's or struct's value is its address; a pointer's (or block's, or integer's) is what it holds.
"""

from __future__ import annotations

from collections.abc import Callable

from openclsp.language.builtin_functions import in_any_dialect
from openclsp.language.spaces import Space
from openclsp.semantics.dispatch import is_expression
from openclsp.semantics.entities import EntityRef, Place
from openclsp.semantics.facts import Value
from openclsp.semantics.flow.building import Builder, Environment, Memory, merged, through, united
from openclsp.semantics.flow.graph import (
    BASE,
    BLOCK,
    CELL,
    COPY,
    DATA,
    LOAD,
    OBJECT,
    RESULT,
    Atom,
    CallSite,
    Declared,
    Event,
    EventKind,
    Flow,
    ObjectId,
    Path,
    Store,
)
from openclsp.semantics.flow.layout import extended, leaves_of
from openclsp.semantics.flow.transfers import (
    ADDRESS_FUNCTION,
    BIT_OF_SPACE,
    CONSTANT,
    GLOBAL,
    IDENTITY,
    LOCAL,
    NULL,
    PRIVATE,
    UNKNOWN,
    conversion_to,
)
from openclsp.semantics.types import Array, BlockPointer, Function, Pointer, Record, Scalar, Type, is_unknown
from openclsp.source.tree import FIELDS, kind

_ARGUMENT, _LEFT, _RIGHT = FIELDS["argument"], FIELDS["left"], FIELDS["right"]
_CONDITION, _CONSEQUENCE, _ALTERNATIVE = FIELDS["condition"], FIELDS["consequence"], FIELDS["alternative"]
_FIELD, _VALUE, _TYPE, _INDEX = FIELDS["field"], FIELDS["value"], FIELDS["type"], FIELDS["index"]
_FUNCTION, _ARGUMENTS = FIELDS["function"], FIELDS["arguments"]
_DESIGNATOR = FIELDS["designator"]
IDENTIFIER, PARENTHESES = kind("identifier"), kind("parenthesized_expression")
_COMPOUND, _LIST, _PAIR = kind("compound_statement"), kind("initializer_list"), kind("initializer_pair")
_FIELD_EXPRESSION, _SUBSCRIPT = kind("field_expression"), kind("subscript_expression")
_POINTER_EXPRESSION, _CALL = kind("pointer_expression"), kind("call_expression")
_COMPOUND_LITERAL = kind("compound_literal_expression")
_FIELD_DESIGNATOR = kind("field_designator")
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_LOGICAL = frozenset(("&&", "||"))
ADDRESS_FUNCTIONS = {"to_global": GLOBAL, "to_local": LOCAL, "to_private": PRIVATE}

Lvalue = int | Memory
"""A followed variable, by its entity's number, or a part of memory."""

_handlers: dict[int, Callable[[Builder, int], Flow]] = {}
hooks: dict[str, Callable[..., Flow]] = {}
"""What statements give to expressions: a block literal has a body, a statement expression too."""


def _handles(*names: str) -> Callable[[Callable[[Builder, int], Flow]], Callable[[Builder, int], Flow]]:
    def register(handler: Callable[[Builder, int], Flow]) -> Callable[[Builder, int], Flow]:
        for name in names:
            _handlers[kind(name)] = handler
        return handler

    return register


def flow_of(builder: Builder, row: int) -> Flow:
    """What the expression yields; its effects are taken into account."""
    if row < 0:
        return ()
    handler = _handlers.get(builder.table.kind[row])
    if handler is not None:
        flow = handler(builder, row)
    else:
        for child in builder.table.children(row):
            flow_of(builder, child)
        value = builder.trace.get(row)
        pointer = value is not None and isinstance(value.type, Pointer | BlockPointer)
        flow = builder.unknown(builder.ctx.place(row)) if pointer else ()
    builder.values[row] = flow
    return flow


def converted(builder: Builder, row: int, target: Type) -> Flow:
    """What the expression yields, converted to a type."""
    flow = flow_of(builder, row)
    return as_type(builder, row, flow, target)


def as_type(builder: Builder, row: int, flow: Flow, target: Type) -> Flow:
    """What the expression at the row yielded, converted to a type."""
    if not isinstance(target, Pointer | BlockPointer):
        return flow
    if not flow:
        value = builder.trace.get(row)
        place = builder.ctx.place(row)
        if value is not None and (value.null or value.number == 0):
            return (Atom(BASE, NULL, None, IDENTITY, place),)
        if value is None or not isinstance(value.type, Pointer | BlockPointer | Array):
            flow = builder.unknown(place)
    return through(flow, conversion_to(target))


def _type_of(builder: Builder, row: int) -> Type | None:
    value = builder.trace.get(row)
    return value.type if value is not None else None


def is_aggregate(type_: Type | None) -> bool:
    """Whether a value of the type is dealt with by its address."""
    return isinstance(type_, Array | Record)


# --- lvalues


def lvalue_of(builder: Builder, row: int) -> Lvalue | None:
    """The lvalue that the expression designates; None where it is none that can be followed."""
    table = builder.table
    number = table.kind[row]
    if number == PARENTHESES:
        inner = next(iter(table.children(row)), -1)
        if inner >= 0 and table.kind[inner] != _COMPOUND:
            return lvalue_of(builder, inner)
        return None
    if number == IDENTIFIER:
        return _named(builder, row)
    if number == _FIELD_EXPRESSION:
        return _member(builder, row)
    if number == _SUBSCRIPT:
        return _element(builder, row)
    if number == _POINTER_EXPRESSION and table.leaf(table.first[row]) == "*":
        operand = table.child(row, _ARGUMENT)
        address = flow_of(builder, operand)
        _used(builder, operand, address, EventKind.DEREFERENCE, "*")
        return Memory(address, ())
    if number == _COMPOUND_LITERAL:
        return Memory(flow_of(builder, row), ())
    return None


def _named(builder: Builder, row: int) -> Lvalue | None:
    value = builder.trace.get(row)
    if value is None or value.origin is None or value.origin.level != 0:
        return None
    ref = value.origin.entity
    entity = builder.entity(ref)
    if entity is not None and builder.is_followed(entity):
        return ref.number
    if isinstance(value.type, Function) or is_unknown(value.type):
        return None
    type_ = value.type if entity is None else entity.type
    return Memory(builder.object_at(type_, ref, value.name, builder.ctx.place(row)), ())


def _member(builder: Builder, row: int) -> Lvalue | None:
    table = builder.table
    base_row, field = table.child(row, _ARGUMENT), table.child(row, _FIELD)
    name = table.text(field) if field >= 0 else ""
    arrow = field >= 0 and table.leaf(table.first[field] - 1) == "->"
    base_type = _type_of(builder, base_row)
    if not arrow:
        base = lvalue_of(builder, base_row)
        if base is None or isinstance(base, int):
            # a struct that a call returns, or a vector
            return Memory(flow_of(builder, base_row), (name,)) if isinstance(base_type, Record) else base
        if not isinstance(base_type, Record):
            return base
        return Memory(base.address, extended(base.path, _step(base_type, name)))
    address = flow_of(builder, base_row)
    _used(builder, base_row, address, EventKind.DEREFERENCE, "->")
    pointee = base_type.pointee if isinstance(base_type, Pointer) else None
    if isinstance(base_type, Array):
        pointee = base_type.element
    return Memory(address, _step(pointee, name) if isinstance(pointee, Record) else ())


def _step(container: Type | None, name: str) -> Path:
    """The way into a member; all members of a union share one place."""
    return ("*",) if isinstance(container, Record) and container.keyword == "union" else (name,)


def _element(builder: Builder, row: int) -> Lvalue | None:
    table = builder.table
    base_row, index_row = table.child(row, _ARGUMENT), table.child(row, _INDEX)
    if not isinstance(_type_of(builder, base_row), Pointer | Array) and index_row >= 0:
        base_row, index_row = (
            (index_row, base_row)
            if isinstance(_type_of(builder, index_row), Pointer | Array)
            else (base_row, index_row)
        )
    flow_of(builder, index_row)
    if isinstance(_type_of(builder, base_row), Array):
        inner = lvalue_of(builder, base_row)
        if inner is not None:
            return inner
    address = flow_of(builder, base_row)
    _used(builder, base_row, address, EventKind.DEREFERENCE, "[]")
    return Memory(address, ())


def _used(builder: Builder, row: int, flow: Flow, event: str, name: str, target: int = 0) -> None:
    """Note what is done with a pointer; only a generic one leaves anything open."""
    type_ = _type_of(builder, row)
    if builder.environment is not None and isinstance(type_, Pointer):
        generic = type_.pointee.space is Space.GENERIC
        if generic or event not in (EventKind.DEREFERENCE, EventKind.BUILTIN):
            builder.events.append(Event(event, builder.ctx.place(row), flow, (), target, name))


def load(builder: Builder, lvalue: Lvalue | None, type_: Type | None, place: Place) -> Flow:
    """What is read from an lvalue of this type."""
    if isinstance(lvalue, int):
        return builder.read(lvalue, place)
    if lvalue is None:
        return builder.unknown(place) if isinstance(type_, Pointer | BlockPointer) else ()
    if is_aggregate(type_):
        return builder.moved(lvalue.address, lvalue.path, place)
    if not isinstance(type_, Pointer | BlockPointer):
        return ()
    return through(loaded(builder, lvalue, place), conversion_to(type_))


def loaded(builder: Builder, lvalue: Memory, place: Place) -> Flow:
    """The pointers that lie in a part of memory."""
    found: list[Atom] = []
    rest: list[Atom] = []
    for atom in lvalue.address:
        if atom.kind == OBJECT:
            made, path = atom.a, atom.b
            assert isinstance(made, ObjectId) and isinstance(path, tuple)
            found.append(Atom(CELL, made, extended(path, lvalue.path), IDENTITY, place))
        elif atom.kind == BASE:
            if isinstance(atom.a, int) and atom.a & ~NULL:
                found.append(Atom(DATA, atom.a, None, IDENTITY, place))
        else:
            rest.append(atom)
    if rest:
        found.append(
            Atom(LOAD, builder.at_node(tuple(rest), place), lvalue.path, IDENTITY, place)
        )
    return tuple(found)


def store(builder: Builder, lvalue: Lvalue | None, type_: Type, flow: Flow, place: Place, name: str) -> Flow:
    """Store a value of this type, already converted to it; what the assignment yields."""
    if isinstance(lvalue, int):
        return builder.assign(lvalue, flow, name, place)
    if lvalue is None or builder.environment is None:
        return flow
    if isinstance(type_, Record):
        copy_object(builder, Memory(flow, ()), lvalue, type_, place, name)
    elif flow and isinstance(type_, Pointer | BlockPointer):
        builder.stores.append(Store(lvalue.address, lvalue.path, flow, place, name))
    return flow


def copy_object(
    builder: Builder, source: Memory, target: Memory, type_: Type, place: Place, name: str
) -> None:
    """Copy a struct: each pointer in it."""
    for leaf in leaves_of(builder.ctx, type_):
        held = loaded(builder, Memory(source.address, extended(source.path, leaf)), place)
        if held:
            builder.stores.append(Store(target.address, extended(target.path, leaf), held, place, name))


# --- expressions


@_handles("identifier")
def _identifier(builder: Builder, row: int) -> Flow:
    place = builder.ctx.place(row)
    value = builder.trace.get(row)
    flow = load(builder, _named(builder, row), value.type if value is not None else None, place)
    if value is not None and value.origin is None and value.null:
        flow = ()
    builder.names[place.first] = flow
    return flow


@_handles("parenthesized_expression", "extension_expression")
def _parentheses(builder: Builder, row: int) -> Flow:
    for child in builder.table.children(row):
        if builder.table.kind[child] == _COMPOUND:
            return hooks["statement_expression"](builder, child)
        if is_expression(builder.table.kind[child]):
            return flow_of(builder, child)
    return ()


@_handles("comma_expression")
def _comma(builder: Builder, row: int) -> Flow:
    flow_of(builder, builder.table.child(row, _LEFT))
    return flow_of(builder, builder.table.child(row, _RIGHT))


@_handles("field_expression", "subscript_expression")
def _part(builder: Builder, row: int) -> Flow:
    flow = load(builder, lvalue_of(builder, row), _type_of(builder, row), builder.ctx.place(row))
    field = builder.table.child(row, _FIELD)
    if field >= 0:
        builder.names[builder.table.first[field]] = flow
    return flow


@_handles("pointer_expression")
def _pointer(builder: Builder, row: int) -> Flow:
    table = builder.table
    operand = table.child(row, _ARGUMENT)
    if operand < 0:
        return ()
    place = builder.ctx.place(row)
    if table.leaf(table.first[row]) != "&":
        return load(builder, lvalue_of(builder, row), _type_of(builder, row), place)
    lvalue = lvalue_of(builder, operand)
    if not isinstance(lvalue, Memory):
        return builder.unknown(place)
    return builder.moved(lvalue.address, lvalue.path, place)


@_handles("cast_expression")
def _cast(builder: Builder, row: int) -> Flow:
    operand = builder.table.child(row, _VALUE)
    value = builder.trace.get(row)
    flow = flow_of(builder, operand)
    return flow if value is None else _cast_to(builder, row, operand, flow, value.type)


def _cast_to(builder: Builder, row: int, operand: int, flow: Flow, target: Type) -> Flow:
    place = builder.ctx.place(row)
    source = _type_of(builder, operand)
    if isinstance(target, Pointer):
        space = target.pointee.space
        bit = BIT_OF_SPACE.get(space) if space is not None else None
        if bit is not None and isinstance(source, Pointer) and source.pointee.space is Space.GENERIC:
            builder.events.append(Event(EventKind.CAST, place, flow, (), bit, ""))
        elif bit is not None and isinstance(source, Scalar):
            builder.events.append(Event(EventKind.INTEGER, place, flow, (), bit, ""))
        if flow and isinstance(source, Pointer) and _lays_another_type(source.pointee, target.pointee):
            flow = builder.moved(flow, ("*",), place) if _holds_pointers(builder, target.pointee) else flow
    return as_type(builder, operand, flow, target)


def _lays_another_type(source: Type, target: Type) -> bool:
    """Whether a cast makes of a pointer to a struct one to another struct: their members need not lie alike."""
    return (
        isinstance(source, Record)
        and isinstance(target, Record)
        and source.unqualified is not target.unqualified
    )


def _holds_pointers(builder: Builder, type_: Type) -> bool:
    return bool(leaves_of(builder.ctx, type_))


@_handles("assignment_expression")
def _assignment(builder: Builder, row: int) -> Flow:
    table = builder.table
    left, right = table.child(row, _LEFT), table.child(row, _RIGHT)
    if left < 0 or right < 0:
        return ()
    place = builder.ctx.place(row)
    type_ = _type_of(builder, left)
    sign = table.leaf(table.last[left])
    if sign != "=":
        flow_of(builder, right)
        return flow_of(builder, left)
    target = lvalue_of(builder, left)
    if type_ is None:
        flow_of(builder, right)
        return ()
    flow = converted(builder, right, type_)
    flow = store(builder, target, type_, flow, place, _spelled(builder, left))
    _note_name(builder, left, flow)
    return flow


def _note_name(builder: Builder, row: int, flow: Flow) -> None:
    """What a name holds after it was assigned to."""
    builder.values[row] = flow
    table = builder.table
    while table.kind[row] == PARENTHESES:
        row = next(iter(table.children(row)), -1)
        builder.values[row] = flow
    if table.kind[row] == IDENTIFIER:
        builder.names[table.first[row]] = flow
    elif table.kind[row] == _FIELD_EXPRESSION:
        builder.names[table.last[row] - 1] = flow


def _spelled(builder: Builder, row: int) -> str:
    text = b" ".join(builder.table.leaves[builder.table.first[row] : builder.table.last[row]])
    shown = text.decode("utf-8", "replace")
    for mark in (".", "->", "[", "]", "(", ")"):
        shown = shown.replace(f" {mark} ", mark).replace(f" {mark}", mark).replace(f"{mark} ", mark)
    return shown.replace("* ", "*")


@_handles("update_expression")
def _update(builder: Builder, row: int) -> Flow:
    return flow_of(builder, builder.table.child(row, _ARGUMENT))


@_handles("unary_expression")
def _unary(builder: Builder, row: int) -> Flow:
    flow = flow_of(builder, builder.table.child(row, _ARGUMENT))
    return () if builder.table.leaf(builder.table.first[row]) == "!" else flow


@_handles("binary_expression")
def _binary(builder: Builder, row: int) -> Flow:
    table = builder.table
    left, right = table.child(row, _LEFT), table.child(row, _RIGHT)
    if left < 0 or right < 0:
        return ()
    leaf = table.last[left]
    sign = table.leaf(leaf)
    if sign in _LOGICAL:
        hooks["condition"](builder, row)
        return ()
    first, second = flow_of(builder, left), flow_of(builder, right)
    if sign in _COMPARISONS:
        types = _type_of(builder, left), _type_of(builder, right)
        if isinstance(types[0], Pointer) and isinstance(types[1], Pointer):
            place = Place(leaf, leaf + 1)
            builder.events.append(Event(EventKind.COMPARISON, place, first, second, 0, sign))
        return ()
    if isinstance(_type_of(builder, row), Pointer):
        return first if isinstance(_type_of(builder, left), Pointer | Array) else second
    if sign == "-" and isinstance(_type_of(builder, left), Pointer | Array):
        return ()
    return united(first, second)


@_handles("conditional_expression")
def _conditional(builder: Builder, row: int) -> Flow:
    table = builder.table
    condition = table.child(row, _CONDITION)
    consequence, alternative = table.child(row, _CONSEQUENCE), table.child(row, _ALTERNATIVE)
    if condition < 0 or alternative < 0:
        return ()
    type_ = _type_of(builder, row)
    true, false = hooks["branches"](builder, condition)
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
    builder.environment = merged(builder, after, builder.ctx.place(row))
    return united(*flows)


@_handles("compound_literal_expression")
def _compound_literal(builder: Builder, row: int) -> Flow:
    value = builder.trace.get(row)
    if value is None or value.origin is None:
        return ()
    place = builder.ctx.place(row)
    ref = value.origin.entity
    address = builder.object_at(value.type, ref, "compound literal", place, "literal")
    initialised(builder, Memory(address, ()), value.type, builder.table.child(row, _VALUE), "")
    if is_aggregate(value.type):
        return address
    return address if leaves_of(builder.ctx, value.type) else ()


@_handles("string_literal", "concatenated_string")
def _string(builder: Builder, row: int) -> Flow:
    declared = Declared("string literal", "string", None)
    return (Atom(BASE, CONSTANT, declared, IDENTITY, builder.ctx.place(row)),)


@_handles("sizeof_expression", "alignof_expression", "offsetof_expression", "number_literal", "char_literal")
def _nothing(builder: Builder, row: int) -> Flow:
    return ()


@_handles("block_literal")
def _block(builder: Builder, row: int) -> Flow:
    return hooks["block"](builder, row)


def block_value(builder: Builder, number: int, place: Place) -> Flow:
    """A block literal, as a value."""
    return (Atom(BLOCK, (builder.ctx.item, number), None, IDENTITY, place),)


# --- initialisers


def initialised(builder: Builder, target: Memory, type_: Type, row: int, name: str) -> None:
    """Initialise an object in memory."""
    table = builder.table
    if row < 0:
        return
    place = builder.ctx.place(row)
    if table.kind[row] != _LIST:
        flow = converted(builder, row, type_)
        value_type = _type_of(builder, row)
        if not isinstance(type_, Array):
            store(builder, target, type_, flow, place, name)
        elif isinstance(value_type, Array) and leaves_of(builder.ctx, type_):
            copy_object(builder, Memory(flow, ()), target, type_, place, name)
        return
    parts = list(table.children(row))
    if isinstance(type_, Array):
        for part in parts:
            _initialised_part(builder, target, type_.element, part, name)
    elif isinstance(type_, Record):
        _initialised_record(builder, target, type_, parts, name)
    else:
        for part in parts:
            initialised(builder, target, type_, part, name)


def _initialised_part(builder: Builder, target: Memory, type_: Type, part: int, name: str) -> None:
    """One part of a list, for an element or member of this type. Where braces are left out, it is not known which."""
    table = builder.table
    if table.kind[part] == _PAIR:
        inner = type_
        where = target
        designators = [child for child in table.children(part) if table.field[child] == _DESIGNATOR]
        if type_ is not None and designators and table.kind[designators[0]] != _FIELD_DESIGNATOR:
            designators = designators[1:]
        for designator in designators:
            if table.kind[designator] == _FIELD_DESIGNATOR:
                where, inner = _designated(builder, where, inner, table.text(next(iter(table.children(designator)), designator)))
            elif isinstance(inner, Array):
                inner = inner.element
        value = table.child(part, _VALUE)
        if inner is not None and value >= 0:
            _initialised_part(builder, where, inner, value, name)
        elif value >= 0:
            flow_of(builder, value)
        return
    value_type = None if table.kind[part] == _LIST else _type_of(builder, part)
    if table.kind[part] != _LIST and isinstance(type_, Array | Record):
        if not isinstance(value_type, Record) or value_type.unqualified is not type_.unqualified:
            flow = flow_of(builder, part)
            if flow and not is_aggregate(value_type) and leaves_of(builder.ctx, type_):
                anywhere = Memory(target.address, (*target.path, "*"))
                builder.stores.append(
                    Store(anywhere.address, anywhere.path, flow, builder.ctx.place(part), name)
                )
            return
    initialised(builder, target, type_, part, name)


def _designated(builder: Builder, target: Memory, type_: Type | None, name: str) -> tuple[Memory, Type | None]:
    members = builder.ctx.members(type_) if isinstance(type_, Record) else None
    for member in members or ():
        if member.name == name:
            return Memory(target.address, extended(target.path, _step(type_, name))), member.type
    return target, None


def _initialised_record(builder: Builder, target: Memory, type_: Record, parts: list[int], name: str) -> None:
    table = builder.table
    members = builder.ctx.members(type_) or ()
    position = 0
    elided = False
    for part in parts:
        if table.kind[part] == _PAIR:
            first = next((c for c in table.children(part) if table.field[c] == _DESIGNATOR), -1)
            label = table.text(next(iter(table.children(first)), first)) if first >= 0 else ""
            names = [member.name for member in members]
            position = names.index(label) + 1 if label in names else len(names)
            _initialised_part(builder, target, type_, part, name)
            elided = False
            continue
        if position >= len(members) or elided:
            flow = () if table.kind[part] == _LIST else flow_of(builder, part)
            if flow:
                place = builder.ctx.place(part)
                builder.stores.append(Store(target.address, (*target.path, "*"), flow, place, name))
            continue
        member = members[position]
        # braces left out around a member that is an aggregate: what follows may belong to it
        elided = (
            table.kind[part] != _LIST
            and isinstance(member.type, Array | Record)
            and _type_of(builder, part) is not None
            and not is_aggregate(_type_of(builder, part))
        )
        where = Memory(target.address, extended(target.path, _step(type_, member.name)))
        _initialised_part(builder, where, member.type, part, name)
        position += 1


# --- calls


@_handles("call_expression")
def _call(builder: Builder, row: int) -> Flow:
    table = builder.table
    function_row, arguments_row = table.child(row, _FUNCTION), table.child(row, _ARGUMENTS)
    value = builder.trace.get(row)
    if function_row < 0 or value is None:
        return ()
    name = table.text(function_row) if table.kind[function_row] == IDENTIFIER else ""
    rows = [
        child
        for child in (table.children(arguments_row) if arguments_row >= 0 else ())
        if is_expression(table.kind[child])
    ]
    called = _named_variable(builder, function_row)
    callee: EntityRef | None = None
    if called is None and name and value.origin is not None:
        callee = value.origin.entity
    if called is None and not name:
        inner = _typedef_cast(builder, function_row)
        if inner:
            flows = [flow_of(builder, each) for each in rows]
            return _cast_to(builder, row, rows[-1], flows[-1], value.type) if rows else ()
        called = function_row
    flow = flow_of(builder, called) if called is not None else ()
    arguments = tuple(flow_of(builder, each) for each in rows)
    places = tuple(builder.ctx.place(each) for each in rows)
    if callee is None and called is None:
        return _builtin(builder, row, name, rows, arguments, value)
    place = builder.ctx.place(row)
    arguments = tuple(
        as_type(builder, each, given, _type_of(builder, each) or value.type)
        if isinstance(_type_of(builder, each), Pointer | BlockPointer)
        else _integer_argument(builder, each, given)
        for each, given in zip(rows, arguments, strict=True)
    )
    builder.calls.append(CallSite(name, callee, flow, None, arguments, places, place))
    return _result(builder, len(builder.calls) - 1, value, place)


def _integer_argument(builder: Builder, row: int, flow: Flow) -> Flow:
    """An argument that is no pointer: a null pointer constant, or an integer that may carry an address."""
    value = builder.trace.get(row)
    if not flow and value is not None and value.null:
        return (Atom(BASE, NULL, None, IDENTITY, builder.ctx.place(row)),)
    return flow


def _named_variable(builder: Builder, row: int) -> int | None:
    """The row of the callee, where it is a block variable and no function."""
    value = builder.trace.get(row)
    return row if value is not None and isinstance(value.type, BlockPointer) else None


def _typedef_cast(builder: Builder, row: int) -> bool:
    """Whether `(T)(x)` is a cast: nothing was typed in its parentheses."""
    return builder.table.kind[row] == PARENTHESES and builder.trace.get(row) is None


def _result(builder: Builder, number: int, value: Value, place: Place) -> Flow:
    if not isinstance(value.type, Pointer | BlockPointer | Record | Scalar):
        return builder.unknown(place) if is_unknown(value.type) else ()
    return through((Atom(RESULT, number, None, IDENTITY, place),), conversion_to(value.type))


def _builtin(
    builder: Builder, row: int, name: str, rows: list[int], arguments: tuple[Flow, ...], value: Value
) -> Flow:
    place = builder.ctx.place(row)
    target = ADDRESS_FUNCTIONS.get(name)
    if target is not None and len(arguments) == 1:
        given = as_type(builder, rows[0], arguments[0], _type_of(builder, rows[0]) or value.type)
        builder.events.append(Event(EventKind.ADDRESS_FUNCTION, place, given, (), target, name))
        return through(given, ADDRESS_FUNCTION[target])
    if in_any_dialect(name) or name.startswith("__builtin_"):
        for each, given in zip(rows, arguments, strict=True):
            _used(builder, each, given, EventKind.BUILTIN, name)
        if name.startswith("enqueue_kernel"):
            _enqueued(builder, name, rows, arguments, place)
        pointer = isinstance(value.type, Pointer | BlockPointer)
        return through(builder.unknown(place), conversion_to(value.type)) if pointer else ()
    places = tuple(builder.ctx.place(each) for each in rows)
    builder.calls.append(CallSite(name, None, (), None, arguments, places, place))
    return builder.unknown(place)


def _enqueued(
    builder: Builder, name: str, rows: list[int], arguments: tuple[Flow, ...], place: Place
) -> None:
    """A block that runs as a kernel."""
    for each, given in zip(rows, arguments, strict=True):
        if isinstance(_type_of(builder, each), BlockPointer):
            builder.calls.append(CallSite(name, None, given, None, (), (), place, enqueued=True))


__all__ = [
    "CONSTANT",
    "COPY",
    "GLOBAL",
    "LOCAL",
    "PRIVATE",
    "UNKNOWN",
    "block_value",
    "converted",
    "flow_of",
    "hooks",
    "initialised",
    "load",
    "lvalue_of",
]
