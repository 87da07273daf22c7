"""Types unary, binary, conditional and assignment expressions."""

from __future__ import annotations

from openclsp.language.spaces import Space, encloses
from openclsp.semantics import compatibility
from openclsp.semantics.arithmetic import (
    arithmetic,
    combined,
    common,
    computed,
    promoted,
    relational,
    wrapped,
)
from openclsp.semantics.compatibility import Compatibility
from openclsp.semantics.context import Context, deeper, element_type, moved
from openclsp.semantics.conversions import (
    constancy_of_pointee,
    rvalue,
    tell_application,
    tell_conversion,
    tell_opaque,
)
from openclsp.semantics.dispatch import expression, unknown_value, value_of
from openclsp.semantics.entities import Place, place_of
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.expressions import Access, AccessKind, Application, Operation, SizeOperation
from openclsp.semantics.facts.expressions import Context as Why
from openclsp.semantics.facts.values import Constancy, Value, either
from openclsp.semantics.known_types import INT, difference_type
from openclsp.semantics.masks import HIGH
from openclsp.semantics.types import (
    UNKNOWN,
    VOID,
    Array,
    BlockPointer,
    Function,
    Opaque,
    Pointer,
    Record,
    Scalar,
    Type,
    Void,
    is_unknown,
    pointer_to,
)
from openclsp.source.tree import FIELDS, kind

_ARGUMENT, _LEFT, _RIGHT = FIELDS["argument"], FIELDS["left"], FIELDS["right"]
_CONDITION, _CONSEQUENCE, _ALTERNATIVE = FIELDS["condition"], FIELDS["consequence"], FIELDS["alternative"]
_IDENTIFIER, _CALL = kind("identifier"), kind("call_expression")
_PARENTHESES = kind("parenthesized_expression")
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_LOGICAL = frozenset(("&&", "||"))
_COMPARE_SIZES = _COMPARISONS | {"/", "%"}


@expression("unary_expression")
def _unary(ctx: Context, row: int) -> Value:
    table = ctx.table
    operand = table.child(row, _ARGUMENT)
    value = rvalue(value_of(ctx, operand)) if operand >= 0 else unknown_value(ctx, row)
    sign = table.leaf(table.first[row])
    place = ctx.place(row)
    tell_application(ctx, sign, value, place=place_of(place.first, place.first + 1))
    if sign == "!":
        number = int(not value.number) if value.number is not None else None
        type_ = relational(value.type, value.type) if arithmetic(value.type) is not None else INT
        return Value(type_, place, constancy=value.constancy, number=number)
    plain = arithmetic(value.type)
    if plain is None:
        return unknown_value(ctx, row)
    type_ = promoted(plain) if isinstance(plain, Scalar) else plain
    number = value.number
    if number is not None and sign in ("-", "~"):
        number = wrapped(-number if sign == "-" else ~number, type_)
    return Value(type_, place, null=number == 0, constancy=value.constancy, number=number)


@expression("pointer_expression")
def _pointer(ctx: Context, row: int) -> Value:
    table = ctx.table
    operand = table.child(row, _ARGUMENT)
    if operand < 0:
        return unknown_value(ctx, row)
    value = value_of(ctx, operand)
    sign = place_of(table.first[row], table.first[row] + 1)
    if table.leaf(table.first[row]) == "&":
        tell_application(ctx, "&", value, place=sign)
        if value.captured and table.kind[_inside(ctx, operand)] == _IDENTIFIER:
            ctx.emit(Construct(ConstructKind.ADDRESS_OF_CAPTURE, sign, value.name))
        return _address(ctx, row, value)
    place = ctx.place(row)
    array, value = value, rvalue(value)
    if isinstance(value.type, BlockPointer):
        tell_application(ctx, "*", value, place=sign)
    if not isinstance(value.type, Pointer):
        tell_opaque(ctx, value)
        return unknown_value(ctx, row)
    if isinstance(value.type.pointee, Function):
        return value.replaced(type=value.type.pointee, place=place)
    held = moved(value.held, -1)
    constancy = constancy_of_pointee(value)
    origin = deeper(value.origin, 1)
    fixed = value.constancy is Constancy.CONSTANT
    return Value(
        value.type.pointee,
        place,
        True,
        origin,
        value.name,
        constancy=constancy,
        fixed=fixed,
        held=held,
        target=array.target if isinstance(array.type, Array) else Constancy.UNKNOWN,
    )


def _inside(ctx: Context, row: int) -> int:
    """The operand without enclosing parentheses."""
    while ctx.table.kind[row] == _PARENTHESES:
        row = next(iter(ctx.table.children(row)), -1)
    return row


