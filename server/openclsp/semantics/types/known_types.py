"""Built-in types of a dialect as interned types."""

from __future__ import annotations

from functools import lru_cache

from openclsp.language.builtin_types import BUILTIN_TYPES, BuiltinType, TypeCategory, builtin_type
from openclsp.language.dialect import Dialect
from openclsp.semantics.types.type_model import (
    UNKNOWN,
    VOID,
    Scalar,
    Type,
    enum,
    opaque,
    scalar,
    vector,
)


def _builtin_scalar(name: str) -> Scalar:
    return _scalar_of(BUILTIN_TYPES[name])


def _scalar_of(built_in: BuiltinType) -> Scalar:
    shape = built_in.scalar
    assert shape is not None
    return scalar(built_in.name, shape.rank, shape.signed, shape.floating, shape.size, built_in.canonical)


BOOL = _builtin_scalar("bool")
CHAR, UCHAR, SHORT, USHORT = (_builtin_scalar(name) for name in ("char", "uchar", "short", "ushort"))
INT, UINT, LONG, ULONG = (_builtin_scalar(name) for name in ("int", "uint", "long", "ulong"))
HALF, FLOAT, DOUBLE = (_builtin_scalar(name) for name in ("half", "float", "double"))

LONG_LONG = scalar("long long", LONG.rank, True, False, 16, LONG.name)
"""The reserved 128-bit type (OpenCL C 6.1.4). clang gives it that size; in all else it is treated as `long`."""
UNSIGNED_LONG_LONG = scalar("unsigned long long", ULONG.rank, False, False, 16, ULONG.name)

_UNSIGNED = {CHAR: UCHAR, SHORT: USHORT, INT: UINT, LONG: ULONG, LONG_LONG: UNSIGNED_LONG_LONG}


def canonical(type_: Scalar) -> Scalar:
    """Returns the type without alias and qualifiers: `ulong` for `size_t`."""
    plain = type_.unqualified
    assert isinstance(plain, Scalar)
    return plain if plain.canonical == plain.name else _builtin_scalar(plain.canonical)


def size_type(dialect: Dialect) -> Type:
    """Returns the type of `sizeof` expressions (OpenCL C 6.4.15)."""
    return named("size_t", dialect) or UNKNOWN


_SIZES_AND_SIGNS = frozenset(("short", "long", "signed", "unsigned"))


def difference_type(dialect: Dialect) -> Type:
    """Returns the type of the difference of two pointers."""
    return named("ptrdiff_t", dialect) or UNKNOWN


def sized(words: list[str]) -> Type:
    """Returns the type named by a list of C type specifiers in any order: `unsigned long int`."""
    base: Scalar = INT
    if "char" in words:
        base = CHAR
    elif "short" in words:
        base = SHORT
    elif "long" in words:
        base = LONG_LONG if words.count("long") > 1 else LONG
    elif "double" in words or "float" in words or "half" in words:
        return _builtin_scalar(next(word for word in words if word in ("double", "float", "half")))
    if "unsigned" in words:
        base = _UNSIGNED[base]
    return base


def is_valid_combination(words: list[str], dialect: Dialect) -> bool:
    """Whether these type specifiers name a type of C (C99 6.7.2p2); qualifiers are ignored.

    True if a word may be a macro or a type that is not built in.
    """
    sizes = [word for word in words if word in ("short", "long")]
    signs = {word for word in words if word in ("signed", "unsigned")}
    bases = [word for word in words if word not in _SIZES_AND_SIGNS and named(word, dialect) is not None]
    if len(set(sizes)) > 1 or sizes.count("long") > 2 or len(signs) > 1 or len(bases) > 1:
        return False
    base = bases[0] if bases else "int"
    if base == "int":
        return True
    if base == "double":
        return not signs and sizes in ([], ["long"])
    return not sizes and (not signs or base == "char")


@lru_cache(maxsize=4096)
def named(name: str, dialect: Dialect) -> Type | None:
    """Returns the built-in type called `name`; None if the dialect has none."""
    found = builtin_type(name, dialect)
    return _type_of(found) if found is not None else None


def _type_of(built_in: BuiltinType) -> Type:
    category = built_in.category
    if category is TypeCategory.VOID:
        return VOID
    if category is TypeCategory.SCALAR:
        return _scalar_of(built_in)
    if category is TypeCategory.VECTOR:
        return vector(_builtin_scalar(built_in.element), built_in.width)
    if category is TypeCategory.ATOMIC:
        return opaque(built_in.canonical, "atomic")
    if category is TypeCategory.ENUM:
        return enum(built_in.name, ("builtin", built_in.name))
    return opaque(built_in.name, category.value)
