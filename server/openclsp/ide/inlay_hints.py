"""Inlay hints: the address space of unqualified pointees, shown at the declaration.

For a pointer that is generic by default, the flow analysis may find that it holds only one address space, or
only some of them. A setting selects the hints (`InlayHintSetting`). A hint is shown where the qualifier would
be written. It can be inserted if re-analysis shows that the qualifier introduces no fault.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.ide.document_part import find_part
from openclsp.ide.feature_results import Location, TextEdit
from openclsp.ide.fixes.change_rendering import ChangeNotPossible, render_change
from openclsp.ide.fixes.fixes import edits_hold_in
from openclsp.ide.location_map import LocationMap
from openclsp.language.spaces import Space
from openclsp.rules.finding import SetSpace
from openclsp.semantics.database.derived_queries import FLOW
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.unit_inputs import CONTENT, TRACK_NAME_SPACES
from openclsp.semantics.facts.entities import (
    EntityKind,
    ItemKey,
    Origin,
    Place,
    Reason,
)
from openclsp.semantics.flow.flow_queries import POINTS_TO, solution
from openclsp.semantics.flow.transfers import NAMED, SPACE_BITS, SPACE_OF_BIT, UNKNOWN
from openclsp.semantics.items.item import ItemGroup
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import kind


class InlayHintSetting(Enum):
    """The setting that selects the hints; the enum's values are those of the setting."""

    OFF = "off"
    INFERRED = "inferred"
    """Only hints from the flow analysis, which add information to the declaration."""
    ALL = "all"


@dataclass(frozen=True, slots=True)
class InlayHint:
    """The implicit address space of a pointer, shown at the zero-width `location`.

    Accepting the hint writes `space` at the pointer level `origin`.
    """

    location: Location
    label: str
    explanation: str
    origin: Origin
    space: Space


_IDENTIFIER = kind("identifier")
_DEFAULTS = {
    Reason.POINTEE_GENERIC: "without a qualifier, the pointee is generic",
    Reason.POINTEE_PRIVATE: "without a qualifier, the pointee is private: this dialect has no generic address space",
    Reason.ARRAY_PARAMETER: "the elements of an unqualified array parameter are private",
}
_DECLARED = frozenset(
    (EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.MEMBER, EntityKind.FUNCTION, EntityKind.TYPEDEF)
)


class _UnqualifiedPointer(NamedTuple):
    """A pointer level of a declared entity whose pointee has no address space qualifier.

    - `insertion`: the token before which a qualifier would be inserted.
    - `token_indices`: the tokens that name the variable or parameter that is this pointer. Empty for members
      and deeper levels. Also empty if a qualifier before `insertion` would apply to several declarators.
    - `is_result`: whether the pointer is the result of a function definition.
    """

    origin: Origin
    insertion: int
    reason: Reason
    space: Space
    token_indices: tuple[int, ...]
    is_result: bool


def compute_inlay_hints(
    unit: TranslationUnit, document: str, start: int, end: int, which: InlayHintSetting
) -> list[InlayHint]:
    """Computes the hints between bytes `start` and `end` of a document, sorted by place.

    The setting `which` selects the hints.
    """
    part = find_part(unit, document)
    if part is None or which is InlayHintSetting.OFF:
        return []
    unit.database.set(TRACK_NAME_SPACES, "", True)
    if unit.dialect.generic:
        solution(unit, FLOW)
    places = LocationMap(unit)
    found: dict[int, InlayHint] = {}
    for key in _items_between(part, start, end):
        for pointer in unit.database.get(UNQUALIFIED_POINTERS, key):
            hint = _hint(places, key, pointer, which)
            if (
                hint is not None
                and hint.location.document == document
                and start <= hint.location.start <= end
            ):
                found[hint.location.start] = hint
    return [found[at] for at in sorted(found)]


def create_hint_edit(
    unit: TranslationUnit, hint: InlayHint, others: Iterable[TranslationUnit] = ()
) -> TextEdit | None:
    """Creates the edit that writes the address space of a hint.

    None if the edit would introduce a fault in the unit or in one of the `others`, which may have documents
    in common with the unit.
    """
    change = SetSpace(hint.origin, hint.space)
    try:
        edits = tuple(render_change(LocationMap(unit), hint.origin.entity.item, change))
    except ChangeNotPossible:
        return None
    right = len(edits) == 1 and all(
        edits_hold_in(each, edits, header_bodies=False) for each in (unit, *others)
    )
    return edits[0] if right else None


