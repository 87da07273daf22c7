"""Facts that hang on the flow: which spaces reach a generic pointer where it is used."""

from __future__ import annotations

from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.entities import Origin, Place


class Reaching(NamedTuple):
    """What reaches a generic pointer, all of which is known: the spaces of the objects, and whether it may be null.
    `sources` are those objects, and parameters, that the function itself names, each with its space and its name."""

    spaces: tuple[Space, ...]
    null: bool
    sources: tuple[tuple[Space, Origin, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ReachedCast:
    """A generic pointer, or an integer made of a pointer (`integer`), is cast to a pointer into `target`."""

    reaching: Reaching
    target: Space
    place: Place
    integer: bool


@dataclass(frozen=True, slots=True)
class AddressQuestion:
    """`to_global` or its like is called, `name`, which asks for `target`. `tested` where another question has already told
    something of the pointer there."""

    name: str
    reaching: Reaching
    target: Space
    place: Place
    tested: bool = False


@dataclass(frozen=True, slots=True)
class ReachedComparison:
    """Two pointers are compared with `operator`."""

    operator: str
    left: Reaching
    right: Reaching
    place: Place


@dataclass(frozen=True, slots=True)
class EmptyUse:
    """A generic pointer is dereferenced, or passed to the built-in function `callee`, that no object has reached."""

    null: bool
    callee: str
    place: Place


@dataclass(frozen=True, slots=True)
class ReachedObject:
    """A generic pointer is the first argument of the built-in function `callee`."""

    callee: str
    reaching: Reaching
    place: Place


@dataclass(frozen=True, slots=True)
class PointerStore:
    """A pointer is stored in memory, under `name`: what it holds, and where it is stored to."""

    name: str
    value: Reaching
    target: Reaching
    place: Place


@dataclass(frozen=True, slots=True)
class ReturnedAddress:
    """A function returns the address of its own variable `name`: it comes back from the calls of `handed`, and those of `stored` put
    it where it is read from."""

    name: str
    origin: Origin
    handed: tuple[str, ...]
    stored: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class EnqueuedCapture:
    """A block that is enqueued has captured a generic pointer, `name`."""

    name: str
    reaching: Reaching
    origin: Origin
    place: Place


@dataclass(frozen=True, slots=True)
class ReachedDeclaration:
    """A generic pointer is declared: a parameter of `function`, or a variable of it (`parameter` is false). `origin` is its
    pointee. What reaches it is what all functions pass, or assign, that a kernel reaches."""

    name: str
    function: str
    parameter: bool
    origin: Origin
    reaching: Reaching
    place: Place
