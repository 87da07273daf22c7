"""The operand types that operators accept (C99 6.5; OpenCL C 6.4, 6.5).

Each check returns the reason why an operator does not apply, and None for valid or unknown operands.
"""

from __future__ import annotations

from enum import Enum as Enumeration
from typing import Final

from openclsp.semantics.types.known_types import INT, canonical
from openclsp.semantics.types.type_model import (
    ATOMIC,
    UNKNOWN,
    Array,
    BlockPointer,
    Enum,
    Function,
    Opaque,
    Pointer,
    Record,
    Scalar,
    Type,
    Unknown,
    Vector,
    Void,
    vector,
)

_INTEGER_OPERATORS: Final = frozenset(("%", "&", "|", "^", "<<", ">>"))
_SHIFTS: Final = frozenset(("<<", ">>"))
_COMPARISONS: Final = frozenset(("==", "!=", "<", ">", "<=", ">="))
_LOGICAL: Final = frozenset(("&&", "||"))


class OperandFault(Enumeration):
    """The reasons why an operator does not apply to its operands."""

    TYPE = "an operand of a wrong kind"
    INTEGER = "an operand that is no integer"
    VECTORS = "two vector types"
    RANK = "a scalar of higher rank than the vector's elements"
    WIDTH = "vectors of different widths"
    CONDITION = "a condition that is no scalar"


def is_judged(type_: Type) -> bool:
    """Whether this module checks operands of this type.

    False for an unknown type, an array, a function, and a pointer to an unknown type or to a function. Also
    False for opaque, block and atomic types, which other rules check.
    """
    if isinstance(type_, Unknown | Opaque | BlockPointer | Array | Function) or type_.qualifiers & ATOMIC:
        return False
    return not (isinstance(type_, Pointer) and isinstance(type_.pointee, Unknown | Function))


def is_integer(type_: Type) -> bool:
    """Whether values of the type are integers, or vectors of them."""
    if isinstance(type_, Vector):
        return not type_.element.floating
    return isinstance(type_, Enum) or (isinstance(type_, Scalar) and not type_.floating)


def binary_fault(sign: str, left: Type, right: Type) -> OperandFault | None:
    """Returns the fault of `left sign right`, if any; the caller has converted arrays to pointers."""
    if not is_judged(left) or not is_judged(right):
        return None
    if isinstance(left, Scalar) and isinstance(right, Scalar) and sign not in _INTEGER_OPERATORS:
        return None
    if isinstance(left, Record | Void) or isinstance(right, Record | Void):
        return OperandFault.TYPE
    if isinstance(left, Pointer) or isinstance(right, Pointer):
        return None if _is_pointer_operation(sign, left, right) else OperandFault.TYPE
    if sign in _INTEGER_OPERATORS and not (is_integer(left) and is_integer(right)):
        return OperandFault.INTEGER
    if sign in _SHIFTS:
        return _shift_fault(left, right)
    return vector_fault(left, right)


def _is_pointer_operation(sign: str, left: Type, right: Type) -> bool:
    both = isinstance(left, Pointer) and isinstance(right, Pointer)
    other = right if isinstance(left, Pointer) else left
    if sign in _LOGICAL:
        return not isinstance(other, Vector)
    if sign in _COMPARISONS:
        return both or is_integer(other) and not isinstance(other, Vector)
    if sign == "-":
        return isinstance(left, Pointer) and (both or is_integer(other) and not isinstance(other, Vector))
    return sign == "+" and not both and is_integer(other) and not isinstance(other, Vector)


def _shift_fault(left: Type, right: Type) -> OperandFault | None:
    if not isinstance(right, Vector):
        return None
    if not isinstance(left, Vector):
        return OperandFault.TYPE
    return OperandFault.WIDTH if left.width != right.width else None


def vector_fault(left: Type, right: Type) -> OperandFault | None:
    """Returns the fault of two operands that have no common arithmetic type, if any (OpenCL C 6.4.1)."""
    if isinstance(left, Vector) and isinstance(right, Vector):
        same = left.width == right.width and canonical(left.element) is canonical(right.element)
        return None if same else OperandFault.VECTORS
    if isinstance(left, Vector):
        return _splat_fault(left, right)
    if isinstance(right, Vector):
        return _splat_fault(right, left)
    return None


def _splat_fault(vector: Vector, scalar: Type) -> OperandFault | None:
    """Returns a fault if `scalar` cannot be widened to `vector`, else None.

    There is a fault if the rank of `scalar` exceeds that of the elements, or if only `scalar` is floating.
    """
    element = canonical(vector.element)
    if isinstance(scalar, Enum):
        # whether an enumeration counts as int or uint depends on its values
        return OperandFault.RANK if not element.floating and element.size < 4 else None
    if not isinstance(scalar, Scalar):
        return None
    plain = canonical(scalar)
    if element.floating:
        return OperandFault.RANK if plain.floating and plain.rank > element.rank else None
    if plain.floating:
        return OperandFault.TYPE
    return OperandFault.RANK if _exceeds(plain, element) else None


def _exceeds(scalar: Scalar, element: Scalar) -> bool:
    """Whether the type `scalar` has a higher rank than `element` in the usual arithmetic conversions."""
    if scalar.signed == element.signed:
        return scalar.rank > element.rank
    if scalar.signed:
        return scalar.rank > element.rank
    return scalar.rank >= element.rank


