"""The analysed units of a run, each reused for the next file of the same dialect.

Files that are checked one after another usually include the same headers. `TranslationUnit.change_root`
analyses only what differs.
"""

from __future__ import annotations

from typing import Final

from openclsp.language.dialect import Dialect
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.options import Loader
from openclsp.workspace.units import UnitConfig

MAXIMUM_UNITS: Final = 3
"""The maximum number of units kept; a unit with headers of 80,000 lines takes 150 MB."""

_Dialects = tuple[Dialect, tuple[Dialect, ...]]


class ReusableUnits:
    """The most recently used units of a run, at most one for each dialect.

    A unit that is in use belongs to its user; if its analysis fails, it is not given back.
    """

    def __init__(self) -> None:
        self._units: dict[_Dialects, TranslationUnit] = {}

    def take(
        self, target: UnitConfig, root: Document, loader: Loader, include_cache: IncludeCache
    ) -> TranslationUnit:
        """Creates the unit of a root document, or turns a kept one into it. `target` must have no subject."""
        unit = self._units.pop(_dialects_of(target), None)
        if unit is None:
            return TranslationUnit(target, root, loader, include_cache)
        unit.change_root(target, root, loader)
        return unit

    def give_back(self, target: UnitConfig, unit: TranslationUnit) -> None:
        """Keeps the unit of this target, so that the next target can reuse it."""
        units = self._units
        units[_dialects_of(target)] = unit
        while len(units) > MAXIMUM_UNITS:
            units.pop(next(iter(units))).close()


def _dialects_of(target: UnitConfig) -> _Dialects:
    # Macros and include folders act through the preprocessed text only.
    return target.configuration.dialect, target.other_dialects
