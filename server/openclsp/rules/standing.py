"""The findings of a whole unit, cached per item and updated incrementally after edits."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.rules.argument_findings import DECLARATIONS, ArgumentFindings
from openclsp.rules.checking import BODY, FINDINGS, INVALID, findings
from openclsp.rules.finding import Finding
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.flow.queries import solution
from openclsp.semantics.items import Item
from openclsp.semantics.memory_steps import BARRIERS
from openclsp.semantics.passes import let_go
from openclsp.semantics.readings import FLOW, MEMORY, PROGRAM
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.tree import kind

_FUNCTION_DEFINITION = kind("function_definition")


@dataclass(slots=True)
class _Standing:
    """The cached findings of a unit."""

    pending: set[ItemKey]
    """The items to be checked again"""
    arguments: ArgumentFindings
    """The findings about the arguments of calls"""
    fencing: set[ItemKey] = field(default_factory=set)
    """The items that have barriers"""
    own: dict[ItemKey, tuple[Finding, ...]] = field(default_factory=dict)
    """All other findings by item"""
    found: dict[ItemKey, tuple[Finding, ...]] = field(default_factory=dict)
    """Both kinds of findings by item, only of items that have any"""

    def drop(self, key: ItemKey) -> None:
        """Forgets an item that was removed, or whose findings are not reported."""
        self.own.pop(key, None)
        self.arguments.drop(key)
        self.fencing.discard(key)

    def put_together(self, key: ItemKey) -> None:
        """Merges both kinds of an item's findings into `found`."""
        found = self.own.get(key, ()) + self.arguments.of(key)
        if found:
            self.found[key] = found
        else:
            self.found.pop(key, None)


_KEPT = "standing findings"


def standing(unit: TranslationUnit, *, header_bodies: bool = False) -> Mapping[ItemKey, tuple[Finding, ...]]:
    """Updates and returns the findings of each item that has any, in no particular order.

    The mapping is shared and changes with the next call. The cost depends on the items that were added or
    touched since the last call and on the callers of changed declarations, not on the size of the unit.
    """
    kept: dict[bool, _Standing] = unit.kept.setdefault(_KEPT, {})
    own = _prepared(unit, kept, header_bodies)
    _look_again(unit, own, header_bodies)
    if not unit.flow_waits:
        # The flow solution and the callees' effects need all items typed, which the first pass did. Items
        # whose findings depend on a result that changed become pending, so a second pass checks them.
        if unit.dialect.generic:
            solution(unit, FLOW)
        MEMORY.work_out(unit, own.fencing)
        _share_out(unit, kept)
        _look_again(unit, own, header_bodies)
        let_go(unit)
    return own.found


def standing_of(
    unit: TranslationUnit, wanted: Collection[ItemKey], *, header_bodies: bool = False
) -> Mapping[ItemKey, tuple[Finding, ...]]:
    """Returns the findings of the `wanted` items without checking others.

    Findings that need the flow analysis are not included.
    """
    kept: dict[bool, _Standing] = unit.kept.setdefault(_KEPT, {})
    own = _prepared(unit, kept, header_bodies)
    _look_again(unit, own, header_bodies, wanted, flowing=False)
    if not unit.flow_waits:
        MEMORY.work_out(unit, own.fencing)
        _share_out(unit, kept)
        _look_again(unit, own, header_bodies, wanted, flowing=False)
        let_go(unit)
    for key in own.pending:
        # These tables were built to be checked at once; nothing else needs them before the item is typed
        # again.
        item = unit.by_key.get(key)
        if item is not None:
            item.table = item.begun = None
    return {key: own.found[key] for key in wanted if key in own.found}


def _prepared(unit: TranslationUnit, kept: dict[bool, _Standing], header_bodies: bool) -> _Standing:
    """Returns the cached findings, updated for removed items and changed declarations.

    Calls to changed declarations are re-checked.
    """
    _share_out(unit, kept)
    own = kept.get(header_bodies)
    if own is None:
        own = kept[header_bodies] = _Standing(set(unit.by_key), ArgumentFindings())
    # Removed items are dropped first, so that the re-check below does not visit their calls.
    for key in [key for key in own.pending if key not in unit.by_key]:
        own.drop(key)
        own.put_together(key)
        own.pending.discard(key)
    for key in own.arguments.judge_again(unit):
        own.put_together(key)
    return own


def _look_again(
    unit: TranslationUnit,
    own: _Standing,
    header_bodies: bool,
    wanted: Collection[ItemKey] | None = None,
    *,
    flowing: bool = True,
) -> None:
    """Checks the pending items; if `wanted` is given, only those among them."""
    pending = set(own.pending) if wanted is None else own.pending.intersection(wanted)
    # in text order, so that declarations are typed before the items that look them up
    known = [unit.by_key[key] for key in pending if key in unit.by_key]
    fencing = bool(own.fencing) or any(not BARRIERS.isdisjoint(item.outline.calls) for item in known)
    for item in sorted(known, key=_order):
        key = item.key
        if is_looked_at(item, header_bodies):
            own.own[key] = findings(unit, item)
            own.arguments.take(unit, item)
            (own.fencing.add if unit.engine.get(BODY, key).fences else own.fencing.discard)(key)
            if not unit.flow_waits:
                # these queries reuse the typed body, which is still cached now
                if flowing and unit.dialect.generic:
                    unit.engine.get(FLOW, key)
                if fencing:
                    unit.engine.get(PROGRAM, key)
        else:
            own.drop(key)
        own.put_together(key)
        own.pending.discard(key)
    own.pending.difference_update(pending)


def _share_out(unit: TranslationUnit, kept: Mapping[bool, _Standing]) -> None:
    """Distributes the invalidations since the last call to both caches, with and without header bodies."""
    suspects, names = unit.engine.watch(FINDINGS), unit.engine.watch(DECLARATIONS)
    invalid = unit.engine.watch(INVALID)
    for each in kept.values():
        each.pending.update(unit.touched, suspects)
        each.arguments.names.update(names)
        each.arguments.passed.update(invalid)
    for watched in (unit.touched, suspects, names, invalid):
        watched.clear()


def is_looked_at(item: Item, header_bodies: bool) -> bool:
    """Whether an item's findings are reported: function definitions in headers only with `header_bodies`."""
    fragment = item.group.fragment
    if fragment.declared:
        return False
    return header_bodies or fragment.main or item.kind != _FUNCTION_DEFINITION


def _order(item: Item) -> int:
    return item.order