def _items_between(part: UnitPart, start: int, end: int) -> Iterator[ItemKey]:
    source_map = part.preprocessed.source_map
    text, lines = source_map.document.text, source_map.lines
    first, last = text.line_of(start), text.line_of(end) + 1
    low = lines.start(first)
    high = lines.start(last) if last < lines.count else len(part.preprocessed.text)
    groups = part.groups
    behind = bisect_left(groups, high, key=_start)
    for group in groups[max(bisect_right(groups, low, key=_start) - 1, 0) : behind]:
        for item in group.items:
            yield item.key


def _start(group: ItemGroup) -> int:
    return group.start


def _pointers(unit: TranslationUnit, key: ItemKey) -> tuple[_UnqualifiedPointer, ...]:
    if not unit.database.read(CONTENT, key):
        return ()
    ctx = unit.typed(key, bodies=True, deferring=True, trace=True)
    entities = [each for each in ctx.entities.values() if each.kind in _DECLARED]
    # Several declarators may share the place of a qualifier, which then applies to all of them: a hint is
    # correct only if they agree.
    sharing: dict[int, list[tuple[int, Space]]] = {}
    for entity in entities:
        for level in entity.levels:
            if level.insertion >= 0:
                sharing.setdefault(level.insertion, []).append((entity.ref.number, level.space))
    indices_of_tokens = _naming_tokens(ctx)
    found = []
    for entity in entities:
        for depth, level in enumerate(entity.levels):
            if level.reason not in _DEFAULTS or not depth or level.via is not None or level.insertion < 0:
                continue
            around = sharing[level.insertion]
            if any(space is not level.space for _, space in around):
                continue
            alone = depth == 1 and len(around) == 1
            names = tuple(indices_of_tokens.get(entity.ref.number, ())) if alone else ()
            result = alone and entity.kind is EntityKind.FUNCTION and key[0] == "function_definition"
            origin = Origin(entity.ref, depth)
            found.append(
                _UnqualifiedPointer(origin, level.insertion, level.reason, level.space, names, result)
            )
    return tuple(found)


UNQUALIFIED_POINTERS: Query[ItemKey, tuple[_UnqualifiedPointer, ...]] = Query(
    "unqualified pointers", _pointers, ()
)
"""The pointers with an unqualified pointee that an item declares."""


def _naming_tokens(ctx: TypingContext) -> dict[int, list[int]]:
    """Returns the tokens that name each variable and parameter of the item, by the entity's number."""
    found: dict[int, list[int]] = {}
    for entity in ctx.entities.values():
        if entity.kind in (EntityKind.VARIABLE, EntityKind.PARAMETER):
            found[entity.ref.number] = [entity.place.first]
    for node, value in (ctx.trace or {}).items():
        origin = value.origin
        if origin is None or origin.level != 0 or origin.entity.item != ctx.item:
            continue
        if origin.entity.number in found and ctx.table.kind[node] == _IDENTIFIER:
            found[origin.entity.number].append(ctx.table.first[node])
    return found


def _held_spaces(unit: TranslationUnit, key: ItemKey, pointer: _UnqualifiedPointer) -> int:
    """Returns the union, as bits, of the named address spaces that a pointer may hold at any of its uses.

    0 if the pointer may get a value whose address space is unknown.
    """
    functions = unit.database.read(POINTS_TO, key).functions
    found = 0
    if pointer.is_result:
        flows = unit.database.get(FLOW, key)
        found = functions[0].nodes[flows[0].result] if functions and flows else 0
    elif pointer.token_indices:
        named = set(pointer.token_indices)
        for function in functions:
            for token_index, bits in function.names:
                found |= bits if token_index in named else 0
    return 0 if found & UNKNOWN else found & NAMED


def _hint(
    places: LocationMap, key: ItemKey, pointer: _UnqualifiedPointer, which: InlayHintSetting
) -> InlayHint | None:
    held = _held_spaces(places.unit, key, pointer) if pointer.space is Space.GENERIC else 0
    found = [SPACE_OF_BIT[bit] for bit in SPACE_BITS if held & bit]
    space, default = pointer.space, _DEFAULTS[pointer.reason]
    if not found:
        if which is not InlayHintSetting.ALL:
            return None
        label, explanation = space.word, default
    elif len(found) == 1:
        space = found[0]
        label, explanation = space.word, f"generic by default, but it only holds {space.word}"
    else:
        words = ", ".join(each.word for each in found)
        label, explanation = f"{space.word} {{{words}}}", f"{default}; it holds {words}"
    at = places.spelling_span(key, Place(pointer.insertion, pointer.insertion + 1))
    if at is None:
        return None
    return InlayHint(Location(at.document, at.start, at.start), label, explanation, pointer.origin, space)
