"""The rules at work: the findings of one item, computed once and kept until something that they rest on changes."""

from __future__ import annotations

import logging

from openclsp.rules.book import rules_for
from openclsp.rules.finding import Finding
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.translation_unit import CONTENT, TranslationUnit

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
    unit.by_key[key].table = None
    return tuple(found.values())


FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("findings", _findings, ())
