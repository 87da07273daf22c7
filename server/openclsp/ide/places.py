"""From leaves of items to places in documents, and back from the cursor to an item and its leaf."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Location, RelatedLocation
from openclsp.rules.checking import given_at
from openclsp.rules.finding import ChainStep
from openclsp.semantics.context import Context
from openclsp.semantics.entities import Entity, EntityRef, ItemKey, Level, Origin, Place
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.fragment import Fragment
from openclsp.semantics.items import Item, span
from openclsp.semantics.passes import typed_body
from openclsp.semantics.table import Table
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.macros import Macro
from openclsp.source.source_map import Span, Step

EXPANDED = "expanded from macro"
"""How the message at the definition of a macro begins from which a diagnostic comes"""
WrittenPlace = tuple[Location, tuple[RelatedLocation, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """An item, and the line (from 0) on which it began. `plain`: all of it was spelled there as the document has it, row by
    row."""

    key: ItemKey
    item: Item
    line: int
    plain: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Stretch:
    """Where an item stands: `start` in the expanded text, and by how much further on in the document, where that is said of
    all of it."""

    at: Standing
    start: int
    document: str
    by: int | None


def _stretch(key: ItemKey, item: Item) -> _Stretch:
    start, source_map = item.start, item.group.fragment.preprocessed.source_map
    line = source_map.lines.find(start)
    by = source_map.shift(line, start, start + item.length)
    # The expanded text ends its last line with a line feed even if the document does not; the source map excludes it.
    if by is not None and start + item.length + by > len(source_map.document.text.data):
        by = None
    return _Stretch(Standing(key, item, line, by is not None), start, source_map.document.name, by)


class Places:
    """The places of one state of a translation unit; made anew after each update.

    Items are typed again, and their tables built again, when one of their places is asked for: that costs less than
    keeping them (a twentieth of a millisecond for a function).
    """

    def __init__(self, unit: TranslationUnit) -> None:
        self.unit = unit
        self._tables: dict[ItemKey, Table] = {}
        self._contexts: dict[ItemKey, Context] = {}
        self._entities: dict[ItemKey, dict[int, Entity]] = {}
        self.consulted: list[Standing] = []
        """The items in which places were looked up so far."""
        self._written: dict[tuple[ItemKey, Place], WrittenPlace] = {}
        self._macros: dict[Macro, Span | None] = {}
        self._stretches: dict[ItemKey, _Stretch] = {}
        self._given: dict[int, tuple[Origin, Standing, Location]] = {}
        self._facts: dict[ItemKey, tuple[Fact, ...]] = {}

    def table(self, key: ItemKey) -> Table:
        """The table of an item."""
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = self.unit.table(key)
        return found

    def context(self, key: ItemKey) -> Context:
        """An item typed with the value of every expression kept: after an edit, the pass that its diagnostics rest on too."""
        found = self._contexts.get(key)
        if found is None:
            found = typed_body(self.unit, key) or self.unit.typed(key, bodies=True, trace=True)
            self._contexts[key], self._entities[key] = found, found.entities
        return found

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
        stretch = self._stretches.get(key)
        if stretch is None:
            stretch = self._stretches[key] = _stretch(key, self.unit.by_key[key])
        if stretch.at not in self.consulted:
            self.consulted.append(stretch.at)
        start, end = span(stretch.at.item, place, stretch.start)
        by = stretch.by
        if by is not None:
            return Location(stretch.document, start + by, end + by), ()
        found = self._written.get((key, place))
        if found is None:
            written = stretch.at.item.group.fragment.preprocessed.source_map.written(start, end)
            steps = tuple(self._expansions(written.steps))
            found = Location(written.document, written.start, written.end), steps
            self._written[key, place] = found
        return found

    def _expansions(self, steps: Iterable[Step]) -> Iterator[RelatedLocation]:
        for step in steps:
            if step.macro not in self._macros:
                self._macros[step.macro] = self.unit.preprocessed.definition(step.macro)
            span = self._macros[step.macro]
            if span is not None:
                location = Location(span.document, span.start, span.end)
                yield RelatedLocation(location, f"{EXPANDED} `{step.name}`")

    def spelled(self, key: ItemKey, place: Place) -> Span | None:
        """Exactly where these leaves are spelled, where an edit may change them; None inside a macro's body."""
        fragment, start, end = self.bytes_of(key, place)
        return fragment.preprocessed.source_map.spelled(start, end)

    def origin_location(self, origin: Origin) -> Location | None:
        """Where the space of that level is written, or the declarator that takes a default."""
        # the very same one where many diagnostics speak of one declaration
        known = self._given.get(id(origin))
        if known is None:
            at = self._given_at(origin)
            if at is None:
                return None
            location = self.written(at[0], at[1])[0]
            self._given[id(origin)] = origin, self._stretches[at[0]].at, location
            return location
        if known[1] not in self.consulted:
            self.consulted.append(known[1])
        return known[2]

    def _given_at(self, origin: Origin) -> tuple[ItemKey, Place] | None:
        at: Place | Origin | None = origin
        item = origin.entity.item
        for _ in range(32):
            if not isinstance(at, Origin):
                return None if at is None else (item, at)
            item = at.entity.item
            given = given_at(self.unit, at.entity) if item in self.unit.by_key else ()
            if given is None:
                break
            at = given[at.level] if 0 <= at.level < len(given) else None
        found = self.level(origin)
        return None if found is None or found[1].place is None else (found[0].item, found[1].place)

    def step_location(self, step: ChainStep) -> Location | None:
        """Where a step stands; None where its item is not what it was when the step was found."""
        item = self.unit.by_key.get(step.item)
        if item is None or item.digest != step.digest:
            return None
        if isinstance(step.at, Place):
            return self.location(step.item, step.at)
        entity = self.entity(step.at)
        return None if entity is None else self.location(step.item, entity.place)

    def at(self, document: str, offset: int) -> tuple[Item, int] | None:
        """The item under a byte of a document, and the leaf there."""
        for fragment in self.unit.fragments():
            expanded = fragment.preprocessed.source_map.expanded(document, offset)
            if expanded is None:
                continue
            found = _leaf(fragment, expanded)
            if found is not None:
                return found
        return None


def rows_around(table: Table, leaf: int) -> list[int]:
    """The rows that hold a leaf, the outermost first."""
    found: list[int] = []
    row, end = 0, len(table.kind)
    while row < end and table.first[row] <= leaf:
        if table.last[row] <= leaf:
            row = table.skip[row]
        else:
            found.append(row)
            row += 1
    return found


def _leaf(fragment: Fragment, expanded: int) -> tuple[Item, int] | None:
    index = bisect_right(fragment.groups, expanded, key=lambda group: group.start) - 1
    if index < 0:
        return None
    for item in reversed(fragment.groups[index].items):
        if item.start <= expanded <= item.start + item.length:
            inside = expanded - item.start
            leaf = bisect_right(item.leaf_starts, inside) - 1
            if leaf >= 0 and inside <= item.leaf_ends[leaf]:
                return item, leaf
    return None
