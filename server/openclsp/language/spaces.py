"""The address spaces of OpenCL C, and the relations *encloses* and *overlaps* between them.

OpenCL C 6.7 defines four disjoint named spaces; 6.7.5 adds the unnamed generic space, which encloses global,
local and private, but not constant. Compilers add further spaces: clang has two subspaces of global, for
device and host allocations (cl_intel_unified_shared_memory), and a space for each number of
`address_space(n)`. *Unknown* is not part of the language: it stands for the space at a level of a type if the
qualifier is not known, for instance because the host defines it as a macro. It encloses and overlaps
everything, so that nothing is reported about it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import count
from typing import ClassVar

_numbers = count()
_FIRST_TARGET_NUMBER = 100


class Space:
    """An address space.

    Equal spaces are one object; only this module creates them. `word` is the name in messages: the keyword
    without underscores for a space of OpenCL C. `qualifier` is the spelling in a declaration.
    """

    __slots__ = ("_number", "qualifier", "word")

    PRIVATE: ClassVar[Space]
    GLOBAL: ClassVar[Space]
    LOCAL: ClassVar[Space]
    CONSTANT: ClassVar[Space]
    GENERIC: ClassVar[Space]
    UNKNOWN: ClassVar[Space]
    GLOBAL_DEVICE: ClassVar[Space]
    GLOBAL_HOST: ClassVar[Space]

    def __init__(self, word: str, attribute: str = "", target_number: int | None = None) -> None:
        self.word = word
        self.qualifier = f"__attribute__(({attribute}))" if attribute else word
        self._number = next(_numbers) if target_number is None else _FIRST_TARGET_NUMBER + target_number

    def __repr__(self) -> str:
        return f"<{self.word}>"

    def __lt__(self, other: Space) -> bool:
        """Orders spaces in messages: the predefined ones first, others by their target numbers."""
        return self._number < other._number

    def __reduce__(self) -> tuple[Callable[[int], Space], tuple[int]]:
        # Equal spaces are one object also after pickling.
        return _space_numbered, (self._number,)

    @property
    def is_vendor_extension(self) -> bool:
        """Whether the space is not in the specification of OpenCL C, but only in some compilers."""
        return self.qualifier is not self.word


Space.PRIVATE = Space("private")
Space.GLOBAL = Space("global")
Space.LOCAL = Space("local")
Space.CONSTANT = Space("constant")
Space.GENERIC = Space("generic")
Space.UNKNOWN = Space("unknown")
Space.GLOBAL_DEVICE = Space("global_device", "opencl_global_device")
Space.GLOBAL_HOST = Space("global_host", "opencl_global_host")

_PREDEFINED = tuple(sorted(each for each in vars(Space).values() if isinstance(each, Space)))

NAMED = (Space.PRIVATE, Space.GLOBAL, Space.LOCAL, Space.CONSTANT)

QUALIFIERS: dict[str, Space] = {
    prefix + space.word: space for space in (*NAMED, Space.GENERIC) for prefix in ("", "__")
}
"""All spellings of address space qualifiers, with the spaces that they name"""

ATTRIBUTES: dict[str, Space] = {
    f"opencl_{space.word}": space for space in (*NAMED, Space.GENERIC, Space.GLOBAL_DEVICE, Space.GLOBAL_HOST)
}
"""clang's attributes that qualify a type with a space, by name"""

_PARTS_OF_GLOBAL = (Space.GLOBAL_DEVICE, Space.GLOBAL_HOST)


@cache
def target_space(number: int) -> Space:
    """Returns the space of `__attribute__((address_space(number)))`."""
    word = f"address_space({number})"
    return Space(word, word, number)


def _space_numbered(number: int) -> Space:
    if number >= _FIRST_TARGET_NUMBER:
        return target_space(number - _FIRST_TARGET_NUMBER)
    return _PREDEFINED[number]


def encloses(outer: Space, inner: Space) -> bool:
    """Whether every object of `inner` is also one of `outer`.

    Embedded C 5.1.3; OpenCL C 6.7.9. Generic also encloses the vendors' spaces, as in clang.
    """
    if outer is inner or outer is Space.UNKNOWN or inner is Space.UNKNOWN:
        return True
    if outer is Space.GENERIC:
        return inner is not Space.CONSTANT
    return outer is Space.GLOBAL and inner in _PARTS_OF_GLOBAL


def overlaps(a: Space, b: Space) -> bool:
    """Whether one of the two spaces encloses the other.

    Casts, comparisons and `?:` require that the spaces of two pointers overlap.
    """
    return encloses(a, b) or encloses(b, a)
