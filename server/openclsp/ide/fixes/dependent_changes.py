"""Adds dependent changes to a fix: changes that remove faults which the fix alone would introduce.

In `void helper(int *p) { inner(p); }`, qualifying `p` as `global` makes the call of `inner` invalid, so the
parameter of `inner` is changed as well. If other calls pass private pointers to `inner`, the call is changed
to call a copy of `inner` instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.ide.fixes.copy_edits import map_to_original
from openclsp.ide.fixes.edit_plan import EditPlan, FunctionCopy
from openclsp.ide.fixes.edit_rendering import RenderedEdits
from openclsp.ide.fixes.function_calls import FunctionCallSite, find_calls_in_item, translate_to_declaration
from openclsp.ide.fixes.unused_names import find_unused_name
from openclsp.ide.location_map import LocationMap
from openclsp.rules.finding import (
    AddQualifier,
    CopyFunctionForCall,
    Finding,
    FixChange,
    RemoveSpace,
    ReplaceTokens,
    SetSpace,
)
from openclsp.semantics.database.declared_functions import declarations, definition, function_of
from openclsp.semantics.facts.entities import (
    EntityRef,
    ItemKey,
    Origin,
    Place,
)
from openclsp.semantics.types.compatibility import agree
from openclsp.semantics.types.type_model import Function
from openclsp.semantics.typing.symbols import Symbol

MAXIMUM_CHANGES = 24
MAXIMUM_COPIES = 6

_LevelChange = SetSpace | RemoveSpace | AddQualifier
_StartPosition = tuple[str, int]
"""The document and the byte offset of the start of an item or call, in the text with the fix."""


@dataclass(frozen=True, slots=True)
class DependentFault:
    """A fault that a fix introduces, and the changes that would remove it.

    - `item`: the start of the item that contains the fault.
    - `alternatives`: groups of changes, each of which removes the fault. Each change is paired with the start
      of the item that it changes.
    - `call`: the name of the called function and the start of the call, if the fault concerns an argument.
    """

    item: _StartPosition
    alternatives: tuple[tuple[tuple[_LevelChange, _StartPosition], ...], ...]
    call: tuple[str, _StartPosition] | None


def find_dependent_changes(
    places: LocationMap, key: ItemKey, finding: Finding, *, both_sides: bool = False
) -> DependentFault | None:
    """Returns the fault that a fix introduced, with the changes that would remove it.

    `finding` reports the fault, which is in the item `key` of the text with the fix. Returns None if no
    change would remove the fault. The changes adapt the target of a conversion to the source. With
    `both_sides`, they may also adapt the source to the target, for example the argument of a caller to a
    changed parameter.
    """
    choices = []
    call: tuple[str, _StartPosition] | None = None
    for fix in finding.fixes:
        copy = fix.changes[0]
        if isinstance(copy, CopyFunctionForCall):
            site = next(
                (
                    each
                    for each in find_calls_in_item(places, key, copy.callee)
                    if each.argument_index(copy.argument) >= 0
                ),
                None,
            )
            if site is not None:
                call = copy.callee, _start_position(places, key, site.call.place)
        changes = [change for change in fix.changes if isinstance(change, _LevelChange)]
        if (fix.adapts_target or both_sides) and changes and len(changes) == len(fix.changes):
            choices.append(
                tuple((change, _item_start(places, change.origin.entity.item)) for change in changes)
            )
    return DependentFault(_item_start(places, key), tuple(choices), call) if choices else None


def _start_position(places: LocationMap, key: ItemKey, place: Place) -> _StartPosition:
    location = places.location(key, place)
    return location.document, location.start


def _item_start(places: LocationMap, key: ItemKey) -> _StartPosition:
    return _start_position(places, key, Place(0, 1))


def add_dependent_changes(
    places: LocationMap,
    plan: EditPlan,
    written: RenderedEdits,
    faults: Iterable[DependentFault],
    *,
    copying: bool,
) -> EditPlan | None:
    """Adds to a plan the changes that remove its new faults; None if that is impossible or exceeds a limit.

    With `copying`, a function that must stay unchanged for its other callers is copied.
    """
    growth = _PlanExtension(places, plan, written, copying)
    for each in faults:
        if not growth.add_changes_for(each):
            return None
    now = growth.plan
    if len(now.changes) > MAXIMUM_CHANGES or len(now.copies) > MAXIMUM_COPIES or now == plan:
        return None
    return now


class _PlanExtension:
    """Extends a plan by the changes that the new faults of one re-analysis require."""

    def __init__(self, places: LocationMap, plan: EditPlan, written: RenderedEdits, copying: bool) -> None:
        self.places, self.plan, self.copying = places, plan, copying
        self._written = written
        self._copies = {id(edit): number for edit, number in written.copies}

    def add_changes_for(self, each: DependentFault) -> bool:
        """Adds the changes that a dependent fault requires; returns whether that was possible."""
        here = self._original_item(each.item)
        if here is None:
            return False
        return any(self._add_alternative(choice, here, each.call) for choice in each.alternatives)

    def _original_item(self, head: _StartPosition) -> tuple[int | None, ItemKey] | None:
        """Maps a position in the fixed text to an item of the original text; None if there is no item.

        The first value of the result is the index of the planned copy that contains the position; None
        outside of copies.
        """
        text, offset = map_to_original(self._written.edits, *head)
        found = self.places.item_at(head[0], offset)
        if found is None:
            return None
        return None if text is None else self._copies[id(text)], found[0].key

    def _add_alternative(
        self,
        choice: tuple[tuple[_LevelChange, _StartPosition], ...],
        here: tuple[int | None, ItemKey],
        call: tuple[str, _StartPosition] | None,
    ) -> bool:
        # All changes of a choice must belong to one item: either to the original program or to the same copy.
        # A change in a copy extends that copy. A change outside of it, requested by a copy, would affect the
        # other callers, so the copy calls another copy instead.
        changes: list[_LevelChange] = []
        homes: set[tuple[int | None, ItemKey]] = set()
        for change, head in choice:
            home = self._original_item(head)
            if home is None:
                return False
            homes.add(home)
            changes.append(_in_original_item(change, home[1]))
        if len(homes) != 1:
            return False
        copy, _ = homes.pop()
        if copy is not None:
            return self._change_copy(copy, changes)
        if here[0] is None and not self.copying:
            return self._change(changes)
        if call is not None:
            return self._call_copy(changes, here, call)
        return here[0] is None and self._change(changes)

    def _change(self, changes: list[_LevelChange]) -> bool:
        # A caller may refer to a prototype and the plan to the definition: both change the same function.
        there = [
            declared_once(self.places, change)
            for _, change in self.plan.changes
            if isinstance(change, _LevelChange)
        ]
        new = _compatible_new_changes([declared_once(self.places, change) for change in changes], there)
        if new is None:
            return False
        added = tuple((change.origin.entity.item, change) for change in new)
        self.plan = replace(self.plan, changes=(*self.plan.changes, *added))
        return True

    def _change_copy(self, number: int, changes: list[_LevelChange]) -> bool:
        copy = self.plan.copies[number]
        new = _compatible_new_changes(
            changes, [change for change in copy.changes if isinstance(change, _LevelChange)]
        )
        if new is None:
            return False
        self._replace(number, replace(copy, changes=(*copy.changes, *new)))
        return True

    def _call_copy(
        self, changes: list[_LevelChange], here: tuple[int | None, ItemKey], call: tuple[str, _StartPosition]
    ) -> bool:
        """Makes a call refer to a copy of the called function; returns whether that was possible.

        The copy has the `changes`. `here` is the item that contains the call; see `_original_item`.
        """
        number, key = here
        site, defined = self._called(key, call)
        if site is None or defined is None or defined.kernel or self._is_changed(defined.name):
            return False
        made = [_at_definition(change, defined, self.places) for change in changes]
        overload = number is not None and self.plan.copies[number].is_overload
        target = self._copy_of(defined, made, overload=overload)
        if target is None:
            return False
        if overload:
            return True
        renamed = (site.call.place, self.plan.copies[target].name)
        if number is None:
            change = ReplaceTokens(*renamed)
            self.plan = replace(self.plan, changes=(*self.plan.changes, (key, change)))
            return True
        copy = self.plan.copies[number]
        if renamed not in copy.renamed_calls:
            self._replace(number, replace(copy, renamed_calls=(*copy.renamed_calls, renamed)))
        return True

    def _is_changed(self, function: str) -> bool:
        """Whether the plan changes the function's own declarations.

        If it does, the changed function must be valid for all calls, so no copy is made.
        """
        unit = self.places.unit
        symbols = (
            function_of(unit, change.origin.entity)
            for _, change in self.plan.changes
            if isinstance(change, _LevelChange)
        )
        return any(symbol is not None and symbol.name == function for symbol in symbols)

    def _called(
        self, key: ItemKey, call: tuple[str, _StartPosition]
    ) -> tuple[FunctionCallSite | None, Symbol | None]:
        name, head = call
        _, offset = map_to_original(self._written.edits, *head)
        found = self.places.item_at(head[0], offset)
        if found is None:
            return None, None
        for site in find_calls_in_item(self.places, key, name):
            if site.call.place.first <= found[1] < site.call.place.last and isinstance(
                site.call.function, Function
            ):
                declared = declarations(self.places.unit, name)
                return site, definition(declared, site.call.function)
        return None, None

    def _copy_of(self, defined: Symbol, changes: list[_LevelChange], *, overload: bool) -> int | None:
        """Returns the index of the function's copy with these changes; creates or changes the copy if needed.

        With `overload`, the copy has the function's own name, otherwise another name. None if the copy is
        impossible.
        """
        copies = self.plan.copies
        for number, copy in enumerate(copies):
            if copy.definition == defined.ref.item and copy.is_overload == overload:
                if overload and set(copy.changes) != set(changes):
                    continue
                return number if self._change_copy(number, changes) else None
        space = next((change.space for change in changes if isinstance(change, SetSpace)), None)
        if space is None:
            return None
        taken = frozenset(copy.name for copy in copies)
        name = (
            defined.name
            if overload
            else find_unused_name(self.places.unit, f"{defined.name}_{space.word}", taken)
        )
        if name is None:
            return None
        made: tuple[FixChange, ...] = tuple(changes)
        self.plan = replace(
            self.plan, copies=(*copies, FunctionCopy(defined.name, defined.ref.item, name, made))
        )
        return len(copies)

    def _replace(self, number: int, copy: FunctionCopy) -> None:
        copies = list(self.plan.copies)
        copies[number] = copy
        self.plan = replace(self.plan, copies=tuple(copies))


def _compatible_new_changes(
    changes: list[_LevelChange], there: list[_LevelChange]
) -> list[_LevelChange] | None:
    """Returns those `changes` that are missing in `there`; None if one of them contradicts `there`."""
    new = [change for change in changes if change not in there]
    changed = {change.origin for change in there if not isinstance(change, AddQualifier)}
    if any(change.origin in changed for change in new if not isinstance(change, AddQualifier)):
        return None
    return new


def _in_original_item(change: _LevelChange, key: ItemKey) -> _LevelChange:
    """Translates a change in the fixed text into a change of the item `key` in the original text."""
    return replace(change, origin=Origin(EntityRef(key, change.origin.entity.number), change.origin.level))


def declared_once(places: LocationMap, change: _LevelChange) -> _LevelChange:
    """Translates a change to any declaration of a function into a change to the function's definition.

    If there is no definition, the first declaration is used. Changes that were computed from different
    declarations can therefore be compared.
    """
    symbol = function_of(places.unit, change.origin.entity)
    if symbol is None or not isinstance(symbol.type, Function):
        return change
    declared = declarations(places.unit, symbol.name)
    chosen = definition(declared, symbol.type)
    if chosen is None:
        chosen = next((each for each in declared if agree(each.type, symbol.type)), symbol)
    return translate_to_declaration(change, symbol, chosen)


def _at_definition(change: _LevelChange, defined: Symbol, places: LocationMap) -> _LevelChange:
    """Translates a change to one declaration's parameter into a change to the definition's parameter."""
    symbol = function_of(places.unit, change.origin.entity)
    return change if symbol is None else translate_to_declaration(change, symbol, defined)
