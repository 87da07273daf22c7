"""The limit that `#pragma pack` sets for the alignment of members, for each item.

The limits form a stack, as in clang: `pack(push, n)` and `pack(pop)` nest, with or without a name, `pack(n)`
sets the limit and `pack()` removes it. A pragma takes effect from the first item after it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from openclsp.semantics.items.item import ItemGroup
from openclsp.source.preprocessed import Preprocessed

_PRAGMA = re.compile(r"\s*pack\s*\((?P<arguments>[^()]*)\)")
_SIZES = {"0": 0, "1": 1, "2": 2, "4": 4, "8": 8, "16": 16}
_NAME = re.compile(r"[A-Za-z_]\w*")
_MAXIMUM_PUSHED = 1000

PackingChanges = tuple[tuple[int, int | None], ...]
"""(order, limit in bytes) of each change, in source order: 0 for no limit, None if unknown.

A change takes effect from the item numbered `order` on.
"""


class PackedUnitPart(Protocol):
    """The part of the interface of `UnitPart` that this module uses."""

    preprocessed: Preprocessed
    groups: list[ItemGroup]


def packing_changes(parts: Iterable[PackedUnitPart]) -> PackingChanges:
    """Returns each change of the limit in a unit, as (order number of the next item, new limit).

    `parts` are the unit's main part and then those of its headers.
    """
    main, *headers = parts
    if not any(_has_packing(each.preprocessed) for each in (main, *headers)):
        return ()
    groups = {each.preprocessed: each.groups for each in (*headers, main)}
    found: list[tuple[int, int | None]] = []
    limit: int | None = 0
    pushed: list[tuple[str, int | None]] = []
    for order, text in _pragmas(main.preprocessed, groups, _after_all(main)):
        now = _applied(text, limit, pushed)
        if now != limit:
            found.append((order, now))
            limit = now
    return tuple(found)


def packing_of(changes: PackingChanges, order: int) -> int | None:
    """Returns the limit for the alignment of members, in bytes, that applies to the item numbered `order`.

    The limit is 0 if no pragma sets one, and None if it is unknown.
    """
    limit: int | None = 0
    for start, now in changes:
        if start > order:
            break
        limit = now
    return limit


def _has_packing(preprocessed: Preprocessed) -> bool:
    return any(_PRAGMA.match(pragma.text) for pragma in preprocessed.pragmas)


def _after_all(main: PackedUnitPart) -> int:
    return max((item.order for group in main.groups for item in group.items), default=-1) + 1


def _pragmas(
    preprocessed: Preprocessed, groups: Mapping[Preprocessed, list[ItemGroup]], end: int
) -> Iterator[tuple[int, str]]:
    """Yields (order number of the next item, arguments) for each pragma in source order.

    `end` is the order number of the first item after the document.
    """
    items = [item for group in groups.get(preprocessed, ()) for item in group.items]
    starts = [item.start for item in items]

    def next_order(offset: int) -> int:
        at = bisect_left(starts, offset)
        return items[at].order if at < len(items) else end

    events: list[tuple[int, str | Preprocessed]] = []
    for pragma in preprocessed.pragmas:
        match = _PRAGMA.match(pragma.text)
        if match is not None:
            events.append((pragma.offset, match["arguments"]))
    events += [(inclusion.offset, inclusion.preprocessed) for inclusion in preprocessed.includes]
    for offset, each in sorted(events, key=lambda event: event[0]):
        if isinstance(each, Preprocessed):
            yield from _pragmas(each, groups, next_order(offset))
        else:
            yield next_order(offset), each


def _applied(arguments: str, limit: int | None, pushed: list[tuple[str, int | None]]) -> int | None:
    """Returns the limit after a pragma with these arguments (None if unknown), and updates `pushed`."""
    first, *others = (argument.strip() for argument in arguments.split(","))
    if first not in ("push", "pop"):
        return 0 if not first else _SIZES.get(first)
    size = next((each for each in others if each[:1].isdigit()), "")
    name = next((each for each in others if _NAME.fullmatch(each)), "")
    if first == "push":
        if len(pushed) < _MAXIMUM_PUSHED:
            pushed.append((name, limit))
    else:
        at = next((at for at in range(len(pushed) - 1, -1, -1) if not name or pushed[at][0] == name), -1)
        if at >= 0:
            limit = pushed[at][1]
            del pushed[at:]
    return _SIZES.get(size) if size else limit
