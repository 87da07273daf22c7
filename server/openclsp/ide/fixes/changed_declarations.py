"""The program-scope declarations that a fix changes, and their uses in code that the analysis skips."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import TextEdit
from openclsp.ide.fixes.edit_plan import EditPlan
from openclsp.ide.location_map import LocationMap
from openclsp.language.keywords import ACCESS_QUALIFIERS
from openclsp.rules.finding import (
    AddQualifier,
    DeclarationChange,
    FixChange,
    RemoveQualifier,
    RemoveSpace,
    ReplaceTokens,
    SetSpace,
)
from openclsp.semantics.database.declared_functions import DEFINITION, function_of
from openclsp.semantics.facts.entities import EntityRef, ItemKey
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.workspace.uses_elsewhere import SharedNames, find_used_names

_ACCESS_QUALIFIERS: Final = frozenset(word.encode() for word in ACCESS_QUALIFIERS)
LevelChange = SetSpace | RemoveSpace | AddQualifier | RemoveQualifier


@dataclass(frozen=True, slots=True)
class ChangedDeclarations:
    """The declarations of a fix that code outside of the analysed units may use.

    - `external`: the non-static functions whose signature or overloads change
    - `retyped`: the functions with a parameter or result that gets another address space or type
    - `names`: the names of all program-scope declarations that change
    - `edits`: all edits of the fix
    """

    external: frozenset[str] = frozenset()
    names: SharedNames = SharedNames()
    edits: tuple[TextEdit, ...] = ()
    retyped: frozenset[str] = frozenset()

    @property
    def documents(self) -> frozenset[str]:
        """The edited documents."""
        return frozenset(edit.location.document for edit in self.edits)


def find_changed_declarations(
    places: LocationMap, plan: EditPlan | None, edits: tuple[TextEdit, ...]
) -> ChangedDeclarations:
    """Returns the program-scope declarations that a plan with these edits changes."""
    if plan is None:
        return ChangedDeclarations(edits=edits)
    functions: dict[str, ItemKey] = {}
    others: set[str] = set()
    retyped: set[str] = set()
    for key, change in plan.changes:
        for item, name in _changed_functions(places, key, change):
            functions[name] = item
            if not _keeps_type(places, key, change):
                retyped.add(name)
        others.update(_changed_objects(places, key, change))
    functions.update({copy.function: copy.definition for copy in plan.copies if copy.is_overload})
    external = frozenset(name for name, item in functions.items() if not _is_static(places, item))
    return ChangedDeclarations(
        external, SharedNames(frozenset(functions), frozenset(others)), edits, frozenset(retyped)
    )


def _keeps_type(places: LocationMap, key: ItemKey, change: FixChange) -> bool:
    """Whether a change concerns only qualifiers without effect on what a host passes."""
    if isinstance(change, ReplaceTokens):
        tokens = places.table(key).tokens[change.place.first : change.place.last]
        return not change.text and all(each in _ACCESS_QUALIFIERS for each in tokens)
    return isinstance(change, AddQualifier | RemoveQualifier)


def changed_items(plan: EditPlan) -> frozenset[ItemKey]:
    """Returns the items that a plan edits or copies."""
    found = {key for key, _ in plan.changes} | {copy.definition for copy in plan.copies}
    found.update(change.origin.entity.item for _, change in plan.changes if isinstance(change, LevelChange))
    return frozenset(found)


def _changed_entity(places: LocationMap, change: FixChange) -> EntityRef | None:
    """Returns the entity whose declaration a change edits; for a type from a typedef, the typedef."""
    if isinstance(change, LevelChange):
        found = places.level(change.origin)
        return change.origin.entity if found is None else found[0]
    return change.entity if isinstance(change, DeclarationChange) else None


def _changed_functions(places: LocationMap, key: ItemKey, change: FixChange) -> Iterator[tuple[ItemKey, str]]:
    """Yields the function whose result or parameters a change edits."""
    entity = _changed_entity(places, change)
    symbol = None if entity is None else function_of(places.unit, entity)
    if symbol is not None:
        yield symbol.ref.item, symbol.name
    elif isinstance(change, ReplaceTokens) and key[0] == DEFINITION:
        tokens = places.table(key).tokens
        if b"{" in tokens and change.place.first < tokens.index(b"{"):
            yield key, key[1]


def _changed_objects(places: LocationMap, key: ItemKey, change: FixChange) -> Iterator[str]:
    """Yields the names of the types and variables of program scope whose declaration a change edits."""
    entity = _changed_entity(places, change)
    if entity is not None:
        key = entity.item
    elif not isinstance(change, ReplaceTokens):
        return
    if key[0] == DEFINITION or key not in places.unit.by_key:
        return
    if entity is not None and function_of(places.unit, entity) is not None:
        return
    for name in places.unit.by_key[key].names:
        yield name.rpartition(" ")[2]


def _is_static(places: LocationMap, key: ItemKey) -> bool:
    """Whether the function that an item declares is static, so that no other file can call it."""
    tokens = places.table(key).tokens
    head = tokens[: tokens.index(b"(")] if b"(" in tokens else tokens
    return b"static" in head


def describe_skipped_use(units: Iterable[TranslationUnit], names: SharedNames) -> str:
    """Describes a use in lines that conditional directives exclude from all units; empty if there is none.

    Another build of the program may include these lines.
    """
    if not names:
        return ""
    skipped: dict[str, tuple[Document, set[int]]] = {}
    for each in (document for unit in units for document in unit.preprocessed.with_included()):
        rows = {row for begin, end in each.inactive for row in range(begin, end)}
        name = each.document.name
        skipped[name] = (each.document, rows & skipped[name][1] if name in skipped else rows)
    for document, rows in skipped.values():
        for stretch in _stretches(document, rows):
            used = find_used_names(stretch, names)
            if used:
                return f"`{used[0]}` is also used in an inactive branch in {os.path.basename(document.name)}"
    return ""


def _stretches(document: Document, rows: set[int]) -> Iterator[bytes]:
    """Yields the text of each run of consecutive rows."""
    text = document.text
    for _, run in groupby(enumerate(sorted(rows)), lambda each: each[1] - each[0]):
        numbers = [row for _, row in run]
        yield text.data[text.line_start(numbers[0]) : text.line_start(numbers[-1] + 1)]
