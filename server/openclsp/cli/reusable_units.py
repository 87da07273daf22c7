"""Caches the analysed units of a run, so that the next file of the same dialect reuses one.

Files that are checked one after another usually include the same headers. `TranslationUnit.change_root`
analyses only what differs.
"""

from __future__ import annotations

from typing import Final

from openclsp.language.dialect import Dialect
from openclsp.semantics.items.parsed_groups import ParsedGroups
from openclsp.semantics.translation_unit import TranslationUnit
from openclsp.source.document import Document
from openclsp.source.include_cache import IncludeCache
from openclsp.source.options import Loader
from openclsp.workspace.units import UnitConfig

MAXIMUM_UNITS: Final = 3
"""The maximum number of cached units; a unit with headers of 80,000 lines takes 150 MB."""
MAXIMUM_PARSED: Final = 2 << 20
"""The limit for the text whose syntax tables are kept for the next files, in bytes; each takes about 20 bytes of memory."""

_Dialects = tuple[Dialect, tuple[Dialect, ...]]


class ReusableUnits:
    """A cache of the most recently used units of a run, at most one for each dialect.

    A unit that is in use is not in the cache. A unit whose analysis fails is not given back.
    """

    def __init__(self) -> None:
        self._units: dict[_Dialects, TranslationUnit] = {}
        self._parsed = ParsedGroups(MAXIMUM_PARSED)

    def take(
        self, target: UnitConfig, root: Document, loader: Loader, include_cache: IncludeCache
    ) -> TranslationUnit:
        """Returns a unit for a root document: a cached unit with the root replaced, or a new one.

        The unit of an included fragment is always new.
        """
        unit = None if target.subject else self._units.pop(_dialects_of(target), None)
        if unit is None:
            return TranslationUnit(target, root, loader, include_cache, tracks_numbers=False)
        unit.change_root(target, root, loader, self._parsed)
        return unit

    def give_back(self, unit: TranslationUnit) -> None:
        """Caches a unit for the next target of the same dialect. The caller must not use it any more.

        The unit of an included fragment is closed instead.
        """
        units, target = self._units, unit.target
        if not isinstance(target, UnitConfig) or target.subject:
            unit.close()
            return
        known = units.pop(_dialects_of(target), None)
        if known is not None:
            known.close()
        units[_dialects_of(target)] = unit
        while len(units) > MAXIMUM_UNITS:
            units.pop(next(iter(units))).close()


def _dialects_of(target: UnitConfig) -> _Dialects:
    # Macros and include folders affect only the preprocessing, which `change_root` repeats.
    return target.configuration.dialect, target.other_dialects
