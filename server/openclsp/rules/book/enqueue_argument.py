"""The arguments of `enqueue_kernel` and of the kernel query functions (OpenCL C 6.15.18)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from openclsp.language.dialect import Dialect
from openclsp.language.spaces import Space
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.semantics.facts.calls import EnqueueCall
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import (
    Array,
    BlockPointer,
    Enum,
    Function,
    Opaque,
    Pointer,
    Record,
    Scalar,
    Type,
    Void,
    spell,
)
from openclsp.semantics.types.type_structure import decayed, is_unknown

CODE = "enqueue-argument"

_LEAST = 4
_WITH_EVENTS = 7
_LIST = 4


def check(fact: EnqueueCall, dialect: Dialect) -> Iterator[Finding]:
    """Reports the first fault of the call, as compilers do."""
    if any(is_unknown(argument.type) for argument in fact.arguments):
        return
    if fact.name == "enqueue_kernel":
        found = _enqueue(fact)
    elif fact.name.endswith("_for_ndrange"):
        found = _count(fact, 2) or _ndrange(fact, 0) or _block(fact, 1)
    else:
        found = _count(fact, 1) or _block(fact, 0)
    if found is not None:
        place, message = found
        yield Finding(CODE, Severity.ERROR, message, place)


_Fault = tuple[Place, str] | None


def _enqueue(fact: EnqueueCall) -> _Fault:
    given = fact.arguments
    if len(given) < _LEAST:
        return fact.place, f"`enqueue_kernel` takes at least {_LEAST} arguments, not {len(given)}"
    fault = _opaque(fact, 0, "queue") or _integer(fact, 1, "kernel_enqueue_flags_t") or _ndrange(fact, 2)
    if fault:
        return fault
    if len(given) == _LEAST:
        return _no_block(fact, 3) or _with_parameters(fact, 3)
    if isinstance(given[3].type, BlockPointer):
        return _parameters(fact, 3) or _sizes(fact, 3)
    if len(given) < _WITH_EVENTS:
        return fact.place, (
            "`enqueue_kernel` takes the queue, flags and ndrange, optionally the number of events, the list of "
            "events and a pointer to the new event, then the block, then the size of each of its parameters"
        )
    fault = _block(fact, 6) or _integer(fact, 3, "uint") or _events(fact, 4) or _events(fact, 5)
    if fault or len(given) == _WITH_EVENTS:
        return fault
    return _sizes(fact, 6)


def _count(fact: EnqueueCall, takes: int) -> _Fault:
    given = len(fact.arguments)
    if given == takes:
        return None
    return fact.place, f"`{fact.name}` takes {takes} argument{'s' if takes > 1 else ''}, not {given}"


def _wanted(fact: EnqueueCall, number: int, wanted: str) -> tuple[Place, str]:
    value = fact.arguments[number]
    return (
        value.place,
        f"argument {number + 1} of `{fact.name}` must be {wanted}, not `{spell(_plain(value.type))}`",
    )


def _plain(type_: Type) -> Type:
    return type_ if isinstance(type_, Array) else decayed(type_)


def _opaque(fact: EnqueueCall, number: int, category: str) -> _Fault:
    type_ = fact.arguments[number].type
    if isinstance(type_, Opaque) and type_.category == category:
        return None
    return _wanted(fact, number, f"a `{category}_t`")


def _ndrange(fact: EnqueueCall, number: int) -> _Fault:
    type_ = fact.arguments[number].type
    # compilers' headers define `ndrange_t` as a structure, which the program may contain
    if isinstance(type_, Record) or (isinstance(type_, Opaque) and type_.category == "ndrange"):
        return None
    return _wanted(fact, number, "an `ndrange_t`")


def _is_integer(type_: Type) -> bool:
    return isinstance(type_, Enum) or (isinstance(type_, Scalar) and not type_.floating)


def _integer(fact: EnqueueCall, number: int, name: str) -> _Fault:
    if _is_integer(fact.arguments[number].type):
        return None
    return _wanted(fact, number, f"an integer (`{name}`)")


def _events(fact: EnqueueCall, number: int) -> _Fault:
    value = fact.arguments[number]
    # clang accepts an array as the list of events, but not as the pointer to the new event
    type_ = decayed(value.type) if number == _LIST else value.type
    pointee = type_.pointee if isinstance(type_, Pointer) else None
    if value.null or (isinstance(pointee, Opaque) and pointee.category == "clk_event"):
        return None
    return _wanted(fact, number, "a pointer to `clk_event_t`, or 0")


def _no_block(fact: EnqueueCall, number: int) -> _Fault:
    if isinstance(fact.arguments[number].type, BlockPointer):
        return None
    return _wanted(fact, number, "a block")


def _block(fact: EnqueueCall, number: int) -> _Fault:
    return _no_block(fact, number) or _parameters(fact, number)


def _parameters_of(block: Value) -> Sequence[Type]:
    type_ = block.type
    signature = type_.function if isinstance(type_, BlockPointer) else None
    return signature.parameters if isinstance(signature, Function) else ()


def _with_parameters(fact: EnqueueCall, number: int) -> _Fault:
    """Checks the block that is argument `number` of a call without size arguments.

    Returns None if the block has no parameters. Otherwise there is always a fault: each parameter must be
    `local void *`, and needs a size argument.
    """
    block = fact.arguments[number]
    if not _parameters_of(block):
        return None
    fault = _parameters(fact, number)
    return fault or (
        block.place,
        "sizes are missing: the size in bytes of each `local void *` parameter must follow the block",
    )


def _parameters(fact: EnqueueCall, block: int) -> _Fault:
    for number, type_ in enumerate(_parameters_of(fact.arguments[block]), 1):
        if is_unknown(type_):
            return None
        pointee = type_.pointee if isinstance(type_, Pointer) else None
        if isinstance(pointee, Void) and pointee.space in (Space.LOCAL, Space.UNKNOWN):
            continue
        message = f"parameter {number} of an enqueued block must be `local void *`, not `{spell(type_)}`"
        return _place_of_parameter(fact, block, number - 1), message
    return None


def _place_of_parameter(fact: EnqueueCall, block: int, number: int) -> Place:
    """Returns the place of a parameter of a block.

    If the block is not a literal in the call, returns the place of the argument.
    """
    place, literal = fact.arguments[block].place, fact.literal
    if (
        literal is not None
        and place.first <= literal.place.first < place.last
        and number < len(literal.parameters)
    ):
        return literal.parameters[number]
    return place


def _sizes(fact: EnqueueCall, block: int) -> _Fault:
    takes, sizes = len(_parameters_of(fact.arguments[block])), fact.arguments[block + 1 :]
    if len(sizes) != takes:
        return fact.place, (
            f"the block has {takes} parameter{'' if takes == 1 else 's'}, but {len(sizes)} "
            f"size{' follows' if len(sizes) == 1 else 's follow'}: each `local void *` needs a size"
        )
    for number, size in enumerate(sizes, block + 1):
        if not _is_integer(size.type):
            return _wanted(fact, number, "the size of local memory, an integer (`uint`)")
    return None


RULES = (Rule(CODE, EnqueueCall, check),)
