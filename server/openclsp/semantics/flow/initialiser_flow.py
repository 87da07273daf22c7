"""Flow of initialisers: the stores that an initialiser list makes."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from openclsp.semantics.facts.entities import Place
from openclsp.semantics.flow.builder_state import Memory
from openclsp.semantics.flow.expression_flow import converted, flow_of, handles
from openclsp.semantics.flow.expression_values import value_of
from openclsp.semantics.flow.graph import ANYWHERE, BASE, Atom, Flow, Path, Store
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.memory_access import (
    copy_object,
    is_aggregate,
    load,
    store,
    type_of,
    write,
)
from openclsp.semantics.flow.object_layout import extended
from openclsp.semantics.flow.object_parts import element, null_parts, step_into, stepped
from openclsp.semantics.flow.plain_data import plain_data
from openclsp.semantics.flow.transfers import IDENTITY, NULL
from openclsp.semantics.types.type_model import Array, Pointer, Record, Type
from openclsp.semantics.typing.member_order import (
    MemberRange,
    Subobject,
    all_members,
    group_at,
    subobject_after,
)
from openclsp.semantics.typing.symbols import Members
from openclsp.source.parser import FIELDS, kind

_VALUE, _DESIGNATOR = FIELDS["value"], FIELDS["designator"]
_LIST, _PAIR = kind("initializer_list"), kind("initializer_pair")
_FIELD_DESIGNATORS = frozenset((kind("field_designator"), kind("field_identifier")))
"""`.a = 1`, and `a: 1` as an extension"""


def initialised(builder: Builder, target: Memory, type_: Type, node: int, name: str) -> None:
    """Adds the stores by which the initialiser `node` sets the object `target` of the type `type_`.

    Does nothing if `node` is negative. `name` is the name of the object.
    """
    table = builder.table
    if node < 0:
        return
    place = builder.ctx.place(node)
    if table.kind[node] != _LIST:
        flow = converted(builder, node, type_)
        value_type = type_of(builder, node)
        if not isinstance(type_, Array):
            flow = plain_data(builder, node, target, type_, flow)
            store(builder, target, type_, flow, place, name, value_of(builder, node))
        elif isinstance(value_type, Array) and builder.pointer_paths(type_):
            copy_object(builder, Memory(flow, ()), target, type_, place, name)
        return
    parts = list(table.children(node))
    null_parts(builder, target.exact, (Atom(BASE, NULL, None, IDENTITY, place),))
    if isinstance(type_, Array):
        position: int | None = 0
        for part in parts:
            position = _position(builder, part, position)
            where = target._replace(exact=stepped(target.exact, element(position)))
            _initialised_part(builder, where, type_.element, part, name)
            position = None if position is None else position + 1
        if type_.size is not None and len(parts) < type_.size:
            zeroed(builder, target, type_.element, place, name)
    elif isinstance(type_, Record):
        _initialised_record(builder, target, type_, parts, name)
    else:
        for part in parts:
            initialised(builder, target, type_, part, name)


def _position(builder: Builder, part: int, position: int | None) -> int | None:
    """Returns the index of the element that a part of an array's initialiser sets; None if it is unknown.

    `position` is the index if the part has no designator.
    """
    table = builder.table
    designator = next((child for child in table.children(part) if table.field[child] == _DESIGNATOR), -1)
    if table.kind[part] != _PAIR or designator < 0:
        return position
    return _designated_index(builder, designator)


def _designated_index(builder: Builder, designator: int) -> int | None:
    value = builder.trace.get(next(iter(builder.table.children(designator)), -1))
    return value.number if value is not None else None


def _initialised_part(builder: Builder, target: Memory, type_: Type, part: int, name: str) -> None:
    """Stores the initialiser `part` to `target`, an element or member of the type `type_`.

    If the braces around a struct or array are elided, the initialiser is stored to an unknown part of the
    struct or array.
    """
    table = builder.table
    if table.kind[part] == _PAIR:
        inner: Type | None = type_
        where = target
        designators = [child for child in table.children(part) if table.field[child] == _DESIGNATOR]
        if type_ is not None and designators and table.kind[designators[0]] not in _FIELD_DESIGNATORS:
            designators = designators[1:]
        for designator in designators:
            if table.kind[designator] in _FIELD_DESIGNATORS:
                where, inner = _designated(
                    builder, where, inner, table.text(next(iter(table.children(designator)), designator))
                )
            elif isinstance(inner, Array):
                inner = inner.element
                step = element(_designated_index(builder, designator))
                where = where._replace(exact=stepped(where.exact, step))
        value = table.child(part, _VALUE)
        if inner is not None and value >= 0:
            _initialised_part(builder, where, inner, value, name)
        elif value >= 0:
            flow_of(builder, value)
        return
    value_type = None if table.kind[part] == _LIST else type_of(builder, part)
    is_whole_record = isinstance(value_type, Record) and value_type.unqualified is type_.unqualified
    if table.kind[part] != _LIST and isinstance(type_, Array | Record) and not is_whole_record:
        flow = flow_of(builder, part)
        if flow and not is_aggregate(value_type) and builder.pointer_paths(type_):
            place = builder.ctx.place(part)
            write(builder, Store(target.address, (*target.path, ANYWHERE), flow, place, name))
        return
    initialised(builder, target, type_, part, name)


def _designated(
    builder: Builder, target: Memory, type_: Type | None, name: str
) -> tuple[Memory, Type | None]:
    members = builder.ctx.members(type_) if isinstance(type_, Record) else None
    for member in members or ():
        if member.name == name:
            step = step_into(builder, type_, name)
            exact = stepped(target.exact, *step)
            return Memory(target.address, extended(target.path, step), exact), member.type
    return target, None


def _initialised_record(builder: Builder, target: Memory, type_: Record, parts: list[int], name: str) -> None:
    """Stores an initialiser list to the members of `target`, and null to the pointers that the list omits."""
    members = builder.ctx.members(type_) or ()
    covered: set[Path] = set()
    within = all_members(type_, members)
    all_placed = _initialised_members(builder, target, type_, members, parts, name, within, covered)
    # in a union, a number that is set may be smaller than a pointer, and compilers clear the rest
    if all_placed and (type_.keyword != "union" or any(member.anonymous for member in members)):
        zeroed(builder, target, type_, builder.ctx.place(parts[0]) if parts else Place(0, 0), name, covered)


def _initialised_members(
    builder: Builder,
    target: Memory,
    type_: Record,
    members: Members,
    parts: list[int],
    name: str,
    within: MemberRange,
    covered: set[Path],
) -> bool:
    """Stores the parts of an initialiser list to the members in the range `within`.

    The paths of the pointers that the parts set are added to the set `covered`. Returns whether it is known
    for every part which member it sets.
    """
    table = builder.table
    position, depth = within.first, within.depth
    elided = False
    all_placed = True
    for part in parts:
        if table.kind[part] == _PAIR:
            first = next((c for c in table.children(part) if table.field[c] == _DESIGNATOR), -1)
            label = table.text(next(iter(table.children(first)), first)) if first >= 0 else ""
            names = [member.name for member in members]
            designated = names.index(label) if label in names else -1
            position, depth = subobject_after(members, within, designated)
            covered.add(_designated_path(builder, part))
            if step_into(builder, type_, label)[-1:] == (ANYWHERE,):
                covered.add(step_into(builder, type_, label))
            _initialised_part(builder, target, type_, part, name)
            elided = False
            continue
        # a member without a name represents any number of members
        elided = elided or (position < within.last and not members[position].name)
        if position >= within.last or elided:
            flow = () if table.kind[part] == _LIST else flow_of(builder, part)
            if flow:
                place = builder.ctx.place(part)
                write(builder, Store(target.address, (*target.path, ANYWHERE), flow, place, name))
            continue
        group = group_at(members, Subobject(position, depth)) if table.kind[part] == _LIST else None
        if group is not None:
            inner = list(table.children(part))
            all_placed &= _initialised_members(builder, target, type_, members, inner, name, group, covered)
            position, depth = subobject_after(members, within, group.last - 1, depth)
            continue
        member = members[position]
        # elided braces around an aggregate member: the following values may belong to it
        elided = (
            table.kind[part] != _LIST
            and isinstance(member.type, Array | Record)
            and type_of(builder, part) is not None
            and not is_aggregate(type_of(builder, part))
        )
        step = step_into(builder, type_, member.name)
        where = Memory(target.address, extended(target.path, step), stepped(target.exact, *step))
        covered.add(step if isinstance(member.type, Pointer) else (member.name,))
        _initialised_part(builder, where, member.type, part, name)
        position, depth = subobject_after(members, within, position)
    return all_placed and not elided


def _designated_path(builder: Builder, part: int) -> Path:
    """Returns the nested member names of an initialiser's designators."""
    table = builder.table
    return tuple(
        table.text(next(iter(table.children(child)), child))
        for child in table.children(part)
        if table.field[child] == _DESIGNATOR and table.kind[child] in _FIELD_DESIGNATORS
    )


def zeroed(
    builder: Builder,
    target: Memory,
    type_: Type,
    place: Place,
    name: str,
    covered: AbstractSet[Path] = frozenset(),
) -> None:
    """Stores null to the pointers that no initialiser covers, as C99 6.7.8p10 and p21 require."""
    null = (Atom(BASE, NULL, None, IDENTITY, place),)
    for pointer_path in builder.pointer_paths(type_):
        if not any(pointer_path[: len(each)] == each for each in covered):
            written = Store(target.address, extended(target.path, pointer_path), null, place, name)
            write(builder, written, within=target.exact)


@handles("compound_literal_expression")
def _compound_literal(builder: Builder, node: int) -> Flow:
    value = builder.trace.get(node)
    if value is None or value.origin is None:
        return ()
    place = builder.ctx.place(node)
    ref = value.origin.entity
    address = builder.object_at(value.type, ref, "compound literal", place, "literal")
    builder.lvalues[node] = Memory(address, ())
    initialised(builder, Memory(address, ()), value.type, builder.table.child(node, _VALUE), "")
    return load(builder, Memory(address, ()), value.type, place)
