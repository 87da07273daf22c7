"""Where two types of pointers to pointers differ below the first level (OpenCL C 6.7.9)."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space, overlaps
from openclsp.rules.pointers import pointee_space
from openclsp.semantics.facts.expressions import Conversion
from openclsp.semantics.types import Pointer, Type, decayed


@dataclass(frozen=True, slots=True)
class NestedMismatch:
    """The first level below the pointee whose spaces differ; level 2 is the pointee's pointee."""

    level: int
    source: Space
    target: Space


def pointer_levels(source: Type, target: Type) -> Iterator[tuple[int, Type, Type]]:
    """The pointees, level by level from 1, as long as both types are pointers."""
    source, target = decayed(source), decayed(target)
    level = 0
    while isinstance(source, Pointer) and isinstance(target, Pointer):
        level += 1
        source, target = source.pointee, target.pointee
        yield level, source, target


def nested_mismatch(source: Type, target: Type) -> NestedMismatch | None:
    """The first difference below the first level, whose spaces the caller has found to go together."""
    for level, a, b in pointer_levels(source, target):
        if level == 1 or a.space is None or b.space is None or a.space == b.space:
            continue
        if Space.UNKNOWN not in (a.space, b.space):
            return NestedMismatch(level, a.space, b.space)
    return None


def first_level_overlaps(fact: Conversion) -> bool:
    """Whether both are pointers into spaces that overlap: only then are the levels below looked at."""
    a, b = pointee_space(fact.value.type), pointee_space(fact.target)
    return a is not None and b is not None and overlaps(a, b)
