"""The structure of types: levels, elements and pointees."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.semantics.types.type_model import (
    Array,
    Enum,
    Function,
    Pointer,
    Scalar,
    Type,
    Unknown,
    pointer_to,
)


def pointee_of(type_: Type) -> Type | None:
    """Returns the pointee of a pointer or the element of an array; None for any other type."""
    if isinstance(type_, Pointer):
        return type_.pointee
    if isinstance(type_, Array):
        return type_.element
    return None


def decayed(type_: Type) -> Type:
    """Returns the type after lvalue conversion and array-to-pointer conversion (C99 6.3.2.1)."""
    if isinstance(type_, Array):
        return pointer_to(type_.element)
    return type_.unqualified


def levels(type_: Type) -> Iterator[Type]:
    """Yields the types of the object, its pointee, the pointee's pointee and so on; stops at a function.

    An array and its elements are one level: `local int a[4]` has one level.
    """
    current: Type | None = type_
    while current is not None and not isinstance(current, Function):
        while isinstance(current, Array):
            current = current.element
        yield current
        current = current.pointee if isinstance(current, Pointer) else None


def is_unknown(type_: Type) -> bool:
    """Whether the type is unknown, or is an array whose elements have an unknown type."""
    while isinstance(type_, Array):
        type_ = type_.element
    return isinstance(type_, Unknown)


def is_integer_scalar(type_: Type) -> bool:
    """Whether the type is an integer type (C99 6.2.5p17); a vector type is not one."""
    return isinstance(type_, Enum) or (isinstance(type_, Scalar) and not type_.floating)


def element_type(type_: Type) -> Type:
    """Returns the element type of an array, through all dimensions."""
    while isinstance(type_, Array):
        type_ = type_.element
    return type_


def accepts_argument_count(function: Function, given: int) -> bool:
    """Whether a call of a function may have this number of arguments (C99 6.5.2.2p2).

    An empty parameter list means no parameters (OpenCL C 6.11.g).
    """
    takes = len(function.parameters)
    return given == takes or (function.variadic and given > takes)
