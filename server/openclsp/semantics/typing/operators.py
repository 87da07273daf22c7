"""Types unary, binary, conditional and assignment expressions."""

from __future__ import annotations

from openclsp.language.spaces import Space, encloses
from openclsp.semantics.facts.constructs import Construct, ConstructKind
from openclsp.semantics.facts.entities import Place, place_of
from openclsp.semantics.facts.expressions import Access, AccessKind, Application, Operation, SizeOperation
from openclsp.semantics.facts.expressions import ConversionKind as Why
from openclsp.semantics.facts.faults import NoLvalue
from openclsp.semantics.facts.values import Constancy, Value, either
from openclsp.semantics.types import compatibility
from openclsp.semantics.types.compatibility import Compatibility
from openclsp.semantics.types.known_types import INT, difference_type
from openclsp.semantics.types.operand_types import choice_type
from openclsp.semantics.types.type_model import (
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
    Vector,
    Void,
    pointer_to,
)
from openclsp.semantics.types.type_structure import element_type, is_integer_scalar, is_unknown
from openclsp.semantics.typing.address_masks import HIGH
from openclsp.semantics.typing.arithmetic import (
    arithmetic,
    combined,
    common,
    computed,
    promoted,
    relational,
    wrapped,
)
from openclsp.semantics.typing.computed_gotos import is_computed_goto, type_computed_goto
from openclsp.semantics.typing.conversions import (
    constancy_of_pointee,
    emit_application,
    emit_conversion,
    emit_opaque,
    rvalue,
)
from openclsp.semantics.typing.dispatch import expression, unknown_value, value_of, value_without_facts
from openclsp.semantics.typing.fault_facts import (
    check_address,
    check_assignment,
    check_binary,
    check_choice,
    check_dereference,
    check_target,
    check_unary,
    emit_fault,
)
from openclsp.semantics.typing.typing_context import TypingContext, deeper, moved
from openclsp.source.parser import FIELDS, kind

_ARGUMENT, _LEFT, _RIGHT = FIELDS["argument"], FIELDS["left"], FIELDS["right"]
_CONDITION, _CONSEQUENCE, _ALTERNATIVE = FIELDS["condition"], FIELDS["consequence"], FIELDS["alternative"]
_IDENTIFIER, _CALL = kind("identifier"), kind("call_expression")
_ASSIGNMENT = kind("assignment_expression")
_PARENTHESES = kind("parenthesized_expression")
_COMPARISONS = frozenset(("==", "!=", "<", ">", "<=", ">="))
_LOGICAL = frozenset(("&&", "||"))
_COMPARE_SIZES = _COMPARISONS | {"/", "%"}


def last_operand(ctx: TypingContext, node: int, operand: int, *others: Value) -> Value:
    """Types the last operand of an operator or cast; `others` are the values of its other operands.

    In `a * b = c`, the parser takes `b = c` for the operand, but the assignment is to the value of `a * b`
    (C99 6.5.16p1). If `a` is unknown, it may be a macro before the statement `*b = c`.
    """
    table = ctx.table
    if table.kind[operand] != _ASSIGNMENT:
        return value_of(ctx, operand)
    value = value_without_facts(ctx, operand)
    target = table.child(operand, _LEFT)
    if target >= 0 and not any(is_unknown(each.type) for each in (value, *others)):
        whole = place_of(table.first[node], table.last[target])
        token_index = table.last[target]
        sign = place_of(token_index, token_index + 1)
        emit_fault(ctx, NoLvalue(Value(UNKNOWN, whole), table.token(token_index), sign))
    return unknown_value(ctx, operand)


@expression("unary_expression")
def _type_unary(ctx: TypingContext, node: int) -> Value:
    table = ctx.table
    operand = table.child(node, _ARGUMENT)
    place = ctx.place(node)
    sign = table.token(place.first)
    if sign == "!" and is_computed_goto(ctx, node):
        return type_computed_goto(ctx, node)
    value = rvalue(last_operand(ctx, node, operand)) if operand >= 0 else unknown_value(ctx, node)
    operator = place_of(place.first, place.first + 1)
    emit_application(ctx, sign, value, place=operator)
    if not check_unary(ctx, sign, value, operator):
        return unknown_value(ctx, node)
    if sign == "!":
        number = int(not value.number) if value.number is not None else None
        type_: Type = UNKNOWN if is_unknown(value.type) else INT
        if arithmetic(value.type) is not None:
            type_ = relational(value.type, value.type)
        return Value(type_, place, constancy=value.constancy, number=number)
    plain = arithmetic(value.type)
    if plain is None:
        return unknown_value(ctx, node)
    type_ = promoted(plain) if isinstance(plain, Scalar) else plain
    number = value.number
    if number is not None and sign in ("-", "~"):
        number = wrapped(-number if sign == "-" else ~number, type_)
    return Value(type_, place, null=number == 0, constancy=value.constancy, number=number)


