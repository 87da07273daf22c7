"""Variants of a unit in which conditionals select another branch; a fix must be correct in them, too.

If no option defines a macro that a conditional tests, openclsp guesses the branch. Another build may define the
macro, and may thereby change the code that a fix edits, or a declaration that this code uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location, TextEdit
from openclsp.ide.fixes.change_rendering import ChangeNotPossible, document_bytes, token_location
from openclsp.ide.fixes.changed_declarations import changed_items
from openclsp.ide.fixes.edit_plan import EditPlan
from openclsp.ide.fixes.fault_state import get_fault_state
from openclsp.ide.fixes.fix_budget import BudgetExhausted, FixBudget, analysis_cost_beside
from openclsp.ide.fixes.fix_checker import FixChecker
from openclsp.ide.location_map import LocationMap
from openclsp.semantics.database.declared_functions import DEFINITION
from openclsp.semantics.database.unit_inputs import DECLARERS
from openclsp.semantics.facts.entities import ItemKey, Place
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.semantics.unit_caches import UnitCache
from openclsp.source.lexer import words

MAXIMUM_VARIANTS: Final = 4
"""The maximum number of macros that are defined, one after the other, to check a fix; so many units are cached."""
_MAXIMUM_WORDS: Final = 2_000


@dataclass(slots=True, eq=False)
class _Variants:
    """The variants of one revision of a unit, by the name of the macro that each defines."""

    revision: int
    units: dict[str, TranslationUnit]


_VARIANTS: UnitCache[_Variants] = UnitCache("variants for fixes")


def describe_wrong_variant(
    places: LocationMap,
    plan: EditPlan | None,
    edits: tuple[TextEdit, ...],
    work: FixBudget | None,
    header_bodies: bool,
) -> str:
    """Describes a macro whose definition makes a fix wrong, or in doubt; empty if there is none."""
    if plan is None:
        return ""
    macros = _tested_macros(places, plan)
    if len(macros) > MAXIMUM_VARIANTS:
        return _describe_unchecked(macros)
    spent = None if work is None else work.other_programs
    for name in macros:
        try:
            variant = _variant(places.unit, name, spent, header_bodies)
            outcome = FixChecker.for_unit(variant, header_bodies).check_edits(edits, frozenset(), spent)
        except BudgetExhausted:
            return _describe_unchecked(macros)
        if not outcome.holds:
            return f"wrong if `{name}` is defined"
        if not outcome.clean:
            return f"in doubt if `{name}` is defined"
    return ""


def _describe_unchecked(macros: Sequence[str]) -> str:
    return f"not checked for other values of `{macros[0]}`"


def _variant(
    unit: TranslationUnit, name: str, work: FixBudget | None, header_bodies: bool
) -> TranslationUnit:
    """Returns the unit with one more macro; the most recent ones are cached. Raises BudgetExhausted."""
    kept = unit.caches.get(_VARIANTS)
    if kept is None or kept.revision != unit.revision:
        kept = unit.caches.set(_VARIANTS, _Variants(unit.revision, {}))
    found = kept.units.pop(name, None)
    if found is None:
        if work is not None:
            cost = analysis_cost_beside(unit, unit.preprocessed.documents())
            work.require_remaining(cost)
            work.spend(cost)
        while len(kept.units) >= MAXIMUM_VARIANTS:
            kept.units.pop(next(iter(kept.units))).close()
        configuration = unit.target.configuration
        defines = (*configuration.defines, (name, "1"))
        found = unit.with_texts({}, unit.target.with_configuration(replace(configuration, defines=defines)))
        found.database.checkpoint = unit.database.checkpoint
        get_fault_state(found, header_bodies)
    # The units used last are at the end.
    kept.units[name] = found
    return found


def _tested_macros(places: LocationMap, plan: EditPlan) -> list[str]:
    """Returns the undefined macros whose value may change the edited items or declarations that they use."""
    guesses = [guess for each in places.unit.preprocessed.with_included() for guess in each.guesses]
    if not guesses:
        return []
    items = changed_items(plan)
    ranges = [found for found in (_location(places, key) for key in items) if found is not None]
    used = _used_words(places, items)
    found: dict[str, None] = {}
    for guess in guesses:
        inside = any(
            guess.document == each.document and each.start <= guess.start <= each.end for each in ranges
        )
        if inside or not guess.hidden.isdisjoint(used):
            found.update(dict.fromkeys(name.name for name in guess.names))
    return list(found)


def _used_words(places: LocationMap, items: Iterable[ItemKey]) -> frozenset[str]:
    """Returns the words of items, and those of the macros and declarations that they use, directly or not."""
    unit = places.unit
    macros = unit.preprocessed.macros
    seen = set(items)
    found: set[str] = set()
    waiting = [word for key in seen for word in _item_words(places, key, whole=True)]
    while waiting and len(found) < _MAXIMUM_WORDS:
        word = waiting.pop()
        if word in found:
            continue
        found.add(word)
        macro = macros.get(word.encode())
        if macro is not None:
            waiting += [token[1].decode("utf-8", "replace") for token in macro.body]
        for name in (word, f"struct {word}", f"union {word}"):
            for _, key in unit.database.read(DECLARERS, name):
                if key not in seen:
                    seen.add(key)
                    waiting += _item_words(places, key, whole=False)
    return frozenset(found)


def _item_words(places: LocationMap, key: ItemKey, *, whole: bool) -> Iterator[str]:
    """Yields the words with which an item is written; for a function, without its body unless `whole`."""
    location = _location(places, key)
    if location is None:
        return
    try:
        text = document_bytes(places, location.document)[location.start : location.end]
    except ChangeNotPossible:
        # An include within a function brought the item. Only its text after macro expansion is known.
        item = places.unit.by_key[key]
        text = item.group.text[item.offset : item.offset + item.length]
    if not whole and key[0] == DEFINITION:
        text = text.partition(b"{")[0]
    for word in words(text):
        yield word.decode("utf-8", "replace")


def _location(places: LocationMap, key: ItemKey) -> Location | None:
    """Returns the location from an item's first token to its last; None if they are in different documents."""
    if key not in places.unit.by_key:
        return None
    count = len(places.table(key).tokens)
    try:
        first = token_location(places, key, Place(0, 1))
        last = token_location(places, key, Place(count - 1, count))
    except ChangeNotPossible:
        return None
    return Location(first.document, first.start, last.end) if first.document == last.document else None
