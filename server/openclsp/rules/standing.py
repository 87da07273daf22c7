"""The findings of a whole unit: kept for each item, and patched where an edit may have made them others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from weakref import WeakKeyDictionary

from openclsp.dataclass import dataclass
from openclsp.rules.checking import FINDINGS, findings
from openclsp.rules.finding import Finding
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.items import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.tree import kind

_FUNCTION_DEFINITION = kind("function_definition")


@dataclass(slots=True)
class _Standing:
    """What stands for a unit: the findings of the items that have any, and the items to be looked at again."""

    pending: set[ItemKey]
    found: dict[ItemKey, tuple[Finding, ...]] = field(default_factory=dict)


_STANDING: WeakKeyDictionary[TranslationUnit, dict[bool, _Standing]] = WeakKeyDictionary()


def standing(unit: TranslationUnit, *, header_bodies: bool = False) -> Mapping[ItemKey, tuple[Finding, ...]]:
    """The findings of each item that has any, in no order. The mapping is shared and changes with the next call.

    Costs what the items cost that came or were touched since the last call, not what the unit has.
    """
    kept = _STANDING.setdefault(unit, {})
    suspects = unit.engine.watch(FINDINGS)
    for each in kept.values():
        each.pending.update(unit.touched, suspects)
    unit.touched.clear()
    suspects.clear()
    own = kept.get(header_bodies)
    if own is None:
        own = kept[header_bodies] = _Standing(set(unit.by_key))
    # in the order of the text: what a later item looks up is there
    known = [unit.by_key[key] for key in own.pending if key in unit.by_key]
    for item in sorted(known, key=_order):
        found = findings(unit, item) if is_looked_at(item, header_bodies) else ()
        if found:
            own.found[item.key] = found
        else:
            own.found.pop(item.key, None)
        own.pending.discard(item.key)
    for key in own.pending:
        own.found.pop(key, None)
    own.pending.clear()
    return own.found


def is_looked_at(item: Item, header_bodies: bool) -> bool:
    """Whether an item's own findings count: not those of a function's definition in a header, unless asked for."""
    return header_bodies or item.group.fragment.main or item.kind != _FUNCTION_DEFINITION


def _order(item: Item) -> int:
    return item.order