@expression("pointer_expression")
def _type_pointer_operator(ctx: TypingContext, node: int) -> Value:
    table = ctx.table
    operand = table.child(node, _ARGUMENT)
    if operand < 0:
        return unknown_value(ctx, node)
    value = value_of(ctx, operand)
    sign = place_of(table.first[node], table.first[node] + 1)
    if table.token(table.first[node]) == "&":
        emit_application(ctx, "&", value, place=sign)
        if value.captured and table.kind[_inner_operand(ctx, operand)] == _IDENTIFIER:
            ctx.emit(Construct(ConstructKind.ADDRESS_OF_CAPTURE, sign, value.name))
        return take_address(ctx, node, value)
    place = ctx.place(node)
    array, value = value, rvalue(value)
    if isinstance(value.type, BlockPointer):
        emit_application(ctx, "*", value, place=sign)
    if not isinstance(value.type, Pointer):
        emit_opaque(ctx, value)
        check_dereference(ctx, value, sign)
        return unknown_value(ctx, node)
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


def _inner_operand(ctx: TypingContext, node: int) -> int:
    """Returns the node of the operand, without the parentheses around it."""
    while ctx.table.kind[node] == _PARENTHESES:
        node = next(iter(ctx.table.children(node)), -1)
    return node


def take_address(ctx: TypingContext, node: int, value: Value) -> Value:
    """Returns the value of `&x`, and emits the fact that the address is taken."""
    place = ctx.place(node)
    operator = place_of(place.first, place.first + 1)
    if value.element:
        ctx.emit(Construct(ConstructKind.ADDRESS_OF_VECTOR_ELEMENT, place, value.name))
    if is_unknown(value.type) and value.type.space is None:
        return unknown_value(ctx, node)
    ctx.emit(Access(AccessKind.ADDRESS, value, "&", operator))
    check_address(ctx, value, operator)
    # a value has no address, which is an error of its own
    constancy = Constancy.NOT_CONSTANT if value.lvalue else Constancy.UNKNOWN
    if value.fixed or isinstance(value.type, Function):
        constancy = Constancy.CONSTANT
    type_ = pointer_to(value.type)
    held = moved(value.held, 1)
    origin = deeper(value.origin, -1)
    return Value(
        type_, place, False, origin, value.name, constancy=constancy, held=held, target=value.constancy
    )


@expression("update_expression")
def _type_update(ctx: TypingContext, node: int) -> Value:
    table = ctx.table
    operand = table.child(node, _ARGUMENT)
    if operand < 0:
        return unknown_value(ctx, node)
    value = value_of(ctx, operand)
    prefix = table.first[operand] > table.first[node]
    token_index = table.first[node] if prefix else table.last[node] - 1
    sign, operator = table.token(token_index), place_of(token_index, token_index + 1)
    emit_application(ctx, sign, value, place=operator)
    ctx.emit(Access(AccessKind.WRITE, value, sign, operator))
    check_unary(ctx, sign, value, operator)
    check_target(ctx, sign, value, operator)
    return value.replaced(place=ctx.place(node), lvalue=False, constancy=Constancy.NOT_CONSTANT, number=None)


@expression("assignment_expression")
def _type_assignment(ctx: TypingContext, node: int) -> Value:
    table = ctx.table
    left_node, right_node = table.child(node, _LEFT), table.child(node, _RIGHT)
    if left_node < 0 or right_node < 0:
        return unknown_value(ctx, node)
    left = value_of(ctx, left_node)
    right = rvalue(value_of(ctx, right_node))
    token_index = table.last[left_node]
    sign = table.token(token_index)
    operator = place_of(token_index, token_index + 1)
    emit_application(ctx, sign, left, right, place=operator)
    ctx.emit(Access(AccessKind.WRITE, left, sign, operator))
    check_assignment(ctx, sign, left, right, operator)
    # Nothing converts to an array, which another fact reports.
    if sign == "=" and not isinstance(left.type, Array):
        emit_conversion(ctx, Why.ASSIGNMENT, right, left.type, left.origin, name=left.name)
    return left.replaced(place=ctx.place(node), lvalue=False, constancy=Constancy.NOT_CONSTANT, number=None)


