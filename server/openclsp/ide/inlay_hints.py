"""Inlay hints: at the declaration of a pointer whose pointee has no qualifier, the space that it points into.

Of a pointer that is generic by default the flow of spaces tells more: it holds one space only, or some of them. Which hints
there are is the person's choice (`Hints`). A hint stands where the qualifier would be written, and can be written there if
that makes no fault; to see this the unit is analysed with it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Location, TextEdit
from openclsp.ide.changes import NotPossible, edits_of
from openclsp.ide.fixes import holds_in
from openclsp.ide.places import Places
from openclsp.language.spaces import Space
from openclsp.rules.checking import FLOW
from openclsp.rules.finding import SetSpace
from openclsp.semantics.context import Context
from openclsp.semantics.entities import Entity, EntityKind, ItemKey, Level, Origin, Reason
from openclsp.semantics.flow.functions import function_flows
from openclsp.semantics.flow.queries import solution
from openclsp.semantics.flow.transfers import NAMED, SPACE_BITS, SPACE_OF_BIT, UNKNOWN
from openclsp.semantics.items import Fragment, Group
from openclsp.semantics.translation_unit import TranslationUnit


class Hints(Enum):
    """Which hints are shown; the value is the setting's word."""

    OFF = "off"
    INFERRED = "inferred"
    """Where the flow of spaces tells more than the declaration does."""
    ALL = "all"


@dataclass(frozen=True, slots=True)
class InlayHint:
    """A hint before the byte at `location`, which is empty. `edit` writes it; it is not yet known to be right."""

    location: Location
    label: str
    explanation: str
    edit: TextEdit


_DEFAULTS = {
    Reason.POINTEE_GENERIC: "without a qualifier the pointee is generic",
    Reason.POINTEE_PRIVATE: "without a qualifier the pointee is private, for there is no generic address space here",
    Reason.ARRAY_PARAMETER: "the elements of an unqualified array parameter are private",
}
_DECLARED = frozenset(
    (EntityKind.VARIABLE, EntityKind.PARAMETER, EntityKind.MEMBER, EntityKind.FUNCTION, EntityKind.TYPEDEF)
)


def inlay_hints(unit: TranslationUnit, document: str, start: int, end: int, which: Hints) -> list[InlayHint]:
    """The hints of the items that reach into the bytes from `start` to `end` of a document, sorted by place."""
    if which is Hints.OFF:
        return []
    fragment = next((each for each in unit.fragments() if each.preprocessed.document.name == document), None)
    if fragment is None:
        return []
    places = Places(unit)
    found = {
        hint.location.start: hint
        for key in _items_between(fragment, start, end)
        for hint in _hints(places, key, which)
        if hint.location.document == document and start <= hint.location.start <= end
    }
    return [found[at] for at in sorted(found)]


def can_be_written(unit: TranslationUnit, hint: InlayHint, others: Iterable[TranslationUnit] = ()) -> bool:
    """Whether the unit, and the others that may share documents with it, have no new fault with the hint as text."""
    return all(holds_in(each, (hint.edit,), header_bodies=False) for each in (unit, *others))


def _items_between(fragment: Fragment, start: int, end: int) -> Iterator[ItemKey]:
    source_map = fragment.preprocessed.source_map
    text, lines = source_map.document.text, source_map.lines
    first, last = text.line_of(start), text.line_of(end) + 1
    low = lines.start(first)
    high = lines.start(last) if last < lines.count else len(fragment.preprocessed.text)
    groups = fragment.groups
    behind = bisect_left(groups, high, key=_start)
    for group in groups[max(bisect_right(groups, low, key=_start) - 1, 0) : behind]:
        for item in group.items:
            yield item.key


def _start(group: Group) -> int:
    return group.start


def _hints(places: Places, key: ItemKey, which: Hints) -> Iterator[InlayHint]:
    ctx = places.context(key)
    entities = [each for each in ctx.entities.values() if each.kind in _DECLARED]
    # several declarators may share one place for a qualifier, which then speaks of all of them
    sharing: dict[int, list[Entity]] = {}
    for entity in entities:
        for level in entity.levels:
            if level.insertion >= 0:
                sharing.setdefault(level.insertion, []).append(entity)
    held = _held(places.unit, ctx)
    for entity in entities:
        for depth, level in enumerate(entity.levels):
            if level.reason not in _DEFAULTS or not depth or level.via is not None or level.insertion < 0:
                continue
            found = held.get(entity.ref.number, 0) if depth == 1 else 0
            if len(sharing[level.insertion]) > 1:
                others = (space for each in sharing[level.insertion] for space in _spaces_at(each, level))
                if any(space is not level.space for space in others):
                    continue
                found = 0
            hint = _hint(places, entity, depth, found, which)
            if hint is not None:
                yield hint


def _spaces_at(entity: Entity, place: Level) -> Iterator[Space]:
    """The spaces of the entity's levels whose qualifier would be written at the place of this level's."""
    for level in entity.levels:
        if level.insertion == place.insertion:
            yield level.space


def _held(unit: TranslationUnit, ctx: Context) -> dict[int, int]:
    """What the generic pointers that an item declares hold wherever they are named, in basic bits; of a function what it
    returns. Nothing of those in which something is held that is not known."""
    found: dict[int, int] = {}
    if not unit.dialect.generic:
        return found
    solved = solution(unit, FLOW)
    _, builders = function_flows(ctx, ctx.trace or {})
    of_leaf = {entity.place.first: entity.ref.number for entity in ctx.entities.values()}
    for row, value in (ctx.trace or {}).items():
        origin = value.origin
        if origin is not None and origin.level == 0 and origin.entity.item == ctx.item:
            of_leaf.setdefault(ctx.table.first[row], origin.entity.number)
    for builder in builders:
        if builder.id not in solved.work:
            continue
        solver = solved.solver(builder.id)
        for leaf, flow in builder.names.items():
            if leaf in of_leaf:
                number = of_leaf[leaf]
                found[number] = found.get(number, 0) | solved.sets.basic(solver.concrete(flow))
        function = next((each for each in ctx.entities.values() if each.kind is EntityKind.FUNCTION), None)
        if builder.outer is None and function is not None:
            result = solver.sets[solved.functions[builder.id].result]
            found[function.ref.number] = solved.sets.basic(solver.concrete_bits(result))
    return {number: bits & NAMED for number, bits in found.items() if not bits & UNKNOWN}


def _hint(places: Places, entity: Entity, depth: int, held: int, which: Hints) -> InlayHint | None:
    level = entity.levels[depth]
    found = [SPACE_OF_BIT[bit] for bit in SPACE_BITS if held & bit]
    if level.space is not Space.GENERIC or not found:
        if which is not Hints.ALL:
            return None
        space, label, explanation = level.space, level.space.word, _DEFAULTS[level.reason]
    elif len(found) == 1:
        space = found[0]
        label, explanation = space.word, f"declared generic by default; all that it holds is {space.word}"
    else:
        space, words = level.space, ", ".join(each.word for each in found)
        label, explanation = f"{space.word} {{{words}}}", f"{_DEFAULTS[level.reason]}; it holds {words}"
    try:
        edit, *others = edits_of(places, entity.ref.item, SetSpace(Origin(entity.ref, depth), space))
    except NotPossible:
        return None
    return None if others else InlayHint(edit.location, label, explanation, edit)
