"""Candidate fixes that copy a function.

The copy has a name of its own for a single call, or becomes an overload for all calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openclsp.ide.draft import Copy, Draft
from openclsp.ide.functions import (
    CallSite,
    calls,
    calls_in,
    refused_arguments,
)
from openclsp.ide.new_names import new_name
from openclsp.ide.places import Places
from openclsp.language.spaces import NAMED, QUALIFIERS, Space
from openclsp.rules.finding import AddQualifier, CallCopy, Change, ReplaceLeaves, SetSpace, SplitFunction
from openclsp.rules.pointers import pointee_space
from openclsp.semantics.context import Symbol
from openclsp.semantics.declared_functions import declarations, definition
from openclsp.semantics.entities import EntityRef, ItemKey, Origin
from openclsp.semantics.heads import EXPORTS
from openclsp.semantics.table import Table
from openclsp.semantics.types import Function

NEEDS_CLANG = "needs a clang-based compiler"


def copy_draft(places: Places, key: ItemKey, change: CallCopy) -> Draft | None:
    """Creates the fix for a call in the item `key`.

    None if the function has no definition in the unit or is a kernel, or if all calls need the same change,
    so that the function itself should be changed.
    """
    site = next(
        (each for each in calls_in(places, key, change.callee) if each.argument(change.argument) >= 0), None
    )
    if site is None or not isinstance(site.call.function, Function):
        return None
    declared = declarations(places.unit, change.callee)
    defined = definition(declared, site.call.function)
    if defined is None or defined.kernel:
        return None
    refused = refused_arguments(site.call)
    space, _ = refused.get(site.argument(change.argument), (None, ()))
    if space is None or Space.GENERIC in (each for each, _ in refused.values()):
        return None
    sites = calls(places, change.callee, site.call.function)
    if not any(_differs(site, other) for other in sites):
        return None
    if change.overloads:
        return _overloads(change.callee, defined, [site, *sites])
    return _own_copy(places, site, defined, space)


def _differs(site: CallSite, other: CallSite) -> bool:
    """Whether the other call passes another address space.

    Only the arguments that do not match their parameters in this call are compared.
    """
    for number, (space, _) in refused_arguments(site.call).items():
        value = other.call.arguments[number] if number < len(other.call.arguments) else None
        if value is not None and not value.null and pointee_space(value.type) not in (space, None):
            return True
    return False


def _own_copy(places: Places, site: CallSite, defined: Symbol, space: Space) -> Draft | None:
    function = defined.name
    wanted = f"{function}_{space.word}"
    there = same_function(places, defined, wanted)
    if there:
        change = ReplaceLeaves(site.call.place, wanted)
        return Draft(f"Call `{wanted}` here", ((site.item, change),))
    name = new_name(places.unit, wanted)
    if name is None:
        return None
    return Draft(
        f"Copy `{function}` as `{name}` and call the copy here",
        ((site.item, ReplaceLeaves(site.call.place, name)),),
        (Copy(function, defined.ref.item, name, parameter_changes(defined, site)),),
    )


def _overloads(function: str, defined: Symbol, sites: list[CallSite]) -> Draft | None:
    copies: dict[tuple[Change, ...], None] = {}
    spaces: dict[Space, None] = {}
    for site in sites:
        refused = refused_arguments(site.call)
        if refused and Space.GENERIC not in (space for space, _ in refused.values()):
            copies[parameter_changes(defined, site)] = None
            spaces.update((space, None) for space, _ in refused.values())
    return _added(function, defined.ref.item, spaces, tuple(copies))


def _added(
    function: str, definition: ItemKey, spaces: Iterable[Space], copies: tuple[tuple[Change, ...], ...]
) -> Draft:
    words = sorted(f"`{space.word}`" for space in spaces)
    listed = " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    what = "overloads" if len(copies) > 1 else "an overload"
    return Draft(
        f"Add {what} of `{function}` for {listed} ({NEEDS_CLANG})",
        (),
        tuple(Copy(function, definition, function, changes) for changes in copies),
    )


def split_draft(places: Places, key: ItemKey, change: SplitFunction) -> Draft | None:
    """Creates the fix for a function whose generic parameters several address spaces reach.

    None if the types of the arguments in its calls do not show at least two combinations of address spaces.
    """
    defined = places.unit.engine.get(EXPORTS, key).symbols.get(change.name)
    if defined is None or defined.kernel or not isinstance(defined.type, Function):
        return None
    copies: dict[tuple[Change, ...], None] = {}
    spaces: dict[Space, None] = {}
    for site in calls(places, change.name, defined.type):
        named = dict(_named_arguments(site, defined.type))
        changes = (
            SetSpace(Origin(EntityRef(key, defined.ref.number + 1 + number), 1), space)
            for number, space in named.items()
        )
        if named:
            copies[tuple(changes)] = None
            spaces.update(dict.fromkeys(named.values()))
    return _added(change.name, key, spaces, tuple(copies)) if len(copies) > 1 else None


def _named_arguments(site: CallSite, function: Function) -> Iterator[tuple[int, Space]]:
    """Yields the index and the named address space of each argument for a generic parameter."""
    for number, (value, target) in enumerate(zip(site.call.arguments, function.parameters, strict=False)):
        space = pointee_space(value.type)
        if pointee_space(target) is Space.GENERIC and space in NAMED and not value.null:
            yield number, space


def parameter_changes(defined: Symbol, site: CallSite) -> tuple[Change, ...]:
    """The changes that make a function's definition accept the arguments of a call."""
    changes: list[Change] = []
    for number, (space, words) in sorted(refused_arguments(site.call).items()):
        pointee = Origin(EntityRef(defined.ref.item, defined.ref.number + 1 + number), 1)
        changes.append(SetSpace(pointee, space))
        changes += [AddQualifier(pointee, word) for word in words]
    return tuple(changes)


def same_function(places: Places, defined: Symbol, name: str) -> bool:
    """Whether a function called `name` already exists as a copy of the defined one.

    A copy differs only in address spaces and in suffixes of names that are address spaces.
    """
    for other in declarations(places.unit, name):
        if other.ref.item[0] == defined.ref.item[0]:
            return _same_leaves(places.table(defined.ref.item), places.table(other.ref.item))
    return False


def _same_leaves(original: Table, copy: Table) -> bool:
    before, after = _without_spaces(original), _without_spaces(copy)
    if len(before) != len(after):
        return False
    suffixes = tuple(f"_{word}" for word in QUALIFIERS)
    return all(
        a == b or (b.startswith(f"{a}_") and b[len(a) :].endswith(suffixes))
        for a, b in zip(before, after, strict=True)
    )


def _without_spaces(table: Table) -> list[str]:
    words = [table.leaf(number) for number in range(len(table.leaves))]
    return [word for word in words if word not in QUALIFIERS]
