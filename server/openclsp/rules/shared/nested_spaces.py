"""Differences in address space between pointer-to-pointer types below the first level (OpenCL C 6.7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space, overlaps
from openclsp.rules.shared.pointer_wording import pointee_space
from openclsp.semantics.facts.expressions import Conversion
from openclsp.semantics.types.type_model import Pointer, Type
from openclsp.semantics.types.type_structure import decayed


@dataclass(frozen=True, slots=True)
class NestedMismatch:
    """The first level below the pointee at which two types differ in address space.

    Level 2 is the pointee's pointee.
    """

    level: int
    source: Space
    target: Space


def pointer_levels(source: Type, target: Type) -> Iterator[tuple[int, Type, Type]]:
    """Yields the pointees of both types level by level, from 1, as long as both types are pointers."""
    source, target = decayed(source), decayed(target)
    level = 0
    while isinstance(source, Pointer) and isinstance(target, Pointer):
        level += 1
        source, target = source.pointee, target.pointee
        yield level, source, target


def find_nested_mismatch(source: Type, target: Type) -> NestedMismatch | None:
    """Returns the first pair of address spaces that differ below the first pointee; None if there is none.

    The caller has checked the spaces of the first pointees.
    """
    for level, a, b in pointer_levels(source, target):
        if level == 1 or a.space is None or b.space is None or a.space == b.space:
            continue
        if Space.UNKNOWN not in (a.space, b.space):
            return NestedMismatch(level, a.space, b.space)
    return None


def first_level_overlaps(fact: Conversion) -> bool:
    """Whether both types are pointers into overlapping spaces. Only then are deeper levels checked."""
    a, b = pointee_space(fact.value.type), pointee_space(fact.target)
    return a is not None and b is not None and overlaps(a, b)
