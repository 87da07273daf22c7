"""Translates the plan of a fix into text edits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from openclsp.dataclass import dataclass
from openclsp.ide.answers import Location, TextEdit
from openclsp.ide.changes import NotPossible, document_data, edits_of, insertion, replacement, span
from openclsp.ide.copied_text import copied_text
from openclsp.ide.declarations import declaration_edits
from openclsp.ide.draft import Copy, Draft
from openclsp.ide.functions import along, at_declaration, calls_in
from openclsp.ide.places import Places
from openclsp.rules.finding import AddQualifier, Change, DeclarationChange, RemoveSpace, SetSpace
from openclsp.semantics.compatibility import agree
from openclsp.semantics.context import Symbol
from openclsp.semantics.declared_functions import declarations
from openclsp.semantics.entities import ItemKey, Place
from openclsp.semantics.types import Function

OVERLOADABLE = "__attribute__((overloadable)) "


@dataclass(frozen=True, slots=True)
class Written:
    """The edits of a draft, sorted by place.

    `copies` contains the edits that insert copies, with their indices.
    """

    edits: tuple[TextEdit, ...]
    copies: tuple[tuple[TextEdit, int], ...] = ()


def written(places: Places, draft: Draft) -> Written | None:
    """Computes the edits of a draft; None if a change cannot be written."""
    try:
        functions = dict.fromkeys(copy.definition for copy in draft.copies if copy.overload)
        edits = [edit for key in functions for edit in _attributes(places, key)]
        edits += [
            edit
            for key, change in draft.changes
            for each in along(places.unit, change)
            for edit in _edits(places, key, each)
        ]
        copies = [
            (edit, number) for number, copy in enumerate(draft.copies) for edit in _copied(places, copy)
        ]
        ordered = _in_order([*edits, *(edit for edit, _ in copies)])
    except NotPossible:
        return None
    return Written(ordered, tuple(copies)) if ordered else None


def _edits(places: Places, key: ItemKey, change: Change) -> Iterator[TextEdit]:
    if isinstance(change, DeclarationChange):
        return declaration_edits(places, change)
    return edits_of(places, key, change)


def _in_order(edits: Iterable[TextEdit]) -> tuple[TextEdit, ...]:
    """Sorts the edits and removes duplicates. Raises NotPossible if two edits overlap."""
    ordered = sorted(
        dict.fromkeys(edits),
        key=lambda edit: (edit.location.document, edit.location.start, edit.location.end),
    )
    for before, after in pairwise(ordered):
        same = before.location.document == after.location.document
        if same and after.location.start < before.location.end:
            raise NotPossible
    return tuple(ordered)


def _declared(places: Places, key: ItemKey) -> tuple[Symbol, tuple[Symbol, ...]]:
    """The function that an item defines, with all its declarations. Raises NotPossible.

    Each declaration must be the only one of its item.
    """
    found = declarations(places.unit, key[1])
    defined = next((each for each in found if each.ref.item == key), None)
    if defined is None:
        raise NotPossible
    same = tuple(each for each in found if agree(each.type, defined.type))
    if any(len(places.unit.by_key[each.ref.item].names) != 1 for each in same):
        raise NotPossible
    return defined, same


def _attributes(places: Places, key: ItemKey) -> Iterator[TextEdit]:
    """Yields the edits that make all declarations of a function overloadable.

    Declarations that already have the attribute are skipped.
    """
    for symbol in _declared(places, key)[1]:
        if not symbol.overloadable:
            yield insertion(places, symbol.ref.item, 0, OVERLOADABLE)


def _copied(places: Places, copy: Copy) -> Iterator[TextEdit]:
    """Yields the edits that copy the function's definition and its prototypes. Raises NotPossible."""
    defined, declared = _declared(places, copy.definition)
    for symbol in declared:
        key = symbol.ref.item
        attribute = copy.overload and not symbol.overloadable
        edits = [insertion(places, key, 0, OVERLOADABLE)] if attribute else []
        edits += _changes(places, copy, defined, symbol)
        if not copy.overload:
            edits += [replacement(places, key, place, copy.name) for place in _own_name(places, symbol)]
        if symbol is defined:
            edits += [replacement(places, key, place, name) for place, name in copy.calls]
        source = _whole(places, key)
        data = document_data(places, source.document)
        edit = copied_text(data, source, _in_order(edits), apart=symbol is defined)
        if edit is None:
            raise NotPossible
        yield edit


def _changes(places: Places, copy: Copy, defined: Symbol, symbol: Symbol) -> Iterator[TextEdit]:
    """Yields the edits for the copy's changes to one declaration.

    For a prototype, only changes to the parameters and the result apply. Raises NotPossible.
    """
    assert isinstance(defined.type, Function)
    last = defined.ref.number + len(defined.type.parameters)
    for change in copy.changes:
        if not isinstance(change, SetSpace | RemoveSpace | AddQualifier):
            raise NotPossible
        if symbol is defined:
            yield from edits_of(places, symbol.ref.item, change)
        elif defined.ref.number <= change.origin.entity.number <= last:
            yield from edits_of(places, symbol.ref.item, at_declaration(change, defined, symbol))


def _own_name(places: Places, symbol: Symbol) -> Iterator[Place]:
    """Yields the places of a function's name in its own declaration and in recursive calls."""
    entity = places.entity(symbol.ref)
    if entity is None:
        raise NotPossible
    yield entity.place
    for site in calls_in(places, symbol.ref.item, symbol.name):
        if site.call.recursive:
            yield site.call.place


def _whole(places: Places, key: ItemKey) -> Location:
    """The location from an item's first token to its last.

    Raises NotPossible if they are not in one document.
    """
    count = len(places.table(key).leaves)
    first, last = span(places, key, Place(0, 1)), span(places, key, Place(count - 1, count))
    if first.document != last.document or last.end <= first.start:
        raise NotPossible
    return Location(first.document, first.start, last.end)
