"""Facts from flow analysis: the address spaces that reach a generic pointer at its use."""

from __future__ import annotations

from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Origin, Place


class ReachingSpacesFact(NamedTuple):
    """The completely known points-to set of a generic pointer.

    It consists of the spaces of its objects, and of whether it may be null. `sources` are those of the
    objects, and parameters, that the function itself names, each with its space and name.
    """

    spaces: tuple[Space, ...]
    null: bool
    sources: tuple[tuple[Space, Origin, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GenericCast:
    """A cast of a generic pointer to a pointer into `target`.

    `integer` means that the operand is an integer made of a pointer.
    """

    reaching: ReachingSpacesFact
    target: Space
    place: Place
    integer: bool


@dataclass(frozen=True, slots=True)
class AddressSpaceTest:
    """A call of `to_global` or its like, which tests for a space.

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
    """A comparison of two pointers with `operator`."""

    operator: str
    left: ReachingSpacesFact
    right: ReachingSpacesFact
    place: Place


@dataclass(frozen=True, slots=True)
class UnreachedPointerUse:
    """A dereference of a generic pointer that no object reaches.

    With `callee`, the pointer is passed to that built-in function.
    """

    null: bool
    callee: str
    place: Place


@dataclass(frozen=True, slots=True)
class ReachedObject:
    """A generic pointer as the first argument of the built-in function `callee`."""

    callee: str
    reaching: ReachingSpacesFact
    place: Place


@dataclass(frozen=True, slots=True)
class PointerStore:
    """A store of a pointer to the object or member `name`, with the points-to sets of value and target."""

    name: str
    value: ReachingSpacesFact
    target: ReachingSpacesFact
    place: Place


@dataclass(frozen=True, slots=True)
class ReturnedAddress:
    """A function returns the address of its own variable `name`.

    `handed`: the calls whose result is the address. `stored`: the calls that write it to memory, from which the
    function loads it.
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
    """A declaration of a generic pointer: a parameter or a variable of `function`.

    `parameter` distinguishes the two. `origin` is its pointee. `reaching` is the union over all functions,
    reachable from a kernel, that pass or assign it.
    """

    name: str
    function: str
    parameter: bool
    origin: Origin
    reaching: ReachingSpacesFact
    place: Place
