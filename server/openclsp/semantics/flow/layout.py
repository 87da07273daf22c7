"""Layout of objects: the paths to the pointers in them."""

from __future__ import annotations

from openclsp.semantics.context import Context, Member
from openclsp.semantics.flow.graph import ANYWHERE, Path
from openclsp.semantics.types import Array, BlockPointer, Pointer, Record, Scalar, Type, Vector

_MAXIMUM_DEPTH = 8
_MAXIMUM_LEAVES = 64


def leaves_of(ctx: Context, type_: Type, *, data: bool = False) -> tuple[Path, ...]:
    """Returns the paths to the pointers in an object of this type.

    A union, and all that is nested deeper than `_MAXIMUM_DEPTH`, counts as one place. With `data`, plain data
    that may hold a pointer counts as a pointer.
    """
    found = _leaves(ctx, type_, 0, data, {})
    return (((ANYWHERE,)),) if len(found) > _MAXIMUM_LEAVES else tuple(dict.fromkeys(found))


def may_hold(type_: Type) -> bool:
    """Whether plain data of this type is tracked as a carrier of pointers.

    The same holds for an array of it. That is so for integers as wide as a pointer, single bytes, `uint`
    (half a pointer) and vectors of integers.
    """
    if isinstance(type_, Vector):
        return not type_.element.floating
    if not isinstance(type_, Scalar) or type_.floating or type_.name == "bool":
        return False
    return type_.size in (1, 8) or type_.canonical == "uint"


def is_plain(type_: Type) -> bool:
    """Whether a type is a number other than `bool`, or a vector of numbers."""
    element = type_.element if isinstance(type_, Vector) else type_
    return isinstance(element, Scalar) and element.name != "bool"


_Known = dict[tuple[Record, int], list[Path]]


def _leaves(ctx: Context, type_: Type, depth: int, data: bool, known: _Known) -> list[Path]:
    """Returns up to one path more than the maximum.

    Each record is visited once for each depth: nested ten-member records, each member a record, would
    otherwise cost time exponential in the depth.
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
            found += _member_leaves(ctx, member, depth + 1, data, known)
            if len(found) > _MAXIMUM_LEAVES:
                break
        del found[_MAXIMUM_LEAVES + 1 :]
        if found and type_.keyword == "union":
            found = [(ANYWHERE,)]
        known[type_, depth] = found
    return found


def _member_leaves(ctx: Context, member: Member, depth: int, data: bool, known: _Known) -> list[Path]:
    inner = _leaves(ctx, member.type, depth, data, known)
    if not member.union:
        return [(member.name, *leaf) for leaf in inner]
    return [shared_place(member)] if inner else []


def shared_place(member: Member) -> Path:
    """Returns the one place shared by all members of an anonymous union."""
    return (f"union {member.union}", ANYWHERE)


def extended(path: Path, more: Path) -> Path:
    """Extends a path by a member.

    Within a place that is not subdivided, the path stays the same.
    """
    return path if path[-1:] == (ANYWHERE,) else (*path, *more)


def within(leaves: tuple[Path, ...], path: Path) -> Path:
    """Returns the path as the object has it.

    Returns ANYWHERE if a cast to another type makes it unknown.
    """
    if path[-1:] == (ANYWHERE,):
        return path
    for leaf in leaves:
        if leaf[: len(path)] == path:
            return path
        if leaf[-1:] == (ANYWHERE,) and path[: len(leaf) - 1] == leaf[:-1]:
            return leaf
    return (ANYWHERE,)


def touched(leaves: tuple[Path, ...], path: Path) -> tuple[Path, ...]:
    """Returns the pointers of an object that an access to this part may touch."""
    if path[-1:] == (ANYWHERE,) and path not in leaves:
        prefix = path[:-1]
        return tuple(leaf for leaf in leaves if leaf[: len(prefix)] == prefix) or leaves
    if path in leaves:
        return (path,)
    return tuple(leaf for leaf in leaves if leaf[: len(path)] == path) or leaves
