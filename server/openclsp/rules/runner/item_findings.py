"""Queries that apply the rules to the facts of one item.

The findings of an item are recomputed only if a dependency changes. `argument_findings` checks the arguments
of the item's calls against parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from openclsp.rules.finding import ChainStep, Finding, Severity
from openclsp.rules.runner import fact_judgement
from openclsp.rules.runner.fact_judgement import INVALID_ENTITIES, JudgedFacts, apply_rules
from openclsp.rules.runner.page import Trait
from openclsp.rules.runner.rule_registry import traits_of_rule
from openclsp.rules.runner.unused_findings import UNUSED_FINDINGS, may_be_unused
from openclsp.semantics.database.call_graph import call_facts
from openclsp.semantics.database.derived_queries import FLOW, MEMORY
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.signatures import EXPORTS, HEAD
from openclsp.semantics.database.typed_body import kept_body, typed_body
from openclsp.semantics.database.unit_inputs import CONTENT, DETACHMENT, FIND_MISSING_BARRIERS
from openclsp.semantics.facts.calls import Call, DeferredCall
from openclsp.semantics.facts.constructs import SyntaxFault
from openclsp.semantics.facts.declarations import Declaration, Scope
from openclsp.semantics.facts.entities import (
    EntityRef,
    ItemKey,
    SpaceSources,
)
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.flow.flow_facts import flow_facts
from openclsp.semantics.flow.flow_queries import POINTS_TO
from openclsp.semantics.flow.graph import FunctionFlow
from openclsp.semantics.flow.points_to_values import PointsTo
from openclsp.semantics.items.item import Item
from openclsp.semantics.items.surplus_braces import Detachment
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.memory.barriers import definition_of
from openclsp.semantics.memory.memory_steps import BARRIERS
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache

_DEFINITION = "function_definition"
_SYNTAX_ERROR = "syntax-error"


class BodyFindings(NamedTuple):
    """The findings that follow from one item's own text, with data for later checks.

    - `invalid`: the entities with invalid declarations
    - `deferred`: the calls whose arguments must be checked against the callee's parameters
    - `calls`: all other calls to known functions
    - `space_sources`: for each entity, by number, the places that determine the address spaces in its type.
      It covers the entities to which findings may refer, including findings about the `deferred` calls.
    - `may_call_barrier`: whether the item may call a barrier directly
    - `may_be_unused`: whether the item is a function of which `UNUSED_FINDINGS` must be asked. An edit that
      adds `static` may leave everything else equal.
    """

    findings: tuple[Finding, ...]
    invalid: frozenset[EntityRef]
    deferred: tuple[DeferredCall, ...]
    calls: tuple[Call, ...]
    space_sources: Mapping[int, SpaceSources]
    may_call_barrier: bool = False
    may_be_unused: bool = False


_LAST_JUDGED: UnitCache[tuple[ItemKey, JudgedFacts]] = UnitCache("judged facts")
"""The item that was judged last and typed with a log."""
_BARRIER_NAMES = frozenset(name.encode() for name in BARRIERS)


def _body(unit: TranslationUnit, key: ItemKey) -> BodyFindings:
    typed = typed_body(unit, key)
    if typed is None:
        return _NO_BODY_FINDINGS
    # Only large items are typed with a log. After an edit, they are typed incrementally, and most of their facts
    # are the same objects.
    if typed.log is None:
        judged = fact_judgement.full(unit, key, typed.facts)
    else:
        last = unit.caches.get(_LAST_JUDGED)
        if last is not None and last[0] == key:
            judged = fact_judgement.update(last[1], unit, key, typed.facts)
        else:
            judged = fact_judgement.full(unit, key, typed.facts, kept=True)
        unit.caches.set(_LAST_JUDGED, (key, judged))
    calls = tuple(fact for fact in typed.facts if isinstance(fact, Call) and fact.function is not None)
    found, deferred = judged.findings, tuple(typed.deferred or ())
    outside = tuple([each for each in found if Trait.INNER_SCOPE not in traits_of_rule(each.code)])
    if len(outside) < len(found) and _nesting_is_unknown(typed.facts):
        found = outside
    named = {related.origin.entity for finding in found for related in finding.related}
    for call in deferred:
        named.update(argument.origin.entity for argument in call.arguments if argument.origin is not None)
        named.update(argument.held[1].entity for argument in call.arguments if argument.held is not None)
    given = {ref.number: typed.entities[ref.number].space_sources for ref in named if ref.item == key}
    fences = not _BARRIER_NAMES.isdisjoint(typed.table.tokens)
    return BodyFindings(found, judged.invalid, deferred, calls, given, fences, may_be_unused(unit, key))


def _nesting_is_unknown(facts: Iterable[Fact]) -> bool:
    """Whether a `}` is missing in a kernel that declares variables in inner scopes: they may be at the outermost one.

    With the brace, the declarations are correct. Without it, clang rejects them; but a fix would move them.
    """
    inner = missing = False
    for fact in facts:
        if isinstance(fact, SyntaxFault):
            missing = missing or fact.closing == "}"
        elif isinstance(fact, Declaration):
            inner = inner or fact.scope is Scope.KERNEL_INNER
    return inner and missing


_NO_BODY_FINDINGS = BodyFindings((), frozenset(), (), (), {})
BODY_FINDINGS: Query[ItemKey, BodyFindings] = Query("body findings", _body, _NO_BODY_FINDINGS)


def _call_effect_findings(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    body = unit.database.get(BODY_FINDINGS, key)
    facts = call_facts(unit, key, (*body.calls, *body.deferred))
    return fact_judgement.full(unit, key, facts, body.invalid).findings


CALL_EFFECT_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query(
    "call effect findings", _call_effect_findings, ()
)
"""Findings about an item's calls that depend on the effects of the called functions."""


