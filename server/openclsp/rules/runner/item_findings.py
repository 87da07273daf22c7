"""Queries that apply the rules to the facts of one item.

The findings of an item are recomputed only if one of their dependencies changes. The arguments of its calls
are checked against parameters separately: see `argument_findings`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from openclsp.language.dialect import Dialect
from openclsp.rules.finding import ChainStep, Finding, Severity
from openclsp.rules.rule import Declaring, Rule
from openclsp.rules.runner.no_finding_cache import fact_key, get_no_finding_cache
from openclsp.rules.runner.rule_registry import invalidating_rules, rules_for_fact
from openclsp.rules.runner.unused_findings import UNUSED_FINDINGS, may_be_unused
from openclsp.semantics.database.call_graph import call_facts
from openclsp.semantics.database.derived_queries import FLOW, MEMORY
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.signatures import EXPORTS, HEAD
from openclsp.semantics.database.typed_body import typed_body
from openclsp.semantics.database.unit_inputs import FIND_MISSING_BARRIERS, HEAD_CONTENT
from openclsp.semantics.facts.calls import Call, DeferredCall, FormatArgument, InvalidArgument, UnresolvedCall
from openclsp.semantics.facts.declarations import Declaration, FunctionDeclaration
from openclsp.semantics.facts.entities import (
    EntityRef,
    ItemKey,
    SpaceSources,
)
from openclsp.semantics.facts.expressions import Access, Conversion, HalfStorage, Operation, Reinterpretation
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.values import Value
from openclsp.semantics.flow.flow_facts import flow_facts
from openclsp.semantics.flow.flow_queries import POINTS_TO
from openclsp.semantics.flow.graph import FunctionFlow
from openclsp.semantics.flow.points_to_values import PointsTo
from openclsp.semantics.items.item import Item
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.memory.barriers import definition_of
from openclsp.semantics.memory.memory_steps import BARRIERS
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache

_DEFINITION = "function_definition"


class BodyFindings(NamedTuple):
    """Findings that follow from one item's own text, with data that later checks need.

    `invalid` contains the entities whose declarations are invalid. `deferred` contains the calls whose
    arguments must be checked against the callee's parameters, `calls` all other calls to known functions.
    `space_sources` maps the numbers of the entities that findings may refer to, including those of deferred calls, to
    the places that give the entities' levels their address spaces. `may_call_barrier` is whether the item may call a
    barrier directly.
    """

    findings: tuple[Finding, ...]
    invalid: frozenset[EntityRef]
    deferred: tuple[DeferredCall, ...]
    calls: tuple[Call, ...]
    space_sources: Mapping[int, SpaceSources]
    may_call_barrier: bool = False


_FindingsByFact = dict[int, tuple[Fact, tuple[Finding, ...]]]
"""Findings by the identity of their fact. The fact is kept as well, so that its identity is not reused."""
_LAST_CHECKED: UnitCache[tuple[ItemKey, _FindingsByFact]] = UnitCache("checked facts")
"""The findings of the item checked last."""
_CACHE_SLACK = 64
"""The slack of the cache before old facts are evicted.

Old facts are evicted when the cache has more entries than twice the item's facts plus this number.
"""
_BARRIER_NAMES = frozenset(name.encode() for name in BARRIERS)


def _body(unit: TranslationUnit, key: ItemKey) -> BodyFindings:
    typed = typed_body(unit, key)
    if typed is None:
        return _NO_BODY_FINDINGS
    gathered = _FindingCollector(unit, key)
    if typed.log is not None:
        # # Only large items are typed with a log. After an edit, they are retyped incrementally, and most of
        # their facts are the same objects: their findings are kept.
        last = unit.caches.get(_LAST_CHECKED)
        judged = last[1] if last is not None and last[0] == key else {}
        if len(judged) > 2 * len(typed.facts) + _CACHE_SLACK:
            judged = {id(fact): judged[id(fact)] for fact in typed.facts if id(fact) in judged}
        if last is None or last[1] is not judged:
            unit.caches.set(_LAST_CHECKED, (key, judged))
        gathered.findings_by_fact = judged
    gathered.add_facts(typed.facts)
    calls = tuple(fact for fact in typed.facts if isinstance(fact, Call) and fact.function is not None)
    found, deferred = tuple(gathered.found.values()), tuple(typed.deferred or ())
    named = {related.origin.entity for finding in found for related in finding.related}
    for call in deferred:
        named.update(argument.origin.entity for argument in call.arguments if argument.origin is not None)
        named.update(argument.held[1].entity for argument in call.arguments if argument.held is not None)
    given = {ref.number: typed.entities[ref.number].space_sources for ref in named if ref.item == key}
    fences = not _BARRIER_NAMES.isdisjoint(typed.table.tokens)
    return BodyFindings(found, frozenset(gathered.invalid), deferred, calls, given, fences)


_NO_BODY_FINDINGS = BodyFindings((), frozenset(), (), (), {})
BODY_FINDINGS: Query[ItemKey, BodyFindings] = Query("body", _body, _NO_BODY_FINDINGS)


def _call_effect_findings(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    body = unit.engine.get(BODY_FINDINGS, key)
    gathered = _FindingCollector(unit, key, body.invalid)
    gathered.add_facts(call_facts(unit, key, (*body.calls, *body.deferred)))
    return tuple(gathered.found.values())


CALL_EFFECT_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("paths", _call_effect_findings, ())
"""Findings about an item's calls that depend on the effects of the called functions."""


