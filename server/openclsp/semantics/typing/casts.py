"""Expressions that name a type: casts, vector literals, compound literals and `sizeof`."""

from __future__ import annotations

from openclsp.language.spaces import NAMED, Space
from openclsp.semantics.facts.declarations import Scope, TypeName
from openclsp.semantics.facts.entities import Entity, EntityKind, Origin, Place, Reason
from openclsp.semantics.facts.expressions import ConversionKind as Why
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.items.reparsing import NameClass
from openclsp.semantics.types.known_types import canonical, size_type
from openclsp.semantics.types.type_model import UNKNOWN, Pointer, Scalar, Type, Vector, Void, array_of
from openclsp.semantics.types.type_structure import decayed, levels, pointee_of
from openclsp.semantics.typing.arithmetic import wrapped
from openclsp.semantics.typing.array_sizes import read_array_size
from openclsp.semantics.typing.conversions import (
    emit_application,
    emit_cast,
    emit_conversion,
    rvalue,
    target_of,
)
from openclsp.semantics.typing.declarators import type_name
from openclsp.semantics.typing.default_spaces import finished_levels, pointee_default, settle_object
from openclsp.semantics.typing.dispatch import (
    expression,
    is_expression,
    unknown_value,
    value_of,
    with_enclosing_place,
)
from openclsp.semantics.typing.incomplete_types import check_cast_target, check_measured
from openclsp.semantics.typing.initialiser_results import InitialisedEntity
from openclsp.semantics.typing.initialisers import completed, initialise
from openclsp.semantics.typing.misused_types import check_type_argument
from openclsp.semantics.typing.operators import last_operand, take_address
from openclsp.semantics.typing.symbols import Symbol
from openclsp.semantics.typing.type_levels import RawLevel
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.vector_elements import check_elements
from openclsp.source.parser import FIELDS, kind

_TYPE, _VALUE, _DECLARATOR = FIELDS["type"], FIELDS["value"], FIELDS["declarator"]
_ARGUMENT, _INDEX = FIELDS["argument"], FIELDS["index"]
_ABSTRACT_FUNCTION = kind("abstract_function_declarator")
_ABSTRACT_POINTER = kind("abstract_pointer_declarator")
_NEVER_CAST_TO = (kind("abstract_array_declarator"), kind("abstract_function_declarator"))
_DESCRIPTOR = kind("type_descriptor")
_LABEL = kind("labeled_statement")
_TYPE_NAME = kind("type_identifier")
_IDENTIFIER, _PARENTHESES = kind("identifier"), kind("parenthesized_expression")
_SUBSCRIPT, _POINTER_EXPRESSION = kind("subscript_expression"), kind("pointer_expression")
_POSTFIX = (_SUBSCRIPT, kind("field_expression"))


@expression("cast_expression")
def _type_cast(ctx: TypingContext, node: int) -> Value:
    descriptor, operand = ctx.table.child(node, _TYPE), ctx.table.child(node, _VALUE)
    if descriptor < 0 or operand < 0:
        return unknown_value(ctx, node)
    if _is_no_type(ctx, descriptor):
        return _not_a_cast(ctx, node, descriptor, operand)
    if _is_conjunction(ctx, operand) and not _has_label(ctx, operand) and _is_undeclared(ctx, descriptor):
        return _not_a_cast(ctx, node, descriptor, operand)
    entity = type_name(ctx, descriptor, EntityKind.CAST, ctx.place(node))
    check_cast_target(ctx, entity.type, ctx.place(descriptor))
    literal = _literal_of_postfix(ctx, operand) if isinstance(entity.type, Vector) else -1
    if literal >= 0:
        ctx.vector_literals[literal] = entity
        return with_enclosing_place(value_of(ctx, operand), ctx, node)
    factor = _factor_of_name(ctx, descriptor, operand)
    if factor < 0:
        return cast_value(ctx, node, entity, rvalue(last_operand(ctx, node, operand)))
    value = value_of(ctx, factor)
    if not value.lvalue or value.element:
        return unknown_value(ctx, node)
    return cast_value(ctx, node, entity, take_address(ctx, operand, value))


def _factor_of_name(ctx: TypingContext, descriptor: int, operand: int) -> int:
    """Returns the operand of `&` in `(N) & x * y` if `N` is undeclared; -1 otherwise.

    `N` may be a macro that the host defines, and `&` then is the binary operator. The grammar takes `(N)&x`
    for a cast of an address. The caller must not require that the operand has an address.
    """
    table = ctx.table
    is_address = table.kind[operand] == _POINTER_EXPRESSION and table.token(table.first[operand]) == "&"
    return table.child(operand, _ARGUMENT) if is_address and _is_undeclared(ctx, descriptor) else -1


