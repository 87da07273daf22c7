"""The accesses of one work-item to local memory, in the order in which it makes them.

The comparison of several work-items (see `missing_barriers`) reads them.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from openclsp.semantics.facts.entities import EntityRef, Place
from openclsp.semantics.memory.symbolic_integers import Integer

Path = tuple[Integer | str, ...]
"""The way from an object to a part of it: indices and members."""


class Address(NamedTuple):
    """A pointer to a part of an object. Its last index counts the elements that the pointer is moved by."""

    object: EntityRef
    path: Path


class LocalAccessKind(Enum):
    """How memory is accessed. The work-items of a group make a copy together: which of them copies an element
    is unknown."""

    READ = "read"
    WRITE = "written"
    ATOMIC = "changed atomically"
    COPY_FROM = "read by the copy"
    COPY_TO = "written by the copy"


COPIES = frozenset((LocalAccessKind.COPY_FROM, LocalAccessKind.COPY_TO))


class LocalAccess(NamedTuple):
    """An access. `place` is in the kernel; for an access in a called function, it is the place of the call.

    `interval` is two counts: the barriers before the access, and since the last of them the other steps that
    may order accesses. `value` is what is written, None if unknown; for a copy the number of elements.
    """

    address: Address
    kind: LocalAccessKind
    interval: tuple[int, int]
    place: Place
    value: Integer | None = None


class WorkItemTrace(NamedTuple):
    """What one work-item does: its accesses, the places of its barriers, and the dimensions of its group."""

    accesses: tuple[LocalAccess, ...]
    barriers: tuple[Place, ...]
    dimensions: frozenset[int]
