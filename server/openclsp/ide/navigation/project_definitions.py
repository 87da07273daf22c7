"""Finds where a name is declared or defined, also in files of the project outside of its program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from openclsp.ide.feature_results import Location
from openclsp.ide.navigation.definitions import Destination, Destinations, find_destinations
from openclsp.ide.navigation.symbols import NameSpace, Occurrence, Role
from openclsp.ide.navigation.undeclared_names import find_destinations_elsewhere
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.workspace.name_index import ProjectNames

_MAXIMUM_DEFINITIONS: Final = 64
"""The maximum number of definitions of a function in other programs."""


def find_project_destinations(
    unit: TranslationUnit, document: str, offset: int, wanted: Destination, names: Callable[[], ProjectNames]
) -> Destinations | None:
    """Finds destinations like `find_destinations`, also in the project's other files; None if there are none.

    The other files are searched for names that the program does not declare, and for functions and variables
    that the program declares without defining them.
    """
    found = find_destinations(unit, document, offset, wanted)
    if wanted is Destination.TYPE_DEFINITION:
        return found
    if found is None:
        return find_destinations_elsewhere(unit, document, offset, names)
    symbol = found.symbol
    if wanted is Destination.DECLARATION or symbol is None or any(_is_defined(each) for each in found.places):
        return found
    if symbol.space is not NameSpace.ORDINARY or symbol.is_local:
        return found
    declared = find_destinations(unit, document, offset, Destination.DECLARATION)
    documents = {each.location.document for each in declared.places} if declared is not None else set()
    word = symbol.name.encode()
    places: list[Occurrence] = []
    for path, file in names().files_including(documents, unit.preprocessed.documents()):
        for each in file.declared if word in file.uses else ():
            if each.name == symbol.name and each.is_definition:
                location = Location(path, each.start, each.start + len(word))
                places.append(Occurrence(location, Role.DEFINITION, location))
    if not places:
        return found
    return Destinations(found.origin, tuple(places[:_MAXIMUM_DEFINITIONS]), symbol)


def _is_defined(occurrence: Occurrence) -> bool:
    return occurrence.role is not Role.DECLARATION
