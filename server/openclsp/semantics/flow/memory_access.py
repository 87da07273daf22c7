"""Loads from and stores to variables and memory.

The value of an array or struct is its address; the value of a pointer, block or integer is its content.
"""

from __future__ import annotations

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.flow.builder_state import Exact, Lvalue, Memory, through, united
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
    Path,
    Store,
)
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.object_layout import extended, is_plain, may_hold, without_elements
from openclsp.semantics.flow.object_parts import (
    forget_pointed_to,
    known_part,
    leaves_of,
    overwrite,
    set_part,
)
from openclsp.semantics.flow.struct_values import content, materialise, struct_with
from openclsp.semantics.flow.transfers import IDENTITY, NULL
from openclsp.semantics.flow.value_numbers import ValueNumber
from openclsp.semantics.types.type_model import (
    CONST,
    Array,
    BlockPointer,
    Pointer,
    Record,
    Type,
)

_MAXIMUM_DEPTH = 8


def type_of(builder: Builder, node: int) -> Type | None:
    """Returns the type of the expression at a syntax node; None if the node has no value."""
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
    if isinstance(type_, Record):
        return struct_value(builder, lvalue, type_, place)
    if isinstance(type_, Array):
        materialise(builder, lvalue.address, place)
        expose_numbers(builder, lvalue, type_, place)
        return builder.moved(lvalue.address, lvalue.path, place)
    if not isinstance(type_, Pointer | BlockPointer):
        return loaded(builder, lvalue, place) or nothing(place) if tracks_data(builder, lvalue, type_) else ()
    return through(loaded(builder, lvalue, place), builder.conversion_to(type_))


def struct_value(builder: Builder, lvalue: Memory, type_: Record, place: Place) -> Flow:
    """Returns the address of an unnamed copy of a struct, with the current values of its pointers.

    Returns the address of the struct itself if these values are not tracked in execution order.
    """
    leaves = leaves_of(builder, type_)
    if lvalue.exact is None or not leaves:
        return builder.moved(lvalue.address, lvalue.path, place)
    contents: dict[Path, Flow] = {}
    for path in (*leaves, *_other_pointers(builder, type_, leaves)):
        exact = lvalue.exact[0], (*lvalue.exact[1], *path)
        inner = extended(lvalue.path, without_elements(path))
        contents[path] = loaded(builder, Memory(lvalue.address, inner, exact), place)
    return struct_with(builder, type_, contents, place)


def _other_pointers(builder: Builder, type_: Type, leaves: tuple[Path, ...]) -> list[Path]:
    """Returns the paths to those pointers in an object whose values are not tracked in execution order.

    `leaves` are the paths to the tracked pointers.
    """
    followed = {without_elements(path) for path in leaves}
    return [path for path in builder.pointer_paths(type_) if path not in followed]


def nothing(place: Place) -> Flow:
    """Returns the value of an integer that contains no pointer.

    An empty flow, in contrast, is the value of an integer of unknown provenance.
    """
    return (Atom(BASE, 0, None, IDENTITY, place),)


def loaded(builder: Builder, lvalue: Memory, place: Place) -> Flow:
    """Loads the pointers in a part of memory."""
    known = known_part(builder, lvalue.exact)
    if known is not None:
        return known
    found: list[Atom] = []
    rest: list[Atom] = []
    for atom in lvalue.address:
        if atom.kind == OBJECT:
            made, path = atom.a, atom.b
            assert isinstance(made, ObjectId) and isinstance(path, tuple)
            if made in builder.contents:
                found += content(builder, made, extended(path, lvalue.path))
            else:
                found.append(Atom(CELL, made, extended(path, lvalue.path), IDENTITY, place))
        elif atom.kind == BASE:
            if isinstance(atom.a, int) and atom.a & ~NULL:
                found.append(Atom(DATA, atom.a, None, IDENTITY, place))
        else:
            rest.append(atom)
    if rest:
        found.append(Atom(LOAD, builder.at_node(tuple(rest), place), lvalue.path, IDENTITY, place))
    return tuple(found)


def store(
    builder: Builder,
    lvalue: Lvalue | None,
    type_: Type,
    flow: Flow,
    place: Place,
    name: str,
    value: ValueNumber = 0,
) -> Flow:
    """Stores a value that is already converted to this type; returns the value of the assignment.

    `value` is the value number; 0 if it is unknown.
    """
    if isinstance(lvalue, int):
        return builder.assign(lvalue, flow, name, place, value)
    if lvalue is None or builder.environment is None:
        return flow
    if isinstance(type_, Record):
        copy_object(builder, Memory(flow, ()), lvalue, type_, place, name)
    elif isinstance(type_, Pointer | BlockPointer):
        if flow:
            write(builder, Store(lvalue.address, lvalue.path, flow, place, name), within=lvalue.exact)
        set_part(builder, lvalue.exact, flow, name, place, value)
    elif flow and tracks_data(builder, lvalue, type_):
        write(builder, Store(lvalue.address, lvalue.path, flow, place, name))
    return flow


