"""Candidate fixes that copy a function.

Either a single call gets its own copy, which has a new name, or the function gets overloads for the address
spaces that its calls pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from openclsp.ide.fixes.edit_plan import EditPlan, FunctionCopy
from openclsp.ide.fixes.function_calls import (
    FunctionCallSite,
    find_calls,
    find_calls_in_item,
    mismatched_arguments,
)
from openclsp.ide.fixes.unused_names import find_unused_name
from openclsp.ide.location_map import LocationMap
from openclsp.language.spaces import NAMED, QUALIFIERS, Space
from openclsp.rules.finding import (
    AddOverloads,
    AddQualifier,
    CopyFunctionForCall,
    FixChange,
    ReplaceTokens,
    SetSpace,
)
from openclsp.rules.shared.pointer_wording import pointee_space
from openclsp.semantics.database.declared_functions import declarations, definition
from openclsp.semantics.database.signatures import EXPORTS
from openclsp.semantics.facts.entities import EntityRef, ItemKey, Origin
from openclsp.semantics.items.syntax_table import Table
from openclsp.semantics.types.type_model import Function
from openclsp.semantics.typing.symbols import Symbol

NEEDS_CLANG = "needs a clang-based compiler"


OtherPlaces = Callable[[ItemKey], Iterable[LocationMap]]
"""A function that returns the location maps of the other units that contain the document of an item"""


def plan_function_copy(
    places: LocationMap, key: ItemKey, change: CopyFunctionForCall, other_places: OtherPlaces
) -> EditPlan | None:
    """Plans a copy of the function for a call in the item `key`; with `change.overloads`, plans overloads.

    None if the function has no definition in the unit or is a kernel. Also None if all calls, in this unit and
    in the other units, need the same change, because the function itself should then be changed.
    """
    site = next(
        (
            each
            for each in find_calls_in_item(places, key, change.callee)
            if each.argument_index(change.argument) >= 0
        ),
        None,
    )
    if site is None or not isinstance(site.call.function, Function):
        return None
    declared = declarations(places.unit, change.callee)
    defined = definition(declared, site.call.function)
    if defined is None or defined.kernel:
        return None
    refused = mismatched_arguments(site.call)
    space, _ = refused.get(site.argument_index(change.argument), (None, ()))
    if space is None or Space.GENERIC in (each for each, _ in refused.values()):
        return None
    sites = _find_calls_in_units(places, defined, other_places)
    if not any(_passes_other_space(site, other) for other in sites):
        return None
    if change.overloads:
        return _plan_call_overloads(change.callee, defined, [site, *sites])
    return _plan_own_copy(places, site, defined, space)


def _find_calls_in_units(
    places: LocationMap, defined: Symbol, other_places: OtherPlaces
) -> list[FunctionCallSite]:
    """Finds the calls of a function in the unit and in the other units that contain its document."""
    return [
        site
        for each in (places, *other_places(defined.ref.item))
        for site in find_calls(each, defined.name, defined.type)
    ]


def _passes_other_space(site: FunctionCallSite, other: FunctionCallSite) -> bool:
    """Whether two calls pass pointers into different address spaces for the same parameter.

    Only those arguments are compared that do not match their parameters in the call `site`.
    """
    for number, (space, _) in mismatched_arguments(site.call).items():
        value = other.call.arguments[number] if number < len(other.call.arguments) else None
        if value is not None and not value.null and pointee_space(value.type) not in (space, None):
            return True
    return False


def _plan_own_copy(
    places: LocationMap, site: FunctionCallSite, defined: Symbol, space: Space
) -> EditPlan | None:
    function = defined.name
    wanted = f"{function}_{space.word}"
    there = has_copy(places, defined, wanted)
    if there:
        change = ReplaceTokens(site.call.place, wanted)
        return EditPlan(f"Call `{wanted}` here", ((site.item, change),))
    name = find_unused_name(places.unit, wanted)
    if name is None:
        return None
    return EditPlan(
        f"Copy `{function}` as `{name}` and call the copy here",
        ((site.item, ReplaceTokens(site.call.place, name)),),
        (FunctionCopy(function, defined.ref.item, name, compute_parameter_changes(defined, site)),),
    )


def _plan_call_overloads(function: str, defined: Symbol, sites: list[FunctionCallSite]) -> EditPlan | None:
    copies: dict[tuple[FixChange, ...], None] = {}
    spaces: dict[Space, None] = {}
    for site in sites:
        refused = mismatched_arguments(site.call)
        if refused and Space.GENERIC not in (space for space, _ in refused.values()):
            copies[compute_parameter_changes(defined, site)] = None
            spaces.update((space, None) for space, _ in refused.values())
    return _create_overload_plan(function, defined.ref.item, spaces, tuple(copies))


def _create_overload_plan(
    function: str, definition: ItemKey, spaces: Iterable[Space], copies: tuple[tuple[FixChange, ...], ...]
) -> EditPlan:
    words = sorted(f"`{space.word}`" for space in spaces)
    listed = " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    what = "overloads" if len(copies) > 1 else "an overload"
    return EditPlan(
        f"Add {what} of `{function}` for {listed} ({NEEDS_CLANG})",
        (),
        tuple(FunctionCopy(function, definition, function, changes) for changes in copies),
    )


def plan_overloads(
    places: LocationMap, key: ItemKey, change: AddOverloads, other_places: OtherPlaces
) -> EditPlan | None:
    """Plans overloads of a function whose generic parameters get pointers into several address spaces.

    None unless the types of the arguments in calls show at least two combinations of named address spaces.
    """
    defined = places.unit.database.get(EXPORTS, key).symbols.get(change.name)
    if defined is None or defined.kernel or not isinstance(defined.type, Function):
        return None
    copies: dict[tuple[FixChange, ...], None] = {}
    spaces: dict[Space, None] = {}
    for site in _find_calls_in_units(places, defined, other_places):
        named = dict(_named_arguments(site, defined.type))
        changes = (
            SetSpace(Origin(EntityRef(key, defined.ref.number + 1 + number), 1), space)
            for number, space in named.items()
        )
        if named:
            copies[tuple(changes)] = None
            spaces.update(dict.fromkeys(named.values()))
    return _create_overload_plan(change.name, key, spaces, tuple(copies)) if len(copies) > 1 else None


def _named_arguments(site: FunctionCallSite, function: Function) -> Iterator[tuple[int, Space]]:
    """Yields the index and the address space of each argument that a generic parameter receives.

    Arguments without a named address space are omitted.
    """
    for number, (value, target) in enumerate(zip(site.call.arguments, function.parameters, strict=False)):
        space = pointee_space(value.type)
        if pointee_space(target) is Space.GENERIC and space in NAMED and not value.null:
            yield number, space


def compute_parameter_changes(defined: Symbol, site: FunctionCallSite) -> tuple[FixChange, ...]:
    """Returns the changes that make a function's definition accept the arguments of a call."""
    changes: list[FixChange] = []
    for number, (space, words) in sorted(mismatched_arguments(site.call).items()):
        pointee = Origin(EntityRef(defined.ref.item, defined.ref.number + 1 + number), 1)
        changes.append(SetSpace(pointee, space))
        changes += [AddQualifier(pointee, word) for word in words]
    return tuple(changes)


def has_copy(places: LocationMap, defined: Symbol, name: str) -> bool:
    """Whether the function called `name` already exists and is a copy of the function `defined`.

    A copy differs only in address space qualifiers, and in names with such a qualifier as a suffix: `f_local`
    for `f`.
    """
    for other in declarations(places.unit, name):
        if other.ref.item[0] == defined.ref.item[0]:
            return _same_tokens(places.table(defined.ref.item), places.table(other.ref.item))
    return False


def _same_tokens(original: Table, copy: Table) -> bool:
    before, after = _without_spaces(original), _without_spaces(copy)
    if len(before) != len(after):
        return False
    suffixes = tuple(f"_{word}" for word in QUALIFIERS)
    return all(
        a == b or (b.startswith(f"{a}_") and b[len(a) :].endswith(suffixes))
        for a, b in zip(before, after, strict=True)
    )


def _without_spaces(table: Table) -> list[str]:
    words = [table.token(number) for number in range(len(table.tokens))]
    return [word for word in words if word not in QUALIFIERS]
