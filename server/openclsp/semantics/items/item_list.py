"""The items of a unit in source order, and the inputs of the query database that are derived from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from openclsp.semantics.database.query_database import QueryDatabase
from openclsp.semantics.database.unit_inputs import (
    CALL_COMPONENT,
    CONTENT,
    DECLARED_NAMES,
    DECLARERS,
    HAS_KERNEL,
    HEAD_CONTENT,
    IS_CALLED,
    LOCAL_VARIABLES,
    NUMBER,
    NUMBERS,
    ORDER,
    PROGRAM_SCOPE_MACROS,
)
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.call_components import find_call_components
from openclsp.semantics.items.item import Item
from openclsp.source.parser import kind

_TYPE_DEFINITION = kind("type_definition")
_GAP = 1 << 40
"""The distance between order numbers of neighbours, which leaves room for insertions."""
_MOST_ORDER = 1 << 80


class ItemList:
    """The ordered items of a unit. `items` and `by_key` are changed in place, and only by `replace`."""

    def __init__(self, database: QueryDatabase) -> None:
        self._database = database
        self.items: list[Item] = []
        self.by_key: dict[ItemKey, Item] = {}
        self.change_listeners: list[set[ItemKey]] = []
        """Sets to which the keys of changed items are added; each consumer clears its own."""
        self.typedefs: Counter[str] = Counter()
        self.typedefs_changed = True
        """Whether the typedefs changed since the consumer last reset this to False."""
        self._by_kind_and_name: dict[tuple[int, str], list[Item]] = {}
        self._all_names: frozenset[str] = frozenset()
        self._declaring: dict[str, list[Item]] = {}
        self._components: dict[str, frozenset[str]] = {}
        self._callers: Counter[str] = Counter()
        """By name, the number of other functions that call it."""
        self._kernels = 0

    def copy(self, database: QueryDatabase, copies: Mapping[Item, Item]) -> ItemList:
        """Returns a copy of this list for another unit; the copy begins without `change_listeners`.

        `database` is the copy of the query database, and `copies` maps each item to its copy.
        """
        made = ItemList(database)
        made.items += [copies[each] for each in self.items]
        made.by_key.update({key: copies[each] for key, each in self.by_key.items()})
        made.typedefs.update(self.typedefs)
        made._by_kind_and_name = {
            pair: [copies[each] for each in items] for pair, items in self._by_kind_and_name.items()
        }
        made._declaring = {name: [copies[each] for each in items] for name, items in self._declaring.items()}
        made._all_names, made._components = self._all_names, self._components
        made._callers.update(self._callers)
        made._kernels = self._kernels
        return made

    def declared_names(self) -> Iterable[str]:
        """Returns every name declared at program scope by some item. A tag is listed as `struct S`."""
        return self._declaring.keys()

    def has_unnamed(self, kind: int) -> bool:
        """Whether some item of this kind has no name."""
        return bool(self._by_kind_and_name.get((kind, "")))

    def replace(self, first: int, last: int, added: list[Item]) -> None:
        """Replaces `items[first:last]` and updates the query database's inputs.

        Unchanged items at both ends of the range are skipped first, so that the cost depends only on the
        number of items that differ.
        """
        items = self.items
        removed = items[first:last]
        front = 0
        limit = min(len(removed), len(added))
        while front < limit and removed[front] is added[front]:
            front += 1
        back = 0
        while back < limit - front and removed[-1 - back] is added[-1 - back]:
            back += 1
        items[first:last] = added
        first, last = first + front, first + len(added) - back
        removed, added = removed[front : len(removed) - back], added[front : len(added) - back]
        if not removed and not added:
            return
        # order numbers are assigned before inputs are set, so that the database sees only the final state
        renumbered = self._assign_order_numbers(items, removed, first, last)
        if len(removed) == len(added):
            others = [index for index, item in enumerate(removed) if added[index] is not item]
            removed, added = [removed[index] for index in others], [added[index] for index in others]
        for listener in self.change_listeners:
            listener.update(item.key for item in removed)
        self._count_typedefs(removed, added)
        self._count_calls(removed, added)
        self._update_macro_calls(removed, added, renumbered=renumbered)
        self._update_names(removed, added, renumbered=renumbered)
        # components change only if the calls of some item do; if items were only removed, they also stay the same
        # without components and without a remaining namesake, which is excluded until its name is unique
        if [_call_identity(item) for item in removed] != [_call_identity(item) for item in added] and (
            added
            or self._components
            or any((item.kind, item.name) in self._by_kind_and_name for item in removed)
        ):
            self._follow_calls()

    def _update_macro_calls(self, removed: list[Item], added: list[Item], *, renumbered: bool) -> None:
        """Updates the input that contains the macro calls at program scope."""
        if renumbered or any(item.summary.macro_words for item in (*removed, *added)):
            calls = ((item.order, item.summary.macro_words) for item in self.items)
            self._database.set(PROGRAM_SCOPE_MACROS, "", tuple(each for each in calls if each[1]))

    def _update_names(self, removed: list[Item], added: list[Item], *, renumbered: bool) -> None:
        """Updates the indexes of items by name, their keys, and the inputs about who declares a name."""
        names = {name for item in (*removed, *added) for name in item.names}
        same = {(item.kind, item.name) for item in (*removed, *added)}
        before = len(self._declaring)
        for item in removed:
            self._remove_from_indexes(item)
        for item in added:
            self._by_kind_and_name.setdefault((item.kind, item.name), []).append(item)
            for name in item.names:
                self._declaring.setdefault(name, []).append(item)
        if names and (len(self._declaring) != before or not self._all_names.issuperset(names)):
            self._all_names = frozenset(self._declaring)
            self._database.set(DECLARED_NAMES, "", self._all_names)
        names.update(self._assign_keys(same, removed))
        if renumbered:
            names.update(self._declaring)
            for item in self.items:
                self._database.set(ORDER, item.key, item.order)
        for name in names:
            declaring = self._declaring.get(name, [])
            declaring.sort(key=order_of)
            declarers = dict.fromkeys((item.order, item.key) for item in declaring)
            self._database.set(DECLARERS, name, tuple(declarers))

    def _follow_calls(self) -> None:
        """Updates the inputs that contain the strongly connected components of the call graph.

        A function with several definitions is not part of the graph, and neither are calls in blocks.
        """
        calls = {
            item.name: item.summary.calls - item.summary.in_blocks
            for item in self.items
            if item.summary.calls and len(self._by_kind_and_name[item.kind, item.name]) == 1
        }
        found = find_call_components(calls)
        for name in self._components.keys() | found.keys():
            self._database.set(CALL_COMPONENT, name, found.get(name, frozenset()))
        self._components = found

    def _count_calls(self, removed: list[Item], added: list[Item]) -> None:
        """Updates the inputs that record which functions are called and whether the unit has a kernel."""
        before = {name: self._callers[name] > 0 for item in (*removed, *added) for name in _names_used(item)}
        had_kernel = self._kernels > 0
        for items, number in ((removed, -1), (added, 1)):
            for item in items:
                self._kernels += number * item.summary.kernel
                for name in _names_used(item):
                    self._callers[name] += number
        for name, was_called in before.items():
            is_called = self._callers[name] > 0
            if is_called is not was_called:
                self._database.set(IS_CALLED, name, is_called)
            if not is_called:
                del self._callers[name]
        if had_kernel is not (self._kernels > 0):
            self._database.set(HAS_KERNEL, "", not had_kernel)

    def _count_typedefs(self, removed: list[Item], added: list[Item]) -> None:
        for items, number in ((removed, -1), (added, 1)):
            for item in items:
                if item.kind == _TYPE_DEFINITION:
                    self.typedefs_changed = True
                    for name in item.names:
                        self.typedefs[name] += number
                        if not self.typedefs[name]:
                            del self.typedefs[name]

    def _assign_order_numbers(self, items: list[Item], removed: list[Item], first: int, last: int) -> bool:
        """Assigns order numbers to `items[first:last]`; returns True if all items were renumbered.

        If as many items are added as removed, the added items get the order numbers of the removed ones, so
        that an edit within an item changes no order number. Otherwise, an item that was in the list before
        keeps its number, and the new items get numbers that lie between those of their neighbours. If too few
        numbers are free there, all items are renumbered.
        """
        added = items[first:last]
        if len(added) == len(removed):
            # an item that only moved is in both lists, so all numbers are read before any is assigned
            for item, number in zip(added, [old.order for old in removed], strict=True):
                item.order = number
            return False
        low = items[first - 1].order if first else 0
        high = items[last].order if last < len(items) else _MOST_ORDER
        index = 0
        while index < len(added):
            # an item that is in the list already, or was before, keeps its number
            kept = (each for each in range(index, len(added)) if low < added[each].order < high)
            end = next(kept, len(added))
            until = added[end].order if end < len(added) else high
            step = min((until - low) // (end - index + 1), _GAP)
            if step < 1:
                for number, item in zip(count(_GAP, _GAP), items, strict=False):
                    item.order = number
                return True
            for number, item in zip(count(low + step, step), added[index:end], strict=False):
                item.order = number
            low = until
            index = end + 1
        return False

    def _remove_from_indexes(self, item: Item) -> None:
        same = self._by_kind_and_name[item.kind, item.name]
        same.remove(item)
        if not same:
            del self._by_kind_and_name[item.kind, item.name]
        for name in item.names:
            declaring = self._declaring[name]
            declaring.remove(item)
            if not declaring:
                del self._declaring[name]

    def _assign_keys(self, same: set[tuple[int, str]], removed: list[Item]) -> Iterator[str]:
        """Renumbers items that share a kind and a name, and updates their inputs in the query database.

        `same` are the pairs (kind, name) of the added and removed items. Yields the names whose declaring
        items have new keys.
        """
        for item in removed:
            if self.by_key.get(item.key) is item:
                del self.by_key[item.key]
        dropped = {item.key for item in removed}
        for pair in same:
            equals = self._by_kind_and_name.get(pair, [])
            equals.sort(key=order_of)
            # all keys are released before any is assigned, since an item may take the previous key of another
            for item in equals:
                if self.by_key.get(item.key) is item:
                    del self.by_key[item.key]
                    dropped.add(item.key)
            for number, item in enumerate(equals):
                if item.key[2] != number:
                    item.key = (item.key[0], item.key[1], number)
                    yield from item.names
                self.by_key[item.key] = item
                for listener in self.change_listeners:
                    listener.add(item.key)
                dropped.discard(item.key)
                self._database.resume_firewalls(item.key)
                self._database.set(CONTENT, item.key, item.structural_digest)
                self._database.set_if_read(NUMBERS, item.key, item.digest)
                for token_index, text in item.numbers:
                    self._database.set_if_read(NUMBER, (item.key, token_index), text)
                self._database.set(HEAD_CONTENT, item.key, item.head_digest)
                self._database.set(ORDER, item.key, item.order)
                self._database.set(LOCAL_VARIABLES, item.key, item.summary.local_variables)
        # a deleted key keeps its cells with empty content: queries that depend on it are invalidated, and
        # undo restores their values (see `QueryDatabase.set`)
        for key in dropped:
            self._database.suspend_firewalls(key)
            self._database.set(CONTENT, key, b"")
            self._database.set(HEAD_CONTENT, key, b"")
            self._database.set(ORDER, key, -1)
            self._database.set(LOCAL_VARIABLES, key, ())


def order_of(item: Item) -> int:
    """Returns the item's order number, which is the sort key for lists of items."""
    return item.order


def _names_used(item: Item) -> frozenset[str]:
    """Returns the names that an item calls or passes to possible macros, except the item's own name."""
    summary = item.summary
    return (summary.calls | summary.passed) - {item.name}


def _call_identity(item: Item) -> tuple[int, str, frozenset[str]]:
    return item.kind, item.name, item.summary.calls - item.summary.in_blocks
