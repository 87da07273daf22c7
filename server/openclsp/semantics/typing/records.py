"""Struct, union and enum specifiers: defines types, their members and enumerators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from openclsp.language.features import BIT_FIELDS
from openclsp.language.keywords import NEVER_NAMES
from openclsp.semantics.facts.constructs import Construct, ConstructKind, SyntaxFault
from openclsp.semantics.facts.declarations import (
    Declaration,
    Redeclaration,
    Scope,
    TagRedeclaration,
    UnionMembers,
)
from openclsp.semantics.facts.entities import (
    Entity,
    EntityKind,
    EntityRef,
    Place,
    Reason,
)
from openclsp.semantics.facts.faults import DeclaratorFault, InvalidDeclarator
from openclsp.semantics.facts.values import Constancy
from openclsp.semantics.types.known_types import INT, LONG, UINT, ULONG
from openclsp.semantics.types.sizes import MemberLayout, Slots
from openclsp.semantics.types.type_model import (
    UNKNOWN,
    Array,
    Function,
    Pointer,
    Record,
    Type,
    enum,
    record,
)
from openclsp.semantics.typing.declarators import read_declarator
from openclsp.semantics.typing.default_spaces import finished_levels
from openclsp.semantics.typing.dispatch import is_expression, type_specifier, value_of, value_without_facts
from openclsp.semantics.typing.endianness import emit_endianness, note_endianness
from openclsp.semantics.typing.fault_facts import check_assertion, emit_fault, integer_constant
from openclsp.semantics.typing.incomplete_types import (
    complete_enum,
    emit_incomplete,
    has_empty_brackets,
    named_enum,
    note_named_enum,
)
from openclsp.semantics.typing.layout_attributes import alignment_at, natural_alignment
from openclsp.semantics.typing.specifiers import read_specifiers
from openclsp.semantics.typing.symbols import Member, Symbol
from openclsp.semantics.typing.type_levels import RawLevel
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_SIGN_BIT = 1 << 31
_NAME, _BODY, _DECLARATOR, _VALUE = FIELDS["name"], FIELDS["body"], FIELDS["declarator"], FIELDS["value"]
_UNION = kind("union_specifier")
_FIELD = kind("field_declaration")
_BIT_FIELD = kind("bitfield_clause")
_ENUMERATOR = kind("enumerator")
_ASSERTION, _CONDITION = kind("static_assert_declaration"), FIELDS["condition"]
_MACRO = kind("macro_modifier")
_TYPEDEF = kind("type_definition")
_KEYWORDS = ("struct", "union", "enum")


@type_specifier("struct_specifier", "union_specifier")
def _record_type(ctx: TypingContext, node: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    """Reads a struct or union specifier: a definition, a declaration of its tag, or a use.

    Returns the type, and an empty list, because no level of the type comes from a typedef.
    """
    table = ctx.table
    keyword = "union" if table.kind[node] == _UNION else "struct"
    name_node, body = table.child(node, _NAME), table.child(node, _BODY)
    name = table.text(name_node) if name_node >= 0 else ""
    tag = f"{keyword} {name}"
    if body < 0:
        found = ctx.find_tag(tag)
        if found is not None:
            if name:
                ctx.note_tag(table.first[name_node], found)
            return found, []
    # a definition completes a type declared by its tag in the same scope (C99 6.7.2.3p8)
    declared = ctx.tags[-1].get(tag) if name and ctx.depth else None
    if name:
        _emit_redeclaration(ctx, keyword, name, ctx.place(name_node))
    if isinstance(declared, Record) and ctx.members(declared) is None:
        type_ = declared
    else:
        type_ = record(keyword, name or _typedef_name(ctx, node), _record_identity(ctx, keyword, name))
    if name:
        ctx.tags[-1][tag] = type_
        ctx.note_tag(table.first[name_node], type_)
    if body >= 0:
        _define_members(ctx, node, body, type_)
    return type_, []


def _emit_redeclaration(ctx: TypingContext, keyword: str, name: str, place: Place) -> None:
    """Emits a fact for a tag that is defined twice in its scope, or as two kinds of type (C99 6.7.2.3p1).

    To be called for definitions and first declarations, before the tag is bound.
    """
    if ctx.table.has_error:
        return
    for other in _KEYWORDS:
        tag = f"{other} {name}"
        found = ctx.tags[-1].get(tag)
        if found is None and not ctx.depth:
            found = ctx.names.tag(tag)
        members = ctx.members(found) if isinstance(found, Record) else ()
        if found is None or (other == keyword and members is None):
            continue
        first = members[0].ref if members else None
        ctx.emit(TagRedeclaration(f"{keyword} {name}", tag, first, place))
        return


def _record_identity(ctx: TypingContext, keyword: str, name: str) -> object:
    """Returns the identity of a record type.

    A tag at program scope identifies one type; any other struct or union is a type of its own.
    """
    if name and ctx.depth == 0:
        return (keyword, name)
    ctx.records += 1
    return (ctx.item, ctx.records)


def _typedef_name(ctx: TypingContext, node: int) -> str:
    """Returns the display name of an untagged struct, union or enum: `typedef T`; empty without a typedef."""
    table = ctx.table
    if table.kind[0] == _TYPEDEF and node == table.child(0, FIELDS["type"]):
        declarator = table.child(0, _DECLARATOR)
        if declarator >= 0 and table.last[declarator] == table.first[declarator] + 1:
            return "typedef " + table.text(declarator)
    return ""


def _define_members(ctx: TypingContext, node: int, body: int, type_: Record) -> None:
    """Reads the members of a struct or union and their layouts."""
    table = ctx.table
    members: list[Member] = []
    slots: list[MemberLayout] = []
    fields = [node for node in table.children(body) if table.kind[node] == _FIELD]
    ctx.open_records.append(type_.identity)
    is_union = type_.keyword == "union"
    for field in fields:
        members += _read_field(ctx, field, slots, is_last=field == fields[-1], is_union=is_union)
    ctx.open_records.pop()
    for assertion in table.children(body):
        condition = table.child(assertion, _CONDITION) if table.kind[assertion] == _ASSERTION else -1
        if condition >= 0:
            check_assertion(ctx, condition, value_of(ctx, condition))
    ctx.local_members[type_.identity] = tuple(members)
    _emit_duplicate_members(ctx, members)
    requested = alignment_at(ctx, node)
    if requested.packed:
        slots = [slot._replace(packed=True) for slot in slots]
    ctx.slots[type_.identity] = Slots(tuple(slots), requested.least, ctx.names.packing())
    if is_union:
        _emit_union(ctx, body, type_, members)


def _emit_duplicate_members(ctx: TypingContext, members: list[Member]) -> None:
    """Emits a fact for each member with the name of an earlier member (C99 6.7.2.1p8, 6.2.3)."""
    if ctx.table.has_error:
        return
    first: dict[str, Member] = {}
    for member in members:
        previous = first.setdefault(member.name, member)
        entity = ctx.entities.get(member.ref.number) if member.ref.item == ctx.item else None
        if previous is member or not member.name or entity is None or ctx.is_uncertain(entity.place):
            continue
        ctx.emit(Redeclaration(entity, previous.ref, previous.type, overloadable=False, redefinition=True))


def _emit_union(ctx: TypingContext, body: int, type_: Record, members: list[Member]) -> None:
    """Emits a fact for a union with several direct members of pointer type."""
    named = (ctx.entities.get(member.ref.number) for member in members if member.ref.item == ctx.item)
    pointers = tuple(each for each in named if each is not None and isinstance(each.type, Pointer))
    if len(pointers) > 1:
        place = Place(ctx.table.first[body] - 1, ctx.table.first[body])
        ctx.emit(UnionMembers(type_.keyword, type_.name, pointers, place))


def _read_field(
    ctx: TypingContext, node: int, slots: list[MemberLayout], *, is_last: bool, is_union: bool
) -> list[Member]:
    """Returns the members declared by one field declaration, and appends their layouts to `slots`."""
    table = ctx.table
    specifiers = read_specifiers(ctx, node)
    declarators = [c for c in table.children(node) if table.field[c] == _DECLARATOR]
    requested = alignment_at(ctx, node)
    # an unnamed struct or union (C11 6.7.2.1p13) contributes its members; those of a union share their place
    if not declarators:
        inner = specifiers.type.unqualified
        if isinstance(inner, Record):
            slots.append(MemberLayout(inner, requested.packed, requested.least))
            number, is_shared = table.first[node] + 1, inner.keyword == "union"
            return [
                replace(
                    each,
                    anonymous=True,
                    union=number if is_shared else each.union,
                    groups=(-number if is_shared else number, *each.groups),
                )
                for each in ctx.local_members.get(inner.identity, ())
            ]
    # `MEMBERS` or `MEMBERS int a;`: a macro that may expand to any members, also to none
    may_declare_members = specifiers.unknown and (
        table.kind[node + 1] == _MACRO
        if declarators
        else not any(table.kind[c] == _BIT_FIELD for c in table.children(node))
    )
    made: list[Member] = []
    if may_declare_members:
        made.append(Member("", UNKNOWN, ctx.ref(ctx.reserve(1))))
        slots.append(MemberLayout(UNKNOWN))
    widths = {table.first[c]: c for c in table.children(node) if table.kind[c] == _BIT_FIELD}
    if widths and not declarators:
        width = _bit_width(ctx, next(iter(widths.values())))
        slots.append(MemberLayout(specifiers.type, requested.packed, requested.least, bits=True, width=width))
        first = min(widths)
        ctx.emit_restricted(Construct(ConstructKind.BIT_FIELD, Place(first, first + 1)), BIT_FIELDS)
    for declarator_node in declarators:
        declarator = read_declarator(ctx, declarator_node, specifiers)
        if isinstance(declarator.type, Function):
            fault = InvalidDeclarator(
                DeclaratorFault.FUNCTION_MEMBER, declarator.name, ctx.place(declarator_node)
            )
            emit_fault(ctx, fault)
            continue
        emit_incomplete(
            ctx,
            DeclaratorFault.INCOMPLETE_OBJECT,
            declarator.type,
            declarator.name,
            ctx.place(declarator_node),
        )
        number = ctx.reserve(1)
        levels = finished_levels(declarator.type, declarator.levels, Reason.OBJECT)
        entity = Entity(
            EntityRef(ctx.item, number),
            EntityKind.MEMBER,
            declarator.name,
            declarator.type,
            levels,
            declarator.name_place,
            ctx.place(node),
        )
        ctx.entities[number] = entity
        ctx.emit(Declaration(entity, Scope.MEMBER, specifiers.storage, specifiers.storage_place, None, True))
        note_endianness(ctx, entity.ref, (*specifiers.attributes, *declarator.attributes))
        emit_endianness(ctx, entity)
        if (
            isinstance(declarator.type, Array)
            and declarator.type.size is None
            and _is_unbounded(ctx, declarator.name_place)
        ):
            flexible = is_union or (is_last and declarator_node == declarators[-1])
            unsized = ConstructKind.FLEXIBLE_ARRAY if flexible else ConstructKind.UNSIZED_MEMBER
            ctx.emit(Construct(unsized, declarator.name_place, declarator.name, entity))
        if table.last[declarator_node] in widths:
            ctx.emit_restricted(
                Construct(ConstructKind.BIT_FIELD, declarator.name_place, declarator.name, entity), BIT_FIELDS
            )
        own = requested.with_(alignment_at(ctx, declarator_node))
        clause = widths.get(table.last[declarator_node])
        width = _bit_width(ctx, clause) if clause is not None else None
        natural = natural_alignment(ctx, node, declarator_node)
        # a member has no space of its own: it takes that of its object at each access
        member = UNKNOWN if ctx.is_uncertain(declarator.name_place) else declarator.type.with_space(None)
        slots.append(
            MemberLayout(member, own.packed, own.least, clause is not None, natural, width, declarator.name)
        )
        made.append(Member(declarator.name, member, entity.ref))
    return made


def _bit_width(ctx: TypingContext, clause: int) -> int | None:
    """Returns the width of a bit-field in bits; None if it is no known constant."""
    operand = next((c for c in ctx.table.children(clause) if is_expression(ctx.table.kind[c])), -1)
    width = value_without_facts(ctx, operand).number if operand >= 0 else None
    return width if width is not None and width >= 0 else None


def _is_unbounded(ctx: TypingContext, name: Place) -> bool:
    """Whether the brackets directly after a declared name are empty, as in `a[]` and `a[][3]`."""
    following = name.last
    while ctx.table.token(following) == ")":
        following += 1
    return has_empty_brackets(ctx, following)


@type_specifier("enum_specifier")
def _enum_type(ctx: TypingContext, node: int, raw: RawLevel) -> tuple[Type, list[RawLevel]]:
    """Reads an enum specifier, declares its enumerators and returns the type; see `_record_type`."""
    table = ctx.table
    name_node, body = table.child(node, _NAME), table.child(node, _BODY)
    name = table.text(name_node) if name_node >= 0 else ""
    if body < 0:
        used = ctx.find_tag(f"enum {name}") or named_enum(ctx, name)
        if used is None:
            used = enum(name, _record_identity(ctx, "enum", name))
            note_named_enum(ctx, used)
        if name:
            ctx.note_tag(table.first[name_node], used)
        return used, []
    if name:
        _emit_redeclaration(ctx, "enum", name, ctx.place(name_node))
    type_ = complete_enum(ctx, name) if name else None
    if type_ is None:
        type_ = enum(name or _typedef_name(ctx, node), _record_identity(ctx, "enum", name))
    if name:
        ctx.tags[-1][f"enum {name}"] = type_
        ctx.note_tag(table.first[name_node], type_)
    ctx.open_records.append(type_.identity)
    _declare_enumerators(ctx, body)
    ctx.open_records.pop()
    return type_, []


def _declare_enumerators(ctx: TypingContext, body: int) -> None:
    table = ctx.table
    following: int | None = 0
    declared: list[Symbol] = []
    for enumerator in table.children(body):
        if table.kind[enumerator] != _ENUMERATOR:
            continue
        value_node, name_node = table.child(enumerator, _VALUE), table.child(enumerator, _NAME)
        if value_node >= 0:
            following = integer_constant(ctx, value_node, "the value of an enumerator").number
        name = table.text(name_node)
        number = ctx.reserve(1)
        ref = ctx.ref(number)
        place = ctx.place(name_node)
        if name in NEVER_NAMES:
            emit_fault(ctx, SyntaxFault(place, found=name))
        type_ = _enumerator_type(following)
        entity = Entity(ref, EntityKind.ENUMERATOR, name, type_, (), place, ctx.place(enumerator))
        ctx.entities[number] = entity
        previous = ctx.bound_here(name)
        if previous is not None and previous.kind is not EntityKind.PARAMETER:
            ctx.emit(Redeclaration(entity, previous.ref, type_, overloadable=False, redefinition=True))
        symbol = Symbol(name, EntityKind.ENUMERATOR, type_, ref, ctx.scope, Constancy.CONSTANT, following)
        ctx.bind(symbol)
        declared.append(symbol)
        following = following + 1 if following is not None else None
    if not declared:
        end = table.last[body]
        emit_fault(ctx, SyntaxFault(Place(end - 1, end), found="}"))
    if any(each.type != INT for each in declared):
        _widen_enumerators(ctx, declared)


def _enumerator_type(value: int | None) -> Type:
    """Returns the type of an enumerator with the value `value`; `int` if the value is unknown.

    C99 6.7.2.2p2 requires a value that fits `int`. clang and GCC accept larger values, and give them an
    unsigned type.
    """
    if value is None or -_SIGN_BIT <= value < _SIGN_BIT:
        return INT
    if 0 <= value < 2 * _SIGN_BIT:
        return UINT
    return LONG if value < 0 else ULONG


def _widen_enumerators(ctx: TypingContext, declared: Sequence[Symbol]) -> None:
    """Makes enumerator types unknown in an enumeration with a value that does not fit `int`.

    Compilers differ: an enumerator whose value fits `int` has the type `int`, or the type of the enumeration.
    If the enumeration has a negative or unknown value, the types of all its enumerators become unknown.
    """
    negative = any(each.number is None or each.number < 0 for each in declared)
    for symbol in declared:
        if negative or symbol.type == INT:
            ctx.bind(replace(symbol, type=UNKNOWN))
