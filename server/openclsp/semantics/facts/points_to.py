"""Facts from flow analysis: the address spaces that reach a generic pointer at its use."""

from __future__ import annotations

from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Origin, Place


class ReachingSpacesFact(NamedTuple):
    """The completely known points-to set of a generic pointer.

    - `spaces`: the address spaces of the objects in the set.
    - `null`: whether the pointer may be null.
    - `sources`: those objects and parameters in the set that the function itself names, each with its address
      space and name.
    """

    spaces: tuple[Space, ...]
    null: bool
    sources: tuple[tuple[Space, Origin, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GenericCast:
    """A cast of a generic pointer to a pointer into the space `target`.

    `integer` means that the operand is not a pointer but an integer made of one.
    """

    reaching: ReachingSpacesFact
    target: Space
    place: Place
    integer: bool


@dataclass(frozen=True, slots=True)
class AddressSpaceTest:
    """A call of `to_global`, `to_local` or `to_private`, which tests for an address space.

    `name` is the function, `target` the space. `tested` means that an earlier such test has already
    constrained the pointer.
    """

    name: str
    reaching: ReachingSpacesFact
    target: Space
    place: Place
    tested: bool = False


@dataclass(frozen=True, slots=True)
class ReachedComparison:
    """A comparison of two generic pointers by `operator`, with the points-to set of each."""

    operator: str
    left: ReachingSpacesFact
    right: ReachingSpacesFact
    place: Place


@dataclass(frozen=True, slots=True)
class UnreachedPointerUse:
    """A use of a generic pointer that no object reaches.

    - `callee`: the built-in function to which the pointer is passed; empty for a dereference.
    - `null`: whether null reaches the pointer.
    """

    null: bool
    callee: str
    place: Place


@dataclass(frozen=True, slots=True)
class ReachedObject:
    """The points-to set of a generic pointer that is the first argument of the built-in function `callee`."""

    callee: str
    reaching: ReachingSpacesFact
    place: Place


@dataclass(frozen=True, slots=True)
class PointerStore:
    """A store of a pointer in the object or member `name`.

    `value` is the points-to set of the stored pointer, `target` that of the pointer through which it is
    stored.
    """

    name: str
    value: ReachingSpacesFact
    target: ReachingSpacesFact
    place: Place


@dataclass(frozen=True, slots=True)
class ReturnedAddress:
    """A `return` of the address of the function's own variable `name`.

    `handed` names the called functions that return the address. `stored` names the called functions that
    write the address to memory, from which the function loads it.
    """

    name: str
    origin: Origin
    handed: tuple[str, ...]
    stored: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class EnqueuedCapture:
    """The capture of the generic pointer `name` by a block that is enqueued."""

    name: str
    reaching: ReachingSpacesFact
    origin: Origin
    place: Place


@dataclass(frozen=True, slots=True)
class ReachedDeclaration:
    """A declaration of a generic pointer in `function`.

    - `parameter`: whether the pointer is a parameter, not a variable.
    - `origin`: the declared entity and the level of its type that describes the pointee.
    - `reaching`: the union of the points-to sets of all values that the pointer gets in functions that a
      kernel reaches.
    """

    name: str
    function: str
    parameter: bool
    origin: Origin
    reaching: ReachingSpacesFact
    place: Place
