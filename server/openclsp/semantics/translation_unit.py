"""A translation unit as it is edited: from the document to items, and the queries about them.

Mutable, and owned by one thread. `update` takes the next text, finds the items that really changed and sets the
engine's inputs; everything about types and names is a query on these inputs.

Invariants:
- The answer to every query is what a new unit of the same text would give.
- A lookup is "the last declaration of this name before this item"; an item that is added, removed or moved wakes
  exactly those who asked for one of its names.
"""

from __future__ import annotations

import os.path
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

from openclsp.dataclass import dataclass
from openclsp.language.dialect import Dialect
from openclsp.semantics.circles import circles
from openclsp.semantics.context import Context, Exports, Members, Names, Symbol
from openclsp.semantics.engine import Engine, Input, Query
from openclsp.semantics.entities import EntityKind, GivenAt, ItemKey, Place
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.item_typing import Begun, can_begin, exports_of, type_item
from openclsp.semantics.items import Fragment, Item, Replaced
from openclsp.semantics.number_uses import values_read
from openclsp.semantics.pragmas import Switches, is_on, switches
from openclsp.semantics.sizes import Slots
from openclsp.semantics.table import Table
from openclsp.semantics.types import Function, Record, Type, function
from openclsp.source.document import Document, DocumentName
from openclsp.source.include_cache import IncludeCache
from openclsp.source.incremental import ExpandedEdit, repreprocess
from openclsp.source.options import Loader, Refusal
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.preprocessor import preprocess
from openclsp.source.text import Edit, Text, difference
from openclsp.source.tree import kind
from openclsp.workspace.configuration import preprocessor_options
from openclsp.workspace.scan import Kind
from openclsp.workspace.scan import kind_of as kind_of_file
from openclsp.workspace.units import Unit


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of names beyond the items: whether a header could not be had, which names a guess hides, and the
    names of typedefs and macros."""

    unknown_header: bool = False
    hidden: frozenset[str] = frozenset()
    typedefs: frozenset[str] = frozenset()
    macros: frozenset[bytes] = frozenset()


CONTENT: Input[ItemKey, bytes] = Input("content", b"")
"""What an item says, but for the values of the numbers that macros bring into a body."""
NUMBERS: Input[ItemKey, bytes] = Input("numbers", b"", told=True)
"""What an item says, those values too."""
NUMBER: Input[tuple[ItemKey, int], bytes] = Input("number", b"", told=True)
"""By item and leaf, one of those numbers."""
HEAD_CONTENT: Input[ItemKey, bytes] = Input("head content", b"")
"""What an item says before a function's body: all that others can see of it."""
ORDER: Input[ItemKey, int] = Input("order", -1)
LOCAL_VARIABLES: Input[ItemKey, tuple[str, ...]] = Input("local variables", ())
"""The variables in local memory of a function's definition."""
CIRCLE: Input[str, frozenset[str]] = Input("circle", frozenset())
"""By name, the functions that a function calls in a circle. Set where it becomes another one, so that a call which makes
no circle wakes nobody."""
DECLARERS: Input[str, tuple[tuple[int, ItemKey], ...]] = Input("declarers", ())
SURROUNDINGS: Input[str, Surroundings] = Input("surroundings", Surroundings())
"""One cell, under the empty name: only items with unknown names read it."""

SWITCHES: Input[str, Switches | None] = Input("switches", ())
"""What pragmas switch on and off, in one cell likewise: only items with half or with floating literals read it."""

MEANINGS_WANTED: Input[str, bool] = Input("meanings wanted", False)
"""Whether whoever reads an item's flow keeps what its names hold, since that is going to be asked for; in one cell."""

_TYPE_DEFINITION = kind("type_definition")
_GAP = 1 << 40
"""The distance between the order numbers of neighbours, so that items can come between."""
_MOST_ORDER = 1 << 80


@dataclass(frozen=True, slots=True)
class _Overlay:
    """A loader that gives some documents other texts."""

    loader: Loader
    texts: Mapping[DocumentName, Text]

    def load(self, name: str, angled: bool, includer: DocumentName) -> Document | Refusal:
        """The document that an include means, with its other text."""
        found = self.loader.load(name, angled, includer)
        if isinstance(found, Document) and found.name in self.texts:
            return Document(found.name, self.texts[found.name])
        return found


