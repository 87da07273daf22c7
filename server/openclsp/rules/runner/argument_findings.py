"""Findings about the arguments of calls to functions of the same unit, cached per call.

A call is checked again if the declaration of its function changes. A function may have thousands of callers.
For this reason there is no database query per caller: a changed signature re-checks the calls and recomputes
nothing else of their items, and equivalent calls share one result (see `canonical_call`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.language.dialect import Dialect
from openclsp.rules.finding import Finding
from openclsp.rules.runner.attribute_reads import is_covered
from openclsp.rules.runner.canonical_call import (
    CanonicalCallKey,
    FindingPattern,
    build_canonical_call,
    classify_call,
    replace_own_entities,
)
from openclsp.rules.runner.fact_judgement import INVALID_ENTITIES, apply_rules, origin_entities
from openclsp.rules.runner.item_findings import BODY_FINDINGS, BodyFindings
from openclsp.rules.runner.rule_registry import reads_of_fact
from openclsp.semantics.database.query_database import Query
from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.database.unit_inputs import DECLARERS
from openclsp.semantics.facts.calls import Call, DeferredCall
from openclsp.semantics.facts.entities import EntityRef, ItemKey
from openclsp.semantics.facts.expressions import Conversion
from openclsp.semantics.facts.values import UNPLACED_ATTRIBUTES
from openclsp.semantics.items.item import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types.type_model import Type
from openclsp.semantics.typing.calls import deferred_facts
from openclsp.semantics.typing.symbols import Symbol


@dataclass(frozen=True, slots=True)
class NamedDeclaration:
    """A declaration of a name, with its item's position and the invalid entities that the item declares."""

    order: int
    symbol: Symbol
    invalid: frozenset[EntityRef]


def _declarations(unit: TranslationUnit, name: str) -> tuple[NamedDeclaration, ...]:
    found = []
    for order, key in unit.database.read(DECLARERS, name):
        symbol = unit.database.get(EXPORTS, key).symbols.get(name)
        if symbol is not None:
            found.append(NamedDeclaration(order, symbol, unit.database.get(INVALID_ENTITIES, key)))
    return tuple(found)


DECLARATIONS_OF_NAME: Query[str, tuple[NamedDeclaration, ...]] = Query("declarations", _declarations, ())
"""All declarations of an ordinary identifier, by name, in order.

A call is checked against the last one before it.
"""

_MAXIMUM_DROPPED_CALLERS = 8_192
_MAXIMUM_CALLS_WITHOUT_FINDING = 65_536
_CALLS_WITHOUT_FINDING: dict[Dialect, set[tuple[Type, int, str]]] = {}
"""Calls known to produce no finding, keyed by the function's type, the call's argument class and `_read_name`."""
_CLASS_READS = (
    "context",
    "target",
    "target_origin?",
    "argument",
    "function",
    "recursive",
    *(f"value.{name}" for name in UNPLACED_ATTRIBUTES),
    *(f"arguments[].{name}" for name in UNPLACED_ATTRIBUTES),
)
"""The attributes of facts about a call (`deferred_facts`) that the function's type and argument class determine."""
_OTHER_READS: Final = frozenset(
    read for read in reads_of_fact(Conversion) | reads_of_fact(Call) if not is_covered(read, _CLASS_READS)
)
_READS_NAME: Final = bool(_OTHER_READS)
_CLASSES_DECIDE: Final = _OTHER_READS <= {"name", "callee"}
"""Whether calls of a class are equal in all that rules read of them, apart from the function's name."""


def _read_name(name: str) -> str:
    """Returns the part of a cache key that stands for the name of the called function.

    This is the name, or an empty string if no rule depends on names.
    """
    return name if _READS_NAME else ""


