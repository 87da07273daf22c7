"""Where in an object pointers lie."""

from __future__ import annotations

from openclsp.semantics.context import Context, Member
from openclsp.semantics.flow.graph import ANYWHERE, Path
from openclsp.semantics.types import Array, BlockPointer, Pointer, Record, Scalar, Type, Vector

_MAXIMUM_DEPTH = 8
_MAXIMUM_LEAVES = 64


def leaves_of(ctx: Context, type_: Type, *, data: bool = False) -> tuple[Path, ...]:
    """The ways to the pointers in an object of this type; empty where it holds none. What lies deeper than is looked at,
    and all within a union, is one place. With `data` plain data in which a pointer may lie counts as one."""
    found = _leaves(ctx, type_, 0, data, {})
    return (((ANYWHERE,)),) if len(found) > _MAXIMUM_LEAVES else tuple(dict.fromkeys(found))


def may_hold(type_: Type) -> bool:
    """Whether plain data of this type, or several in a row, is followed where it holds a pointer: integers as wide as one,
    single bytes, `uint` for its halves, and vectors of integers."""
    if isinstance(type_, Vector):
        return not type_.element.floating
    if not isinstance(type_, Scalar) or type_.floating or type_.name == "bool":
        return False
    return type_.size in (1, 8) or type_.canonical == "uint"


def is_plain(type_: Type) -> bool:
    """Whether a type is a number or a vector of numbers, `bool` aside."""
    element = type_.element if isinstance(type_, Vector) else type_
    return isinstance(element, Scalar) and element.name != "bool"


_Known = dict[tuple[Record, int], list[Path]]


def _leaves(ctx: Context, type_: Type, depth: int, data: bool, known: _Known) -> list[Path]:
    """The pointers of a type, and one more than may be told apart at most. Each record is looked through once at each depth: a
    record of ten records of ten records … has a hundred million members."""
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
    """The one place of all members of an anonymous union."""
    return (f"union {member.union}", ANYWHERE)


def extended(path: Path, more: Path) -> Path:
    """A member's member: within what is one place, that place."""
    return path if path[-1:] == (ANYWHERE,) else (*path, *more)


def within(leaves: tuple[Path, ...], path: Path) -> Path:
    """The path as the object has it: where it has no such part, because another type was laid over it, anywhere in it."""
    if path[-1:] == (ANYWHERE,):
        return path
    for leaf in leaves:
        if leaf[: len(path)] == path:
            return path
        if leaf[-1:] == (ANYWHERE,) and path[: len(leaf) - 1] == leaf[:-1]:
            return leaf
    return (ANYWHERE,)


def touched(leaves: tuple[Path, ...], path: Path) -> tuple[Path, ...]:
    """The pointers of an object that an access to this part may touch."""
    if path[-1:] == (ANYWHERE,) and path not in leaves:
        prefix = path[:-1]
        return tuple(leaf for leaf in leaves if leaf[: len(prefix)] == prefix) or leaves
    if path in leaves:
        return (path,)
    return tuple(leaf for leaf in leaves if leaf[: len(path)] == path) or leaves
