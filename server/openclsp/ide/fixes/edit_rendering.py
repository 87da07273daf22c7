"""Translates the plan of a fix into text edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location, TextEdit
from openclsp.ide.fixes.change_rendering import (
    ChangeNotPossible,
    document_bytes,
    insert_before_token,
    render_change,
    replace_tokens,
    token_location,
)
from openclsp.ide.fixes.copy_edits import create_copy_edit
from openclsp.ide.fixes.declaration_rendering import render_declaration_change
from openclsp.ide.fixes.edit_plan import EditPlan, FunctionCopy
from openclsp.ide.fixes.function_calls import (
    find_calls_in_item,
    propagate_to_declarations,
    translate_to_declaration,
)
from openclsp.ide.fixes.macro_qualifiers import replace_macro_qualifier
from openclsp.ide.location_map import LocationMap
from openclsp.rules.finding import AddQualifier, DeclarationChange, FixChange, RemoveSpace, SetSpace
from openclsp.semantics.database.declared_functions import declarations
from openclsp.semantics.facts.entities import ItemKey, Place
from openclsp.semantics.types.compatibility import agree
from openclsp.semantics.types.type_model import Function
from openclsp.semantics.typing.symbols import Symbol

OVERLOADABLE_ATTRIBUTE = "__attribute__((overloadable)) "


@dataclass(frozen=True, slots=True)
class RenderedEdits:
    """The edits of a plan, sorted by place.

    `copies` contains the edits that insert copies, each with the index of the copy in the plan.
    """

    edits: tuple[TextEdit, ...]
    copies: tuple[tuple[TextEdit, int], ...] = ()


def render_edit_plan(places: LocationMap, plan: EditPlan) -> RenderedEdits | None:
    """Computes the edits of a plan; None if a change cannot be written, or if there are no edits."""
    try:
        functions = dict.fromkeys(copy.definition for copy in plan.copies if copy.is_overload)
        edits = [edit for key in functions for edit in _add_overloadable(places, key)]
        edits += [
            edit
            for key, change in plan.changes
            for each in propagate_to_declarations(places.unit, change)
            for edit in _render_change(places, key, each, plan.edits_macros)
        ]
        copies = [
            (edit, number) for number, copy in enumerate(plan.copies) for edit in _render_copy(places, copy)
        ]
        ordered = _sort_edits([*edits, *(edit for edit, _ in copies)])
    except ChangeNotPossible:
        return None
    return RenderedEdits(ordered, tuple(copies)) if ordered else None


def _render_change(
    places: LocationMap, key: ItemKey, change: FixChange, edits_macros: bool
) -> Iterable[TextEdit]:
    if isinstance(change, DeclarationChange):
        return render_declaration_change(places, change)
    if edits_macros and isinstance(change, SetSpace):
        edit = replace_macro_qualifier(places, change)
        if edit is not None:
            return (edit,)
    return render_change(places, key, change)


def _sort_edits(edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
    """Sorts the edits and removes duplicates. Raises ChangeNotPossible if two edits overlap."""
    ordered = sorted(
        dict.fromkeys(edits),
        key=lambda edit: (edit.location.document, edit.location.start, edit.location.end),
    )
    for before, after in pairwise(ordered):
        same = before.location.document == after.location.document
        if same and after.location.start < before.location.end:
            raise ChangeNotPossible
    return tuple(ordered)


def _declarations_of_function(places: LocationMap, key: ItemKey) -> tuple[Symbol, tuple[Symbol, ...]]:
    """Returns the function that an item defines, and all declarations of this function.

    Raises ChangeNotPossible if the item defines no function, or if an item with one of these declarations
    declares another name, too.
    """
    found = declarations(places.unit, key[1])
    defined = next((each for each in found if each.ref.item == key), None)
    if defined is None:
        raise ChangeNotPossible
    same = tuple(each for each in found if agree(each.type, defined.type))
    if any(len(places.unit.by_key[each.ref.item].names) != 1 for each in same):
        raise ChangeNotPossible
    return defined, same


def _add_overloadable(places: LocationMap, key: ItemKey) -> Iterator[TextEdit]:
    """Yields the edits that make all declarations of a function overloadable.

    Declarations that already have the attribute are skipped.
    """
    for symbol in _declarations_of_function(places, key)[1]:
        if not symbol.overloadable:
            yield insert_before_token(places, symbol.ref.item, 0, OVERLOADABLE_ATTRIBUTE)


def _render_copy(places: LocationMap, copy: FunctionCopy) -> Iterator[TextEdit]:
    """Yields the edits that copy the function's definition and its prototypes. Raises ChangeNotPossible."""
    defined, declared = _declarations_of_function(places, copy.definition)
    for symbol in declared:
        key = symbol.ref.item
        attribute = copy.is_overload and not symbol.overloadable
        edits = [insert_before_token(places, key, 0, OVERLOADABLE_ATTRIBUTE)] if attribute else []
        edits += _render_copy_changes(places, copy, defined, symbol)
        if not copy.is_overload:
            edits += [
                replace_tokens(places, key, place, copy.name) for place in _own_name_places(places, symbol)
            ]
        if symbol is defined:
            edits += [replace_tokens(places, key, place, name) for place, name in copy.renamed_calls]
        source = _item_location(places, key)
        data = document_bytes(places, source.document)
        edit = create_copy_edit(data, source, _sort_edits(edits), separated=symbol is defined)
        if edit is None:
            raise ChangeNotPossible
        yield edit


def _render_copy_changes(
    places: LocationMap, copy: FunctionCopy, defined: Symbol, symbol: Symbol
) -> Iterator[TextEdit]:
    """Yields the edits that apply the copy's changes to one declaration of the function.

    For a prototype, only changes to the parameters and the result apply. Raises ChangeNotPossible.
    """
    assert isinstance(defined.type, Function)
    last = defined.ref.number + len(defined.type.parameters)
    for change in copy.changes:
        if not isinstance(change, SetSpace | RemoveSpace | AddQualifier):
            raise ChangeNotPossible
        if symbol is defined:
            yield from render_change(places, symbol.ref.item, change)
        elif defined.ref.number <= change.origin.entity.number <= last:
            yield from render_change(
                places, symbol.ref.item, translate_to_declaration(change, defined, symbol)
            )


def _own_name_places(places: LocationMap, symbol: Symbol) -> Iterator[Place]:
    """Yields the places of a function's name in its own declaration and in recursive calls."""
    entity = places.entity(symbol.ref)
    if entity is None:
        raise ChangeNotPossible
    yield entity.place
    for site in find_calls_in_item(places, symbol.ref.item, symbol.name):
        if site.call.recursive:
            yield site.call.place


def _item_location(places: LocationMap, key: ItemKey) -> Location:
    """Returns the location from an item's first token to its last.

    Raises ChangeNotPossible if these tokens are in different documents.
    """
    count = len(places.table(key).tokens)
    first, last = (
        token_location(places, key, Place(0, 1)),
        token_location(places, key, Place(count - 1, count)),
    )
    if first.document != last.document or last.end <= first.start:
        raise ChangeNotPossible
    return Location(first.document, first.start, last.end)