@lru_cache(maxsize=8)
def _decoded(names: frozenset[bytes]) -> frozenset[str]:
    return frozenset(name.decode("utf-8", "replace") for name in names)


class _Names:
    """The program-scope names before one item; every answer is recorded by the engine."""

    __slots__ = ("_item", "_unit")

    def __init__(self, unit: TranslationUnit, item: ItemKey) -> None:
        self._unit, self._item = unit, item

    def _before(self, name: str) -> Iterator[Exports]:
        engine = self._unit.engine
        declarers = engine.read(DECLARERS, name)
        if not declarers:
            return
        own = engine.read(ORDER, self._item)
        for _, key in reversed(declarers[: bisect_left(declarers, (own,))]):
            yield engine.get(EXPORTS, key)

    def symbol(self, name: str) -> Symbol | None:
        """The last declaration of the ordinary identifier."""
        for exports in self._before(name):
            found = exports.symbols.get(name)
            if found is not None:
                return found
        return None

    def shape(self, name: str) -> Symbol | None:
        """The last declaration of the ordinary identifier, if it is a function's, without the parameters."""
        engine = self._unit.engine
        declarers = engine.read(DECLARERS, name)
        if not declarers:
            return None
        own = engine.read(ORDER, self._item)
        for _, key in reversed(declarers[: bisect_left(declarers, (own,))]):
            found = engine.get(SHAPES, key)
            if name in found:
                return found[name]
        return None

    def overloads(self, name: str) -> tuple[Symbol, ...]:
        """Every declaration of the function, the last one first."""
        found = (exports.symbols.get(name) for exports in self._before(name))
        return tuple(symbol for symbol in found if symbol is not None and symbol.kind is EntityKind.FUNCTION)

    def tag(self, tag: str) -> Type | None:
        """The type that a tag stands for."""
        for exports in self._before(tag):
            found = exports.tags.get(tag)
            if found is not None:
                return found
        return None

    def members(self, record: Record) -> Members | None:
        """The members of a struct or union: by its tag at program scope, else where it was defined."""
        for key in self._definers(record):
            found = self._unit.engine.get(EXPORTS, key).members.get(record.identity)
            if found is not None:
                return found
        return None

    def slots(self, record: Record) -> Slots | None:
        """How the members of a struct or union lie in it, found as `members` are."""
        for key in self._definers(record):
            found = self._unit.engine.get(SLOTS, key).get(record.identity)
            if found is not None:
                return found
        return None

    def _definers(self, record: Record) -> Iterator[ItemKey]:
        """The items that may define a struct or union: those before that have its tag, or the one where it stands."""
        identity, engine = record.identity, self._unit.engine
        if isinstance(identity, tuple) and len(identity) == 2 and isinstance(identity[0], str):
            declarers = engine.read(DECLARERS, f"{identity[0]} {identity[1]}")
            if declarers:
                own = engine.read(ORDER, self._item)
                yield from (key for _, key in reversed(declarers[: bisect_left(declarers, (own,))]))
        elif isinstance(identity, tuple) and isinstance(identity[0], tuple):
            yield identity[0]

    def may_be_elsewhere(self, name: str) -> bool:
        """Whether a header that cannot be had, or a branch left out by a guess, may declare the name."""
        around = self._unit.engine.read(SURROUNDINGS, "")
        return around.unknown_header or name in around.hidden

    def is_switched_on(self, extension: str) -> bool:
        """Whether a pragma before the item switches the extension on, or one that is not known here may."""
        found = self._unit.engine.read(SWITCHES, "")
        return is_on(extension, found, self._unit.engine.read(ORDER, self._item))

    def enables(self, extension: str) -> bool:
        """Whether a pragma that is seen before the item switches the extension on."""
        found = self._unit.engine.read(SWITCHES, "")
        return found is not None and is_on(extension, found, self._unit.engine.read(ORDER, self._item))

    def vocabulary(self) -> frozenset[str]:
        """The names of the unit's typedefs and macros."""
        around = self._unit.engine.read(SURROUNDINGS, "")
        return around.typedefs | _decoded(around.macros)


class Head(NamedTuple):
    """What typing an item up to a function's body gives: what others see of it, the facts, and where the levels of its
    entities are given their spaces."""

    exports: Exports = Exports()
    facts: tuple[Fact, ...] = ()
    given: Mapping[int, GivenAt] = {}