@expression("binary_expression")
def _type_binary(ctx: TypingContext, node: int) -> Value:
    """Types a binary expression; operands of pointer type are handled by `_with_pointers`."""
    table = ctx.table
    left_node, right_node = table.child(node, _LEFT), table.child(node, _RIGHT)
    if left_node < 0 or right_node < 0:
        return unknown_value(ctx, node)
    left = rvalue(value_of(ctx, left_node))
    right = rvalue(last_operand(ctx, node, right_node, left))
    token_index = table.last[left_node]
    sign = table.token(token_index)
    place = ctx.place(node)
    constancy = combined(left, right)
    operator = place_of(token_index, token_index + 1)
    emit_application(ctx, sign, left, right, place=operator)
    if not check_binary(ctx, sign, left, right, operator):
        return unknown_value(ctx, node)
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        return _with_pointers(ctx, sign, left, right, operator, place, constancy)
    if is_unknown(left.type) or is_unknown(right.type):
        return Value(UNKNOWN, place, constancy=constancy)
    if left.measured is not None and right.measured is not None and sign in _COMPARE_SIZES:
        a, b = element_type(left.measured), element_type(right.measured)
        if isinstance(a, Pointer) and isinstance(b, Pointer):
            ctx.emit(SizeOperation(sign, a, b, operator, place))
    if sign in _LOGICAL or sign in _COMPARISONS:
        type_: Type = relational(left.type, right.type)
    elif sign in ("<<", ">>"):
        plain = arithmetic(left.type)
        type_ = promoted(plain) if isinstance(plain, Scalar) else (plain or UNKNOWN)
    else:
        type_ = common(left.type, right.type)
    number = wrapped(computed(sign, left.number, right.number), type_)
    if sign in _LOGICAL and left.number is not None and (left.number != 0) is (sign == "||"):
        # the right operand is not evaluated
        number, constancy = int(left.number != 0), Constancy.CONSTANT
    if right.number == 0 and sign in ("/", "%") and is_integer_scalar(type_):
        constancy = Constancy.NOT_CONSTANT
    hidden = _hidden_after(sign, left, right)
    return Value(type_, place, null=number == 0, constancy=constancy, number=number, hidden=hidden)


def _hidden_after(sign: str, left: Value, right: Value) -> Space | None:
    """Returns the address space into which the result of an integer operation points (`Value.hidden`).

    This is the space of the operand that was made of a pointer. None if neither or both operands were, or if
    the operation may lose the address.
    """
    if left.hidden is not None and right.hidden is not None:
        return None
    if sign in ("+", "|"):
        return left.hidden if left.hidden is not None else right.hidden
    masked = sign == "&" and (right.number is None or 0 <= right.number < HIGH)
    return left.hidden if sign in ("-", "&") and not masked else None


def _with_pointers(
    ctx: TypingContext,
    sign: str,
    left: Value,
    right: Value,
    operator: Place,
    place: Place,
    constancy: Constancy,
) -> Value:
    """Types a binary expression with an operand of pointer type; `constancy` is that of the result."""
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
def _type_conditional(ctx: TypingContext, node: int) -> Value:
    """Types `?:`, also without its middle operand (GNU)."""
    table = ctx.table
    condition_node = table.child(node, _CONDITION)
    left_node, right_node = table.child(node, _CONSEQUENCE), table.child(node, _ALTERNATIVE)
    if condition_node < 0 or right_node < 0:
        return unknown_value(ctx, node)
    condition = value_of(ctx, condition_node)
    left = rvalue(value_of(ctx, left_node) if left_node >= 0 else condition)
    right = rvalue(last_operand(ctx, node, right_node, left))
    place = ctx.place(node)
    question = place_of(table.last[condition_node], table.last[condition_node] + 1)
    emit_application(ctx, "?", condition, place=question)
    calls = ((left, left_node), (right, right_node))
    if any(value.of_block and each >= 0 and table.kind[each] == _CALL for value, each in calls):
        ctx.emit(Application("?:", (left, right), question))
    else:
        emit_application(ctx, "?:", left, right, place=question)
    check_choice(ctx, rvalue(condition), left, right, question)
    constancy = combined(left, right)
    if condition.constancy is not Constancy.CONSTANT and constancy is Constancy.CONSTANT:
        constancy = condition.constancy
    if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
        token_index = table.last[condition_node]
        ctx.emit(Operation("?:", left, right, place_of(token_index, token_index + 1), place))
        return _either_pointer(left, right, place, constancy)
    chosen = left if condition.number != 0 else right
    number = chosen.number if condition.number is not None else None
    if condition.number is not None:
        # the other operand is not evaluated
        constancy = chosen.constancy
    type_ = _common_operand_type(left, right)
    if isinstance(condition.type, Vector):
        type_ = choice_type(condition.type, left.type, right.type, type_)
    return Value(type_, place, constancy=constancy, number=wrapped(number, type_), null=number == 0)


def _common_operand_type(left: Value, right: Value) -> Type:
    if isinstance(left.type, Record | BlockPointer | Opaque | Void):
        return left.type.unqualified
    if is_unknown(left.type) or is_unknown(right.type):
        return UNKNOWN
    return common(left.type, right.type)


def _either_pointer(left: Value, right: Value, place: Place, constancy: Constancy) -> Value:
    """Returns the result of `?:` on two pointers.

    Of the two pointers' address spaces, the result has the one that encloses the other (OpenCL C 6.5.15). If
    one operand is a null pointer, the result has the type of the other operand. `constancy` is that of the
    result.
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
