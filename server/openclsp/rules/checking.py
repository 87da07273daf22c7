"""The rules at work: what an item says by itself, computed once and kept until something that it rests on changes.

What the parameters of the functions that it calls say of their arguments is told apart: see `argument_findings`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from openclsp.language.dialect import Dialect
from openclsp.rules.book import rules_for
from openclsp.rules.finding import Finding, Severity
from openclsp.rules.rule import Rule
from openclsp.rules.silent_facts import silent_in, sort_of
from openclsp.semantics.barriers import definition_of
from openclsp.semantics.call_graph import call_facts
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import EntityRef, GivenAt, ItemKey, Place
from openclsp.semantics.facts.calls import Call, DeferredCall, FormatArgument, InvalidArgument, UnresolvedCall
from openclsp.semantics.facts.declarations import Declaration, FunctionDeclaration
from openclsp.semantics.facts.expressions import Access, Conversion, HalfStorage, Operation, Reinterpretation
from openclsp.semantics.facts.fact import Fact
from openclsp.semantics.facts.values import Value
from openclsp.semantics.flow.graph import FunctionFlow
from openclsp.semantics.flow.queries import FOLLOWED, HELD, Held, told_by_earlier_flow
from openclsp.semantics.flow.told import flow_facts
from openclsp.semantics.heads import EXPORTS, HEAD
from openclsp.semantics.inputs import HEAD_CONTENT
from openclsp.semantics.items import Item
from openclsp.semantics.memory_steps import BARRIERS
from openclsp.semantics.passes import typed_body
from openclsp.semantics.readings import FLOW, MEMORY
from openclsp.semantics.table import Table
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.shared_ends import shared_ends

_DEFINITION = "function_definition"


class Body(NamedTuple):
    """What an item says by itself: its findings, which of its declarations are invalid, and the calls whose arguments
    only the callee's parameters can judge. `calls` are all others that it makes of functions that are known. `given`
    is where the levels of the entities are given their spaces that findings, also those of deferred calls, may point
    at. `fences` is whether it may call a barrier itself."""

    findings: tuple[Finding, ...]
    invalid: frozenset[EntityRef]
    deferred: tuple[DeferredCall, ...]
    calls: tuple[Call, ...]
    given: Mapping[int, GivenAt]
    fences: bool = False


_Judged = dict[int, tuple[Fact, tuple[Finding, ...]]]
"""What the rules find in facts, by their identity"""
_JUDGED = "judged facts"
"""Under which the unit keeps what is found in those of the item that was judged last."""
_FEW = 64
"""As many facts that the item no longer has, beside as many as it has, are kept with what was found in them"""
_FENCES = frozenset(name.encode() for name in BARRIERS)


def _body(unit: TranslationUnit, key: ItemKey) -> Body:
    typed = typed_body(unit, key)
    if typed is None:
        return _NOTHING
    gathered = _Gathered(unit, key)
    if typed.log is not None:
        # most of its facts are going to be the same after the next edit
        last: tuple[ItemKey, _Judged] | None = unit.kept.get(_JUDGED)
        judged = last[1] if last is not None and last[0] == key else {}
        if len(judged) > 2 * len(typed.facts) + _FEW:
            judged = {id(fact): judged[id(fact)] for fact in typed.facts if id(fact) in judged}
        if last is None or last[1] is not judged:
            unit.kept[_JUDGED] = key, judged
        gathered.judged = judged
    gathered.take(typed.facts)
    calls = tuple(fact for fact in typed.facts if isinstance(fact, Call) and fact.function is not None)
    found, deferred = tuple(gathered.found.values()), tuple(typed.deferred or ())
    named = {related.origin.entity for finding in found for related in finding.related}
    for call in deferred:
        named.update(argument.origin.entity for argument in call.arguments if argument.origin is not None)
        named.update(argument.held[1].entity for argument in call.arguments if argument.held is not None)
    given = {ref.number: typed.entities[ref.number].given_at for ref in named if ref.item == key}
    fences = not _FENCES.isdisjoint(typed.table.leaves)
    return Body(found, frozenset(gathered.invalid), deferred, calls, given, fences)


_NOTHING = Body((), frozenset(), (), (), {})
BODY: Query[ItemKey, Body] = Query("body", _body, _NOTHING)


def _paths(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    body = unit.engine.get(BODY, key)
    gathered = _Gathered(unit, key, body.invalid)
    gathered.take(call_facts(unit, key, (*body.calls, *body.deferred)))
    return tuple(gathered.found.values())


PATHS: Query[ItemKey, tuple[Finding, ...]] = Query("paths", _paths, ())
"""What is to be said of an item's calls because of what the functions called do."""


