"""From leaves of items to places in documents, and back from the cursor to an item and its leaf."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple
from weakref import WeakKeyDictionary

from openclsp.ide.answers import Location, RelatedLocation
from openclsp.rules.checking import given_at
from openclsp.semantics.context import Context
from openclsp.semantics.entities import Entity, EntityRef, ItemKey, Level, Origin, Place
from openclsp.semantics.facts import Fact
from openclsp.semantics.items import Fragment, Item, span
from openclsp.semantics.table import Table
from openclsp.semantics.translation_unit import Stretch, TranslationUnit
from openclsp.source.source_map import Span

WrittenPlace = tuple[Location, tuple[RelatedLocation, ...]]


class _Kept(NamedTuple):
    """A written place, and where its item began in the expanded text."""

    item_start: int
    written: WrittenPlace


_KeptPlaces = dict[tuple[Item, Place], _Kept]
_KEPT: WeakKeyDictionary[TranslationUnit, _KeptPlaces] = WeakKeyDictionary()
_MAXIMUM_KEPT = 20_000


def _kept_places(unit: TranslationUnit) -> _KeptPlaces:
    """The places that were asked for before, where they are now: an edit moves what stands behind it, and only what it
    touches has to be looked for again."""
    kept = _KEPT.get(unit)
    if kept is None or unit.moves is None or len(kept) > _MAXIMUM_KEPT:
        kept = _KEPT[unit] = {}
    if unit.moves:
        for edit, expanded in unit.moves:
            moves = ((place, _moved(place[0], each, unit, edit, expanded)) for place, each in kept.items())
            kept = {place: moved for place, moved in moves if moved is not None}
        # an item that is gone, or that stands in the place of an equal one now, is not where it was
        kept = _KEPT[unit] = {
            place: each
            for place, each in kept.items()
            if place[0].start == each.item_start and unit.by_key.get(place[0].key) is place[0]
        }
    unit.moves = []
    return kept


def _moved(item: Item, kept: _Kept, unit: TranslationUnit, edit: Stretch, expanded: Stretch) -> _Kept | None:
    """A place after an edit of the root document; None where the edit touches it."""
    location, steps = kept.written
    root = unit.document.name
    now = _moved_location(location, root, edit)
    if now is None:
        return None
    start = kept.item_start
    if item.group.fragment.preprocessed is unit.preprocessed and start >= expanded[0]:
        start += expanded[2] - expanded[1]
    if not steps:
        return kept if now is location and start == kept.item_start else _Kept(start, (now, ()))
    moved = [_moved_location(step.location, root, edit) for step in steps]
    if any(each is None for each in moved):
        return None
    there = zip(moved, steps, strict=True)
    return _Kept(start, (now, tuple(RelatedLocation(each, step.message) for each, step in there if each)))


def _moved_location(location: Location, root: str, edit: Stretch) -> Location | None:
    start, old_end, new_end = edit
    if location.document != root or (location.end <= start and location.start < start):
        return location
    if location.start < old_end or location.start == location.end == start:
        return None
    by = new_end - old_end
    return Location(root, location.start + by, location.end + by) if by else location


class Places:
    """The places of one state of a translation unit; made anew after each update.

    Items are typed again, and their tables built again, when one of their places is asked for: that costs less than
    keeping them (a twentieth of a millisecond for a function).
    """

    def __init__(self, unit: TranslationUnit) -> None:
        self.unit = unit
        self._tables: dict[ItemKey, Table] = {}
        self._entities: dict[ItemKey, dict[int, Entity]] = {}
        self._kept = _kept_places(unit)
        self._facts: dict[ItemKey, tuple[Fact, ...]] = {}

    def table(self, key: ItemKey) -> Table:
        """The table of an item."""
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = self.unit.table(key)
        return found

    def context(self, key: ItemKey) -> Context:
        """An item typed with the value of every expression kept."""
        ctx = self.unit.typed(key, bodies=True, trace=True, table=self.table(key))
        self._entities[key] = ctx.entities
        return ctx

    def entity(self, ref: EntityRef) -> Entity | None:
        """A declared entity, with its places; None where its item is gone."""
        if ref.item not in self.unit.by_key:
            return None
        entities = self._entities.get(ref.item)
        if entities is None:
            typed = self.unit.typed(ref.item, bodies=True, table=self.table(ref.item))
            entities = self._entities[ref.item] = typed.entities
        return entities.get(ref.number)

    def facts(self, key: ItemKey) -> tuple[Fact, ...]:
        """What typing an item tells the rules."""
        found = self._facts.get(key)
        if found is None:
            typed = self.unit.typed(key, bodies=True, table=self.table(key))
            found = self._facts[key] = tuple(typed.facts)
            self._entities[key] = typed.entities
        return found

    def level(self, origin: Origin) -> tuple[EntityRef, Level] | None:
        """The level that an origin stands at, with the entity in whose text its space is written or defaulted: a
        typedef's own where the space comes from one."""
        for _ in range(32):
            entity = self.entity(origin.entity)
            if entity is None or not 0 <= origin.level < len(entity.levels):
                return None
            level = entity.levels[origin.level]
            if level.via is None:
                return entity.ref, level
            origin = level.via
        return None

    def bytes_of(self, key: ItemKey, place: Place) -> tuple[Fragment, int, int]:
        """A place in the expanded text of its fragment."""
        item = self.unit.by_key[key]
        start, end = span(item, place)
        return item.group.fragment, start, end

    def location(self, key: ItemKey, place: Place) -> Location:
        """The place as the person wrote it: inside a macro's expansion, its invocation or the argument."""
        return self.written(key, place)[0]

    def written(self, key: ItemKey, place: Place) -> WrittenPlace:
        """As `location`, with the definitions of the macros that the place came through."""
        item = self.unit.by_key[key]
        kept = self._kept.get((item, place))
        if kept is None:
            start, end = span(item, place)
            written = item.group.fragment.preprocessed.source_map.written(start, end)
            steps = tuple(
                RelatedLocation(
                    Location(step.definition.document, step.definition.start, step.definition.end),
                    f"expanded from macro `{step.macro}`",
                )
                for step in written.steps
                if step.definition is not None
            )
            location = Location(written.document, written.start, written.end)
            kept = self._kept[item, place] = _Kept(item.start, (location, steps))
        return kept.written

    def spelled(self, key: ItemKey, place: Place) -> Span | None:
        """Exactly where these leaves are spelled, where an edit may change them; None inside a macro's body."""
        fragment, start, end = self.bytes_of(key, place)
        return fragment.preprocessed.source_map.spelled(start, end)

    def origin_location(self, origin: Origin) -> Location | None:
        """Where the space of that level is written, or the declarator that takes a default."""
        at: Place | Origin | None = origin
        item = origin.entity.item
        for _ in range(32):
            if not isinstance(at, Origin):
                return None if at is None else self.location(item, at)
            item = at.entity.item
            given = given_at(self.unit, at.entity) if item in self.unit.by_key else ()
            if given is None:
                break
            at = given[at.level] if 0 <= at.level < len(given) else None
        found = self.level(origin)
        if found is None or found[1].place is None:
            return None
        return self.location(found[0].item, found[1].place)

    def at(self, document: str, offset: int) -> tuple[Item, Table, int] | None:
        """The item under a byte of a document, its table, and the leaf there."""
        for fragment in self.unit.fragments():
            expanded = fragment.preprocessed.source_map.expanded(document, offset)
            if expanded is None:
                continue
            found = self._leaf(fragment, expanded)
            if found is not None:
                return found
        return None

    def _leaf(self, fragment: Fragment, expanded: int) -> tuple[Item, Table, int] | None:
        index = bisect_right(fragment.groups, expanded, key=lambda group: group.start) - 1
        if index < 0:
            return None
        for item in reversed(fragment.groups[index].items):
            if item.start <= expanded <= item.start + item.length:
                table = self.table(item.key)
                inside = expanded - item.start
                leaf = bisect_right(table.starts, inside) - 1
                if leaf >= 0 and inside < table.ends[leaf]:
                    return item, table, leaf
                if leaf >= 0 and inside == table.ends[leaf]:
                    return item, table, leaf
        return None
