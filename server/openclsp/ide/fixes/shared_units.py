"""Interface to the other parts of a project in which a fix must hold.

These parts are the units that contain an edited document, and the files that use a changed declaration.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from openclsp.dataclass import dataclass
from openclsp.ide.fixes.changed_declarations import ChangedDeclarations
from openclsp.ide.fixes.fix_budget import FixBudget
from openclsp.semantics.translation_unit import TranslationUnit


@dataclass(frozen=True, slots=True)
class SharedUnits:
    """The other units in which a fix must hold.

    - `unchecked` describes the units that could not be analysed; it is empty if there are none.
    - `are_checked_later` is whether the caller checks several fixes together in these units, so that a single
      fix need not be checked in them.
    """

    units: tuple[TranslationUnit, ...] = ()
    unchecked: str = ""
    are_checked_later: bool = False


class UnitSource(Protocol):
    """Finds the other units and files of a project that a fix may affect."""

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixBudget | None) -> SharedUnits:
        """Returns the units other than `unit` that contain one of these documents.

        `work.other_programs` is the budget for analysing them; without `work`, a default budget applies.
        """
        ...

    def describe_other_use(
        self, units: Collection[TranslationUnit], changed: ChangedDeclarations, work: FixBudget | None
    ) -> str:
        """Describes code that uses a changed declaration and is in none of the units; empty if there is none.

        This is a file that declares a changed function without defining it, that uses a changed name without
        declaring it, or host code that includes an edited document.
        """
        ...


class FixedUnitSource:
    """A source that only knows the units it was created with; no other files are considered."""

    def __init__(self, *units: TranslationUnit) -> None:
        self._units = units

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixBudget | None) -> SharedUnits:
        """Returns those of the source's units, except `unit`, that contain one of these documents."""
        return SharedUnits(
            tuple(each for each in self._units if each is not unit and contains_any_document(each, documents))
        )

    def describe_other_use(
        self, units: Collection[TranslationUnit], changed: ChangedDeclarations, work: FixBudget | None
    ) -> str:
        """Returns an empty string, because other files are unknown."""
        return ""


def contains_any_document(unit: TranslationUnit, documents: Collection[str]) -> bool:
    """Whether a unit contains one of the documents."""
    return any(each.document.name in documents for each in unit.preprocessed.with_included())


NO_OTHER_UNITS: UnitSource = FixedUnitSource()