def _address(ctx: Context, row: int, value: Value) -> Value:
    """The value of `&x`, and the fact of taking the address."""
    place = ctx.place(row)
    operator = place_of(place.first, place.first + 1)
    if value.element:
        ctx.emit(Construct(ConstructKind.ADDRESS_OF_VECTOR_ELEMENT, place, value.name))
    if is_unknown(value.type) and value.type.space is None:
        return unknown_value(ctx, row)
    ctx.emit(Access(AccessKind.ADDRESS, value, "&", operator))
    constancy = (
        Constancy.CONSTANT if value.fixed or isinstance(value.type, Function) else Constancy.NOT_CONSTANT
    )
    type_ = pointer_to(value.type)
    held = moved(value.held, 1)
    origin = deeper(value.origin, -1)
    return Value(
        type_, place, False, origin, value.name, constancy=constancy, held=held, target=value.constancy
    )


@expression("update_expression")
def _update(ctx: Context, row: int) -> Value:
    table = ctx.table
    operand = table.child(row, _ARGUMENT)
    if operand < 0:
        return unknown_value(ctx, row)
    value = value_of(ctx, operand)
    prefix = table.first[operand] > table.first[row]
    leaf = table.first[row] if prefix else table.last[row] - 1
    tell_application(ctx, table.leaf(leaf), value, place=place_of(leaf, leaf + 1))
    ctx.emit(Access(AccessKind.WRITE, value, table.leaf(leaf), place_of(leaf, leaf + 1)))
    return value.replaced(place=ctx.place(row), lvalue=False, constancy=Constancy.NOT_CONSTANT, number=None)


@expression("assignment_expression")
def _assignment(ctx: Context, row: int) -> Value:
    table = ctx.table
    left_row, right_row = table.child(row, _LEFT), table.child(row, _RIGHT)
    if left_row < 0 or right_row < 0:
        return unknown_value(ctx, row)
    left = value_of(ctx, left_row)
    right = rvalue(value_of(ctx, right_row))
    leaf = table.last[left_row]
    sign = table.leaf(leaf)
    tell_application(ctx, sign, left, right, place=place_of(leaf, leaf + 1))
    ctx.emit(Access(AccessKind.WRITE, left, sign, place_of(leaf, leaf + 1)))
    if sign == "=":
        tell_conversion(ctx, Why.ASSIGNMENT, right, left.type, left.origin, name=left.name)
    return left.replaced(place=ctx.place(row), lvalue=False, constancy=Constancy.NOT_CONSTANT, number=None)


@expression("binary_expression")
def _binary(ctx: Context, row: int) -> Value:
    """Types a binary expression; operands of pointer type are handled by `_with_pointers`."""
    table = ctx.table
    left_row, right_row = table.child(row, _LEFT), table.child(row, _RIGHT)
    if left_row < 0 or right_row < 0:
        return unknown_value(ctx, row)
    left, right = rvalue(value_of(ctx, left_row)), rvalue(value_of(ctx, right_row))
    leaf = table.last[left_row]
    sign = table.leaf(leaf)
    place = ctx.place(row)
    constancy = combined(left, right)
    tell_application(ctx, sign, left, right, place=place_of(leaf, leaf + 1))
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        return _with_pointers(ctx, sign, left, right, place_of(leaf, leaf + 1), place, constancy)
    if is_unknown(left.type) or is_unknown(right.type):
        return Value(INT if sign in _LOGICAL else UNKNOWN, place, constancy=constancy)
    if left.measured is not None and right.measured is not None and sign in _COMPARE_SIZES:
        a, b = element_type(left.measured), element_type(right.measured)
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            ctx.emit(SizeOperation(sign, a, b, place_of(leaf, leaf + 1), place))
    if sign in _LOGICAL or sign in _COMPARISONS:
        type_: Type = relational(left.type, right.type)
    elif sign in ("<<", ">>"):
        plain = arithmetic(left.type)
        type_ = promoted(plain) if isinstance(plain, Scalar) else (plain or UNKNOWN)
    else:
        type_ = common(left.type, right.type)
    number = wrapped(computed(sign, left.number, right.number), type_)
    hidden = _hidden_after(sign, left, right)
    return Value(type_, place, null=number == 0, constancy=constancy, number=number, hidden=hidden)


def _hidden_after(sign: str, left: Value, right: Value) -> Space | None:
    """The space of an address in an integer after arithmetic with a non-address."""
    if left.hidden is not None and right.hidden is not None:
        return None
    if sign in ("+", "|"):
        return left.hidden if left.hidden is not None else right.hidden
    masked = sign == "&" and (right.number is None or 0 <= right.number < HIGH)
    return left.hidden if sign in ("-", "&") and not masked else None


