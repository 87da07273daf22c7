"""The address spaces of OpenCL C and the two relations that every rule about them rests on.

OpenCL C 6.7 names four disjoint spaces; 6.7.5 adds the unnamed generic space, which encloses global, local and
private, never constant. *Unknown* is ours: the space of a level whose qualifier cannot be read here (a macro that the
host supplies); it encloses and overlaps everything, so that nothing is ever reported about it.
"""

from __future__ import annotations

from enum import IntEnum


class Space(IntEnum):
    """An address space; the value indexes the tables below."""

    PRIVATE = 0
    GLOBAL = 1
    LOCAL = 2
    CONSTANT = 3
    GENERIC = 4
    UNKNOWN = 5

    @property
    def word(self) -> str:
        """The space as OpenCL C spells it, without the underscores."""
        return _WORDS[self]


_WORDS = ("private", "global", "local", "constant", "generic", "unknown")

NAMED = (Space.PRIVATE, Space.GLOBAL, Space.LOCAL, Space.CONSTANT)

QUALIFIERS: dict[str, Space] = {
    prefix + space.word: space for space in (*NAMED, Space.GENERIC) for prefix in ("", "__")
}
"""Every spelling of an address space qualifier, with the space that it names."""

_IN_GENERIC = (Space.PRIVATE, Space.GLOBAL, Space.LOCAL)


def _encloses(outer: Space, inner: Space) -> bool:
    if outer == inner or Space.UNKNOWN in (outer, inner):
        return True
    return outer is Space.GENERIC and inner in _IN_GENERIC


_ENCLOSES = tuple(tuple(_encloses(outer, inner) for inner in Space) for outer in Space)
_OVERLAPS = tuple(tuple(_encloses(a, b) or _encloses(b, a) for b in Space) for a in Space)


def encloses(outer: Space, inner: Space) -> bool:
    """Whether every object of `inner` is also one of `outer` (Embedded C 5.1.3; OpenCL C 6.7.9)."""
    return _ENCLOSES[outer][inner]


def overlaps(a: Space, b: Space) -> bool:
    """Whether one of the two encloses the other: the condition for casts, comparisons and `?:`."""
    return _OVERLAPS[a][b]
