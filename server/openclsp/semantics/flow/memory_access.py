"""Loads from and stores to variables and memory.

The value of an array or struct is its address; that of a pointer, block or integer is its content.
"""

from __future__ import annotations

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.flow.builder_state import Lvalue, Memory, through
from openclsp.semantics.flow.graph import (
    ANYWHERE,
    BASE,
    CELL,
    COPY,
    DATA,
    LOAD,
    OBJECT,
    Atom,
    Flow,
    ObjectId,
    Store,
)
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.object_layout import extended, is_plain, may_hold
from openclsp.semantics.flow.transfers import IDENTITY, NULL
from openclsp.semantics.types.type_model import (
    Array,
    BlockPointer,
    Pointer,
    Record,
    Type,
)


def type_of(builder: Builder, node: int) -> Type | None:
    """Returns the type of the expression at a syntax node."""
    value = builder.trace.get(node)
    return value.type if value is not None else None


def is_aggregate(type_: Type | None) -> bool:
    """Whether values of the type are represented by their address."""
    return isinstance(type_, Array | Record)


def load(builder: Builder, lvalue: Lvalue | None, type_: Type | None, place: Place) -> Flow:
    """Loads a value of this type from an lvalue."""
    if isinstance(lvalue, int):
        return builder.read(lvalue, place)
    if lvalue is None:
        return builder.unknown(place) if isinstance(type_, Pointer | BlockPointer) else ()
    if is_aggregate(type_):
        return builder.moved(lvalue.address, lvalue.path, place)
    if not isinstance(type_, Pointer | BlockPointer):
        return loaded(builder, lvalue, place) or nothing(place) if tracks_data(builder, lvalue, type_) else ()
    return through(loaded(builder, lvalue, place), builder.conversion_to(type_))


def nothing(place: Place) -> Flow:
    """Returns the value of an integer that holds no pointer.

    An empty value would mean that this is unknown.
    """
    return (Atom(BASE, 0, None, IDENTITY, place),)


def loaded(builder: Builder, lvalue: Memory, place: Place) -> Flow:
    """Loads the pointers in a part of memory."""
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
        found.append(Atom(LOAD, builder.at_node(tuple(rest), place), lvalue.path, IDENTITY, place))
    return tuple(found)


def store(builder: Builder, lvalue: Lvalue | None, type_: Type, flow: Flow, place: Place, name: str) -> Flow:
    """Stores a value that is converted to this type; returns the value of the assignment."""
    if isinstance(lvalue, int):
        return builder.assign(lvalue, flow, name, place)
    if lvalue is None or builder.environment is None:
        return flow
    if isinstance(type_, Record):
        copy_object(builder, Memory(flow, ()), lvalue, type_, place, name)
    elif flow and (isinstance(type_, Pointer | BlockPointer) or tracks_data(builder, lvalue, type_)):
        builder.stores.append(Store(lvalue.address, lvalue.path, flow, place, name))
    return flow


def copy_object(
    builder: Builder, source: Memory, target: Memory, type_: Type, place: Place, name: str
) -> None:
    """Copies a struct, by copying each pointer in it.

    Plain data in unions that may hold a pointer is copied too.
    """
    pointer_paths = builder.pointer_paths(type_)
    if not pointer_paths and builder.carrying and (_is_shared(source) or _is_shared(target)):
        pointer_paths = ((),)
    for pointer_path in pointer_paths:
        held = loaded(builder, Memory(source.address, extended(source.path, pointer_path)), place)
        if held:
            builder.stores.append(
                Store(target.address, extended(target.path, pointer_path), held, place, name)
            )


def tracks_data(builder: Builder, lvalue: Memory, type_: Type | None) -> bool:
    """Whether plain data of this type is tracked because it may carry a pointer.

    In a union, that is any number that shares its memory with a pointer.
    """
    if type_ is None or not builder.carrying:
        return False
    return may_hold(type_) or (is_plain(type_) and _is_shared(lvalue))


def _is_shared(lvalue: Memory) -> bool:
    """Whether all members of this part of memory share one place."""
    if lvalue.path[-1:] == (ANYWHERE,):
        return True
    return any(atom.kind in (OBJECT, COPY) and atom.b[-1:] == (ANYWHERE,) for atom in lvalue.address)
