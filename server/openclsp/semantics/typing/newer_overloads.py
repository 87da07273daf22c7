"""Overloads of built-in functions that a dialect lacks but other versions or extensions have."""

from __future__ import annotations

from typing import NamedTuple

from openclsp.language.availability import bringing_extension
from openclsp.language.dialect import Dialect
from openclsp.semantics.facts.calls import UnresolvedCall
from openclsp.semantics.types.builtin_function_types import overloads_of
from openclsp.semantics.types.type_model import Function
from openclsp.semantics.typing.overloads import resolve

_FULL = tuple(Dialect.of(name) for name in ("CL1.1", "CL1.2", "CL2.0", "CL3.0"))


class NewerOverload(NamedTuple):
    """The overload to which a call resolves in another dialect.

    `version` is the first language version that has such an overload if all optional features are enabled.
    `extension` is the extension that provides the overload; empty if it belongs to the core language.
    """

    overload: Function
    version: int
    extension: str


def newer_overload(fact: UnresolvedCall, dialect: Dialect) -> NewerOverload | None:
    """Resolves a failed call again, with the overloads of this and later versions and of all extensions.

    Returns the overload of the earliest such version; None if no overload fits.
    """
    before = frozenset(overloads_of(fact.name, dialect))
    if not before:
        return None
    for full in _FULL:
        if full.version < dialect.version:
            continue
        added = tuple(each for each in overloads_of(fact.name, full) if each not in before)
        if not added:
            continue
        candidates = (*fact.candidates, *added)
        resolution = resolve(candidates, fact.arguments)
        if resolution.best is not None and resolution.certain and candidates[resolution.best] in added:
            overload = candidates[resolution.best]
            number = overloads_of(fact.name, full).index(overload)
            return NewerOverload(overload, full.version, bringing_extension(fact.name, number, full))
    return None
