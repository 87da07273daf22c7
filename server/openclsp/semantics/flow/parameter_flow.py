"""Flow of parameters: their initial values and their storage."""

from __future__ import annotations

from openclsp.semantics.facts.entities import Entity
from openclsp.semantics.flow.builder_state import Memory, is_open
from openclsp.semantics.flow.graph import BASE, OBJECT, Atom, Declared, Flow, ObjectId, Parameter, Store
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.memory_access import copy_object
from openclsp.semantics.flow.object_layout import may_hold
from openclsp.semantics.flow.object_parts import exact_object, set_part
from openclsp.semantics.flow.transfers import BIT_OF_SPACE, IDENTITY
from openclsp.semantics.types.type_model import (
    Pointer,
    Record,
    Scalar,
    Vector,
)


def take_parameters(builder: Builder, entities: list[Entity]) -> None:
    """Declares the parameters of a function or block, in order."""
    for entity in entities:
        number = entity.ref.number
        node = builder.node("parameter", entity.name, entity.place)
        base = _argument_of_outside(builder, entity)
        transfer = builder.conversion_to(entity.type, entity)
        builder.parameters.append(Parameter(node, entity.name, entity.place, transfer, base, number))
        builder.own.add(number)
        flow = builder.copy(node, entity.place)
        if builder.is_tracked(entity):
            if builder.environment is not None and (isinstance(entity.type, Pointer) or not builder.kernel):
                builder.environment.flows[number] = flow
            builder.names[entity.place.first] = flow
        elif isinstance(entity.type, Record):
            if builder.pointer_paths(entity.type):
                address = builder.object_at(entity.type, entity.ref, entity.name, entity.place)
                target = Memory(address, (), exact_object(builder, entity))
                copy_object(builder, Memory(flow, ()), target, entity.type, entity.place, entity.name)
        elif isinstance(entity.type, Pointer) or (builder.carrying and may_hold(entity.type)):
            address = builder.object_at(entity.type, entity.ref, entity.name, entity.place)
            builder.stores.append(Store(address, (), flow, entity.place, entity.name))
            set_part(builder, exact_object(builder, entity), flow, entity.name, entity.place)
            builder.names[entity.place.first] = flow


def _argument_of_outside(builder: Builder, entity: Entity) -> Flow:
    """Returns the value that code outside the unit passes for a parameter.

    The host passes it to a kernel, and an unknown caller to another function.
    """
    type_ = entity.type
    if not isinstance(type_, Pointer):
        host = builder.kernel and isinstance(type_, Scalar)
        return (
            builder.unknown(entity.place) if isinstance(type_, Scalar | Vector | Record) and not host else ()
        )
    pointee = type_.pointee
    bit = BIT_OF_SPACE.get(pointee.space) if pointee.space is not None else None
    if bit is None or (builder.as_if_generic and is_open(type_, entity)):
        return builder.unknown(entity.place)
    pointer_paths = builder.pointers_in(pointee)
    what = "kernel parameter" if builder.kernel else "parameter"
    declared = Declared(entity.name, what, entity.ref)
    if pointer_paths:
        made = ObjectId("host", str(pointee.unqualified), pointee.space, pointer_paths, "")
        return (Atom(OBJECT, made, (), IDENTITY, entity.place),)
    return (Atom(BASE, bit, declared, IDENTITY, entity.place),)
