"""The steps of a memory program: effects on memory, calls, fences and control flow."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from openclsp.semantics.facts.entities import Place

LOCAL, GLOBAL, IMAGE = 1, 2, 4
"""Kinds of memory as bits, with the values of `CLK_LOCAL_MEM_FENCE` and the other fence flags."""

ALL = LOCAL | GLOBAL | IMAGE

WORK_GROUP_BARRIERS = frozenset(("barrier", "work_group_barrier"))
"""Barriers that make accesses to fenced memory visible to the whole work-group."""

BARRIERS = WORK_GROUP_BARRIERS | {"sub_group_barrier", "mem_fence", "read_mem_fence", "write_mem_fence"}
"""All barriers and fences, including those for a sub-group or a single work-item."""


class MemoryEffect(NamedTuple):
    """The memory that code accesses, as bits (`LOCAL`, `GLOBAL`, `IMAGE`), and the fences that it executes.

    - `may`: the memory that may be accessed.
    - `seen`: the memory that is certainly accessed.
    - `written`: the memory that is certainly written.
    - `passed`: the fences that the code may execute; each fence in the function has its own bit.
    """

    may: int = 0
    seen: int = 0
    written: int = 0
    passed: int = 0

    def __or__(self, other: object) -> MemoryEffect:
        assert isinstance(other, MemoryEffect)
        return MemoryEffect(
            self.may | other.may,
            self.seen | other.seen,
            self.written | other.written,
            self.passed | other.passed,
        )


NOTHING, ANYTHING = MemoryEffect(), MemoryEffect(ALL)


class GenericAccess(NamedTuple):
    """An access through the generic pointer at `place`; flow analysis determines which memory it reaches."""

    place: Place
    written: bool = False


class Fence(NamedTuple):
    """A call of a barrier or fence.

    - `flags`: the constant flags; None if unknown.
    - `place`: the place of the flags.
    - `asked`: the places of the generic pointers `p` in flags `get_fence(p)`.
    """

    name: str
    flags: int | None
    place: Place
    asked: tuple[Place, ...] = ()


class CallStep(NamedTuple):
    """A call of a function.

    If the program does not define the function, the call is the barrier `fence`; if `fence` is None, the call
    has the effect `otherwise`.
    """

    name: str
    otherwise: MemoryEffect
    fence: Fence | None = None


class Branch(NamedTuple):
    """A branch: exactly one of two sequences is executed."""

    first: Steps
    second: Steps


class Loop(NamedTuple):
    """A loop. `late` means that the condition is evaluated after the body (`do`)."""

    condition: Steps
    body: Steps
    update: Steps
    late: bool


class Switch(NamedTuple):
    """A switch. `parts` has a pair for each of its statements: whether it has a case label, and its steps."""

    parts: tuple[tuple[bool, Steps], ...]


class Label(NamedTuple):
    """The target of jumps."""

    name: str


class Goto(NamedTuple):
    """A jump to a label."""

    name: str


class Jump(Enum):
    """A jump out of a loop or switch, to the next iteration of a loop, or out of the function."""

    RETURN = "return"
    BREAK = "break"
    CONTINUE = "continue"


Step = MemoryEffect | GenericAccess | CallStep | Branch | Loop | Switch | Label | Goto | Jump

Steps = tuple[Step, ...]


class MemoryProgram(NamedTuple):
    """The memory effects of a function in execution order.

    - `generic_accesses`: the function's own accesses through generic pointers, without those of its callees.
    - `direct_accesses`: the union of all other accesses of the function itself.
    - `calls`: the callees, each with the effect to assume if it is not a function of the program.
    """

    steps: Steps = ()
    direct_accesses: MemoryEffect = NOTHING
    calls: tuple[tuple[str, MemoryEffect], ...] = ()
    generic_accesses: tuple[GenericAccess, ...] = ()
    kernel: bool = False
    fences: bool = False
    """Whether it may call a barrier directly."""


NO_PROGRAM = MemoryProgram()
