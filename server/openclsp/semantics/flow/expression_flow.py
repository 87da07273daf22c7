"""Flow of expressions: their values, and their effects on memory and variables.

The module `memory_access` contains loads and stores. The module `plain_data` contains the flow of plain data
that carries pointers. A `syntax_node` is the index of a node in the item's table (preorder).
"""

from __future__ import annotations

from collections.abc import Callable

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.flow.builder_state import Lvalue, Memory, is_open, may_carry, through
from openclsp.semantics.flow.expression_values import value_of
from openclsp.semantics.flow.graph import (
    ANYWHERE,
    BASE,
    Atom,
    Event,
    EventKind,
    Flow,
    Store,
)
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.memory_access import (
    expose_numbers,
    has_numbers,
    load,
    nothing,
    type_of,
    write,
)
from openclsp.semantics.flow.object_layout import extended
from openclsp.semantics.flow.object_parts import element, exact_object, pointed_to, step_into, stepped
from openclsp.semantics.flow.plain_data import before_void, reinterprets_pointers, shifted
from openclsp.semantics.flow.transfers import (
    BIT_OF_SPACE,
    IDENTITY,
    NULL,
)
from openclsp.semantics.types.type_model import (
    CONST,
    Array,
    BlockPointer,
    Function,
    Pointer,
    Record,
    Scalar,
    Type,
    Vector,
)
from openclsp.semantics.types.type_structure import is_unknown
from openclsp.semantics.typing.dispatch import is_expression
from openclsp.source.parser import FIELDS, kind

_ARGUMENT, _LEFT, _RIGHT = FIELDS["argument"], FIELDS["left"], FIELDS["right"]
_FIELD, _VALUE, _INDEX = FIELDS["field"], FIELDS["value"], FIELDS["index"]
IDENTIFIER, PARENTHESES = kind("identifier"), kind("parenthesized_expression")
_COMPOUND = kind("compound_statement")
_FIELD_EXPRESSION, _SUBSCRIPT = kind("field_expression"), kind("subscript_expression")
_POINTER_EXPRESSION = kind("pointer_expression")
_COMPOUND_LITERAL = kind("compound_literal_expression")

_handlers: dict[int, Callable[[Builder, int], Flow]] = {}


def handles(*names: str) -> Callable[[Callable[[Builder, int], Flow]], Callable[[Builder, int], Flow]]:
    def register(handler: Callable[[Builder, int], Flow]) -> Callable[[Builder, int], Flow]:
        for name in names:
            _handlers[kind(name)] = handler
        return handler

    return register


def flow_of(builder: Builder, syntax_node: int) -> Flow:
    """Evaluates an expression: returns its value and applies its side effects."""
    if syntax_node < 0:
        return ()
    handler = _handlers.get(builder.table.kind[syntax_node])
    if handler is not None:
        flow = handler(builder, syntax_node)
    else:
        for child in builder.table.children(syntax_node):
            flow_of(builder, child)
        value = builder.trace.get(syntax_node)
        pointer = value is not None and isinstance(value.type, Pointer | BlockPointer)
        flow = builder.unknown(builder.ctx.place(syntax_node)) if pointer else ()
    builder.values[syntax_node] = flow
    return flow


def converted(builder: Builder, syntax_node: int, target: Type) -> Flow:
    """Evaluates an expression and converts its value to a type."""
    flow = flow_of(builder, syntax_node)
    return as_type(builder, syntax_node, flow, target)


def as_type(builder: Builder, syntax_node: int, flow: Flow, target: Type) -> Flow:
    """Converts the value of the expression at a syntax node to a type."""
    source, value = type_of(builder, syntax_node), builder.trace.get(syntax_node)
    if not isinstance(target, Pointer | BlockPointer):
        if not flow and builder.carrying and may_carry(target) and value is not None and value.number == 0:
            return (Atom(BASE, NULL, None, IDENTITY, builder.ctx.place(syntax_node)),)
        return flow
    if isinstance(source, Scalar | Vector) and value is not None and value.number is None:
        builder.carries = True
    if not flow:
        place = builder.ctx.place(syntax_node)
        if value is not None and (value.null or value.number == 0):
            return (Atom(BASE, NULL, None, IDENTITY, place),)
        if value is None or not isinstance(value.type, Pointer | BlockPointer | Array):
            flow = builder.unknown(place)
    if isinstance(target, Pointer) and reinterprets_pointers(
        builder, before_void(builder, syntax_node), target.pointee
    ):
        if not has_numbers(builder, target.pointee.unqualified, untracked=True):
            builder.carries = True
        elif not target.pointee.qualifiers & CONST:
            place = builder.ctx.place(syntax_node)
            write(builder, Store(flow, (ANYWHERE,), builder.unknown(place), place, ""))
    return through(flow, builder.conversion_to(target))


# --- lvalues


