"""A hover note on a kernel's pointer to local memory: the bytes that host code passes for it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from openclsp.ide.feature_results import Hover
from openclsp.ide.kernels.local_arguments import LocalArgument, format_sizes, sizes_of_kernel
from openclsp.ide.location_map import LocationMap, nodes_around
from openclsp.language.spaces import Space
from openclsp.semantics.database.signatures import HEAD
from openclsp.semantics.facts.declarations import FunctionDeclaration
from openclsp.semantics.facts.entities import Entity, EntityKind, ItemKey
from openclsp.semantics.translation_unit import TranslationUnit

_DEFINITION = "function_definition"


def with_local_size(
    unit: TranslationUnit, document: str, offset: int, hover: Hover, arguments: Collection[LocalArgument]
) -> Hover:
    """Adds the note on local memory to the hover at a byte of a document.

    `arguments` are those that host code passes to the document's kernels.
    """
    if not arguments or Space.LOCAL.word not in hover.spaces:
        return hover
    places = LocationMap(unit)
    found = places.item_at(document, offset)
    if found is None or found[0].key[0] != _DEFINITION:
        return hover
    key, token = found[0].key, found[1]
    parameter = _parameter_at(places, key, token)
    if parameter is None:
        return hover
    declared = next(
        (each for each in unit.database.get(HEAD, key).facts if isinstance(each, FunctionDeclaration)), None
    )
    is_kernel = declared is not None and declared.kernel
    numbers = tuple(each.ref for each in declared.parameters) if declared is not None and is_kernel else ()
    if parameter.ref not in numbers:
        return hover
    index = numbers.index(parameter.ref)
    size = next((each for each in sizes_of_kernel(key[1], arguments) if each.index == index), None)
    return (
        hover if size is None else replace(hover, notes=(*hover.notes, f"the host sets {format_sizes(size)}"))
    )


def _parameter_at(places: LocationMap, key: ItemKey, token: int) -> Entity | None:
    """Returns the parameter that a token declares or names."""
    context = places.context(key)
    word = context.table.token(token)
    for node in reversed(nodes_around(context.table, token)):
        value = (context.trace or {}).get(node)
        if value is not None and value.origin is not None:
            named = places.entity(value.origin.entity)
            is_parameter = named is not None and named.kind is EntityKind.PARAMETER and named.name == word
            return named if is_parameter else None
    return next(
        (
            each
            for each in context.entities.values()
            if each.kind is EntityKind.PARAMETER
            and each.name == word
            and each.place.first <= token < each.place.last
        ),
        None,
    )