def _is_conjunction(ctx: TypingContext, operand: int) -> bool:
    """Whether the operand of a cast begins with `&&`: GNU's address of a label, or the binary operator."""
    return ctx.table.token(ctx.table.first[operand]) == "&&"


def _has_label(ctx: TypingContext, operand: int) -> bool:
    """Whether the name after the first token of an operand is a label of the function."""
    table = ctx.table
    name = table.first[operand] + 1
    return any(
        number == _LABEL and table.tokens[table.first[node]] == table.tokens[name]
        for node, number in enumerate(table.kind)
    )


def _is_undeclared(ctx: TypingContext, descriptor: int) -> bool:
    """Whether the "type" of a cast is a single undeclared name, which may be a macro of the host."""
    table, first = ctx.table, descriptor + 1
    if table.kind[first] != _TYPE_NAME or table.child(descriptor, _DECLARATOR) >= 0:
        return False
    return ctx.find(table.text(first)) is None


def _literal_of_postfix(ctx: TypingContext, operand: int) -> int:
    """Returns the parenthesised operand of a vector literal that is followed by a member access or subscript.

    `(float4)(x).y` is a member of a vector literal (OpenCL C 6.1.6), but the grammar parses it as a cast of
    `(x).y`. Returns -1 if the operand of the cast has no such form.
    """
    base = operand
    while base >= 0 and ctx.table.kind[base] in _POSTFIX:
        base = ctx.table.child(base, _ARGUMENT)
    return base if base >= 0 and base != operand and ctx.table.kind[base] == _PARENTHESES else -1


def _is_no_type(ctx: TypingContext, descriptor: int) -> bool:
    """Whether the "type" of a cast is an operand: `(a) - b`.

    The grammar cannot decide this; other examples are `(a[i]) + b`, `(f(a)) * b` and `(a * (b)) - c`. The "type" is an operand
    if it begins with a name that is not a typedef name, or if it would be an array or function type, to which
    nothing can be cast.
    """
    table = ctx.table
    first = descriptor + 1
    if first >= table.skip[descriptor] or table.kind[first] != _TYPE_NAME:
        return False
    symbol = ctx.find(table.text(first))
    if symbol is not None:
        return symbol.kind is not EntityKind.TYPEDEF
    declarator = table.child(descriptor, _DECLARATOR)
    while declarator >= 0 and table.kind[declarator] == _ABSTRACT_POINTER:
        declarator = table.child(declarator, _DECLARATOR)
    return declarator >= 0 and table.kind[declarator] in _NEVER_CAST_TO


def _not_a_cast(ctx: TypingContext, node: int, descriptor: int, operand: int) -> Value:
    """Types both operands of a binary expression that the grammar takes for a cast, such as `(a) - b`.

    The result is unknown. The item is parsed again if the first operand contains a call, whose arguments the
    grammar takes for parameters, or if the operator is `&&`, which the grammar takes for GNU's address of a
    label.
    """
    table = ctx.table
    has_call = _ABSTRACT_FUNCTION in table.kind[descriptor : table.skip[descriptor]]
    if has_call or _is_conjunction(ctx, operand):
        ctx.misparsed_names[table.first[descriptor]] = NameClass.VALUE
    for child in table.children(descriptor):
        if is_expression(table.kind[child]):
            value_of(ctx, child)
    # in `(a[i]) * b` nothing is dereferenced
    factor = table.child(operand, _ARGUMENT) if table.kind[operand] == _POINTER_EXPRESSION else -1
    value_of(ctx, factor if factor >= 0 else operand)
    return unknown_value(ctx, node)


def _is_vector_literal_of_pointer(ctx: TypingContext, node: int, value: Value, type_: Type) -> bool:
    """Whether a cast is a vector literal with a pointer as its only element: `(float4)(p)`.

    clang 22 accepts it, unlike the cast `(float4)p`.
    """
    operand = ctx.table.child(node, _VALUE)
    return (
        isinstance(type_, Vector)
        and isinstance(decayed(value.type), Pointer)
        and operand >= 0
        and ctx.table.kind[operand] == _PARENTHESES
    )


