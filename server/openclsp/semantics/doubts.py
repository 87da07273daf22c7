"""Where text stands that a condition lets through which a missing header may decide otherwise.

What such text declares is unknown to everything outside of it: another branch may declare it in another way. Within the
text itself it is known, for where the text is read its declarations are.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from openclsp.dataclass import dataclass
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.fragment import Fragment
from openclsp.semantics.items import Item
from openclsp.source.preprocessed import Preprocessed

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""First and last of each stretch, the last inclusive"""


@dataclass(frozen=True, slots=True)
class Doubts:
    """The doubtful stretches of a unit: `orders` by the order numbers of the items inside, and by item the `leaves` of those
    that hold a stretch, or a part of one."""

    orders: Ranges
    leaves: Mapping[ItemKey, Ranges]


NO_DOUBTS = Doubts((), {})


def has_doubts(unit: Preprocessed) -> bool:
    """Whether a document, or one that it includes, has a doubtful stretch."""
    return any(guess.doubtful for each in unit.units() for guess in each.guesses)


def find_doubts(fragments: Iterable[Fragment]) -> Doubts:
    """The doubtful stretches of all fragments of a unit."""
    every = list(fragments)
    by_unit = {id(fragment.preprocessed): fragment for fragment in every}
    orders: list[tuple[int, int]] = []
    leaves: dict[ItemKey, list[tuple[int, int]]] = {}
    for fragment in every:
        for start, end in _stretches(fragment):
            whole: list[int] = []
            for item in _boundary_items(fragment, start, end):
                if start <= item.start and item.start + item.length <= end:
                    whole.append(item.order)
                    continue
                first = bisect_left(item.leaf_starts, start - item.start)
                last = bisect_left(item.leaf_starts, end - item.start) - 1
                if first <= last:
                    leaves.setdefault(item.key, []).append((first, last))
            whole += _included(fragment, start, end, by_unit)
            if whole:
                orders.append((min(whole), max(whole)))
    return Doubts(tuple(sorted(orders)), {key: tuple(found) for key, found in leaves.items()})


def is_doubted(order: int, own: int, orders: Ranges) -> bool:
    """Whether an item declares in a stretch in which the item `own`, which looks, does not stand."""
    return any(first <= order <= last and not first <= own <= last for first, last in orders)


def _stretches(fragment: Fragment) -> Iterator[tuple[int, int]]:
    """The fragment's own stretches, in bytes of its expanded text."""
    preprocessed = fragment.preprocessed
    name, text = preprocessed.document.name, preprocessed.document.text
    lines = preprocessed.source_map.lines
    for guess in preprocessed.guesses:
        if guess.document == name:
            for start, end in guess.doubtful:
                yield lines.start(text.line_of(start)), lines.start(text.line_of(end))


def _boundary_items(fragment: Fragment, start: int, end: int) -> Iterator[Item]:
    """The items that touch a stretch, but for those that have others of it on both sides."""
    groups = fragment.groups
    first = max(bisect_right(groups, start, key=lambda group: group.start) - 1, 0)
    last = bisect_left(groups, end, key=lambda group: group.start)
    touching = [group for group in groups[first:last] if group.items]
    for group in dict.fromkeys((*touching[:2], *touching[-2:])):
        for item in group.items:
            if item.start < end and start < item.start + item.length:
                yield item


def _included(fragment: Fragment, start: int, end: int, by_unit: Mapping[int, Fragment]) -> Iterator[int]:
    """The order numbers of the first and last items of the documents that a stretch includes."""
    pending = [each.unit for each in fragment.preprocessed.includes if start <= each.offset < end]
    while pending:
        unit = pending.pop()
        pending.extend(each.unit for each in unit.includes)
        found = by_unit.get(id(unit))
        items = [item for group in found.groups for item in group.items] if found is not None else []
        if items:
            yield items[0].order
            yield items[-1].order
