"""Facts about violated constraints of C: undeclared names, wrong operands, misplaced statements.

Typing emits them only for code in which every name and type is known, so each is certainly a fault.
"""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.semantics.facts.entities import Origin, Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.operand_types import OperandFault
from openclsp.semantics.types.type_model import UNKNOWN, Type


@dataclass(frozen=True, slots=True)
class UndeclaredName:
    """A use of a name that no visible declaration declares.

    - `near`: declared names of similar spelling.
    - `called`: whether the use is a call.
    - `later`: whether an item below declares the name.
    - `out_of_scope`: whether the item declares the name in a scope that does not contain the use.
    """

    name: str
    place: Place
    called: bool
    near: tuple[str, ...] = ()
    later: bool = False
    out_of_scope: bool = False


class DeclaratorFault(Enum):
    """The types that C does not have, although a declarator can spell them."""

    RETURNED_ARRAY = "a function that returns an array"
    FUNCTION_ARRAY = "an array of functions"
    FUNCTION_MEMBER = "a function in a structure"
    INCOMPLETE_ELEMENT = "an array of an incomplete type"
    INCOMPLETE_OBJECT = "a variable or member of an incomplete type"
    VOID_PARAMETER = "a parameter of type void"
    NEGATIVE_SIZE = "an array of negative size"


@dataclass(frozen=True, slots=True)
class InvalidDeclarator:
    """A declarator of a type that C does not have, such as an array of functions.

    If the fault is an incomplete type, `type` is this type.
    """

    fault: DeclaratorFault
    name: str
    place: Place
    type: Type = UNKNOWN


class MemberFault(Enum):
    """The reasons why a member access is invalid."""

    ABSENT = "no such member"
    NO_ELEMENT = "no such element"
    NEEDS_ARROW = "`.` on a pointer"
    NEEDS_DOT = "`->` on an object"
    NO_MEMBERS = "a type without members"
    INCOMPLETE = "a type whose members are not declared before"
    COMPONENT = "no such component of a vector"
    COMPONENT_COUNT = "a number of components that no vector has"


@dataclass(frozen=True, slots=True)
class InvalidMember:
    """An invalid access to a member; `place` is the member's name, `operator` the `.` or `->`.

    `container` is the type in which the member was looked up: the type before the operator, or its pointee.
    """

    fault: MemberFault
    name: str
    container: Type
    place: Place
    operator: Place
    near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InvalidOperands:
    """An operator, condition or index with operands of wrong types.

    `operator` is the operator, `[]`, `?:`, or the keyword of a statement.
    """

    fault: OperandFault
    operator: str
    operands: tuple[Value, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class NoLvalue:
    """A write to a value that is no modifiable lvalue, or `&` on a value without an address.

    In `a * b = c`, the value is that of `a * b`. Its type is unknown, because the parser reads the expression
    as `a * (b = c)`.
    """

    value: Value
    operator: str
    place: Place


@dataclass(frozen=True, slots=True)
class ConstMemberWrite:
    """An assignment to a whole struct or union that has a const member (C99 6.3.2.1p1).

    `path` names the member as it is reached from the object, with dots; `member` is its declaration.
    """

    value: Value
    path: str
    type: Type
    member: Origin


@dataclass(frozen=True, slots=True)
class ArrayInitialiser:
    """A value that initialises an array, although it is neither a list nor a string; `given` is its type."""

    name: str
    type: Type
    given: Type
    place: Place


@dataclass(frozen=True, slots=True)
class CalledObject:
    """A call of a value that is no function."""

    value: Value
    place: Place


@dataclass(frozen=True, slots=True)
class VectorElements:
    """A vector literal with `given` elements, more or fewer than its type has."""

    type: Type
    given: int
    place: Place


@dataclass(frozen=True, slots=True)
class ValuelessReturn:
    """A `return` without a value in a function with a result; `function` is the function's entity."""

    name: str
    result: Type
    place: Place
    function: Origin


@dataclass(frozen=True, slots=True)
class UnusedName:
    """A variable or parameter whose name is not used anywhere in its function."""

    name: str
    parameter: bool
    place: Place


@dataclass(frozen=True, slots=True)
class UnusedFunction:
    """A function that is not visible to other programs, and that no function of its program calls."""

    name: str
    place: Place


@dataclass(frozen=True, slots=True)
class NotConstant:
    """A value that must be an integer constant expression (C99 6.6p6) but certainly is not one.

    `role` describes the value, for example `a case label`. `text` is the beginning of its source text.
    """

    role: str
    text: str
    integer: bool
    place: Place


@dataclass(frozen=True, slots=True)
class FailedAssertion:
    """A static assertion whose condition is zero (C11 6.7.10). `text` is the beginning of its source text."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class InvalidLiteral:
    """A number that is neither an integer nor a floating literal of C (C99 6.4.4)."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class InvalidSpecifiers:
    """Type specifiers that together name no type (C99 6.7.2p2)."""

    text: str
    place: Place


class AttributeFault(Enum):
    """The faults of attributes."""

    COUNT = "a wrong number of arguments"
    INTEGER = "an argument that is no integer"
    POSITIVE = "an argument that is not positive"
    POWER = "an argument that is no power of two"
    TYPE = "an argument that is no scalar or vector type"
    NO_KERNEL = "an attribute of kernels at another function"
    NO_LOOP = "an attribute of loops at another statement"


@dataclass(frozen=True, slots=True)
class InvalidAttribute:
    """An attribute with wrong arguments, or in a wrong place. `name` has no underscores around it."""

    fault: AttributeFault
    name: str
    place: Place


class StatementFault(Enum):
    """The faults of statements and labels."""

    OUTSIDE_LOOP = "outside of a loop or switch"
    OUTSIDE_SWITCH = "outside of a switch"
    REPEATED_CASE = "a second label with the same value"
    REPEATED_DEFAULT = "a second default"
    REPEATED_LABEL = "a label defined twice"
    UNKNOWN_LABEL = "a label that is not defined"
    PRAGMA_WITHOUT_LOOP = "a pragma for a loop without a loop"


@dataclass(frozen=True, slots=True)
class InvalidStatement:
    """A misplaced statement or a wrong label. `word` is the statement's keyword, the label, or the value of a
    `case`.
    """

    fault: StatementFault
    word: str
    place: Place
