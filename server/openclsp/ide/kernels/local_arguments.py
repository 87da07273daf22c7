"""The bytes of local memory that host code gives to the parameters of kernels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location


@dataclass(frozen=True, slots=True)
class LocalArgument:
    """What one call in host code gives to a pointer to local memory.

    `index` is the number of the parameter, from 0. `size` is in bytes, None if the host computes it. `location` is
    that of the size in host code.
    """

    kernel: str
    index: int
    size: int | None
    location: Location


@dataclass(frozen=True, slots=True)
class LocalArgumentSize:
    """The bytes that all known calls give to one parameter of a kernel.

    `sizes` are the known numbers of bytes, ascending. `has_computed`: some call gives a number that is not known.
    """

    index: int
    sizes: tuple[int, ...]
    has_computed: bool

    @property
    def least(self) -> int:
        """The bytes that every call gives at least; 0 if a call computes them."""
        return 0 if self.has_computed or not self.sizes else self.sizes[0]


def sizes_of_kernel(kernel: str, arguments: Iterable[LocalArgument]) -> tuple[LocalArgumentSize, ...]:
    """Combines the calls on one kernel, by parameter. Parameters of which no number is known are left out."""
    by_index: dict[int, set[int | None]] = defaultdict(set)
    for each in arguments:
        if each.kernel == kernel:
            by_index[each.index].add(each.size)
    found = []
    for index, given in sorted(by_index.items()):
        sizes = tuple(sorted(each for each in given if each is not None))
        if sizes:
            found.append(LocalArgumentSize(index, sizes, None in given))
    return tuple(found)


def format_sizes(size: LocalArgumentSize) -> str:
    """Formats the bytes of one parameter: `512 bytes`, `512 or 1,024 bytes`, `512 bytes or a computed number`."""
    numbers = [f"{each:,}" for each in size.sizes]
    shown = numbers[0] if len(numbers) == 1 else f"{', '.join(numbers[:-1])} or {numbers[-1]}"
    unit = "byte" if size.sizes == (1,) else "bytes"
    return f"{shown} {unit}" + (" or a computed number" if size.has_computed else "")
