"""What else of the project a fix must hold in: the units with the edited documents, and files that declare a function again."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from openclsp.dataclass import dataclass
from openclsp.ide.fix_work import FixWork
from openclsp.semantics.translation_unit import TranslationUnit


@dataclass(frozen=True, slots=True)
class Shared:
    """Units in which a fix must hold. `missed` says in words which could not be analysed; empty where these are all."""

    units: tuple[TranslationUnit, ...] = ()
    missed: str = ""


class Sharing(Protocol):
    """The other units and files of a project, as far as they are known."""

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixWork | None) -> Shared:
        """The other units that have one of these documents."""
        ...

    def declaring(self, units: Collection[TranslationUnit], functions: Collection[str]) -> str:
        """Which file beside those of the units declares one of these functions and does not define it, in words; empty where
        none does."""
        ...


class Among:
    """Some units, of which those count that have an edited document; other files are not looked at."""

    def __init__(self, *units: TranslationUnit) -> None:
        self._units = units

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixWork | None) -> Shared:
        """Those of the units that have one of these documents."""
        return Shared(tuple(each for each in self._units if each is not unit and has_any(each, documents)))

    def declaring(self, units: Collection[TranslationUnit], functions: Collection[str]) -> str:
        """Nothing is known of other files."""
        return ""


def has_any(unit: TranslationUnit, documents: Collection[str]) -> bool:
    """Whether a unit has one of the documents."""
    return any(each.document.name in documents for each in unit.preprocessed.units())


ALONE: Sharing = Among()


class Both:
    """Two kinds of sharing together."""

    def __init__(self, first: Sharing, second: Sharing) -> None:
        self._first, self._second = first, second

    def units(self, unit: TranslationUnit, documents: Collection[str], work: FixWork | None) -> Shared:
        """The units of both; what either missed."""
        one, other = (each.units(unit, documents, work) for each in (self._first, self._second))
        return Shared((*one.units, *other.units), one.missed or other.missed)

    def declaring(self, units: Collection[TranslationUnit], functions: Collection[str]) -> str:
        """What either knows."""
        return self._first.declaring(units, functions) or self._second.declaring(units, functions)
