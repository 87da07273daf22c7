"""Copies of items and groups after edits that change only number literals, made without parsing."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from typing import Final

from openclsp.semantics.items.item import Item, ItemGroup, digest_with_numbers
from openclsp.semantics.items.number_edits import NumberChange, moved, number_changes, renumbered
from openclsp.source.incremental_preprocessing import ExpandedEdit
from openclsp.source.other_languages import evidence_of_another_language

_NEAR: Final = 3
"""The number of chunks near an edit whose ends may change with it."""


def groups_with_changed_numbers(
    groups: Sequence[ItemGroup], text: bytes, edits: Sequence[ExpandedEdit]
) -> dict[int, ItemGroup]:
    """Returns copies of the groups in which edits change only number literals, by index of the group.

    `text` is the text after the edits. Groups near an edit of any other kind are excluded, since it may
    change where they end.
    """
    found: dict[int, ItemGroup] = {}
    others: list[tuple[int, int]] = []
    shift = before = 0
    pending = deque(edits)
    while pending:
        edit = pending.popleft()
        number = bisect_right(groups, edit.start, key=_start) - 1
        group = groups[number] if number >= 0 else None
        start, last, by = edit.start, edit.old_end, edit.new_end - edit.old_end
        while pending and group is not None and pending[0].start < group.end:
            edit = pending.popleft()
            last, by = edit.old_end, by + edit.new_end - edit.old_end
        other = None
        # a group that begins inside the previous edit's deleted range no longer exists
        if group is not None and before <= group.start and last < group.end:
            begin = group.start + shift
            other = _with_changed_numbers(group, text[begin : begin + len(group.text) + by], start, last)
        if other is None:
            others.append((number, bisect_right(groups, last, key=_start) - 1))
        else:
            found[number] = other
        before, shift = last, shift + by
    return {
        number: group
        for number, group in found.items()
        if not any(first - _NEAR <= number <= last + _NEAR for first, last in others)
    }


def _start(group: ItemGroup) -> int:
    return group.start


def _with_changed_numbers(group: ItemGroup, text: bytes, start: int, end: int) -> ItemGroup | None:
    """Returns a copy of the group with changed number literals.

    `text` is the new text of the group's chunk. The bytes `start` to `end` of the part's old text have
    changed. Returns None if anything but number literals has changed, or if an item must be parsed again.
    """
    if group.has_error or not any(item.numbers for item in group.items):
        return None
    changes = number_changes(group.text, text, start - group.start, end - group.start)
    if not changes:
        return None
    made = ItemGroup(group.part, text, foreign=evidence_of_another_language(text))
    taken = 0
    for item in group.items:
        first, last = item.offset, item.offset + item.length
        own = [NumberChange(a - first, b - first, new) for a, b, new in changes if first <= a and b <= last]
        before = sum(len(new) - (b - a) for a, b, new in changes if b <= first)
        after = _with_numbers(made, item, own, before)
        if after is None:
            return None
        made.items.append(after)
        taken += len(own)
    # any other change lies outside all items, in a comment
    return made if taken == len(changes) else None


def _with_numbers(group: ItemGroup, item: Item, changes: Sequence[NumberChange], by: int) -> Item | None:
    """Returns a copy of the item, with changed number literals, for the new group; None if it must be parsed.

    `by` is the number of bytes by which earlier changes in the group move the item.
    """
    numbers = (
        renumbered(item.numbers, item.token_index_starts, item.token_index_ends, changes)
        if changes
        else item.numbers
    )
    if numbers is None or item.table is not None:
        return None
    starts, ends = moved(item.token_index_starts, item.token_index_ends, changes)
    return Item(
        group,
        item.offset + by,
        item.length + sum(len(new) - (end - start) for start, end, new in changes),
        item.name,
        item.kind,
        item.names,
        digest_with_numbers(item.structural_digest, numbers) if numbers else item.digest,
        item.structural_digest,
        item.head_digest,
        numbers,
        item.summary,
        None,
        starts,
        ends,
        item.key,
    )
