"""The built-in functions of OpenCL C, with all overloads, by dialect.

Names, types, versions and required extensions are those of clang 22, which follow the unified specification
6.15 and the extensions. The tables contain the functions that clang's header `opencl-c.h` declares, those
that clang knows without the header, and those that no header can declare. (With `-fdeclare-opencl-builtins`,
clang has a few more overloads in old versions.) The module `notation` describes the notation of the tables. All
of them are parsed at the first look-up; a name's overloads are generated when it is looked up.
"""

from __future__ import annotations

from functools import lru_cache

from openclsp.language.builtin_functions.notation import (
    Family,
    Signature,
    families,
    is_available,
    needed,
    overloads,
)
from openclsp.language.dialect import Dialect

__all__ = [
    "Signature",
    "builtin_function",
    "builtin_names",
    "extensions_of",
    "is_builtin_function_name",
    "is_of_extension",
    "is_unchecked",
    "named_in",
    "needs_of",
    "read_only_parameters",
    "tables",
]


@lru_cache(maxsize=4096)
def builtin_function(name: str, dialect: Dialect) -> tuple[Signature, ...] | None:
    """Returns the overloads of the built-in function `name`.

    None if the dialect has none of that name. For a function that `is_unchecked`, the only signature has no
    meaningful parameters. Its result is `unknown` if it depends on the arguments.
    """
    found: dict[Signature, None] = {}
    for family in _index().get(name, ()):
        found.update(dict.fromkeys(overloads(family, dialect)))
    return tuple(found) or None


@lru_cache(maxsize=1024)
def read_only_parameters(name: str, dialect: Dialect) -> frozenset[int]:
    """Returns the indices of the pointer parameters (from 0) of a built-in function through which it only reads.

    These are pointers to `const` in every overload in which they are pointers.
    """
    pointers = [
        (index, "const " in type_)
        for each in builtin_function(name, dialect) or ()
        for index, type_ in enumerate(each.parameters)
        if "*" in type_
    ]
    return frozenset(index for index, _ in pointers) - {index for index, is_const in pointers if not is_const}


@lru_cache(maxsize=16)
def builtin_names(dialect: Dialect) -> frozenset[str]:
    """Returns the names of all built-in functions of the dialect.

    This expands the whole table, which is too slow to look up one name.
    """
    return frozenset(name for name in _index() if builtin_function(name, dialect) is not None)


def named_in(dialect: Dialect) -> frozenset[str]:
    """Returns the names of the functions whose requirements (version, extensions, features) the dialect meets.

    The types of the overloads are not checked. This function is therefore faster than `builtin_names`; its
    result is nearly the same.
    """
    return frozenset(
        name for name, found in _index().items() if any(is_available(family, dialect) for family in found)
    )


def is_builtin_function_name(name: str) -> bool:
    """Whether some dialect may have a built-in function of that name."""
    return name in _index()


def needs_of(name: str) -> frozenset[str]:
    """Returns the versions, extensions and features that at least one overload of that name requires."""
    return frozenset(need for family in _index().get(name, ()) for need in needed(family))


def extensions_of(name: str) -> frozenset[str]:
    """Returns the extensions that at least one overload of that name requires."""
    return frozenset(need for need in needs_of(name) if need.startswith("cl_"))


_OF_EXTENSIONS = ("cl_", "__opencl_c_integer_dot_product")


def is_of_extension(name: str) -> bool:
    """Whether the function requires an extension in every version.

    The features of integer dot products count as extensions here, because they belong to
    cl_khr_integer_dot_product.
    """
    found = _index().get(name, ())
    return bool(found) and all(
        any(need.startswith(_OF_EXTENSIONS) for need in needed(family)) for family in found
    )


def is_unchecked(name: str) -> bool:
    """Whether the compiler checks the function's arguments by special rules that no signature expresses."""
    return name in _unchecked()


@lru_cache(maxsize=1)
def _unchecked() -> frozenset[str]:
    from openclsp.language.builtin_functions.work_items import UNCHECKED_ROWS

    return frozenset(family.name for family in families(UNCHECKED_ROWS))


def tables() -> tuple[str, ...]:
    """Returns the tables of built-in functions, in the notation that the module `notation` describes."""
    # imported here, so that a program that looks up no name does not load the tables
    from openclsp.language.builtin_functions import (
        arithmetic,
        images,
        memory,
        motion_estimation,
        vendors,
        work_items,
    )

    return (
        arithmetic.ROWS,
        memory.ROWS,
        images.ROWS,
        work_items.ROWS,
        work_items.UNCHECKED_ROWS,
        vendors.ROWS,
        motion_estimation.rows(),
    )


@lru_cache(maxsize=1)
def _index() -> dict[str, list[Family]]:
    """Maps the name of each built-in function to its families of overloads."""
    index: dict[str, list[Family]] = {}
    for table in tables():
        for family in families(table):
            index.setdefault(family.name, []).append(family)
    return index
