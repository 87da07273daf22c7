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
    """A call. `function` is the callee, None if unknown; `recursive` means that the callee is the enclosing
    function. A call in an operand of `sizeof` or a similar operator is not evaluated. `in_block` means that a
    block literal contains the call, so that the enclosing function does not execute it.
    """

    name: str
    function: Type | None
    arguments: tuple[Value, ...]
    place: Place
    whole: Place
    recursive: bool
    evaluated: bool = True
    in_block: bool = False


class DeferredCall(NamedTuple):
    """A call of the program's function `name` whose arguments have not been checked yet.

    The type of the call is known from the function's result. Two calls have the same `argument_class` if
    their arguments are equal in everything that rules depend on.
    """

    name: str
    arguments: tuple[Value, ...]
    place: Place
    whole: Place
    argument_class: int
    evaluated: bool = True
    in_block: bool = False


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
    """A call of a kernel that declares `variables` in local memory. `origin` is the declaration of the
    kernel.
    """

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
    """An invalid argument, or a wrong number of arguments, in a call of the built-in function `name`.

    - `number`: the index of the argument, from 0. For `ArgumentFault.COUNT`: the number of arguments in the
      call.
    - `value`: the argument before array-to-pointer conversion. For `ArgumentFault.COUNT`: only its place is
      meaningful.
    - `wanted`: the requirement in words, for example `a pointer`. For `ArgumentFault.ACCESS`: the access
      qualifier that the pipe must have.
    """

    name: str
    fault: ArgumentFault
    number: int
    value: Value
    wanted: str


@dataclass(frozen=True, slots=True)
class FormatArgument:
    """An argument of `printf` that a literal format string converts with `%s`; `number` is its index, from 0."""

    number: int
    value: Value


@dataclass(frozen=True, slots=True)
class BlockLiteral:
    """A block literal.

    - `place`: the token `^`.
    - `parameters`: the places of the parameters.
    - `captures`: the outer variables that the block reads, each as the value at its first use in the block.
    - `returned`: the types and places of the `return` statements; empty if the result type does not depend on
      them.
    """

    type: Type
    place: Place
    parameters: tuple[Place, ...]
    captures: tuple[Value, ...]
    returned: tuple[tuple[Type, Place], ...]


@dataclass(frozen=True, slots=True)
class EnqueueCall:
    """A call of a built-in function that takes a block: `enqueue_kernel` or a kernel query function.

    `literal` is the block literal that is passed, directly or through a variable; None if unknown. Arrays
    among the arguments are not converted to pointers.
    """

    name: str
    arguments: tuple[Value, ...]
    literal: BlockLiteral | None
    place: Place
    whole: Place


@dataclass(frozen=True, slots=True)
class BarrierFence:
    """A call of a barrier or fence with known flags; `place` is that of the flags.

    - `fenced`: the kinds of memory that the flags name (`local`, `global`, `image`).
    - `may`: the kinds of memory that may have been accessed since a barrier last fenced them.
    - `seen`: the kinds of memory that some path since the last work-group barrier certainly accesses. The
      flags of that barrier do not matter.
    - `written`: the kinds of memory that some path since the last work-group barrier certainly writes.
    - `followed`: whether memory may be accessed after the call.
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
    """Two accesses of different work-items to one element of local memory, without a barrier between them.

    - `name`: the accessed object.
    - `before`, `earlier`: the kind ("read", "written" …) and the place of the first access in the text.
    - `after`, `place`: the kind and the place of the other access.
    """

    name: str
    before: str
    earlier: Place
    after: str
    place: Place
