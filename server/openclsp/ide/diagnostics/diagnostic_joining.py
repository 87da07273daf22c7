"""Joins the diagnostics of all items: sorts them, drops duplicates, and folds repeated ones.

The same functions join the diagnostics of the command line and the serialised ones of the server.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


def sort_without_duplicates(
    found: Iterable[T], sort_key: Callable[[T], Any], identity: Callable[[T], object]
) -> list[T]:
    """Sorts diagnostics by `sort_key`, and keeps the first of those with equal `identity`.

    The sort key must begin with the identity, so that duplicates are adjacent. The rest of the key decides
    which duplicate is kept. The order of `found` must not decide that, because it depends on earlier edits.
    """
    unique: list[T] = []
    last: object = None
    for each in sorted(found, key=sort_key):
        this = identity(each)
        if this != last:
            unique.append(each)
            last = this
    return unique


def fold_groups(
    found: Iterable[T], group_of: Callable[[T], Hashable | None], fold: Callable[[list[T]], T]
) -> list[T]:
    """Replaces the diagnostics of each group by one, at the position of the first.

    `group_of` returns None for a diagnostic without a group. `fold` is called for groups with two or more
    members, which have the order of `found`.
    """
    folded: list[T] = []
    groups: dict[Hashable, tuple[int, list[T]]] = {}
    for each in found:
        group = group_of(each)
        if group is not None:
            known = groups.get(group)
            if known is not None:
                known[1].append(each)
                continue
            groups[group] = len(folded), [each]
        folded.append(each)
    for index, members in groups.values():
        if len(members) > 1:
            folded[index] = fold(members)
    return folded
