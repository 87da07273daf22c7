"""Types primary and postfix expressions: names, parentheses, members, subscripts."""

from __future__ import annotations

from openclsp.language.builtin_functions import builtin_function
from openclsp.language.builtin_types import predeclared_constants
from openclsp.language.features import FUNCTION_POINTERS
from openclsp.language.keywords import C99_KEYWORDS
from openclsp.language.spaces import Space
from openclsp.semantics.facts.constructs import Construct, ConstructKind, SyntaxFault
from openclsp.semantics.facts.declarations import Scope
from openclsp.semantics.facts.entities import EntityKind, Origin, Place
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.items.reparsing import NameClass
from openclsp.semantics.types.known_types import CHAR, INT
from openclsp.semantics.types.type_model import (
    CONST,
    UNKNOWN,
    Array,
    BlockPointer,
    Opaque,
    Pointer,
    Record,
    Type,
    Vector,
    array_of,
    vector,
)
from openclsp.semantics.types.type_structure import is_unknown, pointee_of
from openclsp.semantics.typing.arithmetic import combined
from openclsp.semantics.typing.casts import cast_value
from openclsp.semantics.typing.conversions import (
    constancy_of_pointee,
    emit_application,
    emit_opaque,
    rvalue,
)
from openclsp.semantics.typing.dispatch import (
    expression,
    is_expression,
    unknown_value,
    value_of,
    with_enclosing_place,
)
from openclsp.semantics.typing.fault_facts import VECTOR_WIDTHS, check_index, check_member, emit_fault
from openclsp.semantics.typing.statements import type_statement_expression
from openclsp.semantics.typing.symbols import Symbol, in_object, member_named
from openclsp.semantics.typing.typing_context import FunctionFrame, TypingContext, deeper, moved
from openclsp.semantics.typing.unknown_names import emit_unavailable_constant, unknown_around
from openclsp.source.parser import FIELDS, kind

_ARGUMENT, _FIELD, _INDEX = FIELDS["argument"], FIELDS["field"], FIELDS["index"]
_LEFT, _RIGHT = FIELDS["left"], FIELDS["right"]
_COMPOUND = kind("compound_statement")
_OF_NDRANGE = frozenset(("workDimension", "globalWorkOffset", "globalWorkSize", "localWorkSize"))
"""The members of ndrange_t as compilers' headers define it."""
_IDENTIFIER = kind("identifier")
_PRETTY = "__PRETTY_FUNCTION__"
_FUNCTION_NAMES = frozenset(("__func__", "__FUNCTION__", _PRETTY))
_XYZW, _RGBA = frozenset("xyzw"), frozenset("rgba")
_LETTERS = {"x": 0, "y": 1, "z": 2, "w": 3, "r": 0, "g": 1, "b": 2, "a": 3}


@expression("identifier")
def name_value(ctx: TypingContext, node: int) -> Value:
    """Returns the value designated by a name; unknown if the name is not declared."""
    name = ctx.table.text(node)
    symbol = ctx.find(name)
    if symbol is None:
        return _type_predeclared(ctx, node, name)
    ctx.note_use(ctx.table.first[node], symbol)
    origin = Origin(symbol.ref, 0)
    if symbol.kind is EntityKind.TYPEDEF:
        ctx.misparsed_names[ctx.table.first[node]] = NameClass.TYPE
    if symbol.kind is EntityKind.FUNCTION:
        # a function name outside of a call yields the function's address, which programs must not take
        # (OpenCL C 6.11)
        if not is_unknown(symbol.type):
            _emit_function_pointer(ctx, node, name)
        return _function_value(ctx, node, symbol)
    if symbol.kind is EntityKind.ENUMERATOR:
        null = symbol.number == 0
        place = ctx.place(node)
        return Value(symbol.type, place, False, origin, name, null, False, Constancy.CONSTANT, symbol.number)
    if symbol.kind is EntityKind.TYPEDEF:
        return unknown_value(ctx, node)
    frames = ctx.captured_by(symbol)
    if frames:
        return _captured_value(ctx, node, symbol, frames)
    space = symbol.type.space
    lasting = space is Space.GLOBAL or space is Space.CONSTANT
    fixed = symbol.scope is Scope.PROGRAM or (lasting and symbol.kind is EntityKind.VARIABLE)
    place = ctx.place(node)
    return Value(
        symbol.type,
        place,
        True,
        origin,
        name,
        constancy=symbol.constancy,
        number=symbol.number,
        fixed=fixed,
        target=symbol.target,
    )


