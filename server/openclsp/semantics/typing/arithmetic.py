"""Usual arithmetic conversions, and values of integer constant expressions (C99 6.3.1, 6.6)."""

from __future__ import annotations

import operator
from collections.abc import Callable

from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.types.known_types import (
    CHAR,
    INT,
    LONG,
    LONG_LONG,
    SHORT,
    canonical,
)
from openclsp.semantics.types.type_model import (
    UNKNOWN,
    Enum,
    Scalar,
    Type,
    Vector,
    vector,
)

_BY_SIZE = {1: CHAR, 2: SHORT, 4: INT, 8: LONG, 16: LONG_LONG}
_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "&&": lambda a, b: bool(a) and bool(b),
    "||": lambda a, b: bool(a) or bool(b),
}


def arithmetic(type_: Type) -> Type | None:
    """Returns the unqualified type, or `int` for an enumerated type; None if the type is not arithmetic."""
    plain = type_.unqualified
    if isinstance(plain, Enum):
        return INT
    return plain if isinstance(plain, Scalar | Vector) else None


def common(left: Type, right: Type) -> Type:
    """Returns the type after the usual arithmetic conversions (OpenCL C 6.4.1; C99 6.3.1.8)."""
    a, b = arithmetic(left), arithmetic(right)
    if a is None or b is None:
        return UNKNOWN
    if isinstance(a, Vector):
        return a
    if isinstance(b, Vector):
        return b
    assert isinstance(a, Scalar) and isinstance(b, Scalar)
    a, b = promoted(a), promoted(b)
    if a.floating or b.floating:
        return a if a.rank >= b.rank and a.floating or not b.floating else b
    if a.rank != b.rank:
        return a if a.rank > b.rank else b
    return a if not a.signed else b


def promoted(type_: Scalar) -> Scalar:
    """Returns the type after the integer promotions (C99 6.3.1.1)."""
    type_ = canonical(type_)
    return INT if not type_.floating and type_.rank < INT.rank else type_


def relational(left: Type, right: Type) -> Type:
    """Returns the type of a comparison: `int`; of vectors, a signed integer vector (OpenCL C 6.5.5)."""
    both = common(left, right)
    if not isinstance(both, Vector):
        return INT
    return vector(_BY_SIZE.get(both.element.size, INT), both.width)


def combined(left: Value, right: Value) -> Constancy:
    """Returns the constancy of an operation on two operands."""
    a, b = left.constancy, right.constancy
    if Constancy.NOT_CONSTANT in (a, b):
        return Constancy.NOT_CONSTANT
    return Constancy.UNKNOWN if Constancy.UNKNOWN in (a, b) else Constancy.CONSTANT


def wrapped(number: int | None, type_: Type) -> int | None:
    """Returns the number converted to an integer type, modulo 2^N; None if the type is no integer."""
    if number is None or not isinstance(type_, Scalar) or type_.floating:
        return None
    bits = 8 * type_.size
    number &= (1 << bits) - 1
    return number - (1 << bits) if type_.signed and number >> (bits - 1) else number


def computed(sign: str, a: int | None, b: int | None) -> int | None:
    """Returns the value of an integer operation; None if it is undefined or an operand is unknown."""
    if a is None or b is None:
        return None
    if sign in ("/", "%"):
        if b == 0:
            return None
        # division truncates toward zero in C (C99 6.5.5p6), but rounds down in Python
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if sign == "/" else a - quotient * b
    if sign in ("<<", ">>") and not 0 <= b < 64:
        return None
    operation = _OPERATIONS.get(sign)
    return int(operation(a, b)) if operation is not None else None
