"""The address spaces of all pointers of a unit, for the comparison of two states of a project.

A pointer is identified by its document, its function and its name, so that pointers in different lines can be
compared. A pointer with a named address space has only this one; a generic pointer has all those that it can
point into.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from openclsp.ide.feature_results import Location
from openclsp.ide.location_map import LocationMap
from openclsp.language.spaces import Space
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.facts.entities import Entity, EntityKind, ItemKey
from openclsp.semantics.flow.flow_queries import POINTS_TO, solution
from openclsp.semantics.flow.graph import FunctionFlow
from openclsp.semantics.flow.points_to_values import FunctionPointsTo
from openclsp.semantics.flow.transfers import NULL, SPACE_BITS, SPACE_OF_BIT, UNKNOWN
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Pointer
from openclsp.source.document import DocumentName

_DEFINITION = "function_definition"


class PointerKey(NamedTuple):
    """The identity of a pointer; `number` counts the pointers of that name in the function, from 0."""

    document: DocumentName
    function: str
    name: str
    number: int


class PointerState(NamedTuple):
    """The address spaces of a pointer.

    - `spaces`: the names of the address spaces, including `null` and `unknown`.
    - `generic`: whether the pointer is generic because its declaration names no address space.
    - `flat_accesses`: the number of accesses through the pointer for which no single address space is known.
      For these accesses, devices use flat addressing.
    """

    spaces: frozenset[str]
    generic: bool
    flat_accesses: int
    location: Location
    line: int


def pointer_states(unit: TranslationUnit) -> Mapping[PointerKey, PointerState]:
    """Determines the states of all pointers that functions of a unit declare.

    The unit's dialect must have generic pointers.
    """
    solution(unit, FLOW)
    places = LocationMap(unit)
    found: dict[PointerKey, PointerState] = {}
    for item in unit.items:
        if item.key[0] != _DEFINITION or not item.name:
            continue
        unit.database.checkpoint()
        held = unit.database.read(POINTS_TO, item.key).functions
        flows = unit.database.get(FLOW, item.key) if held else ()
        document = item.group.part.preprocessed.document.name
        numbers: Counter[str] = Counter()
        for entity in _pointers(places, item.key):
            key = PointerKey(document, item.name, entity.name, numbers[entity.name])
            numbers[entity.name] += 1
            state = _state(places, item.key, entity, tuple(zip(flows, held, strict=False)))
            if state is not None:
                found[key] = state
    return found


def _pointers(places: LocationMap, key: ItemKey) -> Iterator[Entity]:
    for each in places.context(key).entities.values():
        if each.kind in (EntityKind.PARAMETER, EntityKind.VARIABLE) and isinstance(each.type, Pointer):
            yield each


def _state(
    places: LocationMap,
    key: ItemKey,
    entity: Entity,
    solved: tuple[tuple[FunctionFlow, FunctionPointsTo], ...],
) -> PointerState | None:
    assert isinstance(entity.type, Pointer)
    space = entity.type.pointee.space
    location = places.location(key, entity.place)
    document = places.unit.document_named(location.document)
    line = document.text.line_of(location.start) + 1 if document is not None else 1
    if space is not Space.GENERIC:
        word = space.word if space is not None else "unknown"
        return PointerState(frozenset((word,)), False, 0, location, line)
    bits, accesses, is_found = 0, 0, False
    for flow, held in solved:
        if len(held.nodes) != len(flow.nodes) or len(held.events) != len(flow.events):
            continue
        nodes = {
            number
            for number, info in enumerate(flow.infos)
            if info.entity == entity.ref.number and flow.id[0] == key
        }
        nodes |= {each.node for each in flow.parameters if each.number == entity.ref.number}
        is_found = is_found or bool(nodes)
        for number in nodes:
            bits |= held.nodes[number]
        for event, (value, _) in zip(flow.events, held.events, strict=True):
            read = {atom.a for atom in event.value if isinstance(atom.a, int)}
            if event.kind == "dereference" and read & nodes and not _is_single(value):
                accesses += 1
    if not is_found:
        # unused, or in memory: its address is taken
        bits = UNKNOWN
    words = {SPACE_OF_BIT[bit].word for bit in SPACE_BITS if bits & bit}
    words |= {word for word, bit in (("null", NULL), ("unknown", UNKNOWN)) if bits & bit}
    return PointerState(frozenset(words), True, accesses, location, line)


def _is_single(bits: int) -> bool:
    """Whether a set of address spaces, given as bits, has at most one element and no unknown one."""
    return not bits & UNKNOWN and sum(bool(bits & bit) for bit in SPACE_BITS) < 2