def _barriers(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    gathered = _FindingCollector(unit, key)
    gathered.add_facts([*unit.engine.get(MEMORY.fences, key)])
    return tuple(gathered.found.values())


BARRIER_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("barriers", _barriers, ())
"""Findings about an item's barriers that depend on the memory accesses between them."""


def _missing_barriers(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    # imported here, because few projects enable the rule
    from openclsp.semantics.memory.missing_barriers import MISSING_BARRIERS

    found: list[Finding] = []
    for fact in unit.engine.get(MISSING_BARRIERS, key):
        step = ChainStep(key, unit.by_key[key].digest, fact.earlier, f"`{fact.name}` is {fact.before} here")
        found += (replace(each, chain=(step,)) for each in apply_rules(fact, unit.dialect))
    return tuple(found)


MISSING_BARRIER_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query(
    "missing barrier findings", _missing_barriers, ()
)
"""Findings about a kernel's accesses to local memory that no barrier orders."""


class LastFlowFindings(NamedTuple):
    """The most recently computed flow findings of one item, and the inputs of their computation.

    They include those that `select_flow_findings` drops.
    """

    key: ItemKey
    held: PointsTo
    table: Table
    invalid: frozenset[EntityRef]
    findings: tuple[Finding, ...]


LAST_FLOW_FINDINGS: UnitCache[LastFlowFindings] = UnitCache("flow findings")
"""The flow findings that were computed last. No query reads them: see `provisional_findings`."""


def _flow_findings(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    held = unit.engine.read(POINTS_TO, key)
    if not held.functions:
        # without a solution, reading the item's flow would be wasted work
        return ()
    body, typed = unit.engine.get(BODY_FINDINGS, key), typed_body(unit, key)
    if typed is None:
        return ()

    def callees(ref: EntityRef) -> tuple[FunctionFlow, ...]:
        defined = definition_of(unit, ref.item[1]) if ref.item[0] != _DEFINITION else ref.item
        return () if defined is None else unit.engine.get(FLOW, defined)[:1]

    gathered = _FindingCollector(unit, key, body.invalid)
    gathered.add_facts(flow_facts(unit.engine.get(FLOW, key), held.functions, callees))
    found = tuple(gathered.found.values())
    unit.caches.set(LAST_FLOW_FINDINGS, LastFlowFindings(key, held, typed.table, body.invalid, found))
    return select_flow_findings(found, body)


def select_flow_findings(found: Iterable[Finding], body: BodyFindings) -> tuple[Finding, ...]:
    """The flow findings of an item that its own text does not already account for.

    A finding from the text takes precedence over one with the same code and place, and an error over all that
    overlap it.
    """
    said = {(finding.code, finding.place) for finding in body.findings}
    faulty = [finding.place for finding in body.findings if finding.severity is Severity.ERROR]
    return tuple(
        finding
        for finding in found
        if (finding.code, finding.place) not in said and not any(map(finding.place.overlaps, faulty))
    )


FLOW_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("flow findings", _flow_findings, ())
"""Findings about an item's pointers from the flow analysis.

They depend on the address spaces that reach the pointers, by the last solution.
"""


def _findings(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    return join_findings(unit, key, unit.engine.get(FLOW_FINDINGS, key) if unit.dialect.generic else ())


def join_findings(unit: TranslationUnit, key: ItemKey, flow: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """All findings of an item: those of all queries and these flow findings."""
    body = unit.engine.get(BODY_FINDINGS, key)
    found = body.findings
    if may_be_unused(unit, key):
        found += unit.engine.get(UNUSED_FINDINGS, key)
    found += flow
    if body.may_call_barrier:
        found += unit.engine.get(BARRIER_FINDINGS, key)
    if unit.engine.read(FIND_MISSING_BARRIERS, ""):
        found += unit.engine.get(MISSING_BARRIER_FINDINGS, key)
    if body.deferred or body.calls:
        found += unit.engine.get(CALL_EFFECT_FINDINGS, key)
    return found


class _FindingCollector:
    """Collects the findings of an item's facts; facts that involve an invalid entity are skipped."""

    def __init__(
        self, unit: TranslationUnit, key: ItemKey, invalid: frozenset[EntityRef] = frozenset()
    ) -> None:
        self.unit, self.key, self.invalid = unit, key, set(invalid)
        self.found: dict[tuple[object, ...], Finding] = {}
        self._invalid_elsewhere: dict[ItemKey, frozenset[EntityRef]] = {}
        self._no_finding_cache = get_no_finding_cache(unit.dialect)
        self.findings_by_fact: _FindingsByFact | None = None
        """Optional cache of findings by fact. It is valid because a rule depends on nothing but the fact."""

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
            if found and isinstance(fact, Declaration | HalfStorage) and self._invalidates(fact, found):
                self.invalid.update(_declared_entities(fact))
            for finding in found:
                # a wrong specifier that several declarators share is reported once
                self.found.setdefault((finding.code, finding.place, finding.message), finding)

    def _apply_rules(self, fact: Fact) -> tuple[Finding, ...] | None:
        """Applies the rules to a fact; None if it involves an invalid entity.

        In that case, no rule is applied.
        """
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
            self._invalid_elsewhere[ref.item] = self.unit.engine.get(INVALID_ENTITIES, ref.item)
        return ref in self._invalid_elsewhere[ref.item]


def apply_rules(fact: Fact, dialect: Dialect, rules: Iterable[Rule[Any]] | None = None) -> Iterator[Finding]:
    """Applies the rules to one fact: all rules for its kind, or only the given ones.

    A rule that raises is logged.
    """
    for rule in rules_for_fact(type(fact)) if rules is None else rules:
        try:
            yield from rule.check(fact, dialect)
        except Exception:
            import logging

            logging.getLogger(__name__).exception("rule %s failed on %s", rule.code, fact)


def is_invalidated(fact: Declaring, dialect: Dialect) -> bool:
    """Whether the rules make the entity that a fact declares invalid (`Rule.invalidates`)."""
    found = apply_rules(fact, dialect, invalidating_rules(type(fact)))
    return any(each.severity is Severity.ERROR for each in found)


def _invalid_entities(unit: TranslationUnit, key: ItemKey) -> frozenset[EntityRef]:
    """The invalid entities that an item declares. Their uses in other items are not reported.

    If one parameter or the result of a function is invalid, the whole function is invalid, with all its
    parameters. Its body is checked nevertheless.
    """
    if not unit.engine.read(HEAD_CONTENT, key):
        return frozenset()
    found: set[EntityRef] = set()
    functions: list[FunctionDeclaration] = []
    without_finding = get_no_finding_cache(unit.dialect).keys
    for fact in unit.engine.get(HEAD, key).facts:
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
    return frozenset(found)


def _declared_entities(fact: Declaring) -> Iterator[EntityRef]:
    if fact.entity is not None:
        yield fact.entity.ref


def origin_entities(fact: Fact) -> Iterator[EntityRef]:
    """The entities from which the values of a fact originate."""
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


def find_space_sources(unit: TranslationUnit, ref: EntityRef) -> SpaceSources | None:
    """The places that give an entity's levels their address spaces.

    None if neither the head nor the findings of its item record them, so that the item must be type-checked.
    """
    found = unit.engine.get(HEAD, ref.item).space_sources.get(ref.number)
    return unit.engine.get(BODY_FINDINGS, ref.item).space_sources.get(ref.number) if found is None else found


ITEM_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("findings", _findings, ())
INVALID_ENTITIES: Query[ItemKey, frozenset[EntityRef]] = Query("invalid", _invalid_entities, frozenset())


def get_item_findings(unit: TranslationUnit, item: Item) -> tuple[Finding, ...]:
    """Returns the findings of one item. Returns the same object until a dependency changes."""
    prepare_item(unit, item)
    found = unit.engine.get(ITEM_FINDINGS, item.key)
    item.table = item.typed_head = None
    return found


def prepare_item(unit: TranslationUnit, item: Item) -> None:
    """Computes what other items will request of an item that is checked for the first time.

    These queries need the item's syntax table, which is released after the check.
    """
    if item.table is not None:
        unit.engine.get(EXPORTS, item.key)
        unit.engine.get(INVALID_ENTITIES, item.key)
