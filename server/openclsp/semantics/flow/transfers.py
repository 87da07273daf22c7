"""Transfer functions on points-to sets, for casts, tests and address space functions.

The six *basic* bits stand for the four named address spaces, the null pointer, and unknown pointers. The
solution assigns higher bits to objects that contain pointers, block literals, and a function's own
parameters.
A *transfer* maps each basic bit to a set of basic bits. An object stays in the set if the transfer maps the
bit of its space to a set with that bit; otherwise it is removed. All other bits to which the transfer maps
this bit are added: `to_local(p)` replaces a global object by null.
"""

from __future__ import annotations

from openclsp.language.spaces import Space
from openclsp.semantics.types.type_model import Pointer, Type

GLOBAL, LOCAL, PRIVATE, CONSTANT, NULL, UNKNOWN = 1, 2, 4, 8, 16, 32
BASIC = 63
BASIC_BITS = (GLOBAL, LOCAL, PRIVATE, CONSTANT, NULL, UNKNOWN)
SPACE_BITS = (GLOBAL, LOCAL, PRIVATE, CONSTANT)
NAMED = GLOBAL | LOCAL | PRIVATE | CONSTANT

ADDRESS_FUNCTIONS = {"to_global": GLOBAL, "to_local": LOCAL, "to_private": PRIVATE}
"""The functions that ask for a space (OpenCL C 6.15.11), with its bit"""

BIT_OF_SPACE = {
    Space.GLOBAL: GLOBAL,
    Space.LOCAL: LOCAL,
    Space.PRIVATE: PRIVATE,
    Space.CONSTANT: CONSTANT,
}
SPACE_OF_BIT = {bit: space for space, bit in BIT_OF_SPACE.items()}

Transfer = int
"""The number of a transfer; equal transfers have equal numbers"""

_numbers: dict[tuple[int, ...], Transfer] = {}
_images: list[tuple[int, ...]] = []
_tables: list[tuple[int, ...]] = []
_composed: dict[tuple[Transfer, Transfer], Transfer] = {}


def _transfer(images: tuple[int, ...]) -> Transfer:
    """Returns the transfer that maps basic bit i to `images[i]`."""
    found = _numbers.get(images)
    if found is None:
        found = _numbers[images] = len(_images)
        _images.append(images)
        table = []
        for bits in range(BASIC + 1):
            result = 0
            for number, bit in enumerate(BASIC_BITS):
                if bits & bit:
                    result |= images[number]
            table.append(result)
        _tables.append(tuple(table))
    return found


def table_of(transfer: Transfer) -> tuple[int, ...]:
    """Returns a table of the transfer: the entry at index `bits` is the set to which it maps the set `bits`."""
    return _tables[transfer]


def compose(after: Transfer, before: Transfer) -> Transfer:
    """Returns the transfer that applies `before`, then `after`."""
    if after == IDENTITY:
        return before
    if before == IDENTITY:
        return after
    found = _composed.get((after, before))
    if found is None:
        table = _tables[after]
        found = _composed[after, before] = _transfer(tuple(table[image] for image in _images[before]))
    return found


IDENTITY = _transfer(BASIC_BITS)
TO_GENERIC = _transfer((GLOBAL, LOCAL, PRIVATE, 0, NULL, UNKNOWN))
"""A conversion to a generic pointer, which cannot point into constant memory (OpenCL C 6.7.5)"""
NOT_NULL = _transfer((GLOBAL, LOCAL, PRIVATE, CONSTANT, 0, UNKNOWN))
"""A pointer that was tested not to be null"""
IS_NULL = _transfer((0, 0, 0, 0, NULL, NULL))
"""A pointer that was tested to be null"""

MOVED_NUMBER = _transfer((GLOBAL, LOCAL, PRIVATE, CONSTANT, UNKNOWN, UNKNOWN))
"""Addition to an integer that may hold an address.

From null, the result is an unknown address.
"""


def _all_but(bit: int, given: int, of_unknown: int, of_null: int, of_others: int) -> Transfer:
    images = [of_others, of_others, of_others, of_others, of_null, of_unknown]
    images[BASIC_BITS.index(bit)] = given
    return _transfer(tuple(images))


TO_NAMED = {bit: _all_but(bit, bit, bit, NULL, 0) for bit in SPACE_BITS}
"""A conversion to a pointer to a named space.

Pointers to other spaces may not be converted (OpenCL C 6.7.5).
"""
ADDRESS_FUNCTION = {bit: _all_but(bit, bit, bit | NULL, NULL, NULL) for bit in SPACE_BITS}
"""`to_global`, `to_local` and `to_private`: null if the pointer points to another space (OpenCL C 6.15.11)"""
FOUND_IN = {bit: _all_but(bit, bit, bit, 0, 0) for bit in SPACE_BITS}
"""A pointer for which such a function's result was tested not to be null"""
NOT_FOUND_IN = {
    bit: _transfer(tuple(0 if each == bit else each for each in BASIC_BITS)) for bit in SPACE_BITS
}
"""A pointer for which that result was tested to be null"""


def conversion_to(type_: Type) -> Transfer:
    """Returns the transfer of a conversion to this type."""
    if not isinstance(type_, Pointer):
        return IDENTITY
    space = type_.pointee.space
    if space is Space.GENERIC:
        return TO_GENERIC
    bit = BIT_OF_SPACE.get(space) if space is not None else None
    return IDENTITY if bit is None else TO_NAMED[bit]
