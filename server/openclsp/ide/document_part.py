"""Finds the part of a unit that comes from a document."""

from __future__ import annotations

from openclsp.semantics.items.unit_part import UnitPart
from openclsp.semantics.translation_unit import TranslationUnit


def find_part(unit: TranslationUnit, document: str) -> UnitPart | None:
    """Returns the part of a unit that comes from the document of this name.

    If the document is included several times, it is the part of the first inclusion. None if the unit does not
    include the document, or only within an item.
    """
    return next((each for each in unit.parts() if each.preprocessed.document.name == document), None)