def write(builder: Builder, store: Store, within: Exact | None = None) -> None:
    """Adds a store, and forgets the values of the parts that it may change.

    `within` is the stored part itself, if the caller updates its value; this value is then not forgotten.
    """
    builder.stores.append(store)
    if within is None or not isinstance(within[0], int):
        overwrite(builder, store.address)
    else:
        forget_pointed_to(builder, within[0])


def copy_object(
    builder: Builder, source: Memory, target: Memory, type_: Type, place: Place, name: str
) -> None:
    """Copies a struct, by copying each pointer in it.

    In unions, plain data that may hold a pointer is copied too.
    """
    pointer_paths = builder.pointer_paths(type_)
    if not pointer_paths and builder.carrying and (is_shared(source) or is_shared(target)):
        pointer_paths = ((),)
    exact = leaves_of(builder, type_) or () if builder.environment is not None else ()
    leaves: dict[Path, Flow] = {}
    for leaf in exact:
        leaves[leaf] = loaded_leaf(builder, source, leaf, place)
    for pointer_path in pointer_paths:
        held = united(*(flow for leaf, flow in leaves.items() if without_elements(leaf) == pointer_path))
        if not held:
            inner = Memory(source.address, extended(source.path, pointer_path))
            held = () if pointer_path in map(without_elements, leaves) else loaded(builder, inner, place)
        if held:
            written = Store(target.address, extended(target.path, pointer_path), held, place, name)
            write(builder, written, within=target.exact)
    if target.exact is not None:
        for leaf, held in leaves.items():
            part = target.exact[0], (*target.exact[1], *leaf)
            set_part(builder, part, held, f"{name}.{leaf[-1]}" if leaf else name, place)


def loaded_leaf(builder: Builder, source: Memory, leaf: Path, place: Place) -> Flow:
    """Loads one pointer of an object; its path includes the indices of array elements."""
    exact = None if source.exact is None else (source.exact[0], (*source.exact[1], *leaf))
    address = source.address
    if not source.path and address and all(_holds(builder, atom, leaf) for atom in address):
        return united(*(builder.contents[atom.a][_kept_path(builder, atom, leaf)] for atom in address))
    return loaded(builder, Memory(address, extended(source.path, without_elements(leaf)), exact), place)


def _holds(builder: Builder, atom: Atom, leaf: Path) -> bool:
    contents = builder.contents.get(atom.a) if atom.kind == OBJECT and not atom.b else None
    return contents is not None and _kept_path(builder, atom, leaf) in contents


def _kept_path(builder: Builder, atom: Atom, leaf: Path) -> Path:
    """Returns the path of the pointer at `leaf` in the contents of the struct value `atom`.

    In a struct that a call returned, all elements of an array share one path, which differs from `leaf`.
    """
    return leaf if leaf in builder.contents[atom.a] else without_elements(leaf)


def tracks_data(builder: Builder, lvalue: Memory, type_: Type | None) -> bool:
    """Whether plain data of this type is tracked because it may carry a pointer.

    Some types of integers and vectors may carry a pointer (`may_hold`); in a union, any number that shares
    memory with a pointer may carry it.
    """
    if type_ is None or not builder.carrying:
        return False
    return may_hold(type_) or (is_plain(type_) and is_shared(lvalue))


def expose_numbers(builder: Builder, lvalue: Memory, type_: Type | None, place: Place) -> None:
    """Records an unknown write to a union if the address of the member `lvalue` is used.

    `type_` is the member's type. Does nothing unless the member contains numbers of a type whose stores
    through a pointer are not tracked.
    """
    if type_ is None or not builder.carrying or not is_shared(lvalue):
        return
    if has_numbers(builder, type_, untracked=True):
        write(builder, Store(lvalue.address, lvalue.path, builder.unknown(place), place, ""))


def has_numbers(builder: Builder, type_: Type, depth: int = 0, *, untracked: bool = False) -> bool:
    """Whether an object of this type contains numbers or vectors of numbers.

    With `untracked`, a number must also not be `const`, and its type must be unable to hold a pointer
    (`may_hold`). False for nesting deeper than `_MAXIMUM_DEPTH`.
    """
    while isinstance(type_, Array):
        type_ = type_.element
    if isinstance(type_, Record) and depth < _MAXIMUM_DEPTH:
        members = builder.ctx.members(type_) or ()
        return any(has_numbers(builder, each.type, depth + 1, untracked=untracked) for each in members)
    return is_plain(type_) and not (untracked and (may_hold(type_) or type_.qualifiers & CONST))


def is_shared(lvalue: Memory) -> bool:
    """Whether several members share the memory of the lvalue, as in a union."""
    if lvalue.path[-1:] == (ANYWHERE,):
        return True
    return any(atom.kind in (OBJECT, COPY) and atom.b[-1:] == (ANYWHERE,) for atom in lvalue.address)