def _barriers(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    return fact_judgement.full(unit, key, [*unit.database.get(MEMORY.fences, key)]).findings


BARRIER_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("barrier findings", _barriers, ())
"""Findings about an item's barriers that depend on the memory accesses between them."""


def _missing_barriers(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    # imported here, because few projects enable the rule
    from openclsp.semantics.memory.missing_barriers import MISSING_BARRIERS

    found: list[Finding] = []
    for fact in unit.database.get(MISSING_BARRIERS, key):
        step = ChainStep(key, unit.by_key[key].digest, fact.earlier, f"`{fact.name}` is {fact.before} here")
        found += (replace(each, chain=(step,)) for each in apply_rules(fact, unit.dialect))
    return tuple(found)


MISSING_BARRIER_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query(
    "missing barrier findings", _missing_barriers, ()
)
"""Findings about a kernel's accesses to local memory that no barrier orders."""


class LastFlowFindings(NamedTuple):
    """The most recent flow findings of an item, and the inputs from which they were computed.

    `findings` includes the findings that `select_flow_findings` drops.
    """

    key: ItemKey
    held: PointsTo
    table: Table
    invalid: frozenset[EntityRef]
    findings: tuple[Finding, ...]


LAST_FLOW_FINDINGS: UnitCache[LastFlowFindings] = UnitCache("flow findings")
"""The flow findings that were computed last. No query reads them: see `provisional_findings`."""


def _flow_findings(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    held = unit.database.read(POINTS_TO, key)
    if not held.functions:
        # without a solution, reading the item's flow would be wasted work
        return ()
    if not unit.database.read(CONTENT, key):
        return ()
    body = unit.database.get(BODY_FINDINGS, key)

    def callees(ref: EntityRef) -> tuple[FunctionFlow, ...]:
        defined = definition_of(unit, ref.item[1]) if ref.item[0] != _DEFINITION else ref.item
        return () if defined is None else unit.database.get(FLOW, defined)[:1]

    facts = flow_facts(unit.database.get(FLOW, key), held.functions, callees)
    found = fact_judgement.full(unit, key, facts, body.invalid).findings
    # Only an item that was just edited may get provisional findings, and its pass is kept. Typing the other items
    # again for this took a sixth of the check of a kernel after others that include the same headers.
    typed = kept_body(unit, key)
    if typed is not None:
        unit.caches.set(LAST_FLOW_FINDINGS, LastFlowFindings(key, held, typed.table, body.invalid, found))
    return select_flow_findings(found, body)


def select_flow_findings(found: Iterable[Finding], body: BodyFindings) -> tuple[Finding, ...]:
    """Returns the flow findings of an item, except those that repeat findings in `body`.

    A flow finding is dropped if a finding in `body` has the same code and place, or if an error in `body`
    overlaps it.
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
    return join_findings(unit, key, unit.database.get(FLOW_FINDINGS, key) if unit.dialect.generic else ())


def join_findings(unit: TranslationUnit, key: ItemKey, flow: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Returns all findings of an item: those in `flow`, and those of queries that do not need the flow."""
    body = unit.database.get(BODY_FINDINGS, key)
    found = body.findings
    if body.may_be_unused:
        found += unit.database.get(UNUSED_FINDINGS, key)
    found += flow
    if body.may_call_barrier:
        found += unit.database.get(BARRIER_FINDINGS, key)
    if unit.database.read(FIND_MISSING_BARRIERS, ""):
        found += unit.database.get(MISSING_BARRIER_FINDINGS, key)
    if body.deferred or body.calls:
        found += unit.database.get(CALL_EFFECT_FINDINGS, key)
    detachment = unit.database.read(DETACHMENT, key) if found else None
    if detachment is Detachment.CUT_OFF:
        # the surplus brace is reported; in a function, most declarations and names after it are correct
        return tuple([each for each in found if each.code == _SYNTAX_ERROR])
    return found if detachment is None else ()


def find_space_sources(unit: TranslationUnit, ref: EntityRef) -> SpaceSources | None:
    """Returns the places that determine the address spaces at the levels of an entity's type.

    None if these places are not recorded. The caller must then type-check the entity's item.
    """
    found = unit.database.get(HEAD, ref.item).space_sources.get(ref.number)
    return (
        unit.database.get(BODY_FINDINGS, ref.item).space_sources.get(ref.number) if found is None else found
    )


ITEM_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("findings", _findings, ())


def get_item_findings(unit: TranslationUnit, item: Item) -> tuple[Finding, ...]:
    """Returns the findings of one item. Returns the same object until a dependency changes."""
    prepare_item(unit, item)
    found = unit.database.get(ITEM_FINDINGS, item.key)
    item.table = item.typed_head = None
    return found


def prepare_item(unit: TranslationUnit, item: Item) -> None:
    """Computes the results about an item that the checks of other items need.

    Called before the first check of the item, because that check releases the syntax table.
    """
    if item.table is not None:
        unit.database.get(EXPORTS, item.key)
        unit.database.get(INVALID_ENTITIES, item.key)
