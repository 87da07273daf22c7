"""Maps token indices of items to locations in documents, and the cursor to an item and a token index."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location, RelatedLocation
from openclsp.rules.finding import ChainStep
from openclsp.rules.runner.item_findings import find_space_sources
from openclsp.semantics.database.typed_body import typed_body
from openclsp.semantics.facts.entities import (
    Entity,
    EntityRef,
    ItemKey,
    Level,
    Origin,
    Place,
)
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.items.item import ExpandedDocument, Item, byte_range
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.macros import Macro
from openclsp.source.source_locations import Span, Step

EXPANDED = "expanded from macro"
"""The start of the message at the definition of a macro whose expansion contains a diagnostic"""
LocationWithExpansions = tuple[Location, tuple[RelatedLocation, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class ItemAnchor:
    """An item, and the line (from 0) on which it started when it was looked up.

    `column` is the byte offset of its start in that line of the expanded text.
    `is_verbatim` is whether the item's text contains no macro expansion, and is the document's text line by
    line.
    """

    key: ItemKey
    item: Item
    line: int
    column: int
    is_verbatim: bool


@dataclass(frozen=True, slots=True, eq=False)
class _ItemPosition:
    """The position of an item; `start` is its byte offset in the expanded text.

    `shift` is the difference between byte offsets in the expanded text and in the document. It is None unless
    the difference is the same in the whole item.
    """

    anchor: ItemAnchor
    start: int
    document: str
    shift: int | None


def _item_position(key: ItemKey, item: Item) -> _ItemPosition:
    start, source_map = item.start, item.group.part.preprocessed.source_map
    line = source_map.lines.find(start)
    by = source_map.shift(line, start, start + item.length)
    # The expanded text ends its last line with a line feed even if the document does not; the source map
    # excludes it.
    if by is not None and start + item.length + by > len(source_map.document.text.data):
        by = None
    anchor = ItemAnchor(key, item, line, start - source_map.lines.start(line), by is not None)
    return _ItemPosition(anchor, start, source_map.document.name, by)


class LocationMap:
    """Maps places to locations in one state of a translation unit; create a new instance after each update.

    It also returns the syntax tables, entities and facts of items. Most of these are computed again for each
    instance, at the first request. This takes a twentieth of a millisecond for a function, and is cheaper
    than keeping them in the unit.
    """

    def __init__(self, unit: TranslationUnit) -> None:
        self.unit = unit
        self._tables: dict[ItemKey, Table] = {}
        self._contexts: dict[ItemKey, TypingContext] = {}
        self._entities: dict[ItemKey, dict[int, Entity]] = {}
        self.consulted_items: dict[ItemAnchor, None] = {}
        """The items in which places were looked up since the caller last cleared the dictionary, in order."""
        self._written: dict[tuple[ItemKey, Place], LocationWithExpansions] = {}
        self._macros: dict[Macro, Span | None] = {}
        self._stretches: dict[ItemKey, _ItemPosition] = {}
        self._origin_locations: dict[int, tuple[Origin, ItemAnchor, Location]] = {}
        self._facts: dict[ItemKey, tuple[Fact, ...]] = {}

    def table(self, key: ItemKey) -> Table:
        """Returns the syntax table of an item."""
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = self.unit.table(key)
        return found

    def context(self, key: ItemKey) -> TypingContext:
        """Returns the typing context of an item, with the value of every expression.

        After an edit, this is the context from which the item's diagnostics were computed, if it is still
        cached.
        """
        found = self._contexts.get(key)
        if found is None:
            found = typed_body(self.unit, key) or self.unit.typed(key, bodies=True, trace=True)
            self._contexts[key], self._entities[key] = found, found.entities
        return found

    def entity(self, ref: EntityRef) -> Entity | None:
        """Returns a declared entity; None if its item was removed."""
        if ref.item not in self.unit.by_key:
            return None
        entities = self._entities.get(ref.item)
        if entities is None:
            typed = self.unit.typed(ref.item, bodies=True, table=self.table(ref.item))
            entities = self._entities[ref.item] = typed.entities
        return entities.get(ref.number)

    def facts(self, key: ItemKey) -> tuple[Fact, ...]:
        """Returns the facts that typing an item produces for the rules."""
        found = self._facts.get(key)
        if found is None:
            typed = self.unit.typed(key, bodies=True, table=self.table(key))
            found = self._facts[key] = tuple(typed.facts)
            self._entities[key] = typed.entities
        return found

    def level(self, origin: Origin) -> tuple[EntityRef, Level] | None:
        """Returns the entity and the level of its type that determine the address space at `origin`.

        These are the entity and level that `origin` names or, if a typedef determines the address space,
        those of the typedef. None if there is no such level.
        """
        for _ in range(32):
            entity = self.entity(origin.entity)
            if entity is None or not 0 <= origin.level < len(entity.levels):
                return None
            level = entity.levels[origin.level]
            if level.via is None:
                return entity.ref, level
            origin = level.via
        return None

    def expanded_range(self, key: ItemKey, place: Place) -> tuple[ExpandedDocument, int, int]:
        """Returns the part that contains a place, and the place's byte range in the expanded text."""
        item = self.unit.by_key[key]
        start, end = byte_range(item, place)
        return item.group.part, start, end

    def location(self, key: ItemKey, place: Place) -> Location:
        """Returns the location of a place in the source text.

        A place in a macro expansion has the location of the macro's invocation or of its argument.
        """
        return self.location_with_expansions(key, place)[0]

    def location_with_expansions(self, key: ItemKey, place: Place) -> LocationWithExpansions:
        """Returns the location of a place, and the macros from whose expansion it results."""
        stretch = self._stretches.get(key)
        if stretch is None:
            stretch = self._stretches[key] = _item_position(key, self.unit.by_key[key])
        self.consulted_items[stretch.anchor] = None
        start, end = byte_range(stretch.anchor.item, place, stretch.start)
        by = stretch.shift
        if by is not None:
            return Location(stretch.document, start + by, end + by), ()
        found = self._written.get((key, place))
        if found is None:
            written = stretch.anchor.item.group.part.preprocessed.source_map.written(start, end)
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

    def spelling_span(self, key: ItemKey, place: Place) -> Span | None:
        """Returns the range of the source text that spells exactly the tokens of a place.

        An edit of this range therefore changes only these tokens. None if there is no such range, as for
        tokens from a macro's body.
        """
        part, start, end = self.expanded_range(key, place)
        return part.preprocessed.source_map.spelled(start, end)

    def origin_location(self, origin: Origin) -> Location | None:
        """Returns the location that determines the address space of the level `origin` of a declaration.

        This is the level's qualifier, or the declarator if the address space is a default.
        """
        # Cached by identity: the diagnostics about one declaration share the same `Origin` object.
        known = self._origin_locations.get(id(origin))
        if known is None:
            at = self._space_source_place(origin)
            if at is None:
                return None
            location = self.location_with_expansions(at[0], at[1])[0]
            self._origin_locations[id(origin)] = origin, self._stretches[at[0]].anchor, location
            return location
        self.consulted_items[known[1]] = None
        return known[2]

    def _space_source_place(self, origin: Origin) -> tuple[ItemKey, Place] | None:
        # Follows typedefs to the declaration that determines the address space, in a bounded number of steps. If
        # the item must be typed to know it, the fallback below does so.
        at: Place | Origin | None = origin
        item = origin.entity.item
        for _ in range(32):
            if not isinstance(at, Origin):
                return None if at is None else (item, at)
            item = at.entity.item
            given = find_space_sources(self.unit, at.entity) if item in self.unit.by_key else ()
            if given is None:
                break
            at = given[at.level] if 0 <= at.level < len(given) else None
        found = self.level(origin)
        return None if found is None or found[1].place is None else (found[0].item, found[1].place)

    def step_location(self, step: ChainStep) -> Location | None:
        """Returns the location of a step; None if its item changed since the step was computed."""
        item = self.unit.by_key.get(step.item)
        if item is None or item.digest != step.digest:
            return None
        if isinstance(step.at, Place):
            return self.location(step.item, step.at)
        entity = self.entity(step.at)
        return None if entity is None else self.location(step.item, entity.place)

    def item_at(self, document: str, offset: int) -> tuple[Item, int] | None:
        """Finds the item and the token index at a byte of a document; None if there is none."""
        for part in self.unit.parts():
            expanded = part.preprocessed.source_map.expanded(document, offset)
            if expanded is None:
                continue
            found = token_at(part, expanded)
            if found is not None:
                return found
        return None


def nodes_around(table: Table, token_index: int) -> list[int]:
    """Returns the syntax nodes that contain a token, the outermost first."""
    found: list[int] = []
    node, end = 0, len(table.kind)
    while node < end and table.first[node] <= token_index:
        if table.last[node] <= token_index:
            node = table.skip[node]
        else:
            found.append(node)
            node += 1
    return found


def token_at(part: UnitPart, expanded: int) -> tuple[Item, int] | None:
    """Returns the item and the token index at a byte of a part's expanded text; None if there is none."""
    index = bisect_right(part.groups, expanded, key=lambda group: group.start) - 1
    if index < 0:
        return None
    for item in reversed(part.groups[index].items):
        if item.start <= expanded <= item.start + item.length:
            inside = expanded - item.start
            token_index = bisect_right(item.token_index_starts, inside) - 1
            if token_index >= 0 and inside <= item.token_index_ends[token_index]:
                return item, token_index
    return None