class _Caller:
    """The calls of one item that are checked against parameters, with their findings.

    `argument_items` contains the other items that declare entities passed as arguments. `invalid` contains
    all invalid entities of these items and of the item itself.
    """

    __slots__ = (
        "argument_items",
        "calls",
        "canonical_keys",
        "found",
        "instantiated",
        "invalid",
        "key",
        "order",
        "own_invalid",
    )

    def __init__(
        self,
        key: ItemKey,
        order: int,
        calls: tuple[DeferredCall, ...],
        own_invalid: frozenset[EntityRef],
        unit: TranslationUnit,
    ) -> None:
        self.key, self.order, self.calls, self.own_invalid = key, order, calls, own_invalid
        self.found: dict[int, tuple[Finding, ...]] = {}
        self.canonical_keys: dict[int, CanonicalCallKey] = {}
        self.instantiated: dict[int, tuple[tuple[FindingPattern, ...], tuple[Finding, ...]]] = {}
        """The last findings of a call, with the patterns that produced them.

        If the patterns are the same, the same objects are returned.
        """
        self.argument_items = frozenset(
            ref.item for call in calls for ref in _argument_entities(call) if ref.item != key
        )
        self.invalid = self.compute_invalid(unit)

    def is_current(self, item: Item, body: BodyFindings) -> bool:
        """Whether the calls, the item's position and its invalid entities are still those recorded here."""
        return self.calls is body.deferred and self.order == item.order and self.own_invalid is body.invalid

    def compute_invalid(self, unit: TranslationUnit) -> frozenset[EntityRef]:
        """Returns the entities of the item and of `argument_items` that are invalid in the unit now."""
        return self.own_invalid.union(
            *(unit.database.get(INVALID_ENTITIES, item) for item in self.argument_items)
        )

    def findings(self) -> tuple[Finding, ...]:
        """Returns the findings of all calls in text order, without duplicates."""
        if len(self.found) == 1:
            (found,) = self.found.values()
            if len(found) == 1:
                return found
        every = (each for number in sorted(self.found) for each in self.found[number])
        return tuple({(each.code, each.place, each.message): each for each in every}.values())


