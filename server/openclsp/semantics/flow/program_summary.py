"""Joins the flow of functions that several programs of a project contain.

Each program is solved on its own, so that its sets stay exact. The sets of a function are then the union of
its sets in all programs that contain it. The sets can be joined element by element if the function has the
same tokens in every program, because its graphs then have the same numbering. If the tokens differ, because
the programs expand it differently, the function's sets are unknown.

Invariants:
- A summary is immutable and refers to no unit; it identifies a function by its document and name.
- The union covers every program of the project that contains the document; otherwise it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import starmap
from operator import or_
from typing import NamedTuple, Protocol

from openclsp.dataclass import dataclass
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.flow.points_to_values import FunctionPointsTo, PointsTo
from openclsp.semantics.flow.transfers import UNKNOWN
from openclsp.source.document import DocumentName

_DEFINITION = "function_definition"


class SummarisedFunction(NamedTuple):
    """The points-to sets of a function in one program, with the digest of its tokens and their structure."""

    digest: bytes
    points_to: PointsTo


@dataclass(frozen=True, slots=True)
class ProgramFlow:
    """The points-to sets of a program's functions, by document and name.

    The value is None for a name that the document defines more than once.
    """

    functions: Mapping[tuple[DocumentName, str], SummarisedFunction | None]


class OtherPrograms(Protocol):
    """The flow of the other programs of a unit's project."""

    @property
    def includes_unit(self) -> bool:
        """Whether the unit is part of other programs, so that their flow includes the unit's flow."""
        ...

    def containing(self, document: DocumentName) -> tuple[ProgramFlow, ...] | None:
        """Returns the flow of the other programs that contain the document; None if not all are known."""
        ...


def join_programs(
    programs: OtherPrograms, document: DocumentName, key: ItemKey, digest: bytes, own: PointsTo
) -> PointsTo:
    """Returns the sets of an item of the document, joined over all programs, or unknown sets.

    `own` contains the item's sets in the unit, and `digest` is the digest of its tokens there.
    """
    if key[0] != _DEFINITION or not any(map(_holds_pointers, own.functions)):
        return own
    others = programs.containing(document)
    if others is None:
        return own if programs.includes_unit else _unknown(own)
    found = [] if programs.includes_unit else [own]
    for program in others:
        if (document, key[1]) not in program.functions:
            continue
        function = program.functions[document, key[1]]
        if function is None or function.digest != digest or not _fit(own, function.points_to):
            return _unknown(own)
        found.append(function.points_to)
    return _joined(found) if found else own


def _holds_pointers(held: FunctionPointsTo) -> bool:
    return bool(held.parameters or held.events or held.stores or held.accesses or held.names)


def _shape(held: FunctionPointsTo) -> tuple[object, ...]:
    counted = held.parameters, held.events, held.stores, held.nodes
    places = [place for place, _ in held.accesses], [token_index for token_index, _ in held.names]
    return (*map(len, counted), *places)


def _fit(first: PointsTo, second: PointsTo) -> bool:
    """Whether the sets belong to graphs with the same numbering."""
    return [_shape(each) for each in first.functions] == [_shape(each) for each in second.functions]


def _joined(found: list[PointsTo]) -> PointsTo:
    return PointsTo(tuple(_join(each) for each in zip(*(one.functions for one in found), strict=True)))


def _join(found: tuple[FunctionPointsTo, ...]) -> FunctionPointsTo:
    """Joins the sets that one function or block literal has in several programs.

    If a kernel reaches the function in some programs, only these programs are considered. Otherwise, only
    programs that call the function are considered; if there are none, all programs are.
    """
    counted = (
        [each for each in found if each.reached] or [each for each in found if each.called] or list(found)
    )
    result = counted[0]
    for each in counted[1:]:
        result = FunctionPointsTo(
            result.reached or each.reached,
            result.called or each.called,
            result.certain or each.certain,
            _union(result.parameters, each.parameters),
            _union_of_pairs(result.events, each.events),
            _union_of_pairs(result.stores, each.stores),
            _union(result.nodes, each.nodes),
            tuple((place, a | b) for (place, a), (_, b) in zip(result.accesses, each.accesses, strict=True)),
            tuple((index, a | b) for (index, a), (_, b) in zip(result.names, each.names, strict=True)),
        )
    return result


def _union(first: Iterable[int], second: Iterable[int]) -> tuple[int, ...]:
    return tuple(starmap(or_, zip(first, second, strict=True)))


def _union_of_pairs(
    first: Iterable[tuple[int, int]], second: Iterable[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    return tuple((a | c, b | d) for (a, b), (c, d) in zip(first, second, strict=True))


def _unknown(own: PointsTo) -> PointsTo:
    return PointsTo(
        tuple(
            FunctionPointsTo(
                each.reached,
                each.called,
                each.certain,
                tuple(bits | UNKNOWN for bits in each.parameters),
                tuple((a | UNKNOWN, b | UNKNOWN) for a, b in each.events),
                tuple((a | UNKNOWN, b | UNKNOWN) for a, b in each.stores),
                tuple(bits | UNKNOWN for bits in each.nodes),
                tuple((place, bits | UNKNOWN) for place, bits in each.accesses),
                tuple((index, bits | UNKNOWN) for index, bits in each.names),
            )
            for each in own.functions
        )
    )