def assignment_fault(sign: str, left: Type, right: Type) -> OperandFault | None:
    """Returns the fault of a compound assignment, if any; `sign` is the operator without its `=`."""
    if not is_judged(left) or not is_judged(right):
        return None
    if isinstance(right, Vector) and not isinstance(left, Vector | Pointer):
        return OperandFault.TYPE
    if isinstance(right, Pointer) and not isinstance(left, Vector | Pointer):
        # the sum of a bool and a pointer converts to bool again
        boolean = isinstance(left, Scalar) and left.canonical == "bool" and sign == "+"
        return None if boolean else OperandFault.TYPE
    if isinstance(left, Pointer) and isinstance(right, Pointer):
        return OperandFault.TYPE
    return binary_fault(sign, left, right)


def unary_fault(sign: str, type_: Type, version: int) -> OperandFault | None:
    """Returns the fault of `+`, `-`, `~`, `!`, `++` or `--`, if any; `version` is that of OpenCL C."""
    if not is_judged(type_):
        return None
    if isinstance(type_, Record | Void):
        return OperandFault.TYPE
    if isinstance(type_, Pointer):
        return OperandFault.TYPE if sign in ("+", "-", "~") else None
    if sign == "~":
        return None if is_integer(type_) else OperandFault.INTEGER
    if sign in ("++", "--"):
        return OperandFault.INTEGER if isinstance(type_, Vector) and not is_integer(type_) else None
    if sign == "!" and version < 120 and isinstance(type_, Vector) and not is_integer(type_):
        return OperandFault.INTEGER
    return None


def choice_fault(condition: Type, left: Type, right: Type) -> OperandFault | None:
    """Returns the fault of `condition ? left : right`, if any."""
    if not is_judged(condition):
        return None
    if isinstance(condition, Record | Void):
        return OperandFault.CONDITION
    if isinstance(condition, Vector | Scalar) and not is_integer(condition):
        # OpenCL C 6.5.9: no floating type
        return OperandFault.CONDITION
    if not is_judged(left) or not is_judged(right) or isinstance(left, Void) or isinstance(right, Void):
        return None
    if isinstance(condition, Vector):
        return _vector_choice_fault(condition, left, right)
    if isinstance(left, Record) or isinstance(right, Record):
        return None if left.unqualified is right.unqualified else _different_records(left, right)
    if isinstance(left, Pointer) or isinstance(right, Pointer):
        both = isinstance(left, Pointer) and isinstance(right, Pointer)
        other = right if isinstance(left, Pointer) else left
        valid = both or is_integer(other) and not isinstance(other, Vector)
        return None if valid else OperandFault.TYPE
    return vector_fault(left, right)


def _vector_choice_fault(condition: Vector, left: Type, right: Type) -> OperandFault | None:
    """Returns the fault of `left` or `right`, if any, in `?:` with a vector as the condition."""
    if isinstance(left, Record | Pointer) or isinstance(right, Record | Pointer):
        return OperandFault.TYPE
    found = vector_fault(left, right)
    if found is not None:
        return found
    chosen = chosen_operand(left, right)
    if isinstance(chosen, Vector):
        same = chosen.width == condition.width and chosen.element.size == condition.element.size
    else:
        same = _rank_and_size(chosen)[1] == condition.element.size
    return None if same else OperandFault.WIDTH


def chosen_operand(left: Type, right: Type) -> Type:
    """Returns the operand whose type determines that of `?:` with a vector as the condition.

    Of two scalars, the one of the higher rank is widened to a vector, without the integer promotions.
    """
    if isinstance(left, Vector) or isinstance(right, Vector):
        return left if isinstance(left, Vector) else right
    return max(left, right, key=_rank_and_size)


def choice_type(condition: Vector, left: Type, right: Type, plain: Type) -> Type:
    """Returns the type of `condition ? left : right` with a vector as the condition.

    `plain` is the type with a scalar as the condition. Two scalars are widened to a vector with the
    condition's number of elements. The type is unknown if an operand is wrong.
    """
    if choice_fault(condition, left, right) is not None:
        return UNKNOWN
    if not isinstance(left, Scalar | Enum) or not isinstance(right, Scalar | Enum):
        return plain
    elements = [canonical(each if isinstance(each, Scalar) else INT) for each in (left, right)]
    return vector(max(elements, key=lambda each: (each.rank, not each.signed)), condition.width)


def _rank_and_size(type_: Type) -> tuple[int, int]:
    if isinstance(type_, Scalar):
        plain = canonical(type_)
        return plain.rank, plain.size
    return canonical(INT).rank, INT.size


def _different_records(left: Type, right: Type) -> OperandFault | None:
    if isinstance(left, Record) and isinstance(right, Record) and left.name == right.name:
        # two definitions of one tag: only one of them is an error
        return None
    return OperandFault.TYPE


def condition_fault(keyword: str, type_: Type) -> OperandFault | None:
    """Returns the fault of the condition of the statement `keyword`, if any."""
    if not is_judged(type_):
        return None
    if keyword == "switch":
        valid = is_integer(type_) and not isinstance(type_, Vector)
        return None if valid else OperandFault.INTEGER
    return OperandFault.CONDITION if isinstance(type_, Record | Void | Vector) else None


def index_fault(base: Type, index: Type) -> OperandFault | None:
    """Returns the fault of `base[index]`, if any; `base` may be an array."""
    if isinstance(base, Scalar | Enum | Record | Void) and is_judged(base):
        return OperandFault.TYPE if is_judged(index) else None
    if not is_judged(index) or not isinstance(base, Array | Pointer | Vector):
        return None
    valid = is_integer(index) and not isinstance(index, Vector)
    return None if valid else OperandFault.INTEGER
