"""Findings about the arguments of calls to functions of the same unit, cached per call.

A call is checked again if the declaration of its function changes. A function may have thousands of callers.
For this reason there is no database query per caller: a changed signature re-checks the calls and recomputes
nothing else of their items, and equivalent calls share one result (see `alike`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from openclsp.dataclass import dataclass
from openclsp.language.dialect import Dialect
from openclsp.rules.alike import Likeness, Pattern, in_terms, likeness, stand_in
from openclsp.rules.checking import BODY, INVALID, Body, checked, entities
from openclsp.rules.finding import Finding
from openclsp.semantics.calls import deferred_facts
from openclsp.semantics.context import Symbol
from openclsp.semantics.engine import Query
from openclsp.semantics.entities import EntityRef, ItemKey
from openclsp.semantics.facts.calls import DeferredCall
from openclsp.semantics.heads import EXPORTS
from openclsp.semantics.inputs import DECLARERS
from openclsp.semantics.items import Item
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.types import Type


@dataclass(frozen=True, slots=True)
class Declared:
    """A declaration of a name, with the order of its item and the invalid entities that the item declares."""

    order: int
    symbol: Symbol
    invalid: frozenset[EntityRef]


def _declarations(unit: TranslationUnit, name: str) -> tuple[Declared, ...]:
    found = []
    for order, key in unit.engine.read(DECLARERS, name):
        symbol = unit.engine.get(EXPORTS, key).symbols.get(name)
        if symbol is not None:
            found.append(Declared(order, symbol, unit.engine.get(INVALID, key)))
    return tuple(found)


DECLARATIONS: Query[str, tuple[Declared, ...]] = Query("declarations", _declarations, ())
"""All declarations of an ordinary identifier, by name, in order.

A call is checked against the last one before it.
"""

_MAXIMUM_GONE = 8_192
_MAXIMUM_SILENT = 65_536
_SILENT: dict[Dialect, set[tuple[Type, int]]] = {}
"""Calls known to produce no finding, keyed by the function's type and the call's argument class.

