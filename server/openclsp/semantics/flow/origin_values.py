"""The kinds of origins that `certain_origins` distinguishes."""

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
    """The address of a private variable of the function, or of its result object.

    The result object contains a returned struct and has no `ref`. `handed` lists the calls that returned the
    address. `stored` lists the calls that stored the address in the memory from which it is loaded.
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
    """The contents of memory to which a parameter points, at the time of the call."""

    parameter: int
    path: Path


class Struct(NamedTuple):
    """The address of a part of a struct that call number `call` returned.

    `own` is the corresponding part of the result object of `callee`.
    """

    call: int
    callee: FunctionFlow
    own: OwnObject


class Other(NamedTuple):
    """Any origin but the function's own objects, its parameters, and the memory to which these point."""


Source = OwnObject | ParameterValue | ParameterContent | Struct | Other

OTHER = Other()


class RecordedWrite(NamedTuple):
    """A store to memory, by the function or by a callee.

    `value` is the value that the function itself stores. For a store by a callee, `call` is the number of the
    call, and `values` contains the origins of the stored value in terms of the callee's parameters.
    """

    addresses: tuple[Source, ...]
    value: Flow
    call: int = -1
    callee: FunctionFlow | None = None
    values: tuple[Source, ...] = ()