def _head(unit: TranslationUnit, key: ItemKey) -> Head:
    if not unit.engine.read(HEAD_CONTENT, key):
        return Head()
    begun = unit.begin(key)
    if begun is None:
        typed = unit.typed(key, bodies=False)
        exports, facts = exports_of(typed), tuple(typed.facts)
    else:
        typed, exports, facts = begun.context, begun.exports, begun.facts
    given = {number: entity.given_at for number, entity in typed.entities.items()}
    return Head(exports, facts, given)


HEAD: Query[ItemKey, Head] = Query("head", _head, Head())

EXPORTS: Query[ItemKey, Exports] = Query(
    "exports", lambda unit, key: unit.engine.get(HEAD, key).exports, Exports()
)


def _slots(unit: TranslationUnit, key: ItemKey) -> Mapping[object, Slots]:
    return unit.typed(key, bodies=False).slots if unit.engine.read(HEAD_CONTENT, key) else {}


SLOTS: Query[ItemKey, Mapping[object, Slots]] = Query("slots", _slots, {})
"""How the members of each struct and union that an item defines lie in it. Apart from its exports, so that only those who
ask for a size are woken by what changes a size alone."""


def _shapes(unit: TranslationUnit, key: ItemKey) -> Mapping[str, Symbol | None]:
    found = unit.engine.get(EXPORTS, key).symbols.items()
    return {
        name: replace(symbol, type=function(symbol.type.result, ()), parameters=())
        if isinstance(symbol.type, Function)
        and symbol.kind is EntityKind.FUNCTION
        and not symbol.overloadable
        else None
        for name, symbol in found
    }


SHAPES: Query[ItemKey, Mapping[str, Symbol | None]] = Query("shapes", _shapes, {}, firewall=True)
"""An item's functions without their parameters; None for all else that it declares."""