def _with_pointers(
    ctx: Context, sign: str, left: Value, right: Value, operator: Place, place: Place, constancy: Constancy
) -> Value:
    """Types a binary expression with at least one operand of pointer type."""
    both = isinstance(left.type, Pointer) and isinstance(right.type, Pointer)
    if sign in _COMPARISONS:
        ctx.emit(Operation(sign, left, right, operator, place))
        return Value(INT, place, constancy=constancy)
    if sign in _LOGICAL:
        return Value(INT, place, constancy=constancy)
    if sign == "-" and both:
        ctx.emit(Operation(sign, left, right, operator, place))
        return Value(difference_type(ctx.dialect), place, constancy=constancy)
    if sign in ("+", "-"):
        pointer = left if isinstance(left.type, Pointer) else right
        return pointer.replaced(
            type=pointer.type.unqualified,
            place=place,
            lvalue=False,
            constancy=constancy,
            null=False,
            fixed=False,
        )
    return Value(UNKNOWN, place, constancy=Constancy.UNKNOWN)


@expression("conditional_expression")
def _conditional(ctx: Context, row: int) -> Value:
    """Types `?:`, also without its middle operand (GNU)."""
    table = ctx.table
    condition_row = table.child(row, _CONDITION)
    left_row, right_row = table.child(row, _CONSEQUENCE), table.child(row, _ALTERNATIVE)
    if condition_row < 0 or right_row < 0:
        return unknown_value(ctx, row)
    condition = value_of(ctx, condition_row)
    left = rvalue(value_of(ctx, left_row) if left_row >= 0 else condition)
    right = rvalue(value_of(ctx, right_row))
    place = ctx.place(row)
    question = place_of(table.last[condition_row], table.last[condition_row] + 1)
    tell_application(ctx, "?", condition, place=question)
    calls = ((left, left_row), (right, right_row))
    if any(value.of_block and each >= 0 and table.kind[each] == _CALL for value, each in calls):
        ctx.emit(Application("?:", (left, right), question))
    else:
        tell_application(ctx, "?:", left, right, place=question)
    constancy = combined(left, right)
    if condition.constancy is not Constancy.CONSTANT and constancy is Constancy.CONSTANT:
        constancy = condition.constancy
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        leaf = table.last[condition_row]
        ctx.emit(Operation("?:", left, right, place_of(leaf, leaf + 1), place))
        return _either_pointer(left, right, place, constancy)
    chosen = left if condition.number != 0 else right
    number = chosen.number if condition.number is not None else None
    type_ = _either(left, right)
    return Value(type_, place, constancy=constancy, number=wrapped(number, type_), null=number == 0)


def _either(left: Value, right: Value) -> Type:
    if isinstance(left.type, Record | BlockPointer | Opaque | Void):
        return left.type.unqualified
    if is_unknown(left.type) or is_unknown(right.type):
        return UNKNOWN
    return common(left.type, right.type)


def _either_pointer(left: Value, right: Value, place: Place, constancy: Constancy) -> Value:
    """The result of `?:` on pointers: it points into the enclosing space of both (OpenCL C 6.5.15).

    If one operand is a null pointer, the result has the other's type.
    """
    if not isinstance(right.type, Pointer) or (right.null and not left.null):
        return _as_result(left, place, constancy)
    if not isinstance(left.type, Pointer) or left.null:
        return _as_result(right, place, constancy)
    a, b = left.type.pointee, right.type.pointee
    if a.space is Space.UNKNOWN or b.space is Space.UNKNOWN:
        return Value(pointer_to(a.with_space(Space.UNKNOWN)), place, constancy=constancy)
    if a.space is None or b.space is None:
        return _as_result(left, place, constancy)
    outer = left if encloses(a.space, b.space) else right
    outer_pointee, inner_pointee = (a, b) if outer is left else (b, a)
    if not encloses(outer_pointee.space or Space.UNKNOWN, inner_pointee.space or Space.UNKNOWN):
        return Value(UNKNOWN, place, constancy=Constancy.UNKNOWN)
    qualifiers = a.qualifiers | b.qualifiers
    target = either(left.target, right.target)
    pointee = outer_pointee
    if isinstance(inner_pointee, Void):
        pointee = inner_pointee.with_space(outer_pointee.space)
    elif compatibility.pointees(outer_pointee, inner_pointee) is not Compatibility.SAME:
        # no composite type: like other compilers, clang continues with a pointer to void
        pointee = VOID.with_space(outer_pointee.space)
    type_ = pointer_to(pointee.with_qualifiers(qualifiers))
    return _as_result(outer, place, constancy).replaced(type=type_, target=target)


def _as_result(value: Value, place: Place, constancy: Constancy) -> Value:
    type_ = value.type.unqualified
    return value.replaced(
        type=type_, place=place, lvalue=False, constancy=constancy, null=False, string=False, hidden=None
    )
