"""Data types for the kernels that a host file names, and for the arguments that it passes to them.

All offsets are byte offsets in the host file, from 0; `end` is exclusive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Final, NamedTuple

from openclsp.dataclass import dataclass


class PassedKind(Enum):
    """The kind of a kernel argument. The value is its name in messages, as in "cannot pass a buffer"."""

    UNKNOWN = "something"
    BUFFER = "a buffer"
    IMAGE = "an image"
    MEMORY = "a memory object"
    """A buffer or an image: `cl_mem` is the type of both."""
    SHARED = "shared virtual memory"
    SAMPLER = "a sampler"
    VALUE = "a value"
    LOCAL = "a size of local memory"
    NULL = "NULL"
    """A null pointer without a size, or with the size of a handle"""


class PassedValue(NamedTuple):
    """The kind, size and type of a kernel argument that the host passes.

    - `size`: the size of a value or of local memory in bytes, None if unknown. For a handle, `size` is None
      if the host passes `sizeof` of the handle's type.
    - `type_name`: the type as the host writes it. It is empty if only the size is known. `kind` is then
      uncertain, because a handle and a value may have the same size.
    - `is_float`: whether the argument is a floating-point number; None if it is not a single number.
    - `may_be_array`: the argument may be an array, and `size` is the size of an element: `np.int32(x)` makes
      an array if `x` is a sequence.
    """

    kind: PassedKind
    size: int | None = None
    type_name: str = ""
    is_float: bool | None = None
    may_be_array: bool = False


UNKNOWN_VALUE: Final = PassedValue(PassedKind.UNKNOWN)


class HostSpan(NamedTuple):
    """A byte range of the host file."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NamedKernel:
    """A kernel that host code names; `span` is the range of the name, without quotes."""

    name: str
    span: HostSpan


class UseScope(NamedTuple):
    """The scope in which a call is executed.

    - `function`: the offset of the enclosing function, -1 for none.
    - `branches`: the offsets of the branches and loops around the call.
    """

    function: int
    branches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ArgumentSet:
    """A call that sets one argument of a kernel.

    - `holder`: identifies the kernel object within the file; two calls with the same `holder` and `kernel`
      use the same object.
    - `index`: the argument's index; None if it is not a known constant.
    """

    kernel: NamedKernel
    holder: str
    span: HostSpan
    scope: UseScope
    index: int | None
    index_span: HostSpan
    value: PassedValue
    value_span: HostSpan


class ListForm(Enum):
    """The kind of code that gives all arguments of a kernel, or their types, at once."""

    CALL = "call"
    SET_ALL = "set_args"
    FUNCTOR = "types of a functor"
    NUMBER_TYPES = "set_scalar_arg_dtypes"
    """Types of numbers, with None for all other arguments"""


class ListedArgument(NamedTuple):
    """One argument in an `ArgumentList`."""

    span: HostSpan
    value: PassedValue


@dataclass(frozen=True, slots=True)
class ArgumentList:
    """A call or declaration that gives all arguments of a kernel, or their types.

    `is_whole` is false if the number of arguments is unknown, as in Python's `f(a, *b)`; `arguments` then
    contains only the arguments before `*b`.
    """

    kernel: NamedKernel
    holder: str
    span: HostSpan
    scope: UseScope
    form: ListForm
    arguments: tuple[ListedArgument, ...]
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class KernelLaunch:
    """A call that enqueues a kernel.

    `work_group` is the size of the work-group in each dimension, None if it is not a known constant. The
    tuple is empty if no size is given or the number of dimensions is unknown.
    """

    kernel: NamedKernel
    holder: str
    span: HostSpan
    scope: UseScope
    work_group: tuple[int | None, ...]
    work_group_span: HostSpan


KernelUse = ArgumentSet | ArgumentList | KernelLaunch


@dataclass(frozen=True, slots=True)
class KernelUses:
    """The kernels that a host file names and the calls that use them, in file order.

    - `mentions`: the places that name a kernel.
    - `uses`: the calls that set arguments of a kernel or enqueue it.
    - `closed_holders`: identifies the kernel objects that the file passes to no other code, so that all uses
      of these objects are known (see `ArgumentSet.holder`).
    - `argument_calls`: the number of calls that set arguments, including calls whose kernel is unknown.
    """

    mentions: tuple[NamedKernel, ...] = ()
    uses: tuple[KernelUse, ...] = ()
    closed_holders: frozenset[str] = frozenset()
    argument_calls: int = 0

    def of_kernels(self, names: frozenset[str]) -> KernelUses:
        """Returns the mentions and uses of the kernels with these names."""
        mentions = tuple(each for each in self.mentions if each.name in names)
        return replace(
            self, mentions=mentions, uses=tuple(each for each in self.uses if each.kernel.name in names)
        )

    def placed(self, place: Callable[[HostSpan], HostSpan]) -> KernelUses:
        """Returns the uses with every range mapped by `place`."""
        mentions = tuple(replace(each, span=place(each.span)) for each in self.mentions)
        uses = tuple(_placed(each, place) for each in self.uses)
        return replace(self, mentions=mentions, uses=uses)


def _placed(use: KernelUse, place: Callable[[HostSpan], HostSpan]) -> KernelUse:
    kernel, span = replace(use.kernel, span=place(use.kernel.span)), place(use.span)
    if isinstance(use, ArgumentSet):
        index_span, value_span = place(use.index_span), place(use.value_span)
        return replace(use, kernel=kernel, span=span, index_span=index_span, value_span=value_span)
    if isinstance(use, ArgumentList):
        arguments = tuple(each._replace(span=place(each.span)) for each in use.arguments)
        return replace(use, kernel=kernel, span=span, arguments=arguments)
    return replace(use, kernel=kernel, span=span, work_group_span=place(use.work_group_span))


NO_KERNEL_USES: Final = KernelUses()
