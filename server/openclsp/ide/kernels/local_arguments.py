"""The bytes of local memory that host code passes for parameters of kernels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location


@dataclass(frozen=True, slots=True)
class LocalArgument:
    """The size of local memory that one call in host code passes for a kernel's parameter.

    `index` is the number of the parameter, from 0. `size` is in bytes, None if the host computes it.
    `location` is the location of the size in host code.
    """

    kernel: str
    index: int
    size: int | None
    location: Location


@dataclass(frozen=True, slots=True)
class LocalArgumentSize:
    """The sizes in bytes that all known calls pass for one parameter of a kernel.

    `sizes` are the known numbers of bytes, ascending. `has_computed` is whether some call passes a computed
    number.
    """

    index: int
    sizes: tuple[int, ...]
    has_computed: bool

    @property
    def least(self) -> int:
        """The least number of bytes that any call passes; 0 if a call passes a computed number."""
        return 0 if self.has_computed or not self.sizes else self.sizes[0]


def sizes_of_kernel(kernel: str, arguments: Iterable[LocalArgument]) -> tuple[LocalArgumentSize, ...]:
    """Collects the sizes that all calls pass to one kernel, by parameter.

    Parameters for which no size is known are omitted.
    """
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
    """Formats the bytes of one parameter: `512 bytes`, or `512 or 1,024 bytes`.

    If some call passes a computed number, the text ends with ` or a computed number`.
    """
    numbers = [f"{each:,}" for each in size.sizes]
    shown = numbers[0] if len(numbers) == 1 else f"{', '.join(numbers[:-1])} or {numbers[-1]}"
    unit = "byte" if size.sizes == (1,) else "bytes"
    return f"{shown} {unit}" + (" or a computed number" if size.has_computed else "")
