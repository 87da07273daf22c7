"""Compatibility of two types, such as the pointees of two pointers (C99 6.2.7, 6.5.16.1).

The address space and qualifiers of the two types themselves do not matter, only those of nested types.
"""

from __future__ import annotations

from enum import Enum as Enumeration

from openclsp.language.spaces import Space
from openclsp.semantics.types.type_model import (
    Array,
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
)


class Compatibility(Enumeration):
    """The degree to which two pointee types are compatible."""

    SAME = "compatible, or not known to be otherwise"
    SIGN = "integers of one size that differ in sign"
    DIFFERENT = "not compatible"


_SAME, _SIGN, _DIFFERENT = Compatibility.SAME, Compatibility.SIGN, Compatibility.DIFFERENT


def pointees(a: Type, b: Type) -> Compatibility:
    """Returns the compatibility of two pointees; `void` is compatible with every type."""
    if isinstance(a, Void) or isinstance(b, Void):
        return _SAME
    return types(a, b)


def types(a: Type, b: Type) -> Compatibility:
    """Returns the compatibility of two types; unknown types are compatible with all."""
    a, b = a.unqualified, b.unqualified
    if a is b or isinstance(a, Unknown) or isinstance(b, Unknown):
        return _SAME
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return _compare_scalars(a, b)
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        return _compare_pointers(a, b)
    if isinstance(a, Array) and isinstance(b, Array):
        if a.size is not None and b.size is not None and a.size != b.size:
            return _DIFFERENT
        return _compare_exactly(a.element, b.element)
    if isinstance(a, Vector) and isinstance(b, Vector):
        return _SAME if a.width == b.width and a.element.canonical == b.element.canonical else _DIFFERENT
    if isinstance(a, Enum) or isinstance(b, Enum):
        return _compare_enums(a, b)
    if isinstance(a, Record) and isinstance(b, Record):
        same = a.identity == b.identity or (a.keyword == b.keyword and a.name == b.name and _has_tag(a))
        return _SAME if same else _DIFFERENT
    if isinstance(a, Opaque) and isinstance(b, Opaque):
        return _SAME if a.name == b.name else _DIFFERENT
    return _SAME if type(a) is type(b) else _DIFFERENT


def _has_tag(record: Record) -> bool:
    """Whether the record has a tag.

    Two declarations with the same tag name the same type; each struct without a tag is a distinct type.
    """
    return bool(record.name) and not record.name.startswith("typedef ")


def _compare_scalars(a: Scalar, b: Scalar) -> Compatibility:
    if a.canonical == b.canonical:
        return _SAME
    if a.floating or b.floating or a.size != b.size or a.rank != b.rank:
        return _DIFFERENT
    return _DIFFERENT if "bool" in (a.canonical, b.canonical) else _SIGN


def _compare_enums(a: Type, b: Type) -> Compatibility:
    """Returns the compatibility of an enumerated type with another type.

    An enumerated type is compatible with an implementation-defined integer type (C99 6.7.2.2p4).
    """
    other = b if isinstance(a, Enum) else a
    if isinstance(other, Enum):
        return _DIFFERENT
    return _SAME if isinstance(other, Scalar) and other.canonical in ("int", "uint") else _DIFFERENT


def _compare_pointers(a: Pointer, b: Pointer) -> Compatibility:
    spaces = (a.pointee.space, b.pointee.space)
    if spaces[0] != spaces[1] and None not in spaces and Space.UNKNOWN not in spaces:
        return _DIFFERENT
    return _compare_exactly(a.pointee, b.pointee)


def _compare_exactly(a: Type, b: Type) -> Compatibility:
    """Returns the compatibility of two nested types, such as the innermost types of `int **` and `uint **`.

    Unlike the outermost pointees, nested types must not differ in signedness (C99 6.7.5.1p2).
    """
    return _SAME if types(a, b) is _SAME else _DIFFERENT


def agree(a: Type, b: Type) -> bool:
    """Whether two types are the same, disregarding unknown parts."""
    if a is b or isinstance(a, Unknown) or isinstance(b, Unknown):
        return True
    if isinstance(a, Array) and isinstance(b, Array):
        sizes = a.size is None or b.size is None or a.size == b.size
        return sizes and agree(a.element, b.element)
    if not same_space(a, b) or a.qualifiers != b.qualifiers:
        return False
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        return agree(a.pointee, b.pointee)
    if isinstance(a, Function) and isinstance(b, Function):
        return (
            a.variadic == b.variadic
            and len(a.parameters) == len(b.parameters)
            and agree(a.result, b.result)
            and all(
                agree(p.with_space(None).with_qualifiers(0), q.with_space(None).with_qualifiers(0))
                for p, q in zip(a.parameters, b.parameters, strict=True)
            )
        )
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return a.canonical == b.canonical
    if isinstance(a, Vector) and isinstance(b, Vector):
        return a.width == b.width and a.element.canonical == b.element.canonical
    return a.unqualified is b.unqualified


def same_space(a: Type, b: Type) -> bool:
    """Whether objects of these two types are in the same address space; True if one space is unknown."""
    return a.space is b.space or None in (a.space, b.space) or Space.UNKNOWN in (a.space, b.space)


def may_be_overloadable(type_: Type) -> bool:
    """Whether a function of this type may be declared with the attribute `overloadable`.

    True if the result type, or its address space, is unknown. The declaration then contains an unknown word
    before the function's name, and this word may be a macro that expands to the attribute.
    """
    return isinstance(type_, Function) and (
        isinstance(type_.result, Unknown) or type_.result.space is Space.UNKNOWN
    )
