"""The accesses of one work-item to local memory, in execution order.

`missing_barriers` compares the accesses of several work-items.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from openclsp.semantics.facts.entities import EntityRef, Place
from openclsp.semantics.memory.symbolic_integers import Integer

Path = tuple[Integer | str, ...]
"""The way from an object to a part of it: indices and members."""


class Address(NamedTuple):
    """A pointer to a part of an object.

    `path` leads from the object to the part. The last index in it is the number of elements by which the
    pointer has been moved.
    """

    object: EntityRef
    path: Path


class LocalAccessKind(Enum):
    """The kinds of accesses to local memory.

    A copy is made by all work-items of a work-group together; it is unknown which of them copies an element.
    """

    READ = "read"
    WRITE = "written"
    ATOMIC = "changed atomically"
    COPY_FROM = "read by the copy"
    COPY_TO = "written by the copy"


COPIES = frozenset((LocalAccessKind.COPY_FROM, LocalAccessKind.COPY_TO))


class LocalAccess(NamedTuple):
    """An access to local memory.

    - `place`: the place in the kernel; for an access in a called function, the place of the call.
    - `interval`: the number of barriers before the access, and the number of other steps that may order
      accesses between the last barrier and the access.
    - `value`: the written value, None if unknown; for a copy, the number of elements.
    """

    address: Address
    kind: LocalAccessKind
    interval: tuple[int, int]
    place: Place
    value: Integer | None = None


class WorkItemTrace(NamedTuple):
    """The results of running one work-item: its accesses and the places of its barriers.

    `dimensions` contains each dimension in which the kernel's work-group may have several work-items, because
    the kernel reads the local id in it; -1 stands for an unknown dimension.
    """

    accesses: tuple[LocalAccess, ...]
    barriers: tuple[Place, ...]
    dimensions: frozenset[int]