The rules depend on nothing else.
"""


class _Caller:
    """The calls of one item that are checked against parameters, with their findings.

    `elsewhere` contains the other items that declare entities passed as arguments; `invalid` contains the
    invalid ones among all passed entities.
    """

    __slots__ = ("alike", "calls", "elsewhere", "found", "invalid", "key", "matched", "order", "own_invalid")

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
        self.alike: dict[int, Likeness] = {}
        self.matched: dict[int, tuple[tuple[Pattern, ...], tuple[Finding, ...]]] = {}
        """The last findings of a call, with the patterns that produced them.

        If the patterns are the same, the same objects are returned.
        """
        self.elsewhere = frozenset(ref.item for call in calls for ref in _passed(call) if ref.item != key)
        self.invalid = self.invalid_now(unit)

    def is_of(self, item: Item, body: Body) -> bool:
        """Whether these are the item's current calls and the item's position among the items is unchanged."""
        return self.calls is body.deferred and self.order == item.order and self.own_invalid is body.invalid

    def invalid_now(self, unit: TranslationUnit) -> frozenset[EntityRef]:
        """The invalid entities that the calls may pass, in the current state of the unit."""
        return self.own_invalid.union(*(unit.engine.get(INVALID, item) for item in self.elsewhere))

    def findings(self) -> tuple[Finding, ...]:
        """The findings of all calls in text order, without duplicates."""
        if len(self.found) == 1:
            (found,) = self.found.values()
            if len(found) == 1:
                return found
        every = (each for number in sorted(self.found) for each in self.found[number])
        return tuple({(each.code, each.place, each.message): each for each in every}.values())


class ArgumentFindings:
    """The argument findings of all calls of a unit.

    Mutable; confined to the unit's thread. `names` contains the names whose declarations may have changed,
    `passed` the items whose invalid entities may have changed. The observer of the database adds to both
    before it calls `judge_again`.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.passed: set[ItemKey] = set()
        self._callers: dict[ItemKey, _Caller] = {}
        self._calling: dict[str, dict[ItemKey, list[int]]] = {}
        self._passing: dict[ItemKey, set[ItemKey]] = {}
        self._verdicts: dict[str, _Verdicts] = {}
        self._gone: dict[ItemKey, _Caller] = {}
        """The callers dropped most recently, to be reused if an edit such as commenting out is reverted"""
        self._past: dict[str, _Verdicts] = {}
        """The verdicts for the previous declarations of a function, to be reused if an edit is reverted"""

    def of(self, key: ItemKey) -> tuple[Finding, ...]:
        """Returns the findings of an item's calls."""
        caller = self._callers.get(key)
        return caller.findings() if caller is not None and caller.found else ()

    def take(self, unit: TranslationUnit, item: Item) -> None:
        """Checks the calls of a new or re-analysed item. Does nothing if the calls are unchanged."""
        key = item.key
        body = unit.engine.get(BODY, key)
        before = self._callers.get(key)
        if before is not None and before.is_of(item, body):
            return
        if not body.deferred:
            self.drop(key)
            return
        # Queries may be cancelled. They all run before the first change of a cache, so that a cancellation
        # cannot leave the caches inconsistent.
        verdicts = {call.name: self._verdicts_of(unit, call.name) for call in body.deferred}
        gone = self._gone.get(key)
        if gone is not None and gone.is_of(item, body):
            caller = gone
            caller.invalid = caller.invalid_now(unit)
        else:
            caller = _Caller(key, item.order, body.deferred, body.invalid, unit)
        self.drop(key)
        self._gone.pop(key, None)
        self._verdicts.update(verdicts)
        self._callers[key] = caller
        for number, call in enumerate(caller.calls):
            self._calling.setdefault(call.name, {}).setdefault(key, []).append(number)
            self._judge(caller, number, verdicts[call.name])
        for item_key in caller.elsewhere:
            self._passing.setdefault(item_key, set()).add(key)

    def drop(self, key: ItemKey) -> None:
        """Forgets an item that was removed, or whose findings are not reported."""
        caller = self._callers.pop(key, None)
        if caller is None:
            return
        if len(self._gone) >= _MAXIMUM_GONE:
            self._gone.clear()
        self._gone[key] = caller
        for call in caller.calls:
            calling = self._calling.get(call.name)
            if calling is not None:
                calling.pop(key, None)
                if not calling:
                    del self._calling[call.name]
                    self._verdicts.pop(call.name, None)
                    self._past.pop(call.name, None)
        for item in caller.elsewhere:
            passing = self._passing[item]
            passing.discard(key)
            if not passing:
                del self._passing[item]

    def judge_again(self, unit: TranslationUnit) -> Iterator[ItemKey]:
        """Re-checks the calls affected by changed declarations.

        Yields the items that had findings before or have some now.
        """
        # An entry is discarded only after all its calls were checked: if the analysis is cancelled in
        # between, the next call continues with this entry.
        while self.passed:
            item = next(iter(self.passed))
            for key in self._passing.get(item, ()):
                caller = self._callers[key]
                invalid = caller.invalid_now(unit)
                if invalid != caller.invalid:
                    caller.invalid = invalid
                    if self._judge_all(caller, range(len(caller.calls))):
                        yield key
            self.passed.discard(item)
        while self.names:
            name = next(iter(self.names))
            calling = self._calling.get(name)
            if calling is not None:
                before = self._verdicts.get(name)
                if self._verdicts_of(unit, name) is not before:
                    for key, numbers in calling.items():
                        if self._judge_all(self._callers[key], numbers):
                            yield key
            self.names.discard(name)

    def _judge_all(self, caller: _Caller, numbers: Iterable[int]) -> bool:
        """Re-checks these calls; whether the item had findings before or has some now."""
        spoken = bool(caller.found)
        for number in numbers:
            self._judge(caller, number, self._verdicts[caller.calls[number].name])
        return spoken or bool(caller.found)

    def _verdicts_of(self, unit: TranslationUnit, name: str) -> _Verdicts:
        """Returns the verdicts for the function's current declarations."""
        declared = unit.engine.get(DECLARATIONS, name)
        found = self._verdicts.get(name)
        if found is None or found.declared is not declared:
            past = self._past.get(name)
            if found is not None:
                self._past[name] = found
            if past is None or past.declared != declared:
                found = _Verdicts(declared, unit.dialect)
            else:
                found, past.declared = past, declared
            self._verdicts[name] = found
        return found

    def _judge(self, caller: _Caller, number: int, verdicts: _Verdicts) -> None:
        call = caller.calls[number]
        declared = verdicts.before(caller.order)
        found: tuple[Finding, ...] = ()
        if declared is not None and (declared.symbol.type, call.sort) not in verdicts.silent:
            found = verdicts.of(declared, caller, number)
        if found:
            caller.found[number] = found
        else:
            caller.found.pop(number, None)