class ArgumentFindings:
    """The findings about the arguments of all calls of a unit.

    Mutable; confined to the unit's thread.

    - `changed_names`: the names whose declarations may have changed
    - `changed_items`: the items whose invalid entities may have changed

    The module `unit_findings` adds to both before it calls `recheck_calls`.
    """

    def __init__(self) -> None:
        self.changed_names: set[str] = set()
        self.changed_items: set[ItemKey] = set()
        self._callers: dict[ItemKey, _Caller] = {}
        self._calls_by_name: dict[str, dict[ItemKey, list[int]]] = {}
        self._callers_by_argument_item: dict[ItemKey, set[ItemKey]] = {}
        self._results: dict[str, _CallResults] = {}
        self._dropped_callers: dict[ItemKey, _Caller] = {}
        """The callers dropped most recently, to be reused if an edit such as commenting out is reverted"""
        self._previous_results: dict[str, _CallResults] = {}
        """The results for the previous declarations of a function, to be reused if an edit is reverted"""

    def findings_of(self, key: ItemKey) -> tuple[Finding, ...]:
        """Returns the findings of an item's calls."""
        caller = self._callers.get(key)
        return caller.findings() if caller is not None and caller.found else ()

    def update_item(self, unit: TranslationUnit, item: Item) -> None:
        """Checks the calls of a new or changed item. Does nothing if the calls are unchanged."""
        key = item.key
        body = unit.database.get(BODY_FINDINGS, key)
        before = self._callers.get(key)
        if before is not None and before.is_current(item, body):
            return
        if not body.deferred:
            self.drop(key)
            return
        # Queries may be cancelled. They all run before the first change of a cache, so that a cancellation
        # cannot leave the caches inconsistent.
        verdicts = {call.name: self._results_of(unit, call.name) for call in body.deferred}
        gone = self._dropped_callers.get(key)
        if gone is not None and gone.is_current(item, body):
            caller = gone
            caller.invalid = caller.compute_invalid(unit)
        else:
            caller = _Caller(key, item.order, body.deferred, body.invalid, unit)
        self.drop(key)
        self._dropped_callers.pop(key, None)
        self._results.update(verdicts)
        self._callers[key] = caller
        for number, call in enumerate(caller.calls):
            self._calls_by_name.setdefault(call.name, {}).setdefault(key, []).append(number)
            self._check_call(caller, number, verdicts[call.name])
        for item_key in caller.argument_items:
            self._callers_by_argument_item.setdefault(item_key, set()).add(key)

    def drop(self, key: ItemKey) -> None:
        """Forgets an item that was removed, or whose findings are not reported."""
        caller = self._callers.pop(key, None)
        if caller is None:
            return
        if len(self._dropped_callers) >= _MAXIMUM_DROPPED_CALLERS:
            self._dropped_callers.clear()
        self._dropped_callers[key] = caller
        for call in caller.calls:
            calling = self._calls_by_name.get(call.name)
            if calling is not None:
                calling.pop(key, None)
                if not calling:
                    del self._calls_by_name[call.name]
                    self._results.pop(call.name, None)
                    self._previous_results.pop(call.name, None)
        for item in caller.argument_items:
            passing = self._callers_by_argument_item[item]
            passing.discard(key)
            if not passing:
                del self._callers_by_argument_item[item]

    def recheck_calls(self, unit: TranslationUnit) -> Iterator[ItemKey]:
        """Re-checks the calls affected by changed declarations.

        Yields the items of these calls, except those that had no findings before and have none now.
        """
        # An entry is discarded only after all its calls were checked: if the analysis is cancelled in
        # between, the next call continues with this entry.
        while self.changed_items:
            item = next(iter(self.changed_items))
            for key in self._callers_by_argument_item.get(item, ()):
                caller = self._callers[key]
                invalid = caller.compute_invalid(unit)
                if invalid != caller.invalid:
                    caller.invalid = invalid
                    if self._check_calls(caller, range(len(caller.calls))):
                        yield key
            self.changed_items.discard(item)
        while self.changed_names:
            name = next(iter(self.changed_names))
            calling = self._calls_by_name.get(name)
            if calling is not None:
                before = self._results.get(name)
                if self._results_of(unit, name) is not before:
                    for key, numbers in calling.items():
                        if self._check_calls(self._callers[key], numbers):
                            yield key
            self.changed_names.discard(name)

    def _check_calls(self, caller: _Caller, numbers: Iterable[int]) -> bool:
        """Re-checks those calls of an item whose indices are in `numbers`.

        Returns whether any call of the item had a finding before or has one now.
        """
        spoken = bool(caller.found)
        for number in numbers:
            self._check_call(caller, number, self._results[caller.calls[number].name])
        return spoken or bool(caller.found)

    def _results_of(self, unit: TranslationUnit, name: str) -> _CallResults:
        """Returns the cached results of the calls to the function `name`, for its current declarations."""
        declared = unit.database.get(DECLARATIONS_OF_NAME, name)
        found = self._results.get(name)
        if found is None or found.declared is not declared:
            past = self._previous_results.get(name)
            if found is not None:
                self._previous_results[name] = found
            if past is None or past.declared != declared:
                found = _CallResults(declared, unit.dialect)
            else:
                found, past.declared = past, declared
            self._results[name] = found
        return found

    def _check_call(self, caller: _Caller, number: int, verdicts: _CallResults) -> None:
        call = caller.calls[number]
        declared = verdicts.last_declaration_before(caller.order)
        found: tuple[Finding, ...] = ()
        if (
            declared is not None
            and (declared.symbol.type, call.argument_class, _read_name(call.name))
            not in verdicts.calls_without_finding
        ):
            found = verdicts.check_call(declared, caller, number)
        if found:
            caller.found[number] = found
        else:
            caller.found.pop(number, None)