def cast_value(ctx: TypingContext, node: int, entity: Entity, value: Value) -> Value:
    """Returns the value of a cast of `value` to the type of `entity`, and emits the facts about the cast."""
    origin = Origin(entity.ref, 0)
    ctx.emit(TypeName(entity, value, ctx.scope))
    type_ = entity.type
    emit_cast(ctx, value, type_)
    if not _is_vector_literal_of_pointer(ctx, node, value, type_):
        emit_conversion(ctx, Why.CAST, value, type_, origin, place=ctx.place(node))
    number = wrapped(value.number, canonical(type_)) if isinstance(type_, Scalar) else None
    null = number == 0 or (value.null and _is_plain_void_pointer(ctx, type_))
    plain = type_.unqualified if type_.space is None else type_
    return Value(
        plain,
        ctx.place(node),
        False,
        origin,
        null=null,
        constancy=value.constancy,
        number=number,
        hidden=_hidden_space(value, type_),
        target=_cast_target_constancy(value, type_),
    )


def _cast_target_constancy(value: Value, target: Type) -> Constancy:
    """Returns whether the value of the object to which the result of a cast points is known at compile time.

    UNKNOWN instead of CONSTANT if the cast changes the pointee type.
    """
    constancy = target_of(value)
    given, wanted = pointee_of(value.type), pointee_of(target)
    same = given is not None and wanted is not None and given.unqualified is wanted.unqualified
    return constancy if same or constancy is Constancy.NOT_CONSTANT else Constancy.UNKNOWN


def _hidden_space(value: Value, target: Type) -> Space | None:
    """Returns the named space into which the result of a cast points, if the cast hides this space.

    A cast to a generic pointer or to an integer hides it: the type of the result does not contain the space.
    Returns None for any other cast, or if the space is unknown.
    """
    if isinstance(target, Pointer):
        keeps = target.pointee.space is Space.GENERIC
    else:
        keeps = isinstance(target, Scalar) and not target.floating
    if not keeps or value.null:
        return None
    source = value.type.pointee.space if isinstance(value.type, Pointer) else None
    return source if source in NAMED else value.hidden


def _is_plain_void_pointer(ctx: TypingContext, type_: Type) -> bool:
    """Whether the type is `void *` without qualifiers.

    Only a zero that is cast to this type is a null pointer constant (C99 6.3.2.3p3). A zero that is cast to a
    pointer into another space is an ordinary pointer.
    """
    if not isinstance(type_, Pointer) or not isinstance(type_.pointee, Void) or type_.pointee.qualifiers:
        return False
    return type_.pointee.space is pointee_default(ctx)[0]


@expression("vector_literal")
def _vector_literal(ctx: TypingContext, node: int) -> Value:
    table = ctx.table
    descriptor = table.child(node, _TYPE)
    entity = type_name(ctx, descriptor, EntityKind.CAST, ctx.place(node)) if descriptor >= 0 else None
    constancy = Constancy.CONSTANT
    last = unknown_value(ctx, node)
    parts = [child for child in table.children(node) if child != descriptor]
    first = parts[0] if parts else -1
    given: list[Value] = []
    for child in parts:
        before, last = last, rvalue(value_of(ctx, child))
        given.append(last)
        if entity is not None and isinstance(entity.type, Vector):
            emit_application(ctx, "vector", last)
        elif child != first:
            emit_application(ctx, ",", before, last)
        if last.constancy is not Constancy.CONSTANT and constancy is not Constancy.NOT_CONSTANT:
            constancy = last.constancy
    if entity is None:
        return last
    if not isinstance(entity.type, Vector):
        return cast_value(ctx, node, entity, last)
    ctx.emit(TypeName(entity, None, ctx.scope))
    check_elements(ctx, entity.type, given, ctx.place(node))
    return Value(entity.type, ctx.place(node), False, Origin(entity.ref, 0), constancy=constancy)


@expression("compound_literal_expression")
def _compound_literal(ctx: TypingContext, node: int) -> Value:
    descriptor, value_node = ctx.table.child(node, _TYPE), ctx.table.child(node, _VALUE)
    if descriptor < 0:
        return unknown_value(ctx, node)
    entity = type_name(ctx, descriptor, EntityKind.COMPOUND_LITERAL, ctx.place(node))
    program = ctx.scope is Scope.PROGRAM
    # an object of the enclosing scope (C99 6.5.2.5p6): in a function it is private, like an unqualified
    # variable
    space = Space.GLOBAL if program and ctx.dialect.program_scope_globals else Space.PRIVATE
    type_ = settle_object(entity.type, RawLevel(), space)
    origin = Origin(entity.ref, 0)
    outcome = initialise(ctx, type_, value_node, InitialisedEntity(origin, ""))
    ctx.emit(TypeName(entity, None, ctx.scope))
    type_ = completed(type_, outcome)
    return Value(type_, ctx.place(node), True, origin, constancy=outcome.constancy, fixed=program)


