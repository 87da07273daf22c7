"""Inlay hints: at the declaration of a pointer whose pointee has no qualifier, the space that it points into.

Which there are is the person's choice (`Hints`). A hint stands where the qualifier would be written, and can be written
there if that makes no fault; to see this the unit is analysed with it.
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
from openclsp.rules.finding import SetSpace
from openclsp.semantics.entities import Entity, EntityKind, ItemKey, Origin, Reason
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
    entities = [each for each in places.context(key).entities.values() if each.kind in _DECLARED]
    # several declarators may share one place for a qualifier, which then speaks of all of them
    spaces: dict[int, set[Space]] = {}
    for entity in entities:
        for level in entity.levels:
            if level.insertion >= 0:
                spaces.setdefault(level.insertion, set()).add(level.space)
    for entity in entities:
        for depth, level in enumerate(entity.levels):
            explanation = _DEFAULTS.get(level.reason)
            if explanation is None or not depth or level.via is not None or level.insertion < 0:
                continue
            if len(spaces[level.insertion]) > 1:
                continue
            hint = _hint(places, entity, depth, which, explanation)
            if hint is not None:
                yield hint


def _hint(places: Places, entity: Entity, depth: int, which: Hints, explanation: str) -> InlayHint | None:
    if which is not Hints.ALL:
        return None
    space = entity.levels[depth].space
    change = SetSpace(Origin(entity.ref, depth), space)
    try:
        edit, *others = edits_of(places, entity.ref.item, change)
    except NotPossible:
        return None
    return None if others else InlayHint(edit.location, space.word, explanation, edit)
