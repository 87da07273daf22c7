"""State of the abstract execution (environments, lvalues, exits, switches), and operations on flows."""

from __future__ import annotations

from typing import NamedTuple

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import (
    Entity,
    Reason,
)
from openclsp.semantics.flow.graph import (
    BASE,
    Atom,
    Flow,
    Path,
)
from openclsp.semantics.flow.transfers import (
    IDENTITY,
    Transfer,
    compose,
    table_of,
)
from openclsp.semantics.types.type_model import (
    Pointer,
    Scalar,
    Type,
)


class Environment:
    """The values that are known at a point of the function.

    - `flows`: the current values of the tracked variables, by entity number, and of known parts of objects in
      memory, by slot (a negative number, see `object_parts`)
    - `values`: the value numbers of the same variables and parts, and of untracked variables that only the
      function's own assignments change. Equal numbers mean equal values (see `value_numbers`).
    """

    __slots__ = ("flows", "values")

    def __init__(self, flows: dict[int, Flow], values: dict[int, int]) -> None:
        self.flows, self.values = flows, values

    def copied(self) -> Environment:
        """Returns an independent copy."""
        return Environment(dict(self.flows), dict(self.values))


Base = int | tuple[str, int]
"""An object that can be followed in order: a local variable, or what a pointer of that value number points to"""
Exact = tuple[Base, Path]
"""A part of such an object; in the path, `[3]` is an element of an array and `[]` one that is not known"""


class Memory(NamedTuple):
    """An lvalue in memory: the part at `path` of the object that `address` points to.

    `exact` identifies the part in `object_parts`; None if stores to the part are not tracked in execution
    order.
    """

    address: Flow
    path: Path
    exact: Exact | None = None


Lvalue = int | Memory
"""A tracked variable, by its entity's number, or a part of memory"""

LITERAL, INPUT, FLAG, BOUND = range(4)
"""Provenance of a number.

Literals alone; a value chosen by the host or hardware; variables assigned from literals; any other. See
`guards`.
"""


class Exits(NamedTuple):
    """The environments at the jumps by `break` and `continue` out of the body of a loop or switch."""

    breaks: list[Environment]
    continues: list[Environment] | None


class SwitchState:
    """The state of a `switch` during abstract execution.

    `entry` is the environment at the beginning of the body. `has_default` becomes True at a `default` label.
    """

    __slots__ = ("entry", "has_default")

    def __init__(self, entry: Environment | None) -> None:
        self.entry, self.has_default = entry, False


def through(flow: Flow, transfer: Transfer) -> Flow:
    """Returns the value that results from applying a transfer to a value."""
    if transfer == IDENTITY:
        return flow
    found: list[Atom] = []
    for atom in flow:
        if atom.kind == BASE:
            assert isinstance(atom.a, int)
            bits = table_of(compose(transfer, atom.transfer))[atom.a]
            if bits == atom.a:
                found.append(atom._replace(transfer=IDENTITY))
            else:
                found += (
                    atom._replace(a=1 << number, transfer=IDENTITY)
                    for number in range(6)
                    if bits >> number & 1
                )
        else:
            found.append(atom._replace(transfer=compose(transfer, atom.transfer)))
    return tuple(found)


def united(*flows: Flow) -> Flow:
    """Returns the union of the values."""
    first, *others = [flow for flow in flows if flow] or [()]
    if not others:
        return first
    return tuple(dict.fromkeys(atom for flow in (first, *others) for atom in flow))


def is_open(type_: Type, entity: Entity | None) -> bool:
    """Whether the type is a pointer to private memory that is, or may be, private only by default.

    The pointee is private by default if the declaration of `entity` has no qualifier for its space. If
    `entity` is None, the declaration is not known, and the result is True for every pointer to private
    memory.
    """
    if not isinstance(type_, Pointer) or type_.pointee.space is not Space.PRIVATE:
        return False
    return entity is None or len(entity.levels) < 2 or entity.levels[1].reason is not Reason.WRITTEN


def may_carry(type_: Type) -> bool:
    """Whether the type is an integer type that is wide enough to hold an address."""
    return isinstance(type_, Scalar) and not type_.floating and type_.size >= 4
