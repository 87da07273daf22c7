"""The plain values of a kernel's summary, and the counting in them."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.memory_uses import MemoryObject
from openclsp.semantics.sizes import together

MemoryObjects = tuple[tuple[str, MemoryObject], ...]
"""Each variable with the function that declares it; an empty name is the program."""


@dataclass(frozen=True, slots=True)
class KernelArgument:
    """`declaration` is its type and name as OpenCL C spells them. `spaces` are those that it leads into; `size` in bytes,
    None where it is not known."""

    name: str
    declaration: str
    spaces: tuple[Space, ...]
    size: int | None


@dataclass(frozen=True, slots=True)
class KernelMemory:
    """`local` and `constant` are the variables there that the kernel reaches, `uncertain` those of its functions whose space
    is not known here. `functions` are those that it reaches, itself left out, `unseen` the names of those whose bodies
    are not known. No positions: an edit elsewhere leaves it equal."""

    name: str
    arguments: tuple[KernelArgument, ...] = ()
    local: MemoryObjects = ()
    constant: MemoryObjects = ()
    uncertain: MemoryObjects = ()
    functions: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    work_group: tuple[int, ...] = ()

    @property
    def local_arguments(self) -> tuple[KernelArgument, ...]:
        """The arguments whose memory the host gives with their size (clSetKernelArg)."""
        return tuple(each for each in self.arguments if each.spaces[:1] == (Space.LOCAL,))

    @property
    def constant_arguments(self) -> tuple[KernelArgument, ...]:
        """The arguments that are pointers into constant."""
        return tuple(each for each in self.arguments if each.spaces[:1] == (Space.CONSTANT,))

    @property
    def constants(self) -> int:
        """What may count against the number of constant arguments: each variable may do so by itself (OpenCL C 6.7.3)."""
        return len(self.constant_arguments) + len(self.constant)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """Those that the arguments lead into, as messages list them."""
        return tuple(sorted({space for each in self.arguments for space in each.spaces}))

    @property
    def argument_bytes(self) -> int:
        """The size of all arguments whose size is known."""
        return sum(each.size or 0 for each in self.arguments)

    @property
    def is_complete(self) -> bool:
        """Whether all that is reached is seen: otherwise there may be more of everything."""
        return not self.unseen and not self.uncertain


def known_bytes(objects: MemoryObjects) -> int:
    """The bytes of the variables whose size is known, beside each other."""
    return together(each.layout for _, each in objects if each.layout is not None)


def unknown_sizes(objects: MemoryObjects) -> MemoryObjects:
    """Those whose size is not known."""
    return tuple(each for each in objects if each[1].layout is None)
