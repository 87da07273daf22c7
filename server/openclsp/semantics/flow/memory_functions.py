"""Flow of the compiler's functions that copy and set memory: `__builtin_memcpy`, `memmove` and `memset`."""

from __future__ import annotations

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.flow.graph import ANYWHERE, BASE, Atom, Flow, Store
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.memory_access import type_of, write
from openclsp.semantics.flow.struct_values import materialise
from openclsp.semantics.flow.transfers import IDENTITY, NULL
from openclsp.semantics.types.type_model import Array, Pointer, Type

_COPIES = frozenset(("__builtin_memcpy", "__builtin_memmove"))
_SET = "__builtin_memset"


def moves_memory(
    builder: Builder, name: str, nodes: list[int], arguments: tuple[Flow, ...], place: Place
) -> bool:
    """Models a call that copies whole objects or fills memory with zeroes; returns whether it did.

    Any other call of these functions is not modelled. For example, the size of a copy may differ from the
    size of an object, or of an array of such objects; the call may then also change other memory.
    """
    if len(nodes) != 3 or builder.environment is None:
        return False
    if name == _SET:
        value = builder.trace.get(nodes[1])
        if value is None or value.number != 0:
            return False
        null = (Atom(BASE, NULL, None, IDENTITY, place),)
        write(builder, Store(arguments[0], (ANYWHERE,), null, place, ""))
        return True
    if name not in _COPIES:
        return False
    size = builder.trace.get(nodes[2])
    measured = None if size is None else size.measured
    to, source = (_object(type_of(builder, node)) for node in nodes[:2])
    if measured is None or to is None or source is None:
        return False
    if to.unqualified is not source.unqualified:
        return _copies_other_data(builder, to, source, _element(measured), arguments, place)
    if to.unqualified is not _element(measured).unqualified:
        return False
    if isinstance(measured, Array) and any(atom.b for address in arguments[:2] for atom in address):
        return False
    if not builder.pointers_in(to):
        return False
    materialise(builder, arguments[1], place)
    write(builder, Store(arguments[0], (), (), place, "", arguments[1]))
    return True


def _copies_other_data(
    builder: Builder, to: Type, source: Type, measured: Type, arguments: tuple[Flow, ...], place: Place
) -> bool:
    """Models a copy between an object with pointers and plain data, such as an array of integers.

    Returns whether the copy is modelled. The number of bytes is the size of the type `measured`. The copy is
    modelled only if one of the two objects has this type.
    """
    whole = measured.unqualified in (to.unqualified, source.unqualified)
    if not whole or not (builder.pointers_in(to) or builder.pointers_in(source)):
        return False
    builder.carries = True
    if not (builder.pointer_paths(to) and builder.pointer_paths(source)):
        return False
    materialise(builder, arguments[1], place)
    write(builder, Store(arguments[0], (ANYWHERE,), (), place, "", arguments[1]))
    return True


def _object(type_: Type | None) -> Type | None:
    if isinstance(type_, Array):
        return _element(type_)
    return type_.pointee if isinstance(type_, Pointer) else None


def _element(type_: Type) -> Type:
    while isinstance(type_, Array):
        type_ = type_.element
    return type_
