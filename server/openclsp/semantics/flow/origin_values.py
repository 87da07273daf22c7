"""Values of the analysis of certain origins."""

from __future__ import annotations

from typing import NamedTuple

from openclsp.semantics.facts.entities import EntityRef
from openclsp.semantics.flow.graph import (
    Flow,
    FunctionFlow,
    ObjectId,
    Path,
)


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
    """The value of a parameter, or a pointer to a part (`path`) of what the parameter points to."""

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
    """An origin other than the function's own objects, its parameters and their contents."""


Source = OwnObject | ParameterValue | ParameterContent | Struct | Other

OTHER = Other()


class RecordedWrite(NamedTuple):
    """A store to memory, by the function or by a callee.

    For a store by a callee, `call` is the number of the call, and `values` are in terms of the callee's
    parameters.
    """

    addresses: tuple[Source, ...]
    value: Flow
    call: int = -1
    callee: FunctionFlow | None = None
    values: tuple[Source, ...] = ()
