"""Applies the rules to the facts of an item, and skips facts that involve invalid entities.

`full` applies the rules to each fact; `update` reuses findings for facts that an edit did not change. Both
give the same findings (`tests/test_reuse_contracts.py`), because a rule depends only on the fact and the
dialect.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import field
from typing import Any

from openclsp.dataclass import dataclass
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Declaring, Rule
from openclsp.rules.runner.no_finding_cache import fact_key, get_no_finding_cache
from openclsp.rules.runner.rule_registry import invalidating_rules, rules_for_fact
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.signatures import HEAD
from openclsp.semantics.database.unit_inputs import HEAD_CONTENT
from openclsp.semantics.facts.calls import FormatArgument, InvalidArgument, UnresolvedCall
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.facts.entities import EntityRef, ItemKey
from openclsp.semantics.facts.expressions import Access, Conversion, HalfStorage, Operation, Reinterpretation
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.values import Value
from openclsp.semantics.translation_unit import TranslationUnit

FindingsByFact = dict[int, tuple[Fact, tuple[Finding, ...]]]
"""Findings by the identity of their fact. The fact is kept as well, so that its identity is not reused."""
_NOTHING: frozenset[EntityRef] = frozenset()
"""The shared empty set: Python makes a new object of 216 bytes for each empty set"""
_SLACK = 64
"""Old facts are dropped if more facts are kept than twice the number of the item's current facts plus this."""


@dataclass(frozen=True, slots=True)
class JudgedFacts:
    """The findings about an item's facts, and the entities that these findings make invalid.

    `by_fact` maps the current facts and some earlier ones to their findings. The next `update` adds to the
    same mapping. Earlier results may share it, because the findings of a fact object never change.
    """

    findings: tuple[Finding, ...]
    invalid: frozenset[EntityRef]
    by_fact: FindingsByFact = field(compare=False)


def full(
    unit: TranslationUnit,
    key: ItemKey,
    facts: Iterable[Fact],
    invalid: frozenset[EntityRef] = frozenset(),
    *,
    kept: bool = False,
) -> JudgedFacts:
    """Applies the rules to the facts of an item, except to facts that involve an invalid entity.

    `invalid` contains entities of the item that are known to be invalid. `kept` makes the result usable as
    the `previous` of `update`.
    """
    return _judge(unit, key, facts, invalid, {} if kept else None)


def update(
    previous: JudgedFacts, unit: TranslationUnit, key: ItemKey, facts: Collection[Fact]
) -> JudgedFacts:
    """Applies the rules to the facts of an item as `full` does, but reuses findings of the previous result.

    `previous` is the result for an earlier state of the same item, computed by `update`, or by `full` with
    `kept`. The findings of a fact are reused if the earlier state had the same fact object.
    """
    known = previous.by_fact
    if len(known) > 2 * len(facts) + _SLACK:
        known = {id(fact): known[id(fact)] for fact in facts if id(fact) in known}
    return _judge(unit, key, facts, frozenset(), known)


def _judge(
    unit: TranslationUnit,
    key: ItemKey,
    facts: Iterable[Fact],
    invalid: frozenset[EntityRef],
    known: FindingsByFact | None,
) -> JudgedFacts:
    collector = _FindingCollector(unit, key, invalid, known)
    collector.add_facts(facts)
    found = tuple(collector.found.values())
    return JudgedFacts(found, frozenset(collector.invalid), {} if known is None else known)


