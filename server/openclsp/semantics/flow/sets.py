"""Sets as numbers: the basic bits, and a bit for each thing that must be told apart."""

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


class Symbol(NamedTuple):
    """A parameter of the function at hand, and what became of it."""

    parameter: int
    transfer: Transfer


class Target(NamedTuple):
    """A part of an object that holds pointers."""

    object: ObjectId
    path: Path


class Block(NamedTuple):
    """A block literal."""

    id: FunctionId


Thing = Symbol | Target | Block


class Sets:
    """The things of a unit that are told apart."""

    def __init__(self) -> None:
        self.things: list[Thing] = []
        self._numbers: dict[Thing, int] = {}
        self._in_space = dict.fromkeys(SPACE_BITS, 0)
        self.symbols = 0
        """The bits of all symbols."""
        self.kept = 0
        """The bits of what no transfer drops."""

    def number(self, thing: Thing) -> int:
        """The bit of a thing that is told apart."""
        bit = self._numbers.get(thing)
        if bit is None:
            bit = self._numbers[thing] = 1 << len(self.things) + _SHIFT
            self.things.append(thing)
            if isinstance(thing, Symbol):
                self.symbols |= bit
            elif isinstance(thing, Block):
                self.kept |= bit
            else:
                space = BIT_OF_SPACE.get(thing.object.space) if thing.object.space is not None else None
                if space is None:
                    self.kept |= bit
                else:
                    self._in_space[space] |= bit
        return bit

    def listed(self, bits: int) -> Iterator[Thing]:
        """The things that are told apart in a set."""
        bits >>= _SHIFT
        while bits:
            low = bits & -bits
            yield self.things[low.bit_length() - 1]
            bits ^= low

    def basic(self, bits: int) -> int:
        """A set as basic bits: an object is data of its space."""
        found = bits & BASIC
        if bits > BASIC:
            for space, objects in self._in_space.items():
                if bits & objects:
                    found |= space
        return found

    def applied(self, transfer: Transfer, bits: int) -> int:
        """What becomes of a set."""
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
            if bits & self.symbols:
                for thing in self.listed(bits & self.symbols):
                    assert isinstance(thing, Symbol)
                    result |= self.number(Symbol(thing.parameter, compose(transfer, thing.transfer)))
        return result