def _barriers(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    gathered = _Gathered(unit, key)
    gathered.take([*unit.engine.get(MEMORY.fences, key)])
    return tuple(gathered.found.values())


BARRIER_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("barriers", _barriers, ())
"""What is to be said of an item's barriers because of what is touched between them."""


class _Told(NamedTuple):
    """What was told of an item's flow last: by what the solution held, and of what."""

    key: ItemKey
    held: Held
    followed: int
    table: Table
    invalid: frozenset[EntityRef]
    findings: tuple[Finding, ...]


_TOLD = "told of flow"
"""Under which the unit keeps what was told of the flow of the item that was judged last."""


def _flowing(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    held = unit.engine.read(HELD, key)
    if not held.functions:
        # nothing was solved yet: the flow is not read for this
        return ()
    body, typed = unit.engine.get(BODY, key), typed_body(unit, key)
    if typed is None:
        return ()
    found = _told_of_flow(unit, key, held, typed.table, body.invalid)
    # what the text at a place shows by itself was said already
    said = {(finding.code, finding.place) for finding in body.findings}
    faulty = [finding.place for finding in body.findings if finding.severity is Severity.ERROR]
    return tuple(
        finding
        for finding in found
        if (finding.code, finding.place) not in said and not any(map(finding.place.overlaps, faulty))
    )


def _told_of_flow(
    unit: TranslationUnit, key: ItemKey, held: Held, table: Table, invalid: frozenset[EntityRef]
) -> Sequence[Finding]:
    """While a word is typed, what was told before stands, but for what lies there: the solution that says what is held is of
    before as well, and when it is brought up to date all this is told anew."""
    followed = unit.engine.read(FOLLOWED, key)
    last: _Told | None = unit.kept.get(_TOLD)
    if (
        last is not None
        and last.key == key
        and last.held is held
        and last.followed == followed
        and last.invalid == invalid
        and table.same_shape(last.table)
    ):
        told_by_earlier_flow(unit, key)
        front, back = shared_ends(last.table.leaves, table.leaves)
        edited = Place(front, len(table.leaves) - back)
        return [finding for finding in last.findings if not finding.place.overlaps(edited)]

    def callees(ref: EntityRef) -> tuple[FunctionFlow, ...]:
        defined = definition_of(unit, ref.item[1]) if ref.item[0] != _DEFINITION else ref.item
        return () if defined is None else unit.engine.get(FLOW, defined)[:1]

    gathered = _Gathered(unit, key, invalid)
    gathered.take(flow_facts(unit.engine.get(FLOW, key), held.functions, callees))
    found = tuple(gathered.found.values())
    unit.kept[_TOLD] = _Told(key, held, followed, table, invalid, found)
    return found


FLOW_FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("flow findings", _flowing, ())
"""What is to be said of an item's pointers because of what reaches them, by the last solution."""


def _findings(unit: TranslationUnit, key: ItemKey) -> tuple[Finding, ...]:
    body = unit.engine.get(BODY, key)
    found = body.findings
    if unit.dialect.generic:
        found += unit.engine.get(FLOW_FINDINGS, key)
    if body.fences:
        found += unit.engine.get(BARRIER_FINDINGS, key)
    if body.deferred or body.calls:
        found += unit.engine.get(PATHS, key)
    return found


class _Gathered:
    """The findings of an item's facts, but for those about what is invalid itself."""

    def __init__(
        self, unit: TranslationUnit, key: ItemKey, invalid: frozenset[EntityRef] = frozenset()
    ) -> None:
        self.unit, self.key, self.invalid = unit, key, set(invalid)
        self.found: dict[tuple[object, ...], Finding] = {}
        self._elsewhere: dict[ItemKey, frozenset[EntityRef]] = {}
        self._silent = silent_in(unit.dialect)
        self.judged: _Judged | None = None
        """Where wanted, what was found in facts before, and is now: a rule looks at nothing but the fact"""

    def take(self, facts: Iterable[Fact]) -> None:
        """Adds what the rules find in facts."""
        for fact in facts:
            known = None if self.judged is None else self.judged.get(id(fact))
            if known is None:
                found = self._found(fact)
                if found is None:
                    continue
                if self.judged is not None:
                    self.judged[id(fact)] = fact, found
            else:
                found = known[1]
                if not found or any(self._is_invalid(ref) for ref in entities(fact)):
                    continue
            for finding in found:
                if isinstance(fact, Declaration | HalfStorage) and _invalidates(finding, fact):
                    self.invalid.update(_declared(fact))
                # a specifier that several declarators share is one fault
                self.found.setdefault((finding.code, finding.place, finding.message), finding)

    def _found(self, fact: Fact) -> tuple[Finding, ...] | None:
        """What the rules find in a fact; None where something in it is invalid, so that they are not asked."""
        sort = sort_of(fact)
        if sort is not None and sort in self._silent.sorts:
            return ()
        if any(self._is_invalid(ref) for ref in entities(fact)):
            return None
        found = tuple(checked(fact, self.unit.dialect))
        if sort is not None and not found:
            self._silent.add(sort)
        return found

    def _is_invalid(self, ref: EntityRef) -> bool:
        if ref.item == self.key:
            return ref in self.invalid
        if ref.item not in self._elsewhere:
            self._elsewhere[ref.item] = self.unit.engine.get(INVALID, ref.item)
        return ref in self._elsewhere[ref.item]


def checked(fact: Fact, dialect: Dialect, rules: Iterable[Rule[Any]] | None = None) -> Iterator[Finding]:
    """What the rules find in one fact of an item, or only these."""
    for rule in rules_for(type(fact)) if rules is None else rules:
        try:
            yield from rule.check(fact, dialect)
        except Exception:
            import logging

            logging.getLogger(__name__).exception("rule %s failed on %s", rule.code, fact)


def _invalid(unit: TranslationUnit, key: ItemKey) -> frozenset[EntityRef]:
    """What an item declares that is invalid, so that nothing is said of its uses in other items.

    A function of which one parameter, or the result, is invalid is so as a whole, with all that is passed to it. Its
    body is judged all the same.
    """
    if not unit.engine.read(HEAD_CONTENT, key):
        return frozenset()
    found: set[EntityRef] = set()
    functions: list[FunctionDeclaration] = []
    silent = silent_in(unit.dialect).sorts
    for fact in unit.engine.get(HEAD, key).facts:
        if isinstance(fact, FunctionDeclaration):
            functions.append(fact)
        if isinstance(fact, Declaration | FunctionDeclaration | HalfStorage):
            if sort_of(fact) in silent:
                continue
            for finding in checked(fact, unit.dialect, _INVALIDATING_RULES[type(fact)]):
                if _invalidates(finding, fact):
                    found.update(_declared(fact))
    for function in functions:
        own = [function.entity.ref, *(parameter.ref for parameter in function.parameters)]
        if any(ref in found for ref in own):
            found.update(own)
    return frozenset(found)


_INVALIDATING = frozenset(
    (
        "constant-initialiser",
        "constant-scope",
        "function-scope-global",
        "half-storage",
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

_INVALIDATING_RULES: Mapping[type[Fact], tuple[Rule[Any], ...]] = {
    fact: tuple(rule for rule in rules_for(fact) if rule.code in _INVALIDATING)
    for fact in (Declaration, FunctionDeclaration, HalfStorage)
}


def _declared(fact: Declaration | FunctionDeclaration | HalfStorage) -> Iterator[EntityRef]:
    if fact.entity is not None:
        yield fact.entity.ref


def _invalidates(finding: Finding, fact: Declaration | FunctionDeclaration | HalfStorage) -> bool:
    if finding.severity is not Severity.ERROR or finding.code not in _INVALIDATING:
        return False
    uninitialised = isinstance(fact, Declaration) and fact.initialiser is None
    return finding.code != "constant-initialiser" or uninitialised


def entities(fact: Fact) -> Iterator[EntityRef]:
    """The declared things that a value in this fact goes back to."""
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


def given_at(unit: TranslationUnit, ref: EntityRef) -> GivenAt | None:
    """Where the levels of an entity are given their spaces; None where the item must be typed to know it."""
    found = unit.engine.get(HEAD, ref.item).given.get(ref.number)
    return unit.engine.get(BODY, ref.item).given.get(ref.number) if found is None else found


FINDINGS: Query[ItemKey, tuple[Finding, ...]] = Query("findings", _findings, ())
INVALID: Query[ItemKey, frozenset[EntityRef]] = Query("invalid", _invalid, frozenset())


def findings(unit: TranslationUnit, item: Item) -> tuple[Finding, ...]:
    """What the rules find in an item by itself. The very same object as long as nothing that it rests on changes."""
    if item.table is None:
        return unit.engine.get(FINDINGS, item.key)
    # the first time: others will ask for these, and the table is at hand only now
    unit.engine.get(EXPORTS, item.key)
    unit.engine.get(INVALID, item.key)
    found = unit.engine.get(FINDINGS, item.key)
    item.table = item.begun = None
    return found
