"""Sources of a pointer within one function, and the parts of objects that they designate.

A source is an object of the function, a parameter, memory behind a parameter, or a part of a returned struct.
`certain_origins` finds the sources of a value.
"""

from __future__ import annotations

from typing import NamedTuple

from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import EntityRef
from openclsp.semantics.flow.graph import (
    ANYWHERE,
    BASE,
    Atom,
    FunctionFlow,
    ObjectId,
    Path,
)
from openclsp.semantics.flow.object_layout import extended, touched, within
from openclsp.semantics.flow.origins import object_of

MAXIMUM_DEPTH = 8
"""Bound on nesting of calls and loads, and on path length.

Calls are those followed, loads those through pointers in memory.
"""


class OwnObject(NamedTuple):
    """The address of the function's own private variable or result object.

    The latter holds a returned struct, and has no `ref`.

    `handed`: the calls that returned the address. `stored`: the calls that stored it where it is read.
    """

    name: str
    ref: EntityRef | None
    object: ObjectId | None
    path: Path
    handed: tuple[str, ...] = ()
    stored: tuple[str, ...] = ()


class ParameterValue(NamedTuple):
    """The value of a parameter.

    It may be moved to a part of what the parameter points to.
    """

    parameter: int
    path: Path


class ParameterContent(NamedTuple):
    """The contents of memory behind a parameter, at the call."""

    parameter: int
    path: Path


class Struct(NamedTuple):
    """A part of a struct returned by a call.

    It is in the callee's result object.
    """

    call: int
    callee: FunctionFlow
    own: OwnObject


class Other(NamedTuple):
    """Any other origin."""


Source = OwnObject | ParameterValue | ParameterContent | Struct | Other
OTHER = Other()


def addressed_source(function: FunctionFlow, atom: Atom, path: Path) -> Source:
    """Returns the object whose address an atom is, or from which it loads."""
    if atom.kind == BASE:
        found = object_of(atom)
        if found is None or found[0] is not Space.PRIVATE or found[1].level != 0:
            return OTHER
        ref = found[1].entity
        return OwnObject(found[2], ref, None, ()) if ref.item == function.id[0] else OTHER
    made = atom.a
    if not isinstance(made, ObjectId) or made.space is not Space.PRIVATE:
        return OTHER
    where = within(made.token_indices, joined_path(atom.b, path))
    if made.kind == "result":
        return OwnObject(made.name, None, made, where) if made.owner == function.id else OTHER
    if isinstance(made.owner, EntityRef) and made.owner.item == function.id[0]:
        return OwnObject(made.name, made.owner, made, where)
    return OTHER


def joined_path(path: Path, more: Path) -> Path:
    joined = extended(path, more)
    return joined if len(joined) <= MAXIMUM_DEPTH else (ANYWHERE,)


def moved_source(source: Source, path: Path) -> Source:
    """Returns the part of the object that an address points to."""
    if not path or isinstance(source, (ParameterContent, Other)):
        return source
    if isinstance(source, Struct):
        return source._replace(own=_moved_own(source.own, path))
    if isinstance(source, OwnObject):
        return _moved_own(source, path)
    return source._replace(path=joined_path(source.path, path))


def _moved_own(own: OwnObject, path: Path) -> OwnObject:
    if own.object is None:
        return own
    return own._replace(path=within(own.object.token_indices, joined_path(own.path, path)))


def may_be_same_memory(written: Source, read: Source) -> bool:
    """Whether a store to `written` may be read at `read`."""
    if isinstance(written, OwnObject) and isinstance(read, OwnObject):
        made = written.object
        if made is None or made != read.object:
            return False
        return not set(touched(made.token_indices, written.path)).isdisjoint(
            touched(made.token_indices, read.path)
        )
    if isinstance(written, ParameterValue) and isinstance(read, ParameterValue):
        return written.parameter == read.parameter and _overlap(written.path, read.path)
    return False


def _overlap(one: Path, other: Path) -> bool:
    """Whether one path is a prefix of the other, or may be."""
    for first, second in zip(one, other, strict=False):
        if ANYWHERE in (first, second):
            return True
        if first != second:
            return False
    return True
