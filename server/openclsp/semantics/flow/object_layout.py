"""Layout of objects: the paths to the pointers in them."""

from __future__ import annotations

from openclsp.semantics.flow.graph import ANYWHERE, Path
from openclsp.semantics.types.type_model import (
    Array,
    BlockPointer,
    Opaque,
    Pointer,
    Record,
    Scalar,
    Type,
    Vector,
)
from openclsp.semantics.typing.symbols import Member
from openclsp.semantics.typing.typing_context import TypingContext

_MAXIMUM_DEPTH = 8
_MAXIMUM_PATHS = 64


def pointer_paths_of(ctx: TypingContext, type_: Type, *, data: bool = False) -> tuple[Path, ...]:
    """Returns the paths to the pointers in an object of this type.

    The members of a union share one path that ends with ANYWHERE, and so do all pointers nested deeper than
    `_MAXIMUM_DEPTH`. With `data`, plain data that may hold a pointer counts as a pointer.
    """
    found = _pointer_paths(ctx, type_, 0, data, {})
    return (((ANYWHERE,)),) if len(found) > _MAXIMUM_PATHS else tuple(dict.fromkeys(found))


def may_hold(type_: Type) -> bool:
    """Whether plain data of this type, or an array of it, is tracked as a carrier of pointers.

    These types are 64-bit integers (atomic or not), single bytes, `uint` (half a pointer), and vectors of
    integers.
    """
    if isinstance(type_, Vector):
        return not type_.element.floating
    if isinstance(type_, Opaque):
        return type_.name in ("atomic_long", "atomic_ulong")
    if not isinstance(type_, Scalar) or type_.floating or type_.name == "bool":
        return False
    return type_.size in (1, 8) or type_.canonical == "uint"


def is_plain(type_: Type) -> bool:
    """Whether a type is a number other than `bool`, or a vector of numbers."""
    element = type_.element if isinstance(type_, Vector) else type_
    return isinstance(element, Scalar) and element.name != "bool"


_Known = dict[tuple[Record, int], list[Path]]


def _pointer_paths(ctx: TypingContext, type_: Type, depth: int, data: bool, known: _Known) -> list[Path]:
    """Returns the paths to the pointers in an object of this type, at most `_MAXIMUM_PATHS + 1`.

    More than `_MAXIMUM_PATHS` means that there are too many to track. `known` caches the paths of each record
    at each depth. Without it, deeply nested records would cost time exponential in their depth.
    """
    while isinstance(type_, Array):
        type_ = type_.element
    if isinstance(type_, Pointer | BlockPointer) or (data and may_hold(type_)):
        return [()]
    if not isinstance(type_, Record):
        return []
    members = ctx.members(type_) or ()
    if depth >= _MAXIMUM_DEPTH:
        return [(ANYWHERE,)]
    found = known.get((type_, depth))
    if found is None:
        found = []
        for member in members:
            found += _member_pointer_paths(ctx, member, depth + 1, data, known)
            if len(found) > _MAXIMUM_PATHS:
                break
        del found[_MAXIMUM_PATHS + 1 :]
        if found and type_.keyword == "union":
            found = [(ANYWHERE,)]
        known[type_, depth] = found
    return found


def _member_pointer_paths(
    ctx: TypingContext, member: Member, depth: int, data: bool, known: _Known
) -> list[Path]:
    inner = _pointer_paths(ctx, member.type, depth, data, known)
    if not member.union:
        return [(member.name, *pointer_path) for pointer_path in inner]
    return [shared_place(member)] if inner else []


def shared_place(member: Member) -> Path:
    """Returns the path that all members of an anonymous union share."""
    return (f"union {member.union}", ANYWHERE)


def without_elements(path: Path) -> Path:
    """Returns a path without its steps into array elements; all elements of an array are one part."""
    return tuple(step for step in path if not step.startswith("["))


def extended(path: Path, more: Path) -> Path:
    """Extends a path by further members.

    A path that ends with ANYWHERE stays the same.
    """
    return path if path[-1:] == (ANYWHERE,) else (*path, *more)


def within(pointer_paths: tuple[Path, ...], path: Path) -> Path:
    """Maps the path of a part of an object to the path under which the pointers in this part are tracked.

    `pointer_paths` are the paths to the pointers in the object. The result is

    - `path` itself, if it leads to a pointer or to an object that contains pointers;
    - the path of the shared memory, if `path` leads into memory that several members share, as in a union;
    - ANYWHERE, if the object has no pointer at `path`, as after a cast of its address to another type.
    """
    if path[-1:] == (ANYWHERE,):
        return path
    for pointer_path in pointer_paths:
        if pointer_path[: len(path)] == path:
            return path
        if pointer_path[-1:] == (ANYWHERE,) and path[: len(pointer_path) - 1] == pointer_path[:-1]:
            return pointer_path
    return (ANYWHERE,)


def overlapping_pointers(pointer_paths: tuple[Path, ...], path: Path) -> tuple[Path, ...]:
    """Returns the paths of an object's pointers that an access to the part at `path` may touch."""
    if path[-1:] == (ANYWHERE,) and path not in pointer_paths:
        prefix = path[:-1]
        return (
            tuple(pointer_path for pointer_path in pointer_paths if pointer_path[: len(prefix)] == prefix)
            or pointer_paths
        )
    if path in pointer_paths:
        return (path,)
    return (
        tuple(pointer_path for pointer_path in pointer_paths if pointer_path[: len(path)] == path)
        or pointer_paths
    )