def lvalue_of(builder: Builder, syntax_node: int, *, accessed: bool = True) -> Lvalue | None:
    """Evaluates an expression as an lvalue; None if it is not a tracked lvalue.

    `accessed` is False for the operand of `&`: `&*p` does not dereference `p`.
    """
    table = builder.table
    number = table.kind[syntax_node]
    if number == PARENTHESES:
        inner = next(iter(table.children(syntax_node)), -1)
        if inner >= 0 and table.kind[inner] != _COMPOUND:
            return lvalue_of(builder, inner, accessed=accessed)
        return None
    if number == IDENTIFIER:
        return _named(builder, syntax_node)
    if number == _FIELD_EXPRESSION:
        return _member(builder, syntax_node, accessed)
    if number == _SUBSCRIPT:
        return _element(builder, syntax_node, accessed)
    if number == _POINTER_EXPRESSION and table.token(table.first[syntax_node]) == "*":
        operand = table.child(syntax_node, _ARGUMENT)
        address = flow_of(builder, operand)
        if accessed:
            used(builder, operand, address, EventKind.DEREFERENCE, "*")
        return Memory(address, (), pointed_to(value_of(builder, operand)))
    if number == _COMPOUND_LITERAL:
        flow_of(builder, syntax_node)
        return builder.lvalues.get(syntax_node)
    return None


def _named(builder: Builder, syntax_node: int) -> Lvalue | None:
    value = builder.trace.get(syntax_node)
    if value is None or value.origin is None or value.origin.level != 0:
        return None
    ref = value.origin.entity
    entity = builder.entity(ref)
    if entity is not None and builder.is_tracked(entity):
        return ref.number
    if isinstance(value.type, Function) or is_unknown(value.type):
        return None
    type_ = value.type if entity is None else entity.type
    exact = None if entity is None else exact_object(builder, entity)
    return Memory(builder.object_at(type_, ref, value.name, builder.ctx.place(syntax_node)), (), exact)


def _member(builder: Builder, syntax_node: int, accessed: bool) -> Lvalue | None:
    table = builder.table
    base_node, field = table.child(syntax_node, _ARGUMENT), table.child(syntax_node, _FIELD)
    name = table.text(field) if field >= 0 else ""
    arrow = field >= 0 and table.token(table.first[field] - 1) == "->"
    base_type = type_of(builder, base_node)
    if not arrow:
        base = lvalue_of(builder, base_node, accessed=accessed)
        _note_union(builder, base_type, name, syntax_node)
        if base is None or isinstance(base, int):
            # a member of a vector, or of a struct that a call returns
            if base is None:
                address = _flow_without_lvalue(builder, base_node)
                return Memory(address, (name,)) if isinstance(base_type, Record) else None
            return base
        if not isinstance(base_type, Record):
            return base
        step = step_into(builder, base_type, name)
        return Memory(base.address, extended(base.path, step), stepped(base.exact, *step))
    address = flow_of(builder, base_node)
    if accessed:
        used(builder, base_node, address, EventKind.DEREFERENCE, "->")
    pointee = base_type.pointee if isinstance(base_type, Pointer) else None
    if isinstance(base_type, Array):
        pointee = base_type.element
    _note_union(builder, pointee, name, syntax_node)
    if not isinstance(pointee, Record):
        return Memory(address, ())
    step = step_into(builder, pointee, name)
    return Memory(address, step, stepped(pointed_to(value_of(builder, base_node)), *step))


def _note_union(builder: Builder, container: Type | None, name: str, syntax_node: int) -> None:
    """Sets `builder.carries` if the accessed member is a number in a union that also contains pointers.

    `container` is the type of the object whose member `name` is accessed.
    """
    if isinstance(container, Record) and step_into(builder, container, name)[-1:] == (ANYWHERE,):
        type_ = type_of(builder, syntax_node)
        if type_ is not None and has_numbers(builder, type_) and _holds_pointers(builder, container):
            builder.carries = True


def _element(builder: Builder, syntax_node: int, accessed: bool) -> Lvalue | None:
    table = builder.table
    base_node, index_node = table.child(syntax_node, _ARGUMENT), table.child(syntax_node, _INDEX)
    if not isinstance(type_of(builder, base_node), Pointer | Array) and index_node >= 0:
        base_node, index_node = (
            (index_node, base_node)
            if isinstance(type_of(builder, index_node), Pointer | Array)
            else (base_node, index_node)
        )
    flow_of(builder, index_node)
    if isinstance(type_of(builder, base_node), Array):
        inner = lvalue_of(builder, base_node, accessed=accessed)
        if isinstance(inner, Memory):
            index = builder.trace.get(index_node)
            step = element(index.number if index is not None else None)
            return inner._replace(exact=stepped(inner.exact, step))
        if inner is not None:
            return inner
        address = _flow_without_lvalue(builder, base_node)
    else:
        address = flow_of(builder, base_node)
    if accessed:
        used(builder, base_node, address, EventKind.DEREFERENCE, "[]")
    return Memory(address, ())


