"""Built-in functions with special argument rules (OpenCL C 6.15.8, 6.15.16).

The packets of pipe functions and the pointers of `to_global`, `to_local` and `to_private` may have any type,
so compilers check these calls by special rules. A fault is emitted as InvalidArgument. If the module can
construct a signature for a call, it emits conversion facts instead, as for any other function.
"""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.language.spaces import Space
from openclsp.semantics.facts.calls import ArgumentFault, InvalidArgument
from openclsp.semantics.facts.entities import Place
from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.known_types import canonical
from openclsp.semantics.types.type_model import (
    CONST,
    VOID,
    Function,
    Opaque,
    Pipe,
    Pointer,
    Scalar,
    Type,
    function,
    pointer_to,
    spell,
)
from openclsp.semantics.types.type_structure import decayed, is_integer_scalar, is_unknown, levels
from openclsp.semantics.typing.typing_context import TypingContext

ADDRESS_CASTS = {"to_global": Space.GLOBAL, "to_local": Space.LOCAL, "to_private": Space.PRIVATE}
_CLANG_ATOMIC = "__opencl_atomic_"
_CLANG_ATOMICS = frozenset(
    [
        "init",
        "load",
        "store",
        "exchange",
        "compare_exchange_strong",
        "compare_exchange_weak",
        "fetch_add",
        "fetch_sub",
        "fetch_and",
        "fetch_or",
        "fetch_xor",
        "fetch_min",
        "fetch_max",
    ]
)
_PIPE_QUERIES = frozenset(("get_pipe_num_packets", "get_pipe_max_packets"))


def address_cast(name: str, arguments: tuple[Value, ...]) -> Function:
    """Returns the signature of one call of `to_global`, `to_local` or `to_private`.

    The result points to the same type as the argument, with the same qualifiers.
    """
    pointer = arguments[0].type if arguments else None
    pointee = pointer.pointee if isinstance(pointer, Pointer) else VOID
    taken = pointer_to(pointee.with_space(Space.GENERIC))
    return function(pointer_to(pointee.with_space(ADDRESS_CASTS[name])), (taken,))


def emit_address_cast(ctx: TypingContext, name: str, raw: tuple[Value, ...]) -> bool:
    """Emits a fact if the argument is certainly not a pointer; returns whether one was emitted.

    `raw` are the arguments before array-to-pointer conversion.
    """
    if len(raw) != 1 or isinstance(raw[0].type, Pointer) or any(map(_is_unknown, raw)):
        return False
    ctx.emit(InvalidArgument(name, ArgumentFault.NO_POINTER, 0, raw[0], "a pointer"))
    return True


def emit_pipe_call(ctx: TypingContext, name: str, raw: tuple[Value, ...], whole: Place) -> None:
    """Emits a fact for a wrong number of arguments of a pipe call, else for the first invalid argument.

    `whole` is the place of the call.
    """
    counts = pipe_parameter_counts(name)
    if counts and len(raw) not in counts:
        wanted = " or ".join(map(str, counts)) + (" argument" if counts == (1,) else " arguments")
        end = Value(VOID, Place(whole.last - 1, whole.last))
        ctx.emit(InvalidArgument(name, ArgumentFault.COUNT, len(raw), end, wanted))
        return
    fault = next(_pipe_faults(name, raw), None)
    if fault is not None:
        ctx.emit(fault)


def emit_clang_atomic(ctx: TypingContext, name: str, raw: tuple[Value, ...]) -> None:
    """Emits a fact for an invalid first argument of a clang atomic built-in.

    The argument must be a pointer to a writable atomic object. clang's headers implement the atomic functions
    of OpenCL C with these built-ins.
    """
    operation = name.removeprefix(_CLANG_ATOMIC)
    if operation == name or operation not in _CLANG_ATOMICS or not raw or _is_unknown(raw[0]):
        return
    source = decayed(raw[0].type)
    pointee = source.pointee if isinstance(source, Pointer) else None
    if isinstance(pointee, Opaque) and pointee.category == "atomic" and _is_good(pointee, operation):
        return
    wanted = "a pointer to an atomic object that is neither const nor in constant"
    ctx.emit(InvalidArgument(name, ArgumentFault.TYPE, 0, raw[0], wanted))


def _is_good(atomic: Opaque, operation: str) -> bool:
    return atomic.space is not Space.CONSTANT and (operation == "load" or not atomic.qualifiers & CONST)


def pipe_parameter_counts(name: str) -> tuple[int, ...]:
    """Returns the valid numbers of arguments of a pipe function; empty for any other function."""
    if name in _PIPE_QUERIES:
        return (1,)
    if name in ("read_pipe", "write_pipe"):
        return 2, 4
    return (2,) if name.endswith(("read_pipe", "write_pipe")) else ()


def _pipe_faults(name: str, raw: tuple[Value, ...]) -> Iterator[InvalidArgument]:
    """Yields the faults of a pipe call's arguments: first those of the pipe, then those of the others."""
    if not pipe_parameter_counts(name):
        return
    pipe = raw[0].type
    if not isinstance(pipe, Pipe):
        if not is_unknown(pipe):
            yield InvalidArgument(name, ArgumentFault.NO_PIPE, 0, raw[0], "a pipe")
        return
    if name in _PIPE_QUERIES:
        return
    access = "write_only" if "write" in name else "read_only"
    if (pipe.access or "read_only") != access:
        yield InvalidArgument(name, ArgumentFault.ACCESS, 0, raw[0], access)
    if "commit" in name or len(raw) == 4:
        yield from _other_than(name, raw, 1, "reserve_id_t")
    if "reserve" in name or len(raw) == 4:
        yield from _no_integer(name, raw, 2 if len(raw) == 4 else 1)
    if name in ("read_pipe", "write_pipe"):
        yield from _other_packet(name, pipe.element, raw)


def _other_than(name: str, raw: tuple[Value, ...], number: int, wanted: str) -> Iterator[InvalidArgument]:
    type_ = raw[number].type
    if not is_unknown(type_) and not (isinstance(type_, Opaque) and type_.name == wanted):
        yield InvalidArgument(name, ArgumentFault.TYPE, number, raw[number], f"`{wanted}`")


def _no_integer(name: str, raw: tuple[Value, ...], number: int) -> Iterator[InvalidArgument]:
    type_ = raw[number].type
    if not is_integer_scalar(type_) and not is_unknown(type_):
        yield InvalidArgument(name, ArgumentFault.TYPE, number, raw[number], "an integer")


def _other_packet(name: str, packet: Type, raw: tuple[Value, ...]) -> Iterator[InvalidArgument]:
    """Yields a fault if the last argument of a pipe call is not a pointer to the pipe's packet type.

    A pointer into constant memory is a fault, too.
    """
    given = raw[-1]
    if is_unknown(packet) or _is_unknown(given):
        return
    number, wanted = len(raw) - 1, f"a pointer to `{spell(packet)}`, the pipe's packet"
    pointee = given.type.pointee if isinstance(given.type, Pointer) else None
    if pointee is None or _plain_type(pointee) is not _plain_type(packet):
        yield InvalidArgument(name, ArgumentFault.TYPE, number, given, wanted)
    elif pointee.space is Space.CONSTANT:
        yield InvalidArgument(name, ArgumentFault.CONSTANT, number, given, wanted)


def _plain_type(type_: Type) -> Type:
    """Returns the unqualified type, with aliases such as `size_t` replaced."""
    return canonical(type_) if isinstance(type_, Scalar) else type_.unqualified


def _is_unknown(value: Value) -> bool:
    return any(is_unknown(level) or level.space is Space.UNKNOWN for level in levels(value.type))
