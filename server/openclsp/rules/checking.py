"""The rules at work: the findings of one item, computed once and kept until something that they rest on changes."""

from __future__ import annotations

import logging

from openclsp.rules.book import rules_for
from openclsp.rules.finding import Finding
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.items import Item
from openclsp.semantics.translation_unit import CONTENT, EXPORTS, TranslationUnit

_log = logging.getLogger(__name__)


def _findings(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    if not unit.engine.read(CONTENT, key):
        return ()
    found: dict[tuple[object, ...], Finding] = {}
    for fact in unit.typed(key, bodies=True).facts:
        for rule in rules_for(type(fact)):
            try:
                for finding in rule.check(fact, unit.dialect):
                    # a specifier that several declarators share is one fault
                    found.setdefault((finding.code, finding.place, finding.message), finding)
            except Exception:  # noqa: BLE001 - a rule that fails costs its own answer, not the others'
                _log.exception("rule %s failed on %s of item %s", rule.code, type(fact).__name__, key)
    return tuple(found.values())


FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("findings", _findings, ())


def findings(unit: TranslationUnit, item: Item) -> tuple[Finding, ...]:
    """What the rules find in an item. The very same object as long as nothing that it rests on changes."""
    if item.table is None:
        return unit.engine.get(FINDINGS, item.key)
    # the first time: others will ask for its exports, and the table is at hand only now
    unit.engine.get(EXPORTS, item.key)
    found = unit.engine.get(FINDINGS, item.key)
    item.table = None
    return found