class _FindingCollector:
    """Collects the findings of an item's facts; facts that involve an invalid entity are skipped."""

    def __init__(
        self,
        unit: TranslationUnit,
        key: ItemKey,
        invalid: frozenset[EntityRef],
        findings_by_fact: FindingsByFact | None,
    ) -> None:
        self.unit, self.key, self.invalid = unit, key, set(invalid)
        self.found: dict[tuple[object, ...], Finding] = {}
        self._invalid_elsewhere: dict[ItemKey, frozenset[EntityRef]] = {}
        self._no_finding_cache = get_no_finding_cache(unit.dialect)
        self.findings_by_fact = findings_by_fact

    def add_facts(self, facts: Iterable[Fact]) -> None:
        """Adds the findings of these facts."""
        for fact in facts:
            known = None if self.findings_by_fact is None else self.findings_by_fact.get(id(fact))
            if known is None:
                found = self._apply_rules(fact)
                if found is None:
                    continue
                if self.findings_by_fact is not None:
                    self.findings_by_fact[id(fact)] = fact, found
            else:
                found = known[1]
                if not found or any(self._is_invalid(ref) for ref in origin_entities(fact)):
                    continue
            if found and isinstance(fact, Declaring) and self._invalidates(fact, found):
                self.invalid.update(_declared_entities(fact))
            for finding in found:
                # a wrong specifier that several declarators share is reported once
                self.found.setdefault((finding.code, finding.place, finding.message), finding)

    def _apply_rules(self, fact: Fact) -> tuple[Finding, ...] | None:
        """Returns the findings of the rules about a fact; None if the fact involves an invalid entity."""
        key = fact_key(fact)
        if key is not None and key in self._no_finding_cache.keys:
            return ()
        if any(self._is_invalid(ref) for ref in origin_entities(fact)):
            return None
        found = tuple(apply_rules(fact, self.unit.dialect))
        if key is not None and not found:
            self._no_finding_cache.add(key)
        return found

    def _invalidates(self, fact: Declaring, found: tuple[Finding, ...]) -> bool:
        """Whether one of the findings makes the declared entity invalid."""
        rules = invalidating_rules(type(fact))
        codes = [rule.code for rule in rules]
        return any(each.code in codes for each in found) and is_invalidated(fact, self.unit.dialect)

    def _is_invalid(self, ref: EntityRef) -> bool:
        if ref.item == self.key:
            return ref in self.invalid
        if ref.item not in self._invalid_elsewhere:
            self._invalid_elsewhere[ref.item] = self.unit.database.get(INVALID_ENTITIES, ref.item)
        return ref in self._invalid_elsewhere[ref.item]


def apply_rules(fact: Fact, dialect: Dialect, rules: Iterable[Rule[Any]] | None = None) -> Iterator[Finding]:
    """Applies the rules to one fact: all rules for its kind, or only the given ones.

    If a rule raises an exception, the exception is logged, and the other rules are applied.
    """
    for rule in rules_for_fact(type(fact)) if rules is None else rules:
        try:
            yield from rule.check(fact, dialect)
        except Exception:
            import logging

            logging.getLogger(__name__).exception("rule %s failed on %s", rule.code, fact)


def is_invalidated(fact: Declaring, dialect: Dialect) -> bool:
    """Whether a fact declares an entity that the rules make invalid (`Rule.invalidates`)."""
    found = apply_rules(fact, dialect, invalidating_rules(type(fact)))
    return any(each.severity is Severity.ERROR for each in found)


def _invalid_entities(unit: TranslationUnit, key: ItemKey) -> frozenset[EntityRef]:
    """Returns the invalid entities that an item declares; their uses in other items are not reported.

    If a parameter or the result of a function is invalid, the function and all its parameters are invalid.
    The function's body is checked nevertheless.
    """
    if not unit.database.read(HEAD_CONTENT, key):
        return _NOTHING
    found: set[EntityRef] = set()
    functions: list[FunctionDeclaration] = []
    without_finding = get_no_finding_cache(unit.dialect).keys
    for fact in unit.database.get(HEAD, key).facts:
        if isinstance(fact, FunctionDeclaration):
            functions.append(fact)
        if isinstance(fact, Declaring):
            if fact_key(fact) in without_finding:
                continue
            if is_invalidated(fact, unit.dialect):
                found.update(_declared_entities(fact))
    for function in functions:
        own = [function.entity.ref, *(parameter.ref for parameter in function.parameters)]
        if any(ref in found for ref in own):
            found.update(own)
    return frozenset(found) if found else _NOTHING


def _declared_entities(fact: Declaring) -> Iterator[EntityRef]:
    if fact.entity is not None:
        yield fact.entity.ref


def origin_entities(fact: Fact) -> Iterator[EntityRef]:
    """Yields the entities whose declarations determine the types of the values in a fact."""
    values: tuple[Value, ...] = ()
    if isinstance(fact, Conversion | Access):
        values = (fact.value,)
        if isinstance(fact, Conversion) and fact.target_origin is not None:
            yield fact.target_origin.entity
    elif isinstance(fact, Operation):
        values = (fact.left, fact.right)
    elif isinstance(fact, UnresolvedCall):
        values = fact.arguments
    elif isinstance(fact, InvalidArgument | Reinterpretation | FormatArgument | HalfStorage):
        values = (fact.value,) if fact.value is not None else ()
    for value in values:
        if value.origin is not None:
            yield value.origin.entity
        if value.held is not None:
            yield value.held[1].entity


INVALID_ENTITIES: Query[ItemKey, frozenset[EntityRef]] = Query("invalid", _invalid_entities, frozenset())
