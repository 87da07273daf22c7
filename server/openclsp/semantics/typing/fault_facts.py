"""Emits facts about violated constraints of expressions.

Nothing is emitted if a type is unknown or if the item has a syntax error or an unknown macro. A fault might
then be a consequence of that error, or not exist once the macro is defined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from openclsp.language.near_names import near
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Origin, Place
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.faults import (
    ArrayInitialiser,
    CalledObject,
    ConstMemberWrite,
    FailedAssertion,
    InvalidMember,
    InvalidOperands,
    MemberFault,
    NoLvalue,
    NotConstant,
    ValuelessReturn,
)
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.types.operand_types import (
    OperandFault,
    assignment_fault,
    binary_fault,
    choice_fault,
    condition_fault,
    index_fault,
    is_judged,
    unary_fault,
)
from openclsp.semantics.types.type_model import (
    CONST,
    Array,
    Enum,
    Function,
    Pointer,
    Record,
    Scalar,
    Type,
    Unknown,
    Vector,
    Void,
)
from openclsp.semantics.types.type_structure import is_integer_scalar, is_unknown, pointee_of
from openclsp.semantics.typing.dispatch import value_of, value_without_facts
from openclsp.semantics.typing.symbols import Members
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import TOLERATED
from openclsp.source.parser import kind

_PARENTHESES = kind("parenthesized_expression")
_COMPOUND_LITERAL = kind("compound_literal_expression")
VECTOR_WIDTHS: Final = (1, 2, 3, 4, 8, 16)
"""The numbers of components that a swizzle can select."""
_DIGITS: Final = frozenset("0123456789abcdefABCDEF")
_SHOWN: Final = 40
"""The number of characters of an expression that a message shows"""
_BITS_OF_BOTH_SIZES: Final = 32 + 64
_XYZW: Final = frozenset("xyzw")
_RGBA: Final = frozenset("rgba")


def is_certain(ctx: TypingContext) -> bool:
    """Whether the item was parsed without errors and without unknown macros."""
    table = ctx.table
    return not table.has_error_or_missing and not ctx.uncertain and TOLERATED.isdisjoint(table.kind)


def emit_fault(ctx: TypingContext, fact: Fact) -> None:
    """Emits a fact about a fault, unless the item has a syntax error or an unknown macro."""
    if is_certain(ctx):
        ctx.emit(fact)


def check_integer_constant(ctx: TypingContext, value: Value, role: str) -> None:
    """Checks that a value is an integer constant expression (C99 6.6p6).

    Like clang, also accepts const variables, and variables in constant memory with a constant initialiser.
    """
    type_ = value.type
    if is_unknown(type_):
        return
    integer = is_integer_scalar(type_)
    if integer and value.constancy is not Constancy.NOT_CONSTANT:
        return
    place = value.place
    emit_fault(ctx, NotConstant(role, shown_text(ctx, place), integer, place))


def shown_text(ctx: TypingContext, place: Place) -> str:
    """Returns the beginning of the source text at a place, for a message."""
    text = b" ".join(ctx.table.tokens[place.first : place.last]).decode("utf-8", "replace")
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"


def integer_constant(ctx: TypingContext, node: int, role: str) -> Value:
    """Types an expression that has to be an integer constant expression, and returns its value."""
    value = value_of(ctx, node)
    check_integer_constant(ctx, value, role)
    return value


def check_binary(ctx: TypingContext, sign: str, left: Value, right: Value, place: Place) -> bool:
    """Checks the operands of a binary operator; returns whether they are valid or unknown."""
    a, b = left.type, right.type
    if isinstance(a, Scalar) and isinstance(b, Scalar) and not (a.floating or b.floating):
        # most operations are on integers, for which every operator is valid
        return True
    fault = binary_fault(sign, a, b)
    if fault is not None:
        emit_fault(ctx, InvalidOperands(fault, sign, (left, right), place))
    return fault is None


def check_assignment(ctx: TypingContext, sign: str, left: Value, right: Value, place: Place) -> None:
    """Checks the target of an assignment; for a compound assignment, also the operands."""
    check_target(ctx, sign, left, place)
    if sign != "=":
        fault = assignment_fault(sign[:-1], left.type, right.type)
        if fault is not None:
            emit_fault(ctx, InvalidOperands(fault, sign, (left, right), place))
    elif isinstance(left.type, Record) and left.lvalue and not left.captured:
        _check_members(ctx, left, left.type)


def _check_members(ctx: TypingContext, value: Value, record: Record) -> None:
    """Checks that a struct or union that is assigned as a whole has no const member (C99 6.3.2.1p1).

    Members of nested structs and unions are checked, too; as in clang, members of array elements are not.
    Nothing is emitted if a member is unknown, or if the object itself is const, which is another fault.
    """
    if record.qualifiers & CONST or record.space is Space.CONSTANT:
        return
    found: ConstMemberWrite | None = None
    waiting, seen = [("", record)], {record.identity}
    for path, each in waiting:
        members = ctx.members(each)
        if members is None:
            return
        for member in members:
            type_ = member.type
            if is_unknown(type_):
                return
            if type_.qualifiers & CONST and found is None:
                found = ConstMemberWrite(value, path + member.name, type_, Origin(member.ref, 0))
            elif isinstance(type_, Record) and type_.identity not in seen:
                seen.add(type_.identity)
                waiting.append((f"{path}{member.name}.", type_))
    if found is not None:
        emit_fault(ctx, found)


def check_target(ctx: TypingContext, sign: str, value: Value, place: Place) -> None:
    """Emits a fact if the operand that an operator modifies is an array or no lvalue (C99 6.5.16p2).

    `value` is the left operand of an assignment, or the operand of `++` or `--`; `sign` is the operator, and
    `place` its place. Whether the operand is const is not checked here.
    """
    if value.lvalue and not isinstance(value.type, Array):
        return
    if is_unknown(value.type) or isinstance(value.type, Function):
        return
    emit_fault(ctx, NoLvalue(value, sign, place))


def check_address(ctx: TypingContext, value: Value, place: Place) -> None:
    """Checks that the operand of `&` has an address (C99 6.5.3.2p1)."""
    if (
        not value.lvalue
        and not value.element
        and not isinstance(value.type, Function)
        and is_judged(value.type)
    ):
        emit_fault(ctx, NoLvalue(value, "&", place))


def check_unary(ctx: TypingContext, sign: str, value: Value, place: Place) -> bool:
    """Checks the operand of an arithmetic, logical, increment or decrement operator.

    Returns whether the operand is valid or unknown.
    """
    fault = unary_fault(sign, value.type, ctx.dialect.version)
    if fault is not None:
        emit_fault(ctx, InvalidOperands(fault, sign, (value,), place))
    return fault is None


def check_dereference(ctx: TypingContext, value: Value, place: Place) -> None:
    """Checks that the operand of `*` is a pointer."""
    if isinstance(value.type, Scalar | Enum | Vector | Record | Void) and is_judged(value.type):
        emit_fault(ctx, InvalidOperands(OperandFault.TYPE, "*", (value,), place))


def check_choice(ctx: TypingContext, condition: Value, left: Value, right: Value, place: Place) -> None:
    """Checks the operands of `?:`."""
    fault = choice_fault(condition.type, left.type, right.type)
    if fault is not None:
        emit_fault(ctx, InvalidOperands(fault, "?:", (condition, left, right), place))


def check_condition(ctx: TypingContext, keyword: str, value: Value) -> None:
    """Checks the condition of a statement."""
    fault = condition_fault(keyword, value.type)
    if fault is not None:
        emit_fault(ctx, InvalidOperands(fault, keyword, (value,), value.place))


def check_assertion(ctx: TypingContext, condition: int, value: Value) -> None:
    """Checks that the condition of a static assertion is a constant other than zero (C11 6.7.10p3).

    Like clang, also accepts a condition that is no integer. A condition that is zero only with the present
    size of addresses is accepted, too, because devices differ in it.
    """
    if not is_integer_scalar(value.type):
        return
    check_integer_constant(ctx, value, "the condition of a static assertion")
    if value.number == 0 and _with_other_addresses(ctx, condition).number == 0:
        emit_fault(ctx, FailedAssertion(shown_text(ctx, value.place), value.place))


def _with_other_addresses(ctx: TypingContext, node: int) -> Value:
    """Returns the value that an expression has on a device whose addresses have another size."""
    dialect = ctx.dialect
    ctx.dialect = replace(dialect, address_bits=_BITS_OF_BOTH_SIZES - dialect.address_bits)
    found = value_without_facts(ctx, node)
    ctx.dialect = dialect
    # the trace shall have the values of the present dialect
    value_without_facts(ctx, node)
    return found


def check_index(ctx: TypingContext, base: Value, index: Value, place: Place) -> None:
    """Checks the operands of `base[index]`."""
    fault = index_fault(base.type, index.type)
    if fault is not None:
        emit_fault(ctx, InvalidOperands(fault, "[]", (base, index), place))


def check_callee(ctx: TypingContext, callee: Value) -> None:
    """Checks that a called value is a function or of unknown type.

    A macro of another build, or of an unavailable header, may have the name of a called variable.
    """
    type_ = callee.type
    called = isinstance(type_, Scalar | Enum | Vector | Record | Void | Array) or (
        isinstance(type_, Pointer) and not isinstance(type_.pointee, Function)
    )
    pointee = pointee_of(type_)
    if not called or is_unknown(type_) or (pointee is not None and is_unknown(pointee)):
        return
    if not callee.name or not ctx.names.may_be_declared_elsewhere(callee.name):
        emit_fault(ctx, CalledObject(callee, callee.place))


def check_return(ctx: TypingContext, name: str, result: Type | None, place: Place, function: Origin) -> None:
    """Emits a fact for a `return` without a value if `result` is not void (C99 6.8.6.4p1)."""
    if result is not None and not isinstance(result, Void | Unknown):
        emit_fault(ctx, ValuelessReturn(name, result, place, function))


def emit_array_initialiser(ctx: TypingContext, type_: Array, node: int, value: Value, name: str) -> bool:
    """Emits a fact if a value cannot initialise an array (C99 6.7.8p14, p16); returns whether it did.

    clang accepts a compound literal.
    """
    while ctx.table.kind[node] == _PARENTHESES:
        node += 1
    if (
        ctx.table.kind[node] == _COMPOUND_LITERAL
        or is_unknown(value.type)
        or is_unknown(type_)
        or not is_certain(ctx)
    ):
        return False
    ctx.emit(ArrayInitialiser(name, type_.with_space(None), value.type, value.place))
    return True


def check_element(ctx: TypingContext, type_: Type, bounds: Sequence[Value]) -> int | None:
    """Checks that the bounds of an array designator are valid indices of the array (C99 6.7.8p6).

    `bounds` has one value for `[1]`, and two for `[1 ... 3]`. Returns the last index; None if it is unknown.
    """
    for each in bounds if isinstance(type_, Array) else ():
        number, size = each.number, type_.size if isinstance(type_, Array) else None
        if number is not None and (number < 0 or (size is not None and number >= size)):
            fault = InvalidMember(MemberFault.NO_ELEMENT, str(number), type_, each.place, each.place, ())
            emit_fault(ctx, fault)
    return bounds[-1].number if bounds else None


def check_member(ctx: TypingContext, base: Value, name: str, arrow: bool, place: Place) -> None:
    """Emits a fact for an access to a member that the type does not have."""
    if not name:
        return
    type_ = base.type
    pointee = pointee_of(type_)
    operator = Place(place.first - 1, place.first)
    fault: MemberFault | None = None
    near_names: tuple[str, ...] = ()
    container = type_
    if arrow and pointee is None:
        fault = MemberFault.NEEDS_DOT if isinstance(type_, Record | Vector) else MemberFault.NO_MEMBERS
    elif not arrow and isinstance(type_, Pointer) and isinstance(pointee, Record | Vector):
        fault, container = MemberFault.NEEDS_ARROW, pointee
    else:
        container = pointee if arrow and pointee is not None else type_
        if isinstance(container, Vector):
            fault = _component_fault(name)
        elif isinstance(container, Record):
            members = ctx.members(container)
            if members is None:
                # a tag that only a parameter mentions may be that of a struct in a file that the host inserts before
                declared = ctx.names.tag(f"{container.keyword} {container.name}")
                is_declared = isinstance(declared, Record) and declared.identity == container.identity
                if not is_declared or ctx.names.host_may_define_names():
                    return
                fault = MemberFault.INCOMPLETE
            elif _may_have_member(ctx, container, members, name):
                return
            else:
                fault = MemberFault.ABSENT
                known = (each.name for each in members if each.name)
                near_names = near(name, known) or _only_case(members, name)
        else:
            fault = MemberFault.NO_MEMBERS
    if not is_judged(container) and not isinstance(container, Array):
        return
    if isinstance(container, Array | Pointer) and is_unknown(pointee_of(container) or container):
        return
    if ctx.names.may_be_declared_elsewhere(name) or _is_pasted_of_macro(ctx, name):
        return
    emit_fault(ctx, InvalidMember(fault, name, container, place, operator, near_names))


def _is_pasted_of_macro(ctx: TypingContext, name: str) -> bool:
    """Whether a name ends with a macro whose value only the host knows: `v.s ## LAST` makes `sLAST` of `LAST`."""
    return any(ctx.names.is_macro_of_unknown_value(name[at:]) for at in range(1, len(name)))


def _may_have_member(ctx: TypingContext, container: Record, members: Members, name: str) -> bool:
    """Whether a macro may be the reason why a record seems to lack the member `name`."""
    if not members:
        return True
    return any(is_unknown(each.type) for each in members) or name in ctx.names.vocabulary()


def _only_case(members: Members, name: str) -> tuple[str, ...]:
    return tuple(each.name for each in members if each.name.lower() == name.lower())


def _component_fault(name: str) -> MemberFault:
    """Returns the fault of an invalid swizzle.

    This is COMPONENT_COUNT if only the number of components is wrong, and COMPONENT for any other fault.
    """
    numbered = name[:1] in ("s", "S") and frozenset(name[1:]) <= _DIGITS
    letters, count = frozenset(name), len(name) - numbered
    named = numbered or letters <= _XYZW or letters <= _RGBA
    return MemberFault.COMPONENT_COUNT if named and count not in VECTOR_WIDTHS else MemberFault.COMPONENT
