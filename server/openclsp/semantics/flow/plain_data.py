"""Plain data that carries pointers.

Such data are integers converted from pointers, and objects that are copied in pieces. They are tracked only
if the unit converts integers to pointers or accesses pointers as plain data. A copy that preserves offsets
copies each pointer to the same path; any other copy merges all pointers of the source object into the whole
target object.
"""

from __future__ import annotations

import re

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.flow.builder_state import INPUT, LITERAL, Lvalue, Memory, united
from openclsp.semantics.flow.graph import ANYWHERE, BASE, Atom, Flow, Store
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.guards import origin_of
from openclsp.semantics.flow.memory_access import (
    loaded,
    nothing,
    tracks_data,
    type_of,
    write,
)
from openclsp.semantics.flow.object_layout import may_hold
from openclsp.semantics.flow.transfers import IDENTITY, NULL
from openclsp.semantics.types.type_model import (
    VOID,
    Array,
    Pointer,
    Record,
    Scalar,
    Type,
    Vector,
)
from openclsp.source.parser import FIELDS, kind

_VALUE, _INDEX, _ARGUMENTS = FIELDS["value"], FIELDS["index"], FIELDS["arguments"]
_IDENTIFIER, _PARENTHESES, _CAST = (
    kind("identifier"),
    kind("parenthesized_expression"),
    kind("cast_expression"),
)
_SUBSCRIPT, _POINTER_EXPRESSION = kind("subscript_expression"), kind("pointer_expression")
_CALL = kind("call_expression")
_LOAD, _STORE = re.compile(r"vload\d+"), re.compile(r"vstore\d+")
_SAME = "convert_"
_SELECT = "select"
_STORING = re.compile(r"atom(ic)?_(xchg|exchange|init|store|cmpxchg|compare_exchange)")
_COMPARING = re.compile(r"atom(ic)?_(cmpxchg|compare_exchange)")
_MAXIMUM_DEPTH = 8
"""Bound on the nesting of the first members that are searched"""
_COPIES = ("async_work_group_copy", "async_work_group_strided_copy")


def reinterprets_pointers(builder: Builder, source: Type | None, target: Type) -> bool:
    """Whether a conversion allows a program to access pointers in memory as numbers.

    The conversion is from an expression of type `source` to a pointer to `target`. True if `target` is a
    scalar, a vector or a struct of these, and the memory to which `source` points may contain pointers. If
    `target` is a type that cannot hold a pointer, memory with plain data that may carry pointers counts too.
    """
    if builder.environment is None or not isinstance(source, Pointer | Array):
        return False
    pointee = source.pointee if isinstance(source, Pointer) else source.element
    while isinstance(pointee, Array):
        pointee = pointee.element
    if isinstance(target, Record):
        return _replaces_record(builder, pointee, target)
    if not isinstance(target, Scalar | Vector):
        return False
    if may_hold(pointee):
        # the source may have been converted from a pointer to pointers before
        return not may_hold(target)
    if pointee.unqualified is VOID:
        return True
    return bool(builder.pointers_in(pointee) if may_hold(target) else builder.pointer_paths(pointee))


def _replaces_record(builder: Builder, pointee: Type, target: Record) -> bool:
    """Whether `target`, a struct of numbers, reinterprets a struct or union that contains pointers.

    False if that struct begins with a member of the type `target`, which may be nested.
    """
    if not isinstance(pointee, Record) or builder.pointers_in(target) or not builder.pointers_in(pointee):
        return False
    for _ in range(_MAXIMUM_DEPTH):
        members = builder.ctx.members(pointee) if pointee.keyword != "union" else None
        first = members[0].type if members else None
        if not isinstance(first, Record):
            return True
        if first.unqualified is target.unqualified:
            return False
        pointee = first
    return False


def before_void(builder: Builder, node: int) -> Type | None:
    """Returns the type that an expression has before casts to `void *`, which reinterpret nothing.

    Returns None if the type is unknown.
    """
    table = builder.table
    type_ = type_of(builder, node)
    while isinstance(type_, Pointer) and type_.pointee.unqualified is VOID:
        while node >= 0 and table.kind[node] == _PARENTHESES:
            node = next(iter(table.children(node)), -1)
        inner = table.child(node, _VALUE) if node >= 0 and table.kind[node] == _CAST else -1
        before = type_of(builder, inner) if inner >= 0 else None
        if not isinstance(before, Pointer | Array):
            break
        node, type_ = inner, before
    return type_


