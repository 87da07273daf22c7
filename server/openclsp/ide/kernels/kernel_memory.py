"""Data model of a kernel's memory use: arguments, variables and their sizes."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.memory.memory_uses import MemoryObject
from openclsp.semantics.types.sizes import total_size

MemoryObjects = tuple[tuple[str, MemoryObject], ...]
"""Variables, each with the name of the function that declares it; the name is empty at program scope."""


@dataclass(frozen=True, slots=True)
class KernelArgument:
    """An argument of a kernel.

    `declaration` is its type and name in OpenCL C. `spaces` are the address spaces of its pointees. `size` is
    in bytes, None if it is unknown.
    """

    name: str
    declaration: str
    spaces: tuple[Space, ...]
    size: int | None


@dataclass(frozen=True, slots=True)
class KernelMemory:
    """The memory use of a kernel.

    - `local`, `constant`: the reachable variables in these address spaces.
    - `unknown_space`: the reachable variables whose address space is unknown.
    - `functions`: the names of the functions with a known body that the kernel reaches, except the kernel
      itself.
    - `functions_without_body`: the names of the functions without a known body that the kernel reaches.
    The value contains no positions, so that edits elsewhere do not change it.
    """

    name: str
    arguments: tuple[KernelArgument, ...] = ()
    local: MemoryObjects = ()
    constant: MemoryObjects = ()
    unknown_space: MemoryObjects = ()
    functions: tuple[str, ...] = ()
    functions_without_body: tuple[str, ...] = ()
    work_group: tuple[int, ...] = ()

    @property
    def local_arguments(self) -> tuple[KernelArgument, ...]:
        """The arguments whose memory size the host sets (clSetKernelArg)."""
        return tuple(each for each in self.arguments if each.spaces[:1] == (Space.LOCAL,))

    @property
    def constant_arguments(self) -> tuple[KernelArgument, ...]:
        """The arguments that are pointers into the constant address space."""
        return tuple(each for each in self.arguments if each.spaces[:1] == (Space.CONSTANT,))

    @property
    def constants(self) -> int:
        """The number of constant arguments that a device may count for the kernel.

        Each variable in constant memory may count as one argument (OpenCL C 6.7.3).
        """
        return len(self.constant_arguments) + len(self.constant)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """The address spaces of all arguments' pointees, in the order in which messages list them."""
        return tuple(sorted({space for each in self.arguments for space in each.spaces}))

    @property
    def argument_bytes(self) -> int:
        """The total size in bytes of the arguments whose size is known."""
        return sum(each.size or 0 for each in self.arguments)

    @property
    def is_complete(self) -> bool:
        """Whether all functions and variables that the kernel reaches are known.

        Otherwise the sizes and counts are lower bounds.
        """
        return not self.functions_without_body and not self.unknown_space


def total_known_bytes(objects: MemoryObjects) -> int:
    """Returns the total size in bytes of the variables whose size is known, with padding for alignment."""
    return total_size(each.layout for _, each in objects if each.layout is not None)


def variables_of_unknown_size(objects: MemoryObjects) -> MemoryObjects:
    """Returns the variables whose size is unknown."""
    return tuple(each for each in objects if each[1].layout is None)
