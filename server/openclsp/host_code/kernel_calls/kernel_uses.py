"""The kernels that a host file names, and what it passes to them, as plain values.

All offsets are byte offsets in the host file, from 0; `end` is exclusive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Final, NamedTuple

from openclsp.dataclass import dataclass


class PassedKind(Enum):
    """What the host passes as an argument. The value is its name in a message, after "the host passes"."""

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
    """A null pointer without a size, or with one that is that of a memory object"""


class PassedValue(NamedTuple):
    """What the host passes as one argument.

    `size` is the number of bytes of a value or of local memory, None if unknown; for a handle it is set if the
    host gives another size than that of a handle. `type_name` is the type as the host writes it. It is empty if
    only the size is known: what a pointer points to may then be something else, and a size may be that of a
    handle. `is_float` is None unless the value is one number. `may_be_array`: `np.int32(x)` makes an array if `x` is
    a sequence; the size is then that of an element.
    """

    kind: PassedKind
    size: int | None = None
    type_name: str = ""
    is_float: bool | None = None
    may_be_array: bool = False


UNKNOWN_VALUE: Final = PassedValue(PassedKind.UNKNOWN)


class HostSpan(NamedTuple):
    """A range of the host file."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NamedKernel:
    """A place where host code names a kernel; the span is that of the name, without quotes."""

    name: str
    span: HostSpan


class UseScope(NamedTuple):
    """Where a call is executed: the first bytes of its function (-1 for none) and of the branches around it."""

    function: int
    branches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ArgumentSet:
    """A call that sets one argument of a kernel.

    `index` is None if it is computed. `holder` names the kernel object within the file: two calls with equal
    holders and kernels concern the same object.
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
    """How all arguments of a kernel are given at once."""

    CALL = "call"
    SET_ALL = "set_args"
    FUNCTOR = "types of a functor"
    NUMBER_TYPES = "set_scalar_arg_dtypes"
    """Types of numbers, with None for all other arguments"""


class ListedArgument(NamedTuple):
    """One of the arguments that are given at once."""

    span: HostSpan
    value: PassedValue


@dataclass(frozen=True, slots=True)
class ArgumentList:
    """A call that gives all arguments of a kernel.

    `is_whole` is false if the number of arguments is unknown, as in Python's `f(a, *b)`; `arguments` then
    ends before `*b`.
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

    `work_group` is the size of its work-groups: empty if it is not given or unknown, with None for each
    dimension that is computed.
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
    """The kernels that a host file names and the calls on them, in the order of the file.

    `closed_holders` are the kernel objects all of whose uses in the file are known: it hands them to no other
    code. `argument_calls` counts all calls that set arguments, including those whose kernel is unknown.
    """

    mentions: tuple[NamedKernel, ...] = ()
    uses: tuple[KernelUse, ...] = ()
    closed_holders: frozenset[str] = frozenset()
    argument_calls: int = 0

    def placed(self, place: Callable[[HostSpan], HostSpan]) -> KernelUses:
        """Returns the uses at other places of the file; `place` maps each range to its new place."""
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