class _CallResults:
    """The findings about all calls to one function, cached by equivalence class of the call."""

    __slots__ = ("_patterns", "calls_without_finding", "declared", "dialect")

    def __init__(self, declared: tuple[NamedDeclaration, ...], dialect: Dialect) -> None:
        self.declared, self.dialect = declared, dialect
        self.calls_without_finding = _CALLS_WITHOUT_FINDING.setdefault(dialect, set())
        self._patterns: dict[tuple[object, ...], tuple[FindingPattern, ...] | None] = {}

    def last_declaration_before(self, order: int) -> NamedDeclaration | None:
        """Returns the last declaration that precedes the item at position `order`, or None."""
        declared = self.declared
        if declared and declared[-1].order < order:
            return declared[-1]
        at = bisect_left(declared, order, key=_order)
        return declared[at - 1] if at else None

    def check_call(self, declared: NamedDeclaration, caller: _Caller, number: int) -> tuple[Finding, ...]:
        """Checks one call of a caller against a declaration."""
        call = caller.calls[number]
        call_key = caller.canonical_keys.get(number)
        if call_key is None:
            call_key = caller.canonical_keys[number] = classify_call(call, caller.key)
        invalid = caller.invalid.intersection(_argument_entities(call)) if caller.invalid else caller.invalid
        key = declared.order, call_key.class_number, replace_own_entities(call_key, invalid)
        patterns = self._patterns.get(key, ())
        if patterns == () and key not in self._patterns:
            patterns = self._patterns[key] = self._check_canonical_call(declared, call_key, invalid)
        if patterns is None:
            return tuple(_apply_rules_to_call(declared, call, invalid, self.dialect) or ())
        known = caller.instantiated.get(number)
        if known is not None and known[0] is patterns:
            return known[1]
        found = tuple([pattern.instantiate(call_key) for pattern in patterns])
        if found:
            caller.instantiated[number] = patterns, found
        return found

    def _check_canonical_call(
        self, declared: NamedDeclaration, call_key: CanonicalCallKey, invalid: frozenset[EntityRef]
    ) -> tuple[FindingPattern, ...] | None:
        """Returns the patterns of the findings about the canonical call.

        None if a finding has a place outside of the call: such a finding does not apply to equivalent calls.
        """
        call = build_canonical_call(call_key)
        found = _apply_rules_to_call(declared, call, replace_own_entities(call_key, invalid), self.dialect)
        if found is None and _CLASSES_DECIDE:
            if len(self.calls_without_finding) >= _MAXIMUM_CALLS_WITHOUT_FINDING:
                self.calls_without_finding.clear()
            self.calls_without_finding.add((declared.symbol.type, call.argument_class, _read_name(call.name)))
        if found is None:
            return ()
        patterns = [FindingPattern.from_finding(each, call) for each in found]
        whole = tuple(each for each in patterns if each is not None)
        return whole if len(whole) == len(found) else None


def _apply_rules_to_call(
    declared: NamedDeclaration, call: DeferredCall, invalid: frozenset[EntityRef], dialect: Dialect
) -> list[Finding] | None:
    """Returns the findings of the rules about a call.

    None means that no call with the same `argument_class` has a finding. An empty list means that the rules
    skipped a part of this call because it involves an invalid entity. Other calls of the class may have
    findings, so an empty list must not be cached for the class.
    """
    found: list[Finding] = []
    spoken = False
    for fact in deferred_facts(call, declared.symbol):
        if any(ref in invalid or ref in declared.invalid for ref in origin_entities(fact)):
            spoken = True
        else:
            found += apply_rules(fact, dialect)
    return found if found or spoken else None


def _argument_entities(call: DeferredCall) -> Iterator[EntityRef]:
    """Yields the entities whose declarations determine the types of a call's arguments."""
    for argument in call.arguments:
        if argument.origin is not None:
            yield argument.origin.entity
        if argument.held is not None:
            yield argument.held[1].entity


def _order(declared: NamedDeclaration) -> int:
    return declared.order
