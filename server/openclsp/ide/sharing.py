"""Interface to the other parts of a project in which a fix must hold.

These are the units that share an edited document, and the files that declare a changed function.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from openclsp.dataclass import dataclass
from openclsp.ide.fix_work import FixWork
from openclsp.semantics.translation_unit import TranslationUnit


@dataclass(frozen=True, slots=True)
class Shared:
    """Units in which a fix must hold.

    `missed` describes those that could not be analysed; empty if there are none.
    """

    units: tuple[TranslationUnit, ...] = ()
    missed: str = ""


class Sharing(Protocol):
    """The known other units and files of a project."""

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixWork | None) -> Shared:
        """Returns the other units that contain one of these documents."""
        ...

    def declaring(self, units: Collection[TranslationUnit], functions: Collection[str]) -> str:
        """Describes a file outside of the units that declares one of these functions without defining it.

        Empty if there is none.
        """
        ...


class Among:
    """A fixed set of units; other files are not considered."""

    def __init__(self, *units: TranslationUnit) -> None:
        self._units = units

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixWork | None) -> Shared:
        """Returns the units of the set that contain one of these documents."""
        return Shared(tuple(each for each in self._units if each is not unit and has_any(each, documents)))

    def declaring(self, units: Collection[TranslationUnit], functions: Collection[str]) -> str:
        """Returns an empty string: other files are unknown."""
        return ""


def has_any(unit: TranslationUnit, documents: Collection[str]) -> bool:
    """Whether a unit contains one of the documents."""
    return any(each.document.name in documents for each in unit.preprocessed.units())


ALONE: Sharing = Among()


class Both:
    """The union of two sources of shared units."""

    def __init__(self, first: Sharing, second: Sharing) -> None:
        self._first, self._second = first, second

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixWork | None) -> Shared:
        """Returns the units of both, with the first description of missed ones."""
        one, other = (each.units(unit, documents, work) for each in (self._first, self._second))
        return Shared((*one.units, *other.units), one.missed or other.missed)

    def declaring(self, units: Collection[TranslationUnit], functions: Collection[str]) -> str:
        """Returns the first description that is not empty."""
        return self._first.declaring(units, functions) or self._second.declaring(units, functions)
