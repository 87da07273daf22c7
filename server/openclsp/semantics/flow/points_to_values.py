"""The points-to sets of an item as values, without positions in a text."""

from __future__ import annotations

from typing import NamedTuple

from openclsp.semantics.facts.entities import Place


class PointsTo(NamedTuple):
    """The points-to sets of an item's function and block literals.

    The sets are given as basic bits, in the order of the graphs.
    """

    functions: tuple[FunctionPointsTo, ...] = ()


class FunctionPointsTo(NamedTuple):
    """The points-to sets of one function, as bit sets.

    `parameters`, `events`, `stores` and `nodes` are parallel to the fields of the function's graph. An event
    has the sets of its pointer and of its other operand; a store has the sets of its address and its value.

    - `reached`: whether a kernel calls the function, perhaps indirectly
    - `called`: whether anything calls it
    - `certain`: whether a kernel runs it on all of the kernel's paths
    """

    reached: bool
    called: bool
    certain: bool
    parameters: tuple[int, ...]
    events: tuple[tuple[int, int], ...]
    stores: tuple[tuple[int, int], ...]
    nodes: tuple[int, ...]
    accesses: tuple[tuple[Place, int], ...] = ()
    """The spaces accessed through generic pointers, by the place of the pointer"""
    names: tuple[tuple[int, int], ...] = ()
    """The sets of the generic pointers at the names that are kept, by token index"""