def _captured_value(
    ctx: TypingContext, node: int, symbol: Symbol, frames: tuple[FunctionFrame, ...]
) -> Value:
    """Returns the const copy that a block has of a captured variable, and records the capture.

    `frames` are the blocks that capture the variable (OpenCL C 6.14).
    """
    place = ctx.place(node)
    if isinstance(symbol.type, BlockPointer):
        ctx.emit(Construct(ConstructKind.CAPTURED_BLOCK, place, symbol.name))
    type_ = symbol.type.with_qualifiers(symbol.type.qualifiers | CONST)
    origin = Origin(symbol.ref, 0)
    constancy, number = symbol.constancy, symbol.number
    value = Value(type_, place, True, origin, symbol.name, constancy=constancy, number=number, captured=True)
    for frame in frames:
        frame.captures.setdefault(symbol.ref, value)
    return value


def callee_value(ctx: TypingContext, node: int) -> Value:
    """Types the callee expression of a call; returns the function that it designates."""
    symbol = ctx.find(ctx.table.text(node)) if ctx.table.kind[node] == _IDENTIFIER else None
    if symbol is None or symbol.kind is not EntityKind.FUNCTION:
        return value_of(ctx, node)
    ctx.note_use(ctx.table.first[node], symbol)
    value = _function_value(ctx, node, symbol)
    if ctx.trace is not None:
        ctx.trace[node] = value
    return value


def _function_value(ctx: TypingContext, node: int, symbol: Symbol) -> Value:
    origin = Origin(symbol.ref, 0)
    return Value(symbol.type, ctx.place(node), False, origin, symbol.name, constancy=Constancy.CONSTANT)


def _type_predeclared(ctx: TypingContext, node: int, name: str) -> Value:
    """Types an undeclared name: a predefined identifier or a built-in constant; any other name is unknown."""
    if name in _FUNCTION_NAMES:
        return _function_name(ctx, node, name)
    if name in C99_KEYWORDS:
        if unknown_around(ctx, ctx.table.first[node]) < 0:
            emit_fault(ctx, SyntaxFault(ctx.place(node), found=name))
        return unknown_value(ctx, node)
    constant = predeclared_constants(ctx.dialect).get(name)
    if constant is not None:
        place = ctx.place(node)
        return Value(INT, place, name=name, constancy=Constancy.CONSTANT, number=constant)
    if builtin_function(name, ctx.dialect) is not None and not ctx.names.may_be_declared_elsewhere(name):
        _emit_function_pointer(ctx, node, name)
    else:
        emit_unavailable_constant(ctx, name, ctx.place(node))
    ctx.unknown_names += 1
    ctx.undeclared[node] = False
    return Value(UNKNOWN, ctx.place(node), name=name, constancy=Constancy.UNKNOWN)


def _function_name(ctx: TypingContext, node: int, name: str) -> Value:
    """Returns the array that `__func__` or a similar name designates (C99 6.4.2.2)."""
    frame = ctx.frames[-1] if ctx.frames else None
    kind = ConstructKind.PREDEFINED_IDENTIFIER if frame else ConstructKind.PREDEFINED_OUTSIDE
    ctx.emit(Construct(kind, ctx.place(node), name))
    # compilers differ in how they name a block, and in how they write a signature
    size = None if name == _PRETTY or (frame and frame.block) else len(frame.name) + 1 if frame else 1
    type_ = array_of(CHAR.with_space(Space.CONSTANT).with_qualifiers(CONST), size)
    return Value(type_, ctx.place(node), True, None, name, constancy=Constancy.CONSTANT, fixed=True)


