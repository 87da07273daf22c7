"""Finds conditional code that depends on a missing header.

Declarations in such code are unknown to everything outside of it, since another branch may declare the names
differently. Within the code they are known: if it is compiled at all, so are its declarations.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from openclsp.dataclass import dataclass
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.item import Item
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.source.preprocessed import Preprocessed

Ranges: TypeAlias = tuple[tuple[int, int], ...]
"""Ranges as (first, last), both inclusive."""


@dataclass(frozen=True, slots=True)
class UncertainRanges:
    """The ranges of a unit's code that depend on a missing header.

    - `orders`: the order numbers, as ranges, of the items that are completely in such code.
    - `token_ranges`: for each item that is partly in such code, by key, the token ranges in such code.
    """

    orders: Ranges
    token_ranges: Mapping[ItemKey, Ranges]


NO_UNCERTAIN_RANGES = UncertainRanges((), {})


def has_uncertain_ranges(unit: Preprocessed) -> bool:
    """Whether a document, or a document that it includes, contains code that depends on a missing header."""
    return any(guess.uncertain for each in unit.with_included() for guess in each.guesses)


def find_uncertain_ranges(parts: Iterable[UnitPart]) -> UncertainRanges:
    """Returns the ranges in all parts of a unit that depend on a missing header."""
    every = list(parts)
    by_unit = {id(part.preprocessed): part for part in every}
    orders: list[tuple[int, int]] = []
    token_ranges: dict[ItemKey, list[tuple[int, int]]] = {}
    for part in every:
        for start, end in _uncertain_ranges_of(part):
            whole: list[int] = []
            for item in _boundary_items(part, start, end):
                # only items at the ends of the range can be partly inside; all items between them have order
                # numbers between those of the first and the last item that are completely inside
                if start <= item.start and item.start + item.length <= end:
                    whole.append(item.order)
                    continue
                first = bisect_left(item.token_index_starts, start - item.start)
                last = bisect_left(item.token_index_starts, end - item.start) - 1
                if first <= last:
                    token_ranges.setdefault(item.key, []).append((first, last))
            whole += _included_orders(part, start, end, by_unit)
            if whole:
                orders.append((min(whole), max(whole)))
    return UncertainRanges(tuple(sorted(orders)), {key: tuple(found) for key, found in token_ranges.items()})


def is_uncertain(order: int, own: int, orders: Ranges) -> bool:
    """Whether a declaration is unknown to an item, because the declaration depends on a missing header.

    `order` is the order number of the declaration's item, and `own` that of the other item. The declaration
    is unknown if one of the ranges `orders` contains `order` but not `own`.
    """
    return any(first <= order <= last and not first <= own <= last for first, last in orders)


def _uncertain_ranges_of(part: UnitPart) -> Iterator[tuple[int, int]]:
    """Yields the ranges of the part's own document that depend on a missing header.

    They are given in bytes of the document's expanded text.
    """
    preprocessed = part.preprocessed
    name, text = preprocessed.document.name, preprocessed.document.text
    lines = preprocessed.source_map.lines
    for guess in preprocessed.guesses:
        if guess.document == name:
            for start, end in guess.uncertain:
                yield lines.start(text.line_of(start)), lines.start(text.line_of(end))


def _boundary_items(part: UnitPart, start: int, end: int) -> Iterator[Item]:
    """Yields the items at both ends of a range, since only these can be partly outside of it.

    Only the first two and the last two chunks that overlap the range and have items are searched.
    """
    groups = part.groups
    first = max(bisect_right(groups, start, key=lambda group: group.start) - 1, 0)
    last = bisect_left(groups, end, key=lambda group: group.start)
    touching = [group for group in groups[first:last] if group.items]
    for group in dict.fromkeys((*touching[:2], *touching[-2:])):
        for item in group.items:
            if item.start < end and start < item.start + item.length:
                yield item


def _included_orders(part: UnitPart, start: int, end: int, by_unit: Mapping[int, UnitPart]) -> Iterator[int]:
    """Yields the order numbers of the first and the last item of each document that a range includes.

    The range is given in bytes of the part's text; nested includes count too. `by_unit` maps the `id` of
    each preprocessed document to its part.
    """
    pending = [each.preprocessed for each in part.preprocessed.includes if start <= each.offset < end]
    while pending:
        unit = pending.pop()
        pending.extend(each.preprocessed for each in unit.includes)
        found = by_unit.get(id(unit))
        items = [item for group in found.groups for item in group.items] if found is not None else []
        if items:
            yield items[0].order
            yield items[-1].order
