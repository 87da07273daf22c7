"""Initialisers: converts each part to the type of the element or member that it initialises (C99 6.7.8)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.semantics.facts.entities import Origin, Place
from openclsp.semantics.facts.expressions import ConversionKind as Why
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.types.known_types import UINT
from openclsp.semantics.types.type_model import UNKNOWN, Array, Opaque, Record, Scalar, Type, Vector, array_of
from openclsp.semantics.types.type_structure import is_integer_scalar, is_unknown
from openclsp.semantics.typing.conversions import (
    emit_application,
    emit_conversion,
    rvalue,
)
from openclsp.semantics.typing.dispatch import value_of
from openclsp.semantics.typing.fault_facts import (
    check_element,
    check_member,
    emit_array_initialiser,
    integer_constant,
)
from openclsp.semantics.typing.initialiser_results import InitialisedEntity, InitialiserResult
from openclsp.semantics.typing.member_order import (
    MemberRange,
    Subobject,
    all_members,
    designated_position,
    group_at,
    subobject_after,
)
from openclsp.semantics.typing.symbols import Members, in_object, member_named
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.vector_elements import check_braced_elements
from openclsp.source.parser import (
    COMMENT,
    ERROR,
    FIELDS,
    kind,
)

_LIST = kind("initializer_list")
_PAIR = kind("initializer_pair")
_STRING = kind("string_literal")
_FIELD_DESIGNATORS = frozenset((kind("field_designator"), kind("field_identifier")))
"""`.a = 1`, and `a: 1` as an extension"""
_SUBSCRIPT_DESIGNATOR = kind("subscript_designator")
_RANGE_DESIGNATOR = kind("subscript_range_designator")
_VALUE = FIELDS["value"]

_MAXIMUM_DEPTH = 64
"""The nesting limit for aggregates without braces: a struct that (wrongly) contains itself has no end."""


def initialise(
    ctx: TypingContext, type_: Type, node: int, target: InitialisedEntity | None
) -> InitialiserResult:
    """Types the initialiser at `node` of an object of this type; `target` is the object itself."""
    outcome = InitialiserResult()
    if node < 0:
        return outcome
    if ctx.table.kind[node] == _LIST:
        if isinstance(type_, Opaque):
            brace = Place(ctx.table.first[node], ctx.table.first[node] + 1)
            emit_application(ctx, "{}", Value(type_, brace, name=target.name if target else ""))
        _initialise_braced(ctx, type_, node, target, outcome)
        return outcome
    value = value_of(ctx, node)
    outcome.add(value if isinstance(type_, Array) else rvalue(value))
    if isinstance(type_, Opaque) and type_.category == "queue":
        # the queue is known at run time only
        outcome.constancy = Constancy.NOT_CONSTANT
    outcome.number, outcome.origin = value.number, value.origin
    if isinstance(type_, Array) and value.string:
        outcome.count = value.type.size if isinstance(value.type, Array) else None
        return outcome
    if not isinstance(type_, Array) or not emit_array_initialiser(
        ctx, type_, node, value, target.name if target else ""
    ):
        convert(ctx, value, type_, target)
    return outcome


def convert(ctx: TypingContext, value: Value, type_: Type, target: InitialisedEntity | None) -> None:
    """Emits a fact for the conversion of a value that initialises an object, member or element."""
    if not is_unknown(type_):
        origin, name = target or (None, "")
        emit_conversion(ctx, Why.INITIALISATION, value, type_, origin, name=name)


def completed(type_: Type, outcome: InitialiserResult) -> Type:
    """Returns the type; an array without a size gets the size that the initialiser determines."""
    if isinstance(type_, Array) and type_.size is None and outcome.count is not None:
        return array_of(type_.element, outcome.count)
    return type_


def _element_nodes(ctx: TypingContext, node: int) -> Iterator[int]:
    for child in ctx.table.children(node):
        if ctx.table.kind[child] not in (COMMENT, ERROR):
            yield child


def _initialise_braced(
    ctx: TypingContext, type_: Type, node: int, target: InitialisedEntity | None, outcome: InitialiserResult
) -> None:
    parts = list(_element_nodes(ctx, node))
    if isinstance(type_, Array) and parts and _is_string(ctx, type_, parts):
        # as in clang, further parts have no effect
        value = value_of(ctx, parts[0])
        outcome.count = value.type.size if isinstance(value.type, Array) else None
        for part in parts[1:]:
            _type_unplaced_part(ctx, part)
        return
    used = _initialise_elements(ctx, type_, parts, 0, target, outcome, top=True)
    for part in parts[used:]:
        outcome.add(_type_unplaced_part(ctx, part))
    if isinstance(type_, Vector):
        check_braced_elements(ctx, type_, parts, ctx.place(node))


def _is_string(ctx: TypingContext, type_: Array, parts: list[int]) -> bool:
    """Whether the parts in the braces of an array are the string that initialises it (C99 6.7.8p14)."""
    return ctx.table.kind[parts[0]] == _STRING and (len(parts) == 1 or is_integer_scalar(type_.element))


def _type_unplaced_part(ctx: TypingContext, part: int) -> Value:
    """Types a part whose position in the object is unknown."""
    if ctx.table.kind[part] == _PAIR:
        part = ctx.table.child(part, _VALUE)
    if ctx.table.kind[part] == _LIST:
        result = InitialiserResult()
        for inner in _element_nodes(ctx, part):
            result.add(_type_unplaced_part(ctx, inner))
        return Value(UNKNOWN, ctx.place(part), constancy=result.constancy)
    return value_of(ctx, part)


def _initialise_elements(
    ctx: TypingContext,
    type_: Type,
    parts: list[int],
    index: int,
    target: InitialisedEntity | None,
    outcome: InitialiserResult,
    *,
    top: bool,
) -> int:
    """Initialises an aggregate from `parts[index:]`; returns the index after the last part consumed.

    `top` means that the aggregate has its own braces, so that designators apply to it (C99 6.7.8p17).
    """
    if is_unknown(type_):
        return index
    if isinstance(type_, Array):
        return _fill_array(ctx, type_, parts, index, target, outcome, top=top)
    if isinstance(type_, Record):
        members = ctx.members(type_)
        if members is None:
            return index
        return _fill_record(ctx, type_, members, parts, index, outcome, top=top)
    if _is_ndrange(type_):
        # clang treats `ndrange_t` as the struct of its header, whose first member is the number of dimensions
        for part in parts[index:]:
            value = _type_unplaced_part(ctx, part)
            if isinstance(value.type, Opaque):
                convert(ctx, value, UINT, target)
        return len(parts)
    limit = type_.width if isinstance(type_, Vector) else 1
    while index < len(parts) and limit:
        braced = isinstance(type_, Vector) and ctx.table.kind[parts[index]] == _LIST
        part_type = type_.element if braced and isinstance(type_, Vector) else type_
        _initialise_single(ctx, part_type, parts[index], target, outcome)
        index, limit = index + 1, limit - 1
    return index


def _initialise_single(
    ctx: TypingContext, type_: Type, part: int, target: InitialisedEntity | None, outcome: InitialiserResult
) -> None:
    if part < 0:
        return
    if ctx.table.kind[part] == _LIST:
        inner = initialise(ctx, type_, part, target)
        outcome.add(
            Value(type_, ctx.place(part), constancy=inner.constancy, target=inner.target or Constancy.UNKNOWN)
        )
        return
    value = value_of(ctx, part)
    outcome.add(rvalue(value))
    if not isinstance(type_, Vector) and not (_is_ndrange(type_) and isinstance(value.type, Scalar)):
        convert(ctx, value, type_, target)


def _is_ndrange(type_: Type) -> bool:
    return isinstance(type_, Opaque) and type_.category == "ndrange"


def _fill_array(
    ctx: TypingContext,
    type_: Array,
    parts: list[int],
    index: int,
    target: InitialisedEntity | None,
    outcome: InitialiserResult,
    *,
    top: bool,
    position: int = 0,
) -> int:
    """Initialises the elements of an array, in order or by designator, beginning at element `position`.

    Returns the index after the last part consumed. For `top` see `_initialise_elements`.
    """
    longest = position
    # without its own braces, an array takes only as many parts as it has elements (C99 6.7.8p20)
    while index < len(parts) and (top or type_.size is None or position < type_.size):
        part = parts[index]
        if ctx.table.kind[part] == _PAIR:
            if not top:
                break
            designated, index, placed = _designated(ctx, type_, parts, index, target, outcome)
            if not placed:
                return index
            position = position if designated < 0 else designated
        else:
            index = _aggregate_or_value(ctx, type_.element, parts, index, target, outcome)
        position += 1
        longest = max(longest, position)
    if top:
        outcome.count = longest
    return index


def _designated(
    ctx: TypingContext,
    type_: Array | Record,
    parts: list[int],
    index: int,
    target: InitialisedEntity | None,
    outcome: InitialiserResult,
) -> tuple[int, int, bool]:
    """Initialises the subobject designated by `parts[index]`, and the subobjects after it (C99 6.7.8p17).

    The following parts initialise the next subobjects of the innermost aggregate that the designator names,
    then those of the aggregates around it. Returns three values: the index of the element or member of
    `type_` (-1 if unknown), the index after the last part consumed, and whether the positions of the other
    parts are known.
    """
    table = ctx.table
    part = parts[index]
    inner: Type = type_
    path: list[tuple[Type, int]] = []
    for designator in table.children(part):
        number = table.kind[designator]
        if number in (_SUBSCRIPT_DESIGNATOR, _RANGE_DESIGNATOR):
            bounds = [integer_constant(ctx, child, "an index") for child in table.children(designator)]
            known = check_element(ctx, inner, bounds)
            path.append((inner, -1 if known is None else known))
            inner = inner.element if isinstance(inner, Array) else UNKNOWN
        elif number in _FIELD_DESIGNATORS:
            path.append((inner, designated_position(ctx, inner, designator)))
            inner, target = _designated_member(ctx, inner, designator)
    value = table.child(part, _VALUE)
    if value < 0:
        index += 1
    else:
        # the value stands for the pair, so that parts after it can fill an aggregate without braces (p20)
        parts[index] = value
        index = _aggregate_or_value(ctx, inner, parts, index, target, outcome)
    for aggregate, position in reversed(path[1:]):
        if position < 0:
            return -1, index, False
        if isinstance(aggregate, Array):
            index = _fill_array(
                ctx, aggregate, parts, index, target, outcome, top=False, position=position + 1
            )
        elif isinstance(aggregate, Record) and (members := ctx.members(aggregate)) is not None:
            start = subobject_after(members, all_members(aggregate, members), position)
            index = _fill_record(ctx, aggregate, members, parts, index, outcome, top=False, start=start)
    return (path[0][1] if path else -1), index, True


def _designated_member(ctx: TypingContext, type_: Type, node: int) -> tuple[Type, InitialisedEntity | None]:
    members = ctx.members(type_) if isinstance(type_, Record) else None
    name = ctx.table.text(next(iter(ctx.table.children(node)), node))
    member = member_named(members, name) if members else None
    if member is None:
        check_member(ctx, Value(type_, ctx.place(node)), name, False, ctx.place(node + 1))
        return UNKNOWN, None
    ctx.note_member(ctx.table.last[node] - 1, member.ref)
    return in_object(member.type, type_), InitialisedEntity(Origin(member.ref, 0), member.name)


def _fill_record(
    ctx: TypingContext,
    type_: Record,
    members: Members,
    parts: list[int],
    index: int,
    outcome: InitialiserResult,
    *,
    top: bool,
    within: MemberRange | None = None,
    start: Subobject | None = None,
) -> int:
    """Initialises the members of a struct in order, or the first member of a union.

    With `within`, only the members in this range are initialised. `start` is the first subobject to
    initialise. Returns the index after the last part consumed. For `top` see `_initialise_elements`.
    """
    within = within or all_members(type_, members)
    position, depth = start or (within.first, within.depth)
    while index < len(parts) and (position < within.last or top):
        part = parts[index]
        if ctx.table.kind[part] == _PAIR:
            if not top:
                break
            designated, index, placed = _designated(ctx, type_, parts, index, None, outcome)
            if not placed:
                return index
            position, depth = subobject_after(members, within, designated)
            continue
        if position >= within.last:
            break
        group = group_at(members, Subobject(position, depth)) if ctx.table.kind[part] == _LIST else None
        if group is not None:
            inner = list(_element_nodes(ctx, part))
            used = _fill_record(ctx, type_, members, inner, 0, outcome, top=True, within=group)
            for each in inner[used:]:
                outcome.add(_type_unplaced_part(ctx, each))
            index += 1
            position, depth = subobject_after(members, within, group.last - 1, depth)
            continue
        member = members[position]
        if not member.name:
            # any number of members: which of the other parts initialise them is unknown
            for each in parts[index:]:
                outcome.add(_type_unplaced_part(ctx, each))
            return len(parts)
        target_member = InitialisedEntity(Origin(member.ref, 0), member.name)
        index = _aggregate_or_value(ctx, in_object(member.type, type_), parts, index, target_member, outcome)
        position, depth = subobject_after(members, within, position)
    return index


def _aggregate_or_value(
    ctx: TypingContext,
    type_: Type,
    parts: list[int],
    index: int,
    target: InitialisedEntity | None,
    outcome: InitialiserResult,
) -> int:
    """Initialises an element or member of type `type_`; returns the index after the last part consumed.

    The initialiser is a braced list, a value of the type, or several parts with the braces omitted. Its
    constancy is added to `outcome`.
    """
    part = parts[index]
    if ctx.table.kind[part] == _LIST or not isinstance(type_, Array | Record):
        _initialise_single(ctx, type_, part, target, outcome)
        return index + 1
    # the value's type decides whether braces are omitted; if they are, the value is typed again
    before = len(ctx.facts)
    value = value_of(ctx, part)
    whole = value.type.unqualified is type_.unqualified or (isinstance(type_, Array) and value.string)
    if whole or is_unknown(value.type):
        outcome.add(value)
        return index + 1
    del ctx.facts[before:]
    after = index
    if outcome.depth < _MAXIMUM_DEPTH:
        outcome.depth += 1
        after = _initialise_elements(ctx, type_, parts, index, target, outcome, top=False)
        outcome.depth -= 1
    if after == index:
        _initialise_single(ctx, type_, part, target, outcome)
        return index + 1
    return after