def _emit_function_pointer(ctx: TypingContext, node: int, name: str) -> None:
    """Emits a fact for a function name outside of a call.

    Emits nothing if the name may be an argument of an unknown macro, `DEFINE(acos)`, or if it is called but the
    parser did not recognise the call: `MACRO printf("x");`.
    """
    if ctx.table.token(ctx.table.last[node]) != "(" and unknown_around(ctx, ctx.table.first[node]) < 0:
        place = ctx.place(node)
        ctx.emit_restricted(Construct(ConstructKind.FUNCTION_POINTER, place, name), FUNCTION_POINTERS)


@expression("parenthesized_expression", "extension_expression")
def _type_parentheses(ctx: TypingContext, node: int) -> Value:
    for child in ctx.table.children(node):
        if ctx.table.kind[child] == _COMPOUND:
            value = type_statement_expression(ctx, child)
            return (
                unknown_value(ctx, node) if value is None else with_enclosing_place(rvalue(value), ctx, node)
            )
        if is_expression(ctx.table.kind[child]):
            value = value_of(ctx, child)
            literal = ctx.vector_literals.pop(node, None)
            if literal is not None:
                return cast_value(ctx, node, literal, rvalue(value))
            return with_enclosing_place(value, ctx, node)
    return unknown_value(ctx, node)


@expression("comma_expression")
def _type_comma(ctx: TypingContext, node: int) -> Value:
    left, right = ctx.table.child(node, _LEFT), ctx.table.child(node, _RIGHT)
    if left < 0 or right < 0:
        return unknown_value(ctx, node)
    first = value_of(ctx, left)
    last = value_of(ctx, right)
    token_index = ctx.table.last[left]
    emit_application(ctx, ",", first, last, place=Place(token_index, token_index + 1))
    constancy = combined(first, last)
    return rvalue(last).replaced(
        place=ctx.place(node), lvalue=False, null=False, number=None, constancy=constancy
    )


@expression("field_expression")
def _type_member(ctx: TypingContext, node: int) -> Value:
    """Types `s.m` and `p->m`: a member, or components of a vector."""
    table = ctx.table
    base = value_of(ctx, table.child(node, _ARGUMENT))
    field = table.child(node, _FIELD)
    name = table.text(field) if field >= 0 else ""
    arrow = field >= 0 and table.token(table.first[field] - 1) == "->"
    container: Type | None = pointee_of(base.type) if arrow else base.type
    if isinstance(container, Vector):
        if not component_count(name, container.width):
            check_member(ctx, base, name, arrow, ctx.place(field if field >= 0 else node))
        return _vector_components(
            ctx, node, _dereference(base, container) if arrow else base, container, name
        )
    ndrange = isinstance(container, Opaque) and container.category == "ndrange"
    if arrow or not ndrange or name not in _OF_NDRANGE:
        emit_opaque(ctx, base)
    members = ctx.members(container) if isinstance(container, Record) else None
    member = member_named(members, name) if members else None
    if member is None or container is None:
        if field >= 0:
            check_member(ctx, base, name, arrow, ctx.place(field))
        return unknown_value(ctx, node)
    ctx.note_member(table.first[field], member.ref)
    fixed, constancy = base.fixed, base.constancy
    if arrow:
        pointer = rvalue(base)
        fixed = pointer.constancy is Constancy.CONSTANT
        constancy = constancy_of_pointee(pointer)
    type_ = in_object(member.type, container)
    place = ctx.place(node)
    lvalue = arrow or base.lvalue
    held = _member_holder(base, arrow)
    return Value(
        type_,
        place,
        lvalue,
        Origin(member.ref, 0),
        name,
        constancy=constancy,
        fixed=fixed,
        held=held,
        captured=base.captured and not arrow,
    )


def _dereference(pointer: Value, pointee: Type) -> Value:
    """Returns the vector designated by `*p` in `p->x`."""
    pointer = rvalue(pointer)
    held = moved(pointer.held, -1)
    origin, constancy = deeper(pointer.origin, 1), constancy_of_pointee(pointer)
    return Value(pointee, pointer.place, True, origin, pointer.name, constancy=constancy, held=held)


