"""The rules at work: the findings of one item, computed once and kept until something that they rest on changes."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import chain

from openclsp.rules.book import rules_for
from openclsp.rules.finding import Finding, Severity
from openclsp.semantics.call_graph import call_facts
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import EntityRef, ItemKey
from openclsp.semantics.facts import Access, Conversion, Declaration, Fact, Operation, Value
from openclsp.semantics.items import Item
from openclsp.semantics.translation_unit import CONTENT, EXPORTS, TranslationUnit

_log = logging.getLogger(__name__)


def _findings(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    if not unit.engine.read(CONTENT, key):
        return ()
    found: dict[tuple[object, ...], Finding] = {}
    invalid: set[EntityRef] = set()
    facts = unit.typed(key, bodies=True).facts
    for fact in chain(facts, call_facts(unit, key, facts)):
        if invalid and any(ref in invalid for ref in _entities(fact)):
            continue
        for rule in rules_for(type(fact)):
            try:
                for finding in rule.check(fact, unit.dialect):
                    if isinstance(fact, Declaration) and _invalidates(finding, fact):
                        invalid.add(fact.entity.ref)
                    # a specifier that several declarators share is one fault
                    found.setdefault((finding.code, finding.place, finding.message), finding)
            except Exception:  # noqa: BLE001 - a rule that fails costs its own answer, not the others'
                _log.exception("rule %s failed on %s of item %s", rule.code, type(fact).__name__, key)
    return tuple(found.values())


_INVALIDATING = frozenset(
    (
        "constant-initialiser",
        "constant-scope",
        "function-scope-global",
        "local-initialiser",
        "local-scope",
        "member-space",
        "parameter-space",
        "program-scope-space",
        "static-space",
    )
)
"""A declaration at fault in one of these ways is invalid: as clang, nothing more is said of its uses in the item."""


def _invalidates(finding: Finding, declaration: Declaration) -> bool:
    if finding.severity is not Severity.ERROR or finding.code not in _INVALIDATING:
        return False
    return finding.code != "constant-initialiser" or declaration.initialiser is None


def _entities(fact: Fact) -> Iterator[EntityRef]:
    """The declared things that a value in this fact goes back to."""
    values: tuple[Value, ...] = ()
    if isinstance(fact, Conversion | Access):
        values = (fact.value,)
        if isinstance(fact, Conversion) and fact.target_origin is not None:
            yield fact.target_origin.entity
    elif isinstance(fact, Operation):
        values = (fact.left, fact.right)
    for value in values:
        if value.origin is not None:
            yield value.origin.entity
        if value.held is not None:
            yield value.held[1].entity


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
