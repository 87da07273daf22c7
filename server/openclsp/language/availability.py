"""Where a built-in name exists: for names of another language version, or of a feature that is switched off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from openclsp.language.builtin_functions import builtin_function, in_any_dialect
from openclsp.language.builtin_types import builtin_type, known_in_any
from openclsp.language.dialect import EIGHT, Dialect
from openclsp.language.features import FEATURES, available_in
from openclsp.language.newer_names import NEWER_CONSTANTS

_FULL = tuple(dialect for dialect in EIGHT if dialect.extensions >= available_in(dialect.version))
"""Every language version with everything on, the oldest first."""


@dataclass(frozen=True, slots=True)
class Availability:
    """`since` is the first language version (100, 110, 120, 200 or 300) with the name, `versions` are all of them;
    `needs` are the extensions and features that are off in the dialect asked about and without which its version has
    not the name. `by_extension` tells that the first version has the name with an extension only, which a device may
    offer beside other versions too."""

    since: int
    versions: tuple[int, ...]
    needs: tuple[str, ...] = ()
    by_extension: bool = False


def is_missing_function(name: str, dialect: Dialect) -> bool:
    """Whether the name is that of a built-in function of another dialect, and of none of this one."""
    return in_any_dialect(name) and builtin_function(name, dialect) is None


def is_missing_type(name: str, dialect: Dialect) -> bool:
    """Whether the name is that of a built-in type of another dialect, and of none of this one."""
    return known_in_any(name) and builtin_type(name, dialect) is None


def is_missing_constant(name: str, dialect: Dialect) -> bool:
    """Whether the name is that of an enumerator or a macro for a value that newer versions have."""
    return NEWER_CONSTANTS.get(name, 0) > dialect.version


@lru_cache(maxsize=256)
def availability(name: str, dialect: Dialect) -> Availability | None:
    """Where the built-in function, type or constant `name` exists; None where no known dialect has it."""
    there = _test(name)
    versions = tuple(full.version for full in _FULL if there(full))
    if not versions:
        return None
    first, own = (
        next(full for full in _FULL if full.version == wanted) for wanted in (versions[0], dialect.version)
    )
    needs: tuple[str, ...] = ()
    if there(own):
        off = sorted(own.extensions - dialect.extensions)
        needs = tuple(each for each in off if not there(replace(own, extensions=own.extensions - {each})))
    plain = {name for name in first.extensions if first.version in FEATURES[name].core}
    by_extension = not there(replace(first, extensions=frozenset(plain)))
    return Availability(versions[0], versions, needs, by_extension)


def _test(name: str) -> Callable[[Dialect], bool]:
    if in_any_dialect(name):
        return lambda dialect: builtin_function(name, dialect) is not None
    if known_in_any(name):
        return lambda dialect: builtin_type(name, dialect) is not None
    since = NEWER_CONSTANTS.get(name)
    return lambda dialect: since is not None and dialect.version >= since
