"""Points-to sets as integers.

A set has six basic bits, and a bit for each object, block literal or symbol of the unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from openclsp.semantics.flow.graph import FunctionId, ObjectId, Path
from openclsp.semantics.flow.transfers import (
    BASIC,
    BIT_OF_SPACE,
    IDENTITY,
    SPACE_BITS,
    Transfer,
    compose,
    table_of,
)

_SHIFT = 6
_MAXIMUM_STEPS = 3
"""Greatest length of a symbol's path; from there on, the arguments of all callers are united"""


class SymbolStep(NamedTuple):
    """A step from a pointer to the address of a part of its pointee or, with `loads`, to its contents."""

    transfer: Transfer
    path: Path
    loads: bool


class SetSymbol(NamedTuple):
    """A symbol in a points-to set: it stands for the values that callers pass for a parameter.

    With `steps`, it stands for values that are reached from the parameter by loads and member accesses.
    `transfer` is applied to the values.
    """

    parameter: int
    transfer: Transfer
    steps: tuple[SymbolStep, ...] = ()


class Target(NamedTuple):
    """A part of a memory object; `path` leads from the object to the part."""

    object: ObjectId
    path: Path


class Block(NamedTuple):
    """A block literal."""

    id: FunctionId


class Effect(NamedTuple):
    """A store of one parameter's value through another parameter.

    Each caller makes this store with its own arguments.
    """

    address: SetSymbol
    path: Path
    value: SetSymbol


SetMember = SetSymbol | Target | Block | Effect


class Sets:
    """The assignment of bits to a unit's objects, block literals, symbols and effects."""

    def __init__(self) -> None:
        self.set_members: list[SetMember] = []
        self._numbers: dict[SetMember, int] = {}
        self._in_space = dict.fromkeys(SPACE_BITS, 0)
        self.symbols = 0
        """The bits of all symbols"""
        self.kept = 0
        """The bits of blocks, and of objects in no known space, which no transfer removes"""

    def number(self, set_member: SetMember) -> int:
        """Returns the bit of a member; assigns a new bit to a member without one."""
        bit = self._numbers.get(set_member)
        if bit is None:
            bit = self._numbers[set_member] = 1 << len(self.set_members) + _SHIFT
            self.set_members.append(set_member)
            if isinstance(set_member, SetSymbol):
                self.symbols |= bit
            elif isinstance(set_member, Block):
                self.kept |= bit
            elif isinstance(set_member, Target):
                space = (
                    BIT_OF_SPACE.get(set_member.object.space) if set_member.object.space is not None else None
                )
                if space is None:
                    self.kept |= bit
                else:
                    self._in_space[space] |= bit
        return bit

    def behind(self, symbol: SetSymbol, path: Path, *, loads: bool) -> int:
        """Returns the bit of the symbol for a part that is reached through `symbol`.

        The part is at `path` of what `symbol` points to. With `loads`, the result stands for the contents of
        the part, otherwise for its address. 0 beyond the allowed number of steps.
        """
        if len(symbol.steps) == _MAXIMUM_STEPS:
            return 0
        steps = (*symbol.steps, SymbolStep(symbol.transfer, path, loads))
        return self.number(SetSymbol(symbol.parameter, IDENTITY, steps))

    def listed(self, bits: int) -> Iterator[SetMember]:
        """Yields the objects, block literals, symbols and effects in a set."""
        bits >>= _SHIFT
        while bits:
            low = bits & -bits
            yield self.set_members[low.bit_length() - 1]
            bits ^= low

    def symbols_in(self, bits: int) -> Iterator[SetSymbol]:
        """Yields the symbols in a set."""
        for set_member in self.listed(bits & self.symbols):
            assert isinstance(set_member, SetSymbol)
            yield set_member

    def basic(self, bits: int) -> int:
        """Returns the basic bits of a set, which stand for address spaces and not for objects.

        For each object in the set, the result has the bit of the object's address space.
        """
        found = bits & BASIC
        if bits > BASIC:
            for space, objects in self._in_space.items():
                if bits & objects:
                    found |= space
        return found

    def applied(self, transfer: Transfer, bits: int) -> int:
        """Returns the set that results from applying a transfer to a set."""
        if transfer == IDENTITY or not bits:
            return bits
        table = table_of(transfer)
        result = table[bits & BASIC]
        if bits > BASIC:
            result |= bits & self.kept
            for space, objects in self._in_space.items():
                if bits & objects:
                    image = table[space]
                    if image & space:
                        result |= bits & objects
                    result |= image & ~space
            # a symbol stands for an unknown set: the transfer is composed and applied once the arguments are
            # known
            if bits & self.symbols:
                for set_member in self.listed(bits & self.symbols):
                    assert isinstance(set_member, SetSymbol)
                    result |= self.number(
                        set_member._replace(transfer=compose(transfer, set_member.transfer))
                    )
        return result
