"""Facts about calls of functions, built-in functions and kernels, and about blocks."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.semantics.facts.entities import Origin, Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import Function, Type


@dataclass(frozen=True, slots=True)
class Call:
    """A call. `function` is None if unknown; `recursive` means that it is the enclosing function."""

    name: str
    function: Type | None
    arguments: tuple[Value, ...]
    place: Place
    whole: Place
    recursive: bool


class DeferredCall(NamedTuple):
    """A call of the program's function `name`, typed by its result only; its arguments are checked later.

    Calls whose arguments are equal in everything that rules depend on have the same `argument_class`.
    """

    name: str
    arguments: tuple[Value, ...]
    place: Place
    whole: Place
    argument_class: int


@dataclass(frozen=True, slots=True)
class RecursiveCall:
    """A call of `callee` that leads back to the enclosing function `function`. `origin` is the declaration of
    the callee."""

    callee: str
    place: Place
    function: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class KernelCall:
    """A call of a kernel that has `variables` in local memory. `origin` is the kernel."""

    callee: str
    place: Place
    variables: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class UnresolvedCall:
    """A call of an overloaded function without a unique best candidate.

    The types of all arguments are known. Either no candidate is viable (`viable` is empty), or the call is
    ambiguous. `place` is the function's name.
    """

    name: str
    arguments: tuple[Value, ...]
    candidates: tuple[Function, ...]
    viable: tuple[Function, ...]
    place: Place
    whole: Place


class ArgumentFault(Enum):
    """The kinds of faults in arguments of built-in functions with special rules."""

    NO_POINTER = "no pointer"
    NO_PIPE = "no pipe"
    ACCESS = "another access"
    TYPE = "another type"
    CONSTANT = "a pointer into constant"
    COUNT = "another number of arguments"


@dataclass(frozen=True, slots=True)
class InvalidArgument:
    """Argument `number` (from 0) of the built-in function `name` is invalid.

    `wanted` is the requirement in words, for ACCESS the qualifier. `value` is the argument before
    array-to-pointer conversion; for COUNT, only its place matters, which is the end of the call.
    """

    name: str
    fault: ArgumentFault
    number: int
    value: Value
    wanted: str


@dataclass(frozen=True, slots=True)
class FormatArgument:
    """An argument that the literal format of a printf converts with `%s`; `number` is its index, from 0."""

    number: int
    value: Value


@dataclass(frozen=True, slots=True)
class BlockLiteral:
    """A block literal; `place` is its `^`, `parameters` are the places of its parameters.

    `captures` are the outer variables that it reads, at their first use in it. `returned` are the types of
    its `return` statements with their places, if these determine its result type.
    """

    type: Type
    place: Place
    parameters: tuple[Place, ...]
    captures: tuple[Value, ...]
    returned: tuple[tuple[Type, Place], ...]


@dataclass(frozen=True, slots=True)
class EnqueueCall:
    """A call of a built-in function that takes a block: `enqueue_kernel` or a kernel query.

    Arrays among the arguments are not converted to pointers. `literal` is the passed block, which may be
    elsewhere; None if unknown.
    """

    name: str
    arguments: tuple[Value, ...]
    literal: BlockLiteral | None
    place: Place
    whole: Place


@dataclass(frozen=True, slots=True)
class BarrierFence:
    """A call of a barrier with known flags; `place` is that of the flags.

    `fenced` are the kinds of memory that they name (`local`, `global`, `image`). Memory not in `may` has
    certainly not been accessed since a barrier last named it. Memory in `seen` and `written` is accessed and
    written in the source since the last barrier. `followed` means that memory may be accessed afterwards.
    """

    name: str
    fenced: frozenset[str]
    may: frozenset[str]
    seen: frozenset[str]
    written: frozenset[str]
    followed: bool
    place: Place


@dataclass(frozen=True, slots=True)
class MissingBarrier:
    """Two accesses of different work-items to one element of local memory that no barrier orders.

    `name` is the object. `before` and `after` are how it is accessed ("read", "written" …), in the order of their places;
    `place` is the later one.
    """

    name: str
    before: str
    earlier: Place
    after: str
    place: Place