def plain_data(builder: Builder, node: int, lvalue: Lvalue | None, type_: Type, flow: Flow) -> Flow:
    """Returns the pointers that memory may contain after plain data is stored in it.

    - A stored zero is a null pointer; any other constant contains no pointer.
    - A computed number may be a pointer or a part of one; the result is unknown.
    - A number whose type cannot hold a pointer contains no pointer if it is computed from literals only.
      Outside of loops and switches, it may also be computed from values that the host chooses.
    """
    if flow or not isinstance(lvalue, Memory) or not tracks_data(builder, lvalue, type_):
        return flow
    value = builder.trace.get(node)
    if value is None or value.number is None:
        given = origin_of(builder, node)
        is_number = given == LITERAL or (given == INPUT and not builder.exits)
        return () if is_number and not may_hold(type_) else builder.unknown(builder.ctx.place(node))
    return () if value.number else (Atom(BASE, NULL, None, IDENTITY, builder.ctx.place(node)),)


def copied_address(builder: Builder, left: int, target: Lvalue | None, right: int) -> Flow:
    """Returns the address of the source if the assignment `left = right` copies data between equal offsets.

    The offsets are equal if both sides have the same index, as in `a[i] = b[i]`, or if neither has an index.
    In any other case, the result is empty. `target` is the lvalue of `left`.
    """
    type_ = type_of(builder, left)
    if not isinstance(target, Memory) or target.path or type_ is None:
        return ()
    return _copied(builder, type_, _index(builder, left), right)


def _copied(builder: Builder, type_: Type, index: str | None, right: int) -> Flow:
    source = _uncast(builder, right)
    lvalue, other = builder.lvalues.get(source), type_of(builder, source)
    if not isinstance(lvalue, Memory) or lvalue.path or other is None or builder.environment is None:
        return ()
    is_same_width = may_hold(type_) and _width(type_) == _width(other)
    return lvalue.address if is_same_width and index is not None and index == _index(builder, source) else ()


def _width(type_: Type) -> int:
    if isinstance(type_, Vector):
        return type_.element.size * (4 if type_.width == 3 else type_.width)
    return type_.size if isinstance(type_, Scalar) else 0


def _uncast(builder: Builder, node: int) -> int:
    """Returns the operand inside parentheses and casts."""
    table = builder.table
    while node >= 0 and table.kind[node] in (_PARENTHESES, _CAST):
        if table.kind[node] == _CAST:
            node = table.child(node, _VALUE)
        else:
            node = next(iter(table.children(node)), -1)
    return node


def _index(builder: Builder, node: int) -> str | None:
    """Returns the index of an element access: a variable's name, or "" for the first element.

    None for other indices and expressions.
    """
    table = builder.table
    node = _uncast(builder, node)
    if table.kind[node] == _POINTER_EXPRESSION:
        return ""
    index = -1
    if table.kind[node] == _SUBSCRIPT:
        index = table.child(node, _INDEX)
    elif table.kind[node] == _CALL:
        # vloadn(offset, p)
        index = next(iter(table.children(table.child(node, _ARGUMENTS))), -1)
    return None if index < 0 else _index_text(builder, index)


def _index_text(builder: Builder, node: int) -> str | None:
    if builder.table.kind[node] == _IDENTIFIER:
        return builder.table.text(node)
    value = builder.trace.get(node)
    return "" if value is not None and value.number == 0 else None


def shifted(builder: Builder, type_: Type | None, flow: Flow, place: Place) -> Flow:
    """Returns the value of a pointer after arithmetic on it.

    If the unit tracks the contents of plain data, a pointer to plain data or `void` may then point anywhere
    in its object.
    """
    if not builder.carrying or not isinstance(type_, Pointer):
        return flow
    pointee = type_.pointee
    if not may_hold(pointee) and pointee.unqualified is not VOID:
        return flow
    return builder.moved(flow, (ANYWHERE,), place)