class _Verdicts:
    """The findings of the calls of one function, by equivalence class of the call."""

    __slots__ = ("_patterns", "declared", "dialect", "silent")

    def __init__(self, declared: tuple[Declared, ...], dialect: Dialect) -> None:
        self.declared, self.dialect = declared, dialect
        self.silent = _SILENT.setdefault(dialect, set())
        self._patterns: dict[tuple[object, ...], tuple[Pattern, ...] | None] = {}

    def before(self, order: int) -> Declared | None:
        """Returns the last declaration before the item with that order."""
        declared = self.declared
        if declared and declared[-1].order < order:
            return declared[-1]
        at = bisect_left(declared, order, key=_order)
        return declared[at - 1] if at else None

    def of(self, declared: Declared, caller: _Caller, number: int) -> tuple[Finding, ...]:
        """Checks one call of a caller against a declaration."""
        call = caller.calls[number]
        alike = caller.alike.get(number)
        if alike is None:
            alike = caller.alike[number] = likeness(call, caller.key)
        invalid = caller.invalid.intersection(_passed(call)) if caller.invalid else caller.invalid
        key = declared.order, alike.sort, in_terms(alike, invalid)
        patterns = self._patterns.get(key, ())
        if patterns == () and key not in self._patterns:
            patterns = self._patterns[key] = self._judged(declared, alike, invalid)
        if patterns is None:
            return tuple(_found(declared, call, invalid, self.dialect) or ())
        known = caller.matched.get(number)
        if known is not None and known[0] is patterns:
            return known[1]
        found = tuple([pattern.matched(alike) for pattern in patterns])
        if found:
            caller.matched[number] = patterns, found
        return found

    def _judged(
        self, declared: Declared, alike: Likeness, invalid: frozenset[EntityRef]
    ) -> tuple[Pattern, ...] | None:
        """Checks the canonical call; None if the findings do not carry over to equivalent calls."""
        call = stand_in(alike)
        found = _found(declared, call, in_terms(alike, invalid), self.dialect)
        if found is None:
            if len(self.silent) >= _MAXIMUM_SILENT:
                self.silent.clear()
            self.silent.add((declared.symbol.type, call.sort))
            return ()
        patterns = [Pattern.of(each, call) for each in found]
        whole = tuple(each for each in patterns if each is not None)
        return whole if len(whole) == len(found) else None


def _found(
    declared: Declared, call: DeferredCall, invalid: frozenset[EntityRef], dialect: Dialect
) -> list[Finding] | None:
    """Applies the rules to a call.

    None if no rule reports anything about any such call. An empty list, in contrast, may mean that an invalid
    entity suppressed the findings, so it must not be cached for the argument class.
    """
    found: list[Finding] = []
    spoken = False
    for fact in deferred_facts(call, declared.symbol):
        if any(ref in invalid or ref in declared.invalid for ref in entities(fact)):
            spoken = True
        else:
            found += checked(fact, dialect)
    return found if found or spoken else None


def _passed(call: DeferredCall) -> Iterator[EntityRef]:
    """The entities from which a call's arguments originate."""
    for argument in call.arguments:
        if argument.origin is not None:
            yield argument.origin.entity
        if argument.held is not None:
            yield argument.held[1].entity


def _order(declared: Declared) -> int:
    return declared.order
