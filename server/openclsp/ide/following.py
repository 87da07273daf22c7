"""Adds dependent changes to a fix: changes that remove the new faults that it would introduce.

In `void helper(int *p) { inner(p); }`, qualifying `p` as `global` makes the call of `inner` invalid, so the
parameter of `inner` is changed as well. If other calls pass private pointers to `inner`, a copy of `inner` is
called instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from openclsp.dataclass import dataclass
from openclsp.ide.copied_text import origin_of
from openclsp.ide.draft import Copy, Draft
from openclsp.ide.drafts import Written
from openclsp.ide.functions import (
    CallSite,
    at_declaration,
    calls_in,
)
from openclsp.ide.new_names import new_name
from openclsp.ide.places import Places
from openclsp.rules.finding import (
    AddQualifier,
    CallCopy,
    Change,
    Finding,
    RemoveSpace,
    ReplaceLeaves,
    SetSpace,
)
from openclsp.semantics.context import Symbol
from openclsp.semantics.declared_functions import declarations, definition, function_of
from openclsp.semantics.entities import EntityRef, ItemKey, Origin, Place
from openclsp.semantics.types import Function

MAXIMUM_CHANGES = 24
MAXIMUM_COPIES = 6

_OfLevel = SetSpace | RemoveSpace | AddQualifier
_Head = tuple[str, int]
"""The document and the byte offset of the start of an item or call, in the text with the fix."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A new fault in the text with the fix, and the changes that would remove it.

    `item` is the start of its item. Each of the `choices` is a group of changes that removes the fault; each
    change has the start of the item to be changed. `call` is the called function and the start of the call,
    if the fault concerns an argument.
    """

    item: _Head
    choices: tuple[tuple[tuple[_OfLevel, _Head], ...], ...]
    call: tuple[str, _Head] | None


def lead(places: Places, key: ItemKey, finding: Finding) -> Lead | None:
    """Determines the changes that would remove a new fault; None if there are none."""
    choices = []
    call: tuple[str, _Head] | None = None
    for fix in finding.fixes:
        copy = fix.changes[0]
        if isinstance(copy, CallCopy):
            site = next(
                (each for each in calls_in(places, key, copy.callee) if each.argument(copy.argument) >= 0),
                None,
            )
            if site is not None:
                call = copy.callee, _head(places, key, site.call.place)
        changes = [change for change in fix.changes if isinstance(change, _OfLevel)]
        if fix.onward and len(changes) == len(fix.changes):
            choices.append(
                tuple((change, _item_head(places, change.origin.entity.item)) for change in changes)
            )
    return Lead(_item_head(places, key), tuple(choices), call) if choices else None


def _head(places: Places, key: ItemKey, place: Place) -> _Head:
    location = places.location(key, place)
    return location.document, location.start


def _item_head(places: Places, key: ItemKey) -> _Head:
    return _head(places, key, Place(0, 1))


def grown(
    places: Places, draft: Draft, written: Written, leads: Iterable[Lead], *, copying: bool
) -> Draft | None:
    """Adds to a draft the changes that remove its new faults; None if that is impossible or exceeds a limit.

    With `copying`, a function that cannot be changed because of its other callers is copied.
    """
    growth = _Growth(places, draft, written, copying)
    for each in leads:
        if not growth.follows(each):
            return None
    now = growth.draft
    if len(now.changes) > MAXIMUM_CHANGES or len(now.copies) > MAXIMUM_COPIES or now == draft:
        return None
    return now


class _Growth:
    """A draft to which the changes for the leads of one attempt are added."""

    def __init__(self, places: Places, draft: Draft, written: Written, copying: bool) -> None:
        self.places, self.draft, self.copying = places, draft, copying
        self._written = written
        self._copies = {id(edit): number for edit, number in written.copies}

    def follows(self, each: Lead) -> bool:
        """Adds the changes of a lead; whether that was possible."""
        here = self._home(each.item)
        if here is None:
            return False
        return any(self._chosen(choice, here, each.call) for choice in each.choices)

    def _home(self, head: _Head) -> tuple[int | None, ItemKey] | None:
        """Maps a position in the changed text to the original item.

        The first value is the index of the copied function that contains the position, or None outside of
        copies.
        """
        text, offset = origin_of(self._written.edits, *head)
        found = self.places.at(head[0], offset)
        if found is None:
            return None
        return None if text is None else self._copies[id(text)], found[0].key

    def _chosen(
        self,
        choice: tuple[tuple[_OfLevel, _Head], ...],
        here: tuple[int | None, ItemKey],
        call: tuple[str, _Head] | None,
    ) -> bool:
        # All changes of a choice must belong to one item: either to the original program or to the same copy.
        # A change in a copy extends that copy. A change outside of it, requested by a copy, would affect the
        # other callers, so the copy calls another copy instead.
        changes: list[_OfLevel] = []
        homes: set[tuple[int | None, ItemKey]] = set()
        for change, head in choice:
            home = self._home(head)
            if home is None:
                return False
            homes.add(home)
            changes.append(_in_item(change, home[1]))
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

    def _change(self, changes: list[_OfLevel]) -> bool:
        there = [change for _, change in self.draft.changes if isinstance(change, _OfLevel)]
        new = _unopposed(changes, there)
        if new is None:
            return False
        added = tuple((change.origin.entity.item, change) for change in new)
        self.draft = replace(self.draft, changes=(*self.draft.changes, *added))
        return True

    def _change_copy(self, number: int, changes: list[_OfLevel]) -> bool:
        copy = self.draft.copies[number]
        new = _unopposed(changes, [change for change in copy.changes if isinstance(change, _OfLevel)])
        if new is None:
            return False
        self._replace(number, replace(copy, changes=(*copy.changes, *new)))
        return True

    def _call_copy(
        self, changes: list[_OfLevel], here: tuple[int | None, ItemKey], call: tuple[str, _Head]
    ) -> bool:
        """Makes the call refer to a copy of its function; whether that was possible."""
        number, key = here
        site, defined = self._called(key, call)
        if site is None or defined is None or defined.kernel or self._is_changed(defined.name):
            return False
        made = [_at_definition(change, defined, self.places) for change in changes]
        overload = number is not None and self.draft.copies[number].overload
        target = self._copy_of(defined, made, overload=overload)
        if target is None:
            return False
        if overload:
            return True
        renamed = (site.call.place, self.draft.copies[target].name)
        if number is None:
            change = ReplaceLeaves(*renamed)
            self.draft = replace(self.draft, changes=(*self.draft.changes, (key, change)))
            return True
        copy = self.draft.copies[number]
        if renamed not in copy.calls:
            self._replace(number, replace(copy, calls=(*copy.calls, renamed)))
        return True

    def _is_changed(self, function: str) -> bool:
        """Whether the fix changes the function itself.

        If it does, the changed function must be valid for all calls.
        """
        unit = self.places.unit
        symbols = (
            function_of(unit, change.origin.entity)
            for _, change in self.draft.changes
            if isinstance(change, _OfLevel)
        )
        return any(symbol is not None and symbol.name == function for symbol in symbols)

    def _called(self, key: ItemKey, call: tuple[str, _Head]) -> tuple[CallSite | None, Symbol | None]:
        name, head = call
        _, offset = origin_of(self._written.edits, *head)
        found = self.places.at(head[0], offset)
        if found is None:
            return None, None
        for site in calls_in(self.places, key, name):
            if site.call.place.first <= found[1] < site.call.place.last and isinstance(
                site.call.function, Function
            ):
                declared = declarations(self.places.unit, name)
                return site, definition(declared, site.call.function)
        return None, None

    def _copy_of(self, defined: Symbol, changes: list[_OfLevel], *, overload: bool) -> int | None:
        """Returns the index of the copy with these changes.

        The copy is created if needed. None if that is impossible.
        """
        copies = self.draft.copies
        for number, copy in enumerate(copies):
            if copy.definition == defined.ref.item and copy.overload == overload:
                if overload and set(copy.changes) != set(changes):
                    continue
                return number if self._change_copy(number, changes) else None
        space = next((change.space for change in changes if isinstance(change, SetSpace)), None)
        if space is None:
            return None
        taken = frozenset(copy.name for copy in copies)
        name = defined.name if overload else new_name(self.places.unit, f"{defined.name}_{space.word}", taken)
        if name is None:
            return None
        made: tuple[Change, ...] = tuple(changes)
        self.draft = replace(self.draft, copies=(*copies, Copy(defined.name, defined.ref.item, name, made)))
        return len(copies)

    def _replace(self, number: int, copy: Copy) -> None:
        copies = list(self.draft.copies)
        copies[number] = copy
        self.draft = replace(self.draft, copies=tuple(copies))


def _unopposed(changes: list[_OfLevel], there: list[_OfLevel]) -> list[_OfLevel] | None:
    """The changes that are not yet present; None if one of them contradicts a present one."""
    new = [change for change in changes if change not in there]
    changed = {change.origin for change in there if not isinstance(change, AddQualifier)}
    if any(change.origin in changed for change in new if not isinstance(change, AddQualifier)):
        return None
    return new


def _in_item(change: _OfLevel, key: ItemKey) -> _OfLevel:
    """Translates a change to an item whose key in the original text is `key`."""
    return replace(change, origin=Origin(EntityRef(key, change.origin.entity.number), change.origin.level))


def _at_definition(change: _OfLevel, defined: Symbol, places: Places) -> _OfLevel:
    """Translates a change to a parameter of any declaration to the function's definition."""
    symbol = function_of(places.unit, change.origin.entity)
    return change if symbol is None else at_declaration(change, symbol, defined)