def _member_holder(base: Value, arrow: bool) -> tuple[int, Origin, str] | None:
    """Returns `Value.held` for a member of `base`.

    This is a tuple of 0 (the level of the member itself), the origin that determines the member's address
    space, and the name declared there. None if no declaration determines the space. `arrow` means that the
    member is accessed by `->`.
    """
    depth = 1 if arrow and not isinstance(base.type, Array) else 0
    origin, name = base.space_source(depth)
    return (0, origin, name) if origin is not None else None


def component_count(name: str, width: int) -> int:
    """Returns the number of components that a swizzle names (OpenCL C 6.3.7); 0 if it is invalid."""
    if name in ("lo", "hi", "even", "odd"):
        return 2 if width == 3 else max(width // 2, 1)
    if name[:1] in ("s", "S") and len(name) > 1:
        digits = name[1:]
        good = all(digit in "0123456789abcdefABCDEF" and int(digit, 16) < width for digit in digits)
        return len(digits) if good and len(digits) in VECTOR_WIDTHS else 0
    letters = frozenset(name)
    if not (letters <= _XYZW or letters <= _RGBA) or len(name) not in VECTOR_WIDTHS:
        return 0
    return len(name) if all(_LETTERS[letter] < width for letter in name) else 0


def _vector_components(ctx: TypingContext, node: int, base: Value, container: Vector, name: str) -> Value:
    """Types a swizzle, which designates one or several components of a vector."""
    count = component_count(name, container.width)
    if not count:
        return unknown_value(ctx, node)
    type_: Type = container.element if count == 1 else vector(container.element, count)
    type_ = type_.with_space(container.space).with_qualifiers(container.qualifiers)
    place = ctx.place(node)
    named = name[1:].lower() if name[0] in "sS" else name
    repeated = name not in ("lo", "hi", "even", "odd") and len(frozenset(named)) < len(named)
    return Value(
        type_,
        place,
        base.lvalue and not repeated,
        base.origin,
        base.name,
        constancy=base.constancy,
        element=True,
        held=base.held,
        captured=base.captured,
    )


@expression("subscript_expression")
def _type_subscript(ctx: TypingContext, node: int) -> Value:
    """Types `a[i]` for arrays, pointers and vectors."""
    table = ctx.table
    base_node, index_node = table.child(node, _ARGUMENT), table.child(node, _INDEX)
    base = value_of(ctx, base_node)
    index = value_of(ctx, index_node) if index_node >= 0 else unknown_value(ctx, node)
    # C allows `2[array]` (C99 6.5.2.1p2)
    if pointee_of(base.type) is None and pointee_of(index.type) is not None:
        base, index = index, base
    place = ctx.place(node)
    emit_application(ctx, "[]", index)
    check_index(ctx, base, rvalue(index), place)
    if isinstance(base.type, Array):
        constancy = base.constancy if index.constancy is Constancy.CONSTANT else index.constancy
        fixed = base.fixed and index.constancy is Constancy.CONSTANT
        element = base.type.element
        held = base.held
        return Value(
            element,
            place,
            True,
            base.origin,
            base.name,
            constancy=constancy,
            fixed=fixed,
            held=held,
            captured=base.captured,
            target=base.target,
        )
    if isinstance(base.type, Pointer):
        origin = deeper(base.origin, 1)
        fixed = base.constancy is Constancy.CONSTANT and index.constancy is Constancy.CONSTANT
        constancy = constancy_of_pointee(base) if fixed else Constancy.NOT_CONSTANT
        held = moved(base.held, -1)
        return Value(
            base.type.pointee, place, True, origin, base.name, constancy=constancy, fixed=fixed, held=held
        )
    if isinstance(base.type, Vector):
        vector_type = base.type
        type_ = vector_type.element.with_space(vector_type.space).with_qualifiers(vector_type.qualifiers)
        return Value(type_, place, base.lvalue, base.origin, base.name, element=True, held=base.held)
    if isinstance(base.type, BlockPointer):
        emit_application(ctx, "[…]", base)
    emit_opaque(ctx, base)
    return unknown_value(ctx, node)