class TranslationUnit:
    """One unit, brought up to date with `update`. `items` are in the order of the text."""

    def __init__(
        self, unit: Unit, document: Document, loader: Loader, include_cache: IncludeCache | None = None
    ) -> None:
        self.unit, self._loader = unit, loader
        self.dialect: Dialect = unit.configuration.dialect
        self.engine = Engine(self)
        self.items: list[Item] = []
        self.by_key: dict[ItemKey, Item] = {}
        self.rereadings = 0
        """How often more was read anew than the lines that an edit touched: places elsewhere may be others then."""
        self.touched: set[ItemKey] = set()
        """The keys of items that came, went or moved since the one who follows them last cleared the set."""
        self.flow_waits = False
        """Whether what is told of the unit may speak of the flow as it last was, since it is asked for again soon."""
        self.followers: list[set[ItemKey]] = [self.touched]
        """The sets of those who follow the items, each cleared by its own."""
        self.kept: dict[str, Any] = {}
        """What others keep of the unit, each under a name of its own; gone with it."""
        self._include_cache = IncludeCache() if include_cache is None else include_cache
        self._options = preprocessor_options(unit.configuration)
        self._headers: dict[Preprocessed, Fragment] = {}
        self._outdated: list[Fragment] = []
        self._same: dict[tuple[int, str], list[Item]] = {}
        self._declaring: dict[str, list[Item]] = {}
        self._circles: dict[str, frozenset[str]] = {}
        self._alternatives: dict[Dialect, tuple[int, TranslationUnit]] = {}
        self.revision = 0
        """Raised by each update; what is only tried leaves it as it was."""
        self._typedefs: Counter[str] = Counter()
        self._typedefs_changed = True
        self._surroundings_of: tuple[object, ...] = ()
        self.subject = unit.subject or document.name
        """The document that the unit is looked at for: the bodies of its functions count"""
        self.preprocessed = self._preprocess(document)
        self._main = Fragment(self.preprocessed, main=True)
        self._follow()

    @property
    def document(self) -> Document:
        """The root document."""
        return self.preprocessed.document

    def close(self) -> None:
        """Give back at once all that is kept; nothing may be asked of the unit any more."""
        self.engine.close()
        for fragment in {self._main, *self._headers.values(), *self._outdated}:
            fragment.close()
        for _, other in self._alternatives.values():
            other.close()
        self._alternatives.clear()
        self.kept.clear()

    def update(self, document: Document, *, headers_changed: bool = True) -> None:
        """Take the next text of the root document. Headers are read anew through the loader, unless it is known that
        none has changed; then only the lines that the edit touched are expanded again."""
        self.engine.sweep()
        before = self.preprocessed
        edit = difference(before.document.text.data, document.text.data)
        change = None
        if edit is not None:
            start, old_end, new_end = edit
            change = Edit(start, old_end, document.text.data[start:new_end])
        again = repreprocess(
            before,
            document,
            change,
            self._options,
            self._loader,
            self._include_cache,
            self._forced(),
            headers_changed=headers_changed or edit is None,
        )
        after = again.unit
        if edit is None or not again.partial:
            self.rereadings += 1
        self.preprocessed = after
        replaced = self._main.update(after, again.edits)
        stretch = self._stretch(before, replaced)
        if stretch is None:
            self._follow()
        else:
            self.revision += 1
            self._replace(*stretch)
            self._set_surroundings()

    def _preprocess(self, document: Document) -> Preprocessed:
        return preprocess(document, self._options, self._loader, self._include_cache, self._forced())

    def _forced(self) -> tuple[Document, ...]:
        """The documents of `-include`; one that cannot be had is left out."""
        found = (
            self._loader.load(path, False, self.unit.root) for path in self.unit.configuration.forced_includes
        )
        return tuple(each for each in found if isinstance(each, Document))

    def _follow(self) -> None:
        """Bring the list of items and the engine's inputs up to date with the fragments."""
        headers: dict[Preprocessed, Fragment] = {}
        if self.subject != self.document.name:
            self._main.main = self.preprocessed.trace.splices and self.subject in self.preprocessed.spliced()
        current = set(self.preprocessed.units())
        self._outdated = [
            fragment for preprocessed, fragment in self._headers.items() if preprocessed not in current
        ]
        items = list(self._flattened(self._main, headers, set()))
        self._headers = headers
        self.revision += 1
        self._replace(0, len(self.items), items)
        self._set_surroundings()

    def _stretch(self, before: Preprocessed, replaced: Replaced) -> tuple[int, int, list[Item]] | None:
        """Where in `items` the groups that were replaced had theirs, and those that come in their place; None where
        that is not known without looking at all: where headers are others, or stand in between."""
        now, fragment = self.preprocessed.includes, self._main
        if len(now) != len(before.includes) or any(
            old.unit is not new.unit for old, new in zip(before.includes, now, strict=True)
        ):
            return None
        if replaced.first == replaced.last and not replaced.gone:
            same = [each.offset for each in now] == [each.offset for each in before.includes]
            return (0, 0, []) if same else None
        groups = fragment.groups
        following = replaced.last
        while following < len(groups) and not groups[following].items:
            following += 1
        preceding = replaced.first - 1
        while preceding >= 0 and not groups[preceding].items:
            preceding -= 1
        if now:
            start = groups[preceding].items[-1].start if preceding >= 0 else -1
            end = groups[following].items[0].start if following < len(groups) else len(self.preprocessed.text)
            if any(start < inclusion.offset <= end for inclusion in now):
                return None
        first = 0
        if replaced.gone:
            first = bisect_left(self.items, replaced.gone[0].order, key=_order)
        elif preceding >= 0:
            first = bisect_right(self.items, groups[preceding].items[-1].order, key=_order)
        elif now and following < len(groups):
            first = bisect_left(self.items, groups[following].items[0].order, key=_order)
        come = [item for group in groups[replaced.first : replaced.last] for item in group.items]
        return first, first + len(replaced.gone), come

    def _set_surroundings(self) -> None:
        """What holds around the items: the pragmas, and what may account for a name beside its declarations."""
        now = self.preprocessed
        self.engine.set(SWITCHES, "", switches(now, self._main.groups))
        made_of = (
            now.macros,
            now.unknown_includes,
            now.code.raw,
            [guess.hidden for guess in now.guesses],
            [inclusion.unit for inclusion in now.includes],
        )
        if self._typedefs_changed or self._surroundings_of != made_of:
            self._surroundings_of, self._typedefs_changed = made_of, False
            unknown = now.has_unknown_include or self._is_part
            around = Surroundings(unknown, now.hidden_names, frozenset(self._typedefs), frozenset(now.macros))
            self.engine.set(SURROUNDINGS, "", around)

    def _flattened(
        self, fragment: Fragment, headers: dict[Preprocessed, Fragment], inside: set[int]
    ) -> Iterator[Item]:
        """The items of a fragment, those of each header at the place of its #include."""
        inclusions = iter(fragment.preprocessed.includes)
        following = next(inclusions, None)
        for group in fragment.groups:
            if following is None or following.offset >= group.end:
                yield from group.items
                continue
            for item in group.items:
                while following is not None and following.offset <= item.start:
                    yield from self._header(following.unit, headers, inside)
                    following = next(inclusions, None)
                yield item
        while following is not None:
            yield from self._header(following.unit, headers, inside)
            following = next(inclusions, None)

    def _header(
        self, preprocessed: Preprocessed, headers: dict[Preprocessed, Fragment], inside: set[int]
    ) -> Iterator[Item]:
        fragment = headers.get(preprocessed)
        if fragment is not None:
            # one result stands twice (the same text under the same macros): a copy has items of its own
            fragment = self._header_fragment(preprocessed)
        else:
            fragment = self._headers.get(preprocessed) or self._header_fragment(preprocessed)
            headers[preprocessed] = fragment
        yield from self._flattened(fragment, headers, inside)

    def _header_fragment(self, preprocessed: Preprocessed) -> Fragment:
        """The fragment of a header that is new, or that of its earlier state brought up to date."""
        name = preprocessed.document.name
        holds = preprocessed.trace.splices and self.subject in preprocessed.spliced()
        main = holds or name == self.subject
        fragment = next((each for each in self._outdated if each.preprocessed.document.name == name), None)
        if fragment is None:
            return Fragment(preprocessed, main=main)
        self._outdated.remove(fragment)
        changed = difference(fragment.preprocessed.text, preprocessed.text)
        if changed is not None:
            fragment.update(preprocessed, (ExpandedEdit(*changed),))
        fragment.preprocessed, fragment.main = preprocessed, main
        return fragment

    def _replace(self, first: int, last: int, come: list[Item]) -> None:
        """Put these items in the place of `items[first:last]`."""
        items = self.items
        gone = items[first:last]
        front = 0
        limit = min(len(gone), len(come))
        while front < limit and gone[front] is come[front]:
            front += 1
        back = 0
        while back < limit - front and gone[-1 - back] is come[-1 - back]:
            back += 1
        items[first:last] = come
        first, last = first + front, first + len(come) - back
        gone, come = gone[front : len(gone) - back], come[front : len(come) - back]
        if not gone and not come:
            return
        renumbered = self._number(items, gone, first, last)
        if len(gone) == len(come):
            others = [index for index, item in enumerate(gone) if come[index] is not item]
            gone, come = [gone[index] for index in others], [come[index] for index in others]
        for follower in self.followers:
            follower.update(item.key for item in gone)
        self._count_typedefs(gone, come)
        names = {name for item in (*gone, *come) for name in item.names}
        same = {(item.kind, item.name) for item in (*gone, *come)}
        for item in gone:
            self._forget(item)
        for item in come:
            self._same.setdefault((item.kind, item.name), []).append(item)
            for name in item.names:
                self._declaring.setdefault(name, []).append(item)
        names.update(self._name(same, gone))
        if renumbered:
            names.update(self._declaring)
            for item in items:
                self.engine.set(ORDER, item.key, item.order)
        for name in names:
            declaring = self._declaring.get(name, [])
            declaring.sort(key=_order)
            declarers = dict.fromkeys((item.order, item.key) for item in declaring)
            self.engine.set(DECLARERS, name, tuple(declarers))
        if [_calls(item) for item in gone] != [_calls(item) for item in come]:
            self._follow_calls()

    def _follow_calls(self) -> None:
        """Tell the engine which functions call each other in a circle; a name that is defined twice is on none."""
        calls = {
            item.name: item.outline.calls
            for item in self.items
            if item.outline.calls and len(self._same[item.kind, item.name]) == 1
        }
        found = circles(calls)
        for name in self._circles.keys() | found.keys():
            self.engine.set(CIRCLE, name, found.get(name, frozenset()))
        self._circles = found

    def _count_typedefs(self, gone: list[Item], come: list[Item]) -> None:
        for items, number in ((gone, -1), (come, 1)):
            for item in items:
                if item.kind == _TYPE_DEFINITION:
                    self._typedefs_changed = True
                    for name in item.names:
                        self._typedefs[name] += number
                        if not self._typedefs[name]:
                            del self._typedefs[name]

    def _number(self, items: list[Item], gone: list[Item], first: int, last: int) -> bool:
        """Give the items from `first` to `last` order numbers between their neighbours', or leave them theirs; where as
        many came as went, they take over the numbers of those, so that an edit inside an item wakes nobody.

        Whether there was no room between the neighbours, so that all items have new numbers.
        """
        come = items[first:last]
        if len(come) == len(gone):
            # an item that only moved is in both lists: read all numbers before any is given
            for item, number in zip(come, [old.order for old in gone], strict=True):
                item.order = number
            return False
        low = items[first - 1].order if first else 0
        high = items[last].order if last < len(items) else _MOST_ORDER
        index = 0
        while index < len(come):
            # one that was there before, or still is, keeps its number
            kept = (each for each in range(index, len(come)) if low < come[each].order < high)
            end = next(kept, len(come))
            until = come[end].order if end < len(come) else high
            step = min((until - low) // (end - index + 1), _GAP)
            if step < 1:
                for number, item in zip(count(_GAP, _GAP), items, strict=False):
                    item.order = number
                return True
            for number, item in zip(count(low + step, step), come[index:end], strict=False):
                item.order = number
            low = until
            index = end + 1
        return False

    def _forget(self, item: Item) -> None:
        same = self._same[item.kind, item.name]
        same.remove(item)
        if not same:
            del self._same[item.kind, item.name]
        for name in item.names:
            declaring = self._declaring[name]
            declaring.remove(item)
            if not declaring:
                del self._declaring[name]

    def _name(self, same: set[tuple[int, str]], gone: list[Item]) -> Iterator[str]:
        """Number the items that are equal in kind and name, and tell the engine what each key now holds. The names
        whose declarers are called otherwise now."""
        for item in gone:
            if self.by_key.get(item.key) is item:
                del self.by_key[item.key]
        dropped = {item.key for item in gone}
        for pair in same:
            equals = self._same.get(pair, [])
            equals.sort(key=_order)
            for item in equals:
                if self.by_key.get(item.key) is item:
                    del self.by_key[item.key]
                    dropped.add(item.key)
            for number, item in enumerate(equals):
                if item.key[2] != number:
                    item.key = (item.key[0], item.key[1], number)
                    yield from item.names
                self.by_key[item.key] = item
                for follower in self.followers:
                    follower.add(item.key)
                dropped.discard(item.key)
                self.engine.recall(item.key)
                self.engine.set(CONTENT, item.key, item.structure)
                self.engine.tell(NUMBERS, item.key, item.digest)
                for leaf, text in item.numbers:
                    self.engine.tell(NUMBER, (item.key, leaf), text)
                self.engine.set(HEAD_CONTENT, item.key, item.head)
                self.engine.set(ORDER, item.key, item.order)
                self.engine.set(LOCAL_VARIABLES, item.key, item.outline.local_variables)
        for key in dropped:
            self.engine.retire(key)
            self.engine.set(CONTENT, key, b"")
            self.engine.set(HEAD_CONTENT, key, b"")
            self.engine.set(ORDER, key, -1)
            self.engine.set(LOCAL_VARIABLES, key, ())

    @property
    def _is_part(self) -> bool:
        """Whether the root is made to be joined with texts that are not known: a header, a raw string, what a host joins."""
        root = kind_of_file(os.path.basename(self.document.name))
        return self.preprocessed.code.raw or root not in (None, Kind.KERNEL)

    def table(self, key: ItemKey) -> Table:
        """The table of an item, for a query that has read its content."""
        item = self.by_key[key]
        return item.group.fragment.table_of(item)

    def typed(
        self,
        key: ItemKey,
        *,
        bodies: bool,
        trace: bool = False,
        deferring: bool = False,
        values: bool = True,
        table: Table | None = None,
    ) -> Context:
        """Type an item; within a query, what it looks up is recorded. `table` is the item's, where it is at hand. Without
        `values` it is the query's to say on which values of numbers it rests: see `rest_on_values`."""
        self.engine.read(CONTENT if bodies else HEAD_CONTENT, key)
        if bodies and values:
            self.engine.rest_on(NUMBERS, key, self.by_key[key].digest)
        table = table or self.table(key)
        return type_item(
            table if bodies else table.head(),
            key,
            self.dialect,
            self.names(key),
            bodies=bodies,
            trace=trace,
            deferring=deferring,
        )

    def has_numbers_of(self, typed: Context) -> bool:
        """Whether an item has the numbers with which it was typed: others may stand there where nothing rests on them."""
        leaves = typed.table.leaves
        return all(leaves[leaf] == text for leaf, text in self.by_key[typed.item].numbers)

    def rest_on_text(self, key: ItemKey, places: Iterable[Place]) -> None:
        """The query that asks rests on all that is written at some places of an item."""
        for leaf, text in self.by_key[key].numbers:
            if any(place.first <= leaf < place.last for place in places):
                self.engine.rest_on(NUMBER, (key, leaf), text)

    def rest_on_values(self, typed: Context) -> None:
        """The query that asks rests on those values of the item's numbers on which anything does that typing it gave."""
        numbers = dict(self.by_key[typed.item].numbers)
        for leaf in values_read(typed, numbers) if numbers else ():
            self.engine.rest_on(NUMBER, (typed.item, leaf), numbers[leaf])

    def begin(self, key: ItemKey) -> Begun | None:
        """Type an item of which the table is at hand up to its body; within a query, what it looks up is recorded. None where
        that cannot be gone on with."""
        item = self.by_key[key]
        if item.table is None or not item.group.fragment.main or not can_begin(item.table):
            return None
        self.engine.read(HEAD_CONTENT, key)
        found = Begun(item.table, key, self.dialect, self.names(key))
        item.begun = found
        return found

    def go_on(self, key: ItemKey) -> Context | None:
        """Type the rest of an item that was begun; within a query, all that is looked up is recorded, and what was when it was
        begun. None where it was not, or something is another thing since. To be called once."""
        item = self.by_key[key]
        begun, item.begun = item.begun, None
        if begun is None or begun.context.item != key or not self.engine.inherit(HEAD, key):
            return None
        self.engine.read(CONTENT, key)
        return begun.finished()

    def names(self, key: ItemKey) -> Names:
        """The program-scope names in sight of an item."""
        return _Names(self, key)

    def declared_names(self) -> Iterable[str]:
        """Every name that some item declares at program scope, a tag as `struct S`."""
        return self._declaring.keys()

    def fragments(self) -> Iterator[Fragment]:
        """The root document's fragment, then those of the headers between its items."""
        yield self._main
        yield from self._headers.values()

    def document_named(self, name: DocumentName) -> Document | None:
        """A document of the unit: the root, or an included one, be it between items or within one; None where it can
        no longer be read."""
        for each in self.preprocessed.units():
            if each.document.name == name:
                return each.document
        found = self._loader.load(name, False, self.unit.root)
        return found if isinstance(found, Document) else None

    @contextmanager
    def attempt(self, texts: Mapping[DocumentName, Text]) -> Iterator[None]:
        """Look at the unit as if these documents had these texts; afterwards everything is as before."""
        document, loader = self.document, self._loader
        self._loader = _Overlay(loader, texts)
        revision = self.revision
        changed = Document(document.name, texts.get(document.name, document.text))
        headers = any(name != document.name for name in texts)
        try:
            self.update(changed, headers_changed=headers)
            yield
        finally:
            self._loader = loader
            self.update(document, headers_changed=headers)
            self.revision = revision

    def with_texts(self, texts: Mapping[DocumentName, Text]) -> TranslationUnit:
        """Another unit of the same root document, as if these documents had these texts."""
        document = Document(self.document.name, texts.get(self.document.name, self.document.text))
        return TranslationUnit(self.unit, document, _Overlay(self._loader, texts))

    def as_dialect(self, dialect: Dialect) -> TranslationUnit:
        """The same document as a unit of another dialect, on the same device; kept, and brought up to date with this."""
        dialect = replace(dialect, address_bits=self.dialect.address_bits)
        revision, kept = self._alternatives.get(dialect, (-1, None))
        if kept is None:
            configuration = replace(self.unit.configuration, dialect=dialect)
            unit = replace(self.unit, configuration=configuration)
            kept = TranslationUnit(unit, self.document, self._loader)
        elif revision != self.revision:
            kept.update(self.document)
        kept.engine.checkpoint = self.engine.checkpoint
        self._alternatives[dialect] = self.revision, kept
        return kept


def _order(item: Item) -> int:
    return item.order


def _calls(item: Item) -> tuple[int, str, frozenset[str]]:
    return item.kind, item.name, item.outline.calls