def _flow_without_lvalue(builder: Builder, syntax_node: int) -> Flow:
    """Evaluates an expression for which `lvalue_of` has returned None, without evaluating its parts again.

    Evaluating them again would double the work for each part of `a.b.c…`.
    """
    table = builder.table
    number = table.kind[syntax_node]
    inner = next(iter(table.children(syntax_node)), -1) if number == PARENTHESES else -1
    if inner >= 0 and table.kind[inner] != _COMPOUND:
        flow = _flow_without_lvalue(builder, inner)
    elif number in (_FIELD_EXPRESSION, _SUBSCRIPT):
        flow = _loaded_part(builder, syntax_node, None)
    elif number == _COMPOUND_LITERAL:
        flow = builder.values.get(syntax_node, ())
    else:
        return flow_of(builder, syntax_node)
    builder.values[syntax_node] = flow
    return flow


def used(builder: Builder, syntax_node: int, flow: Flow, event: str, name: str, target: int = 0) -> None:
    """Records a use of a pointer.

    `event` is the kind of the use (`EventKind`); for `name` and `target`, see `Event`. A dereference or a
    call of a built-in function is recorded only if the pointer is generic.
    """
    type_ = type_of(builder, syntax_node)
    if builder.environment is not None and isinstance(type_, Pointer):
        generic = type_.pointee.space is Space.GENERIC
        if generic or event not in (EventKind.DEREFERENCE, EventKind.BUILTIN):
            place = builder.ctx.place(syntax_node)
            builder.events.append(Event(event, place, flow, (), target, name, builder.certain))


# --- expressions


@handles("identifier")
def _identifier(builder: Builder, syntax_node: int) -> Flow:
    place = builder.ctx.place(syntax_node)
    value = builder.trace.get(syntax_node)
    flow = load(builder, _named(builder, syntax_node), value.type if value is not None else None, place)
    if value is not None and value.origin is None and value.null:
        flow = ()
    builder.names[place.first] = flow
    return flow


@handles("parenthesized_expression", "extension_expression")
def _parentheses(builder: Builder, syntax_node: int) -> Flow:
    for child in builder.table.children(syntax_node):
        if builder.table.kind[child] == _COMPOUND:
            return flow_of(builder, child)
        if is_expression(builder.table.kind[child]):
            return flow_of(builder, child)
    return ()


@handles("field_expression", "subscript_expression")
def _part(builder: Builder, syntax_node: int) -> Flow:
    return _loaded_part(builder, syntax_node, lvalue_of(builder, syntax_node))


def _loaded_part(builder: Builder, syntax_node: int, lvalue: Lvalue | None) -> Flow:
    if builder.carrying and lvalue is not None:
        builder.lvalues[syntax_node] = lvalue
    flow = load(builder, lvalue, type_of(builder, syntax_node), builder.ctx.place(syntax_node))
    field = builder.table.child(syntax_node, _FIELD)
    if field >= 0:
        builder.names[builder.table.first[field]] = flow
    return flow


@handles("pointer_expression")
def _pointer(builder: Builder, syntax_node: int) -> Flow:
    table = builder.table
    operand = table.child(syntax_node, _ARGUMENT)
    if operand < 0:
        return ()
    place = builder.ctx.place(syntax_node)
    address_of = table.token(table.first[syntax_node]) == "&"
    lvalue = lvalue_of(builder, operand if address_of else syntax_node, accessed=not address_of)
    if not address_of:
        if builder.carrying and lvalue is not None:
            builder.lvalues[syntax_node] = lvalue
        return load(builder, lvalue, type_of(builder, syntax_node), place)
    if not isinstance(lvalue, Memory):
        return builder.unknown(place)
    expose_numbers(builder, lvalue, type_of(builder, operand), place)
    address = builder.moved(lvalue.address, lvalue.path, place)
    if table.kind[operand] == _SUBSCRIPT and builder.carrying:
        index = builder.trace.get(table.child(operand, _INDEX))
        if index is None or index.number != 0:
            return shifted(builder, type_of(builder, syntax_node), address, place)
    return address


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
        if flow and isinstance(source, Pointer) and _casts_between_records(source.pointee, target.pointee):
            flow = (
                builder.moved(flow, (ANYWHERE,), place) if _holds_pointers(builder, target.pointee) else flow
            )
    flow = as_type(builder, operand, flow, target)
    if builder.as_if_generic and flow and is_open(target, None):
        flow = _named_cast(builder, syntax_node, flow, place)
    if not flow and builder.carrying and isinstance(source, Pointer) and not isinstance(target, Pointer):
        return nothing(place)
    return flow


def _named_cast(builder: Builder, syntax_node: int, flow: Flow, place: Place) -> Flow:
    """Creates a node for the result of a cast, so that the cast has a points-to set of its own."""
    value = builder.trace.get(syntax_node)
    if value is None or value.origin is None:
        return flow
    node = builder.node("cast", "", place, flow)
    builder.infos[node] = builder.infos[node]._replace(entity=value.origin.entity.number)
    return builder.copy(node, place)


def _casts_between_records(source: Type, target: Type) -> bool:
    """Whether a cast converts between pointers to different structs, whose member offsets may differ."""
    return (
        isinstance(source, Record)
        and isinstance(target, Record)
        and source.unqualified is not target.unqualified
    )


def _holds_pointers(builder: Builder, type_: Type) -> bool:
    return bool(builder.pointers_in(type_))
