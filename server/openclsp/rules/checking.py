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
from openclsp.semantics.facts import (
    Access,
    Conversion,
    Declaration,
    Fact,
    FunctionDeclaration,
    Operation,
    Redeclaration,
    Value,
)
from openclsp.semantics.items import Item
from openclsp.semantics.translation_unit import CONTENT, EXPORTS, TranslationUnit

_log = logging.getLogger(__name__)


def _findings(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    if not unit.engine.read(CONTENT, key):
        return ()
    found: dict[tuple[object, ...], Finding] = {}
    invalid: set[EntityRef] = set()
    elsewhere: dict[ItemKey, frozenset[EntityRef]] = {}
    facts = unit.typed(key, bodies=True).facts
    for fact in chain(facts, call_facts(unit, key, facts)):
        for ref in _entities(fact):
            if ref.item != key and ref.item not in elsewhere:
                elsewhere[ref.item] = unit.engine.get(INVALID, ref.item)
            if ref in (invalid if ref.item == key else elsewhere[ref.item]):
                break
        else:
            for finding in _checked(unit, key, fact):
                if isinstance(fact, Declaration) and _invalidates(finding, fact):
                    invalid.add(fact.entity.ref)
                # a specifier that several declarators share is one fault
                found.setdefault((finding.code, finding.place, finding.message), finding)
    return tuple(found.values())


def _checked(unit: TranslationUnit, key: ItemKey, fact: Fact) -> Iterator[Finding]:
    """What the rules find in one fact of an item."""
    for rule in rules_for(type(fact)):
        try:
            yield from rule.check(fact, unit.dialect)
        except Exception:  # noqa: BLE001 - a rule that fails costs its own answer, not the others'
            _log.exception("rule %s failed on %s of item %s", rule.code, type(fact).__name__, key)


def _invalid(unit: TranslationUnit, key: ItemKey) -> frozenset[EntityRef]:
    """What an item declares that is invalid, so that nothing is said of its uses in other items.

    A function of which one parameter, or the result, is invalid is so as a whole, with all that is passed to it; so is
    one that does not agree with its declaration before. Its body is judged all the same.
    """
    if not unit.engine.read(CONTENT, key):
        return frozenset()
    found: set[EntityRef] = set()
    functions: list[FunctionDeclaration] = []
    for fact in unit.typed(key, bodies=False).facts:
        if isinstance(fact, FunctionDeclaration):
            functions.append(fact)
        if isinstance(fact, Declaration | FunctionDeclaration | Redeclaration):
            found.update(
                fact.entity.ref for finding in _checked(unit, key, fact) if _invalidates(finding, fact)
            )
    for function in functions:
        own = [function.entity.ref, *(parameter.ref for parameter in function.parameters)]
        if any(ref in found for ref in own):
            found.update(own)
    return frozenset(found)


_INVALIDATING = frozenset(
    (
        "constant-initialiser",
        "conflicting-redeclaration",
        "constant-scope",
        "function-scope-global",
        "local-initialiser",
        "local-scope",
        "member-space",
        "parameter-space",
        "program-scope-space",
        "return-space",
        "static-space",
    )
)
"""A declaration at fault in one of these ways is invalid: as clang, nothing more is said of its uses."""


def _invalidates(finding: Finding, fact: Declaration | FunctionDeclaration | Redeclaration) -> bool:
    if finding.severity is not Severity.ERROR or finding.code not in _INVALIDATING:
        return False
    uninitialised = isinstance(fact, Declaration) and fact.initialiser is None
    return finding.code != "constant-initialiser" or uninitialised


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
INVALID: Query[ItemKey, frozenset[EntityRef]] = Query("invalid", _invalid, frozenset())


def findings(unit: TranslationUnit, item: Item) -> tuple[Finding, ...]:
    """What the rules find in an item. The very same object as long as nothing that it rests on changes."""
    if item.table is None:
        return unit.engine.get(FINDINGS, item.key)
    # the first time: others will ask for these, and the table is at hand only now
    unit.engine.get(EXPORTS, item.key)
    unit.engine.get(INVALID, item.key)
    found = unit.engine.get(FINDINGS, item.key)
    item.table = None
    return found
