"""Findings about functions that nothing calls."""

from __future__ import annotations

from openclsp.language.attributes import UNUSED_ATTRIBUTES
from openclsp.rules.finding import Finding
from openclsp.rules.runner.rule_registry import rules_for_fact
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.unit_inputs import CONTENT, HAS_KERNEL, IS_CALLED, OUTSIDE, SURROUNDINGS
from openclsp.semantics.facts.entities import ItemKey, Place
from openclsp.semantics.facts.faults import UnusedFunction
from openclsp.semantics.items.item import Item
from openclsp.semantics.translation_unit import TranslationUnit

_DEFINITION = "function_definition"


def may_be_unused(unit: TranslationUnit, key: ItemKey) -> bool:
    """Whether an item defines a `static` or `inline` function that is not a kernel.

    Other programs cannot call such a function. A query that calls this must read the input `CONTENT`.
    """
    item = unit.by_key.get(key) if key[0] == _DEFINITION else None
    return item is not None and (item.summary.static or item.summary.inline) and not item.summary.kernel


def _unused(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    unit.database.read(CONTENT, key)
    item, name = unit.by_key.get(key), key[1]
    if item is None or unit.database.read(IS_CALLED, name) or not unit.database.read(HAS_KERNEL, ""):
        return ()
    # a macro of a missing header may call it
    if unit.database.read(SURROUNDINGS, "").unknown_header or _is_visible_outside(unit, item, name):
        return ()
    table = unit.table(key)
    if table.has_error or not UNUSED_ATTRIBUTES.isdisjoint(table.tokens) or name.encode() not in table.tokens:
        return ()
    place = table.tokens.index(name.encode())
    fact = UnusedFunction(name, Place(place, place + 1))
    return tuple(
        finding for rule in rules_for_fact(UnusedFunction) for finding in rule.check(fact, unit.dialect)
    )


UNUSED_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("unused", _unused, ())


def _is_visible_outside(unit: TranslationUnit, item: Item, name: str) -> bool:
    """Whether code outside the document may call the function `name`, which `item` defines.

    True if the function is in a header, if the root is only part of a program, or if other files include the
    document. Also True if the function is not static and another file may declare it.
    """
    outside = unit.database.read(OUTSIDE, "")
    if not _is_written_in_root(unit, item) or unit.is_part or outside.is_included:
        return True
    return not item.summary.static and outside.declares(name)


def _is_written_in_root(unit: TranslationUnit, item: Item) -> bool:
    """Whether an item begins in the text of the root document, not in that of a header.

    A header that is included within an item, for example in a function body, is part of the root's part,
    and an item may begin there. Callers must read the input `SURROUNDINGS`, which changes when the set of
    such headers changes.
    """
    preprocessed = item.group.part.preprocessed
    if preprocessed.document.name != unit.document.name:
        return False
    row = preprocessed.source_map.rows[preprocessed.source_map.lines.find(item.start)]
    return row is None or all(segment.document is None for segment in row.segments)