@expression("sizeof_expression", "alignof_expression", "offsetof_expression")
def _type_sizeof(ctx: TypingContext, node: int) -> Value:
    """Types `sizeof` and similar operators; the value is known if the layout of the operand is known."""
    table = ctx.table
    measured: Type | None = None
    ctx.unevaluated += 1
    for child in table.children(node):
        if table.kind[child] == _DESCRIPTOR:
            entity = type_name(ctx, child, EntityKind.TYPE_NAME, ctx.place(child))
            ctx.emit(TypeName(entity, None, ctx.scope))
            measured = entity.type
            check_measured(ctx, table.token(table.first[node]), measured, ctx.place(child))
        elif is_expression(table.kind[child]):
            measured = _named_operand(ctx, child)
            if measured is None:
                measured = last_operand(ctx, node, child).type
    ctx.unevaluated -= 1
    if not table.token(table.first[node]).startswith("sizeof"):
        measured = None
    layout = ctx.layout(measured) if measured is not None else None
    return Value(
        size_type(ctx.dialect),
        ctx.place(node),
        constancy=Constancy.CONSTANT,
        number=layout.size if layout is not None else None,
        measured=measured,
    )


def _named_operand(ctx: TypingContext, node: int) -> Type | None:
    """Returns the type named by the operand of `sizeof(T)` or `sizeof(T[2])`, if `T` is a typedef; else None.

    The grammar parses such an operand as an expression.
    """
    table = ctx.table
    if table.kind[node] != _PARENTHESES:
        return None
    node += 1
    place = ctx.place(node)
    bounds: list[int] = []
    while table.kind[node] == _SUBSCRIPT:
        bounds.append(table.child(node, _INDEX))
        node = table.child(node, _ARGUMENT)
    symbol = ctx.find(table.text(node)) if table.kind[node] == _IDENTIFIER else None
    if symbol is None or symbol.kind is not EntityKind.TYPEDEF:
        return None
    ctx.note_use(table.first[node], symbol)
    type_ = symbol.type
    for bound in bounds:
        type_ = array_of(type_, read_array_size(ctx, bound, type_, "") if bound >= 0 else None)
    if bounds:
        _emit_array_name(ctx, type_, place)
    return type_


def _emit_array_name(ctx: TypingContext, type_: Type, place: Place) -> None:
    """Emits the fact about a type name `T[2]`."""
    raws = [RawLevel(place=place, reason=Reason.EXPRESSION) for _ in levels(type_)]
    ref = ctx.ref(ctx.reserve(1))
    named = finished_levels(type_, raws, Reason.VALUE)
    entity = Entity(ref, EntityKind.TYPE_NAME, "", type_, named, place, place)
    ctx.entities[ref.number] = entity
    ctx.emit(TypeName(entity, None, ctx.scope))


def named_type(ctx: TypingContext, node: int) -> Symbol | None:
    """Returns the typedef `T` in `(T)(…)` or `sizeof(T)`; None if the parentheses contain anything else.

    The grammar parses `T` as a name.
    """
    table = ctx.table
    if table.kind[node] != _PARENTHESES:
        return None
    inner = node + 1
    if inner >= table.skip[node] or table.kind[inner] != _IDENTIFIER:
        return None
    symbol = ctx.find(table.text(inner))
    if symbol is None or symbol.kind is not EntityKind.TYPEDEF:
        return None
    ctx.note_use(table.first[inner], symbol)
    return symbol


@expression("type_descriptor")
def _type_operand(ctx: TypingContext, node: int) -> Value:
    entity = type_name(ctx, node, EntityKind.TYPE_NAME, ctx.place(node))
    ctx.emit(TypeName(entity, None, ctx.scope))
    check_type_argument(ctx, node)
    return Value(entity.type, ctx.place(node), False, Origin(entity.ref, 0), constancy=Constancy.CONSTANT)


@expression("generic_expression", "gnu_asm_expression")
def _not_followed(ctx: TypingContext, node: int) -> Value:
    return Value(UNKNOWN, ctx.place(node), constancy=Constancy.UNKNOWN)
