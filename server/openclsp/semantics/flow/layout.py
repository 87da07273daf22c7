"""Where in an object pointers lie."""

from __future__ import annotations

from openclsp.semantics.context import Context
from openclsp.semantics.flow.graph import ANYWHERE, Path
from openclsp.semantics.types import Array, BlockPointer, Pointer, Record, Type

_MAXIMUM_DEPTH = 8
_MAXIMUM_LEAVES = 64


def leaves_of(ctx: Context, type_: Type) -> tuple[Path, ...]:
    """The ways to the pointers in an object of this type; empty where it holds none. What lies deeper than is looked at,
    and all within a union, is one place."""
    found = list(_leaves(ctx, type_, (), 0))
    return (((ANYWHERE,)),) if len(found) > _MAXIMUM_LEAVES else tuple(dict.fromkeys(found))


def _leaves(ctx: Context, type_: Type, path: Path, depth: int) -> list[Path]:
    while isinstance(type_, Array):
        type_ = type_.element
    if isinstance(type_, Pointer | BlockPointer):
        return [path]
    if not isinstance(type_, Record):
        return []
    members = ctx.members(type_) or ()
    if depth >= _MAXIMUM_DEPTH:
        return [(*path, ANYWHERE)]
    inner = [
        leaf for member in members for leaf in _leaves(ctx, member.type, (*path, member.name), depth + 1)
    ]
    if inner and type_.keyword == "union":
        return [(*path, ANYWHERE)]
    return inner


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