def moves_data(builder: Builder, name: str, nodes: list[int]) -> bool:
    """Whether `moved_data` models all memory effects of a built-in function."""
    if _LOAD.fullmatch(name) and len(nodes) == 2:
        return True
    if (_STORE.fullmatch(name) and len(nodes) == 3) or (name.startswith(_COPIES) and len(nodes) > 2):
        return True
    return _is_atomic(builder, name, nodes)


def _is_atomic(builder: Builder, name: str, nodes: list[int]) -> bool:
    return (
        name.startswith(("atom_", "atomic_"))
        and bool(nodes)
        and _may_be_exchanged(_pointee(type_of(builder, nodes[0])))
    )


def _may_be_exchanged(type_: Type | None) -> bool:
    return type_ is not None and (_is_plain(type_) or may_hold(type_))


def moved_data(builder: Builder, node: int, name: str, nodes: list[int], arguments: tuple[Flow, ...]) -> Flow:
    """Models a built-in function's effect on plain data that may carry pointers; returns its result."""
    place = builder.ctx.place(node)
    if _LOAD.fullmatch(name) and len(nodes) == 2:
        builder.lvalues[node] = Memory(arguments[1], ())
        return loaded(builder, Memory(arguments[1], ()), place) or nothing(place)
    if _STORE.fullmatch(name) and len(nodes) == 3:
        type_ = type_of(builder, nodes[0])
        if type_ is not None and may_hold(type_):
            copied = _copied(builder, type_, _index_text(builder, nodes[1]), nodes[0])
            target = Memory(arguments[2], ())
            _put(builder, target, plain_data(builder, nodes[0], target, type_, arguments[0]), place, copied)
        return ()
    if name.startswith(_COPIES) and len(nodes) > 2:
        source = Memory(arguments[1], ())
        whole = name == _COPIES[0]
        _put(builder, Memory(arguments[0], ()), loaded(builder, source, place), place, source.address * whole)
        return ()
    given = [flow for each, flow in zip(nodes, arguments, strict=True) if _is_plain(type_of(builder, each))]
    if name.startswith(_SAME):
        return united(*given)
    if name == _SELECT and len(nodes) == 3:
        return united(*given[:2])
    if _is_atomic(builder, name, nodes):
        return _exchanged(builder, name, nodes, arguments, given)
    return united(*given, builder.unknown(place)) if any(given) else ()


def _exchanged(
    builder: Builder, name: str, nodes: list[int], arguments: tuple[Flow, ...], given: list[Flow]
) -> Flow:
    """Models an atomic function that stores a value; returns its result.

    The result is the former value, or empty if the function does not return that value.

    `given` contains the values of the arguments that are plain data. A compare-and-exchange function does not
    store the value with which it compares. The C11 compare-and-exchange functions store the former value to
    the object that contains the expected value.
    """
    place = builder.ctx.place(nodes[0])
    target = Memory(arguments[0], ())
    before = loaded(builder, target, place)
    if "compare_exchange" in name and len(arguments) > 2:
        _put(builder, Memory(arguments[1], ()), before, place)
    number = 2 if _COMPARING.match(name) else 1
    type_ = type_of(builder, nodes[number]) if number < len(nodes) else None
    if type_ is not None and _STORING.match(name):
        stored = plain_data(builder, nodes[number], target, type_, arguments[number])
    else:
        stored = united(*given)
    _put(builder, target, stored, place)
    returns_nothing = name.startswith(("atomic_init", "atomic_store")) or "compare_exchange" in name
    return () if returns_nothing else before


def _put(builder: Builder, target: Memory, flow: Flow, place: Place, copied: Flow = ()) -> None:
    if builder.environment is not None and (flow or copied):
        write(builder, Store(target.address, (), () if copied else flow, place, "", copied))


def _is_plain(type_: Type | None) -> bool:
    return isinstance(type_, Scalar | Vector)


def _pointee(type_: Type | None) -> Type | None:
    return type_.pointee if isinstance(type_, Pointer) else None
