"""Facts about calls: of functions and built-in functions, of kernels, and of what takes a block."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.semantics.entities import Origin, Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types import Function, Type


@dataclass(frozen=True, slots=True)
class Call:
    """A function is called. `function` is None where it is not known; `recursive` where it is the one around."""

    name: str
    function: Type | None
    arguments: tuple[Value, ...]
    place: Place
    whole: Place
    recursive: bool


class DeferredCall(NamedTuple):
    """A call of the program's function `name`, of which only the result was looked at: what its parameters say of the
    arguments is another question. Calls with arguments that are alike in all that rules judge by are of one `sort`."""

    name: str
    arguments: tuple[Value, ...]
    place: Place
    whole: Place
    sort: int


@dataclass(frozen=True, slots=True)
class RecursiveCall:
    """A call of `callee` that leads back to `function`, which is the one around. `origin` is the callee."""

    callee: str
    place: Place
    function: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class KernelCall:
    """The kernel `callee`, which has `variables` in local memory, is called as a function. `origin` is the kernel."""

    callee: str
    place: Place
    variables: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class UnresolvedCall:
    """A call of an overloaded function that means none of the candidates, though the types of all arguments are known:
    either none takes them (`viable` is empty), or several take them equally well. `place` is the function's name."""

    name: str
    arguments: tuple[Value, ...]
    candidates: tuple[Function, ...]
    viable: tuple[Function, ...]
    place: Place
    whole: Place


class ArgumentFault(Enum):
    """What is wrong with an argument of a built-in function that no signature describes."""

    NO_POINTER = "no pointer"
    NO_PIPE = "no pipe"
    ACCESS = "another access"
    TYPE = "another type"
    CONSTANT = "a pointer into constant"
    COUNT = "another number of arguments"


@dataclass(frozen=True, slots=True)
class InvalidArgument:
    """Argument `number` (from 0) of the built-in function `name` is not what it must be; `wanted` says that in words,
    for ACCESS it is the qualifier. `value` is the argument before an array became a pointer; for COUNT only its place
    counts, the end of the call."""

    name: str
    fault: ArgumentFault
    number: int
    value: Value
    wanted: str


@dataclass(frozen=True, slots=True)
class FormatArgument:
    """Argument `number` (from 0) of a printf is what a `%s` of its literal format takes."""

    number: int
    value: Value


@dataclass(frozen=True, slots=True)
class BlockLiteral:
    """A block literal; `place` is its `^`, `parameters` are the places of its parameters. `captures` are the variables
    around that it reads, at their first use in it; `returned` are the types of its `return` statements with their places,
    where they say what it yields."""

    type: Type
    place: Place
    parameters: tuple[Place, ...]
    captures: tuple[Value, ...]
    returned: tuple[tuple[Type, Place], ...]


@dataclass(frozen=True, slots=True)
class EnqueueCall:
    """A call of a built-in function that takes a block: `enqueue_kernel`, or a question about a kernel. Arrays among the
    arguments are still arrays. `literal` is the block that is passed, which may stand elsewhere; None if not known."""

    name: str
    arguments: tuple[Value, ...]
    literal: BlockLiteral | None
    place: Place
    whole: Place


@dataclass(frozen=True, slots=True)
class BarrierFence:
    """A barrier is called whose flags are known: `fenced` are the kinds of memory that they name (`local`, `global`,
    `image`). Since a barrier last named it, what is not in `may` has certainly not been touched; since the last barrier,
    what is in `seen` and in `written` is touched and written in the text. `followed` is whether any memory may be touched
    afterwards. `place` is the flags."""

    name: str
    fenced: frozenset[str]
    may: frozenset[str]
    seen: frozenset[str]
    written: frozenset[str]
    followed: bool
    place: Place
