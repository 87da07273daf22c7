"""What the parameters of a unit's functions say of the arguments that other items pass to them: kept for each call, and
judged again where the function is declared in another way.

A function may have thousands of callers. That is why this is no query of the engine for each of them: a changed
signature has its calls judged again and touches nothing else of their items, and calls that are alike are judged once
(see `alike`).
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
    """A declaration of a name: the order of its item, and what that declares which is invalid."""

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
"""By name, all declarations of the ordinary identifier, in order: that of the last item before a call judges it."""

_MAXIMUM_GONE = 8_192
_MAXIMUM_SILENT = 65_536
_SILENT: dict[Dialect, set[tuple[Type, int]]] = {}
"""Calls of which no rule says anything: by the function's type and the sort of call, which are all that rules judge by."""


class _Caller:
    """An item's calls that parameters judge, and what is found of those of which anything is. `elsewhere` are the items
    that declare what is passed, `invalid` what is declared wrongly of all that is passed."""

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
        """What was last found of a call, and by which patterns: where they say it again, it is the same thing"""
        self.elsewhere = frozenset(ref.item for call in calls for ref in _passed(call) if ref.item != key)
        self.invalid = self.invalid_now(unit)

    def is_of(self, item: Item, body: Body) -> bool:
        """Whether the calls are those of the item, which stands where it stood."""
        return self.calls is body.deferred and self.order == item.order and self.own_invalid is body.invalid

    def invalid_now(self, unit: TranslationUnit) -> frozenset[EntityRef]:
        """What is invalid of all that the calls may pass, as the unit is now."""
        return self.own_invalid.union(*(unit.engine.get(INVALID, item) for item in self.elsewhere))

    def findings(self) -> tuple[Finding, ...]:
        """What is found of all calls, in the order of the text; the same thing in the same place once."""
        if len(self.found) == 1:
            (found,) = self.found.values()
            if len(found) == 1:
                return found
        every = (each for number in sorted(self.found) for each in self.found[number])
        return tuple({(each.code, each.place, each.message): each for each in every}.values())


class ArgumentFindings:
    """The findings of all calls of a unit that parameters judge. Mutable; belongs to the unit's thread.

    `names` and `passed` are the names that may be declared in another way now, and the items of which something else may
    be invalid: whoever watches the engine puts them in before `judge_again`.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.passed: set[ItemKey] = set()
        self._callers: dict[ItemKey, _Caller] = {}
        self._calling: dict[str, dict[ItemKey, list[int]]] = {}
        self._passing: dict[ItemKey, set[ItemKey]] = {}
        self._verdicts: dict[str, _Verdicts] = {}
        self._gone: dict[ItemKey, _Caller] = {}
        """Those that were dropped last: what a comment hides comes back"""
        self._past: dict[str, _Verdicts] = {}
        """The verdicts as the function was declared before: an edit is often taken back"""

    def of(self, key: ItemKey) -> tuple[Finding, ...]:
        """What is found of an item's calls."""
        caller = self._callers.get(key)
        return caller.findings() if caller is not None and caller.found else ()

    def take(self, unit: TranslationUnit, item: Item) -> None:
        """Judges the calls of an item that is new, or was analysed again; nothing where they are what they were."""
        key = item.key
        body = unit.engine.get(BODY, key)
        before = self._callers.get(key)
        if before is not None and before.is_of(item, body):
            return
        if not body.deferred:
            self.drop(key)
            return
        # all that may be given up half-way comes before what is kept changes
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
        """The item is gone, or nothing is to be said of it."""
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
        """Judges the calls that another declaration may judge in another way; the items of which something was found, or
        is now."""
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
        """Whether something was found of the item, or is now."""
        spoken = bool(caller.found)
        for number in numbers:
            self._judge(caller, number, self._verdicts[caller.calls[number].name])
        return spoken or bool(caller.found)

    def _verdicts_of(self, unit: TranslationUnit, name: str) -> _Verdicts:
        """The verdicts on calls of the function as it is declared now."""
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
    """What is found of the calls of one function, by what they are like."""

    __slots__ = ("_patterns", "declared", "dialect", "silent")

    def __init__(self, declared: tuple[Declared, ...], dialect: Dialect) -> None:
        self.declared, self.dialect = declared, dialect
        self.silent = _SILENT.setdefault(dialect, set())
        self._patterns: dict[tuple[object, ...], tuple[Pattern, ...] | None] = {}

    def before(self, order: int) -> Declared | None:
        """The last declaration before an item."""
        declared = self.declared
        if declared and declared[-1].order < order:
            return declared[-1]
        at = bisect_left(declared, order, key=_order)
        return declared[at - 1] if at else None

    def of(self, declared: Declared, caller: _Caller, number: int) -> tuple[Finding, ...]:
        """What that declaration finds of a call."""
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
        """The patterns of what is found; None where that cannot be said for others."""
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
    """What the rules find of a call; None where they have nothing to say, which is more than that they are silent because
    something is invalid."""
    found: list[Finding] = []
    spoken = False
    for fact in deferred_facts(call, declared.symbol):
        if any(ref in invalid or ref in declared.invalid for ref in entities(fact)):
            spoken = True
        else:
            found += checked(fact, dialect)
    return found if found or spoken else None


def _passed(call: DeferredCall) -> Iterator[EntityRef]:
    """The declared things that a call's arguments go back to."""
    for argument in call.arguments:
        if argument.origin is not None:
            yield argument.origin.entity
        if argument.held is not None:
            yield argument.held[1].entity


def _order(declared: Declared) -> int:
    return declared.order
