"""Finds missing barriers between accesses of different work-items to the same element of local memory.

The work-items of a small work-group are run one by one (see `work_item_run`), and their accesses between the
same barriers are compared. A pair of accesses is reported only if both accesses certainly happen in this
work-group and access the same element.

Nothing is reported about a kernel that uses no work-item id, because it may be meant for a single work-item.
Nothing is reported either if the work-items of a kernel execute different barriers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product

from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.typed_body import typed_body
from openclsp.semantics.database.unit_inputs import NUMBERS
from openclsp.semantics.facts.calls import MissingBarrier
from openclsp.semantics.facts.entities import EntityRef, ItemKey, Place
from openclsp.semantics.memory.barriers import definition_of
from openclsp.semantics.memory.memory_uses import required_group_size
from openclsp.semantics.memory.symbolic_integers import Integer, compare
from openclsp.semantics.memory.work_item_accesses import (
    COPIES,
    LocalAccess,
    LocalAccessKind,
    WorkItemTrace,
)
from openclsp.semantics.memory.work_item_run import WorkItemRun
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.typing.typing_context import TypingContext

_ITEMS = {1: 8, 2: 2, 3: 2}
"""The work-items that are run in each dimension, by the number of dimensions of the group."""

_Numbered = tuple[int, LocalAccess]
"""An access with the number of its work-item."""


def _missing_barriers(unit: TranslationUnit, key: ItemKey) -> tuple[MissingBarrier, ...]:
    contexts: dict[str, TypingContext | None] = {}

    def typed(item: ItemKey) -> TypingContext | None:
        unit.database.read(NUMBERS, item)
        return typed_body(unit, item)

    def defined(name: str) -> TypingContext | None:
        if name not in contexts:
            item = definition_of(unit, name)
            contexts[name] = None if item is None else typed(item)
        return contexts[name]

    ctx = typed(key)
    symbol = None if ctx is None else ctx.program_symbols.get(key[1])
    if ctx is None or symbol is None or not symbol.kernel:
        return ()
    required = required_group_size(ctx)
    first = WorkItemRun(ctx, (0, 0, 0), required or (2, 2, 2), defined).run()
    if first is None or not first.dimensions or not first.dimensions <= {0, 1, 2}:
        return ()
    traces: list[WorkItemTrace] = []
    count = _ITEMS[len(first.dimensions)]
    sizes = required or tuple(count if number in first.dimensions else 1 for number in range(3))
    for ids in product(*(range(min(count, size)) for size in sizes)):
        trace = WorkItemRun(ctx, ids, sizes, defined).run()
        if trace is None or (traces and trace.barriers != traces[0].barriers):
            return ()
        traces.append(trace)
    names = {each.ref: each.name for each in ctx.entities.values()}
    return tuple(_unordered(traces, names))


MISSING_BARRIERS: Query[ItemKey, tuple[MissingBarrier, ...]] = Query(
    "missing barriers", _missing_barriers, ()
)
"""The pairs of accesses of a kernel that need a barrier between them: one for each object and later place."""


def _unordered(traces: Sequence[WorkItemTrace], names: dict[EntityRef, str]) -> Iterator[MissingBarrier]:
    groups: dict[tuple[tuple[int, int], EntityRef], list[_Numbered]] = defaultdict(list)
    for item, trace in enumerate(traces):
        for access in trace.accesses:
            groups[access.interval, access.address.object].append((item, access))
    seen: set[tuple[EntityRef, Place]] = set()
    for (_, ref), accesses in groups.items():
        found = _first_conflict(accesses)
        if found is None:
            continue
        earlier, later = sorted(found, key=lambda each: each.place.first)
        if (ref, later.place) not in seen:
            seen.add((ref, later.place))
            yield MissingBarrier(
                names.get(ref, ""), earlier.kind.value, earlier.place, later.kind.value, later.place
            )


def _first_conflict(accesses: Sequence[_Numbered]) -> tuple[LocalAccess, LocalAccess] | None:
    """Returns the first conflict in program order; None if there is none.

    A conflict is two accesses to one element by different work-items that a barrier has to order.
    """
    elements: dict[object, list[_Numbered]] = defaultdict(list)
    copies = [each for each in accesses if each[1].kind in COPIES]
    for each in accesses:
        if each[1].kind not in COPIES:
            elements[each[1].address.path].append(each)
    found = [
        pair
        for group in elements.values()
        for pair in (*_conflicts(group), *_conflicts_with_copies(group, copies))
    ]
    return min(found, key=lambda pair: sorted(each.place.first for each in pair)[::-1], default=None)


def _conflicts(group: Sequence[_Numbered]) -> Iterator[tuple[LocalAccess, LocalAccess]]:
    """Yields the pairs of conflicting accesses of two work-items.

    A write conflicts with a read or an atomic change, and an atomic change with a read.
    """
    for item, access in group:
        for other_item, other in group:
            if (
                item == other_item
                or access.kind is LocalAccessKind.READ
                or other.kind is LocalAccessKind.WRITE
            ):
                continue
            if access.kind is not other.kind and not _writes_before(group, other_item, other, access):
                yield access, other


def _conflicts_with_copies(
    group: Sequence[_Numbered], copies: Sequence[_Numbered]
) -> Iterator[tuple[LocalAccess, LocalAccess]]:
    """Yields the conflicting pairs of an access and an asynchronous work-group copy.

    The whole work-group makes the copy, so a copy conflicts with the accesses of every work-item.
    """
    for _, access in group:
        index = access.address.path[0]
        for _, copy in copies:
            if len(access.address.path) > 1 or copy.value is None or not isinstance(index, Integer):
                continue
            if compare("<", index, copy.value) and (
                copy.kind is LocalAccessKind.COPY_TO or access.kind is not LocalAccessKind.READ
            ):
                yield access, copy


def _writes_before(group: Sequence[_Numbered], item: int, read: LocalAccess, write: LocalAccess) -> bool:
    """Whether the work-item `item` writes the same value as `write` before its access `read`.

    The work-item may then read its own value, so that no barrier is needed. Only its write at the same place
    in the program as `write` counts. An unknown value counts as the same value.
    """
    for other_item, access in group:
        if access is read:
            return False
        if other_item == item and access.place == write.place and access.kind is write.kind:
            return access.value is None or access.value == write.value
    return False
