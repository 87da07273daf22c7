"""Availability of built-in names by version, feature and extension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from openclsp.dataclass import dataclass
from openclsp.language.builtin_functions import (
    builtin_function,
    extensions_of,
    is_builtin_function_name,
    is_of_extension,
    needs_of,
)
from openclsp.language.builtin_types import builtin_type, is_builtin_type_name
from openclsp.language.dialect import REFERENCE_DIALECTS, Dialect
from openclsp.language.features import available_in
from openclsp.language.newer_names import NEWER_CONSTANTS

_FULL = tuple(
    dialect for dialect in REFERENCE_DIALECTS if dialect.extensions >= available_in(dialect.version)
)
"""Every language version with all extensions and features on, the oldest first"""

_PRINTF = frozenset(("cl_amd_printf", "cl_intel_printf"))
"""The extensions that provide printf on devices of OpenCL 1.0 and 1.1"""


@dataclass(frozen=True, slots=True)
class Availability:
    """The versions, extensions and features that provide a built-in name.

    - `since`: the first language version (100, 110, 120, 200 or 300) that has the name
    - `versions`: all language versions that have it
    - `needs`: the extensions and features that the name requires in the version of the queried dialect, and
      that are off in that dialect
    """

    since: int
    versions: tuple[int, ...]
    needs: tuple[str, ...] = ()


def is_missing_function(name: str, dialect: Dialect) -> bool:
    """Whether `name` is a built-in function of another dialect, but not of `dialect`."""
    return is_builtin_function_name(name) and builtin_function(name, dialect) is None


def is_missing_type(name: str, dialect: Dialect) -> bool:
    """Whether `name` is a built-in type of another dialect, but not of `dialect`."""
    return is_builtin_type_name(name) and builtin_type(name, dialect) is None


def is_missing_constant(name: str, dialect: Dialect) -> bool:
    """Whether `name` is an enumerator or constant macro of a newer version than that of the dialect."""
    return NEWER_CONSTANTS.get(name, 0) > dialect.version


@lru_cache(maxsize=256)
def availability(name: str, dialect: Dialect) -> Availability | None:
    """Returns the versions, extensions and features that provide a built-in function, type or constant.

    None if no known dialect has the name.
    """
    there = _test(name)
    versions = tuple(full.version for full in _FULL if there(full))
    if not versions:
        return None
    own = next(full for full in _FULL if full.version == dialect.version)
    needs: tuple[str, ...] = ()
    if there(own):
        off = sorted(own.extensions - dialect.extensions)
        needs = tuple(each for each in off if not there(replace(own, extensions=own.extensions - {each})))
    return Availability(versions[0], versions, needs)


def extensions_with(name: str) -> frozenset[str]:
    """Returns the extensions that provide a built-in function or some of its overloads.

    A device may provide the function in any language version to a program that enables one of these
    extensions with a pragma.
    """
    return _PRINTF if name == "printf" else extensions_of(name)


_EXTENSIONS_OF_FEATURES = {
    "__opencl_c_integer_dot_product_": "cl_khr_integer_dot_product",
    "__opencl_c_kernel_clock_": "cl_khr_kernel_clock",
}


@lru_cache(maxsize=256)
def extension_of(name: str) -> str:
    """Returns the extension that provides the built-in function.

    "" if the function is core in some language version. If several extensions provide it, one by Khronos is
    preferred.
    """
    if not is_of_extension(name):
        return ""
    return _named(needs_of(name))


@lru_cache(maxsize=256)
def bringing_extension(name: str, number: int, full: Dialect) -> str:
    """Returns the extension that provides overload `number` (from 0) of the built-in function `name`.

    `full` is a dialect with all extensions on.
    """
    overload = (builtin_function(name, full) or ())[number]
    gone = frozenset(
        each
        for each in full.extensions
        if overload not in (builtin_function(name, replace(full, extensions=full.extensions - {each})) or ())
    )
    return _named(gone)


def _named(needs: frozenset[str]) -> str:
    found = {each for each in needs if each.startswith("cl_")}
    for need in needs:
        found.update(
            extension for feature, extension in _EXTENSIONS_OF_FEATURES.items() if need.startswith(feature)
        )
    khronos = sorted(each for each in found if each.startswith("cl_khr_"))
    return next(iter((*khronos, *sorted(found))), "")


def _test(name: str) -> Callable[[Dialect], bool]:
    if is_builtin_function_name(name):
        return lambda dialect: builtin_function(name, dialect) is not None
    if is_builtin_type_name(name):
        return lambda dialect: builtin_type(name, dialect) is not None
    since = NEWER_CONSTANTS.get(name)
    return lambda dialect: since is not None and dialect.version >= since
