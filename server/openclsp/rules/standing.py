"""The findings of a whole unit: kept for each item, and patched where an edit may have made them others."""

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
    """What stands for a unit: the items to be looked at again, what the others say by themselves, what is found of their
    calls, and all together."""

    pending: set[ItemKey]
    arguments: ArgumentFindings
    fencing: set[ItemKey] = field(default_factory=set)
    """The items that have barriers"""
    own: dict[ItemKey, tuple[Finding, ...]] = field(default_factory=dict)
    found: dict[ItemKey, tuple[Finding, ...]] = field(default_factory=dict)

    def drop(self, key: ItemKey) -> None:
        """The item is gone, or nothing is to be said of it."""
        self.own.pop(key, None)
        self.arguments.drop(key)
        self.fencing.discard(key)

    def put_together(self, key: ItemKey) -> None:
        """Both kinds of an item's findings."""
        found = self.own.get(key, ()) + self.arguments.of(key)
        if found:
            self.found[key] = found
        else:
            self.found.pop(key, None)


_KEPT = "standing findings"


def standing(unit: TranslationUnit, *, header_bodies: bool = False) -> Mapping[ItemKey, tuple[Finding, ...]]:
    """The findings of each item that has any, in no order. The mapping is shared and changes with the next call.

    Costs what the items cost that came or were touched since the last call, and the callers of what is declared in another
    way, not what the unit has.
    """
    kept: dict[bool, _Standing] = unit.kept.setdefault(_KEPT, {})
    own = _prepared(unit, kept, header_bodies)
    _look_again(unit, own, header_bodies)
    if not unit.flow_waits:
        # what flows, and what calls touch, is known once the items are read; where it is another thing now, those who speak
        # of it are suspect
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
    """The findings of some items, without those that need the flow of pointers: no other item is judged for them."""
    kept: dict[bool, _Standing] = unit.kept.setdefault(_KEPT, {})
    own = _prepared(unit, kept, header_bodies)
    _look_again(unit, own, header_bodies, wanted, flowing=False)
    if not unit.flow_waits:
        MEMORY.work_out(unit, own.fencing)
        _share_out(unit, kept)
        _look_again(unit, own, header_bodies, wanted, flowing=False)
        let_go(unit)
    for key in own.pending:
        # made to be judged at once; nobody else asks for it before the item is typed
        item = unit.by_key.get(key)
        if item is not None:
            item.table = item.begun = None
    return {key: own.found[key] for key in wanted if key in own.found}


def _prepared(unit: TranslationUnit, kept: dict[bool, _Standing], header_bodies: bool) -> _Standing:
    """What stands, without items that are gone, and with the calls judged again of what is declared in another way."""
    _share_out(unit, kept)
    own = kept.get(header_bodies)
    if own is None:
        own = kept[header_bodies] = _Standing(set(unit.by_key), ArgumentFindings())
    # before the names that they declared are judged again
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
    """Judge the items that are pending, or those of them that are wanted."""
    pending = set(own.pending) if wanted is None else own.pending.intersection(wanted)
    # in the order of the text: what a later item looks up is there
    known = [unit.by_key[key] for key in pending if key in unit.by_key]
    fencing = bool(own.fencing) or any(not BARRIERS.isdisjoint(item.outline.calls) for item in known)
    for item in sorted(known, key=_order):
        key = item.key
        if is_looked_at(item, header_bodies):
            own.own[key] = findings(unit, item)
            own.arguments.take(unit, item)
            (own.fencing.add if unit.engine.get(BODY, key).fences else own.fencing.discard)(key)
            if not unit.flow_waits:
                # while what typing it gave is at hand
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
    """What became suspect since the last time is suspect for all that stands."""
    suspects, names = unit.engine.watch(FINDINGS), unit.engine.watch(DECLARATIONS)
    invalid = unit.engine.watch(INVALID)
    for each in kept.values():
        each.pending.update(unit.touched, suspects)
        each.arguments.names.update(names)
        each.arguments.passed.update(invalid)
    for watched in (unit.touched, suspects, names, invalid):
        watched.clear()


def is_looked_at(item: Item, header_bodies: bool) -> bool:
    """Whether an item's own findings count: not those of a function's definition in a header, unless asked for."""
    fragment = item.group.fragment
    if fragment.declared:
        return False
    return header_bodies or fragment.main or item.kind != _FUNCTION_DEFINITION


def _order(item: Item) -> int:
    return item.order
