"""The query inputs that record which code depends on a missing header."""

from __future__ import annotations

from collections.abc import Iterable

from openclsp.semantics.database.query_database import QueryDatabase
from openclsp.semantics.database.unit_inputs import UNCERTAIN_RANGES, UNCERTAIN_TOKENS
from openclsp.semantics.items.header_dependent_code import (
    NO_UNCERTAIN_RANGES,
    find_uncertain_ranges,
    has_uncertain_ranges,
)
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.source.preprocessed import Preprocessed


class UncertainRangeInputs:
    """Updates the inputs that record which items and token ranges of a unit depend on a missing header."""

    def __init__(self, database: QueryDatabase) -> None:
        self._database = database
        self._uncertain_ranges = NO_UNCERTAIN_RANGES
        self._headers: list[Preprocessed] = []
        self._headers_are_uncertain = False

    def copy(self, database: QueryDatabase) -> UncertainRangeInputs:
        """Returns a copy of this object for a copy of the database."""
        made = UncertainRangeInputs(database)
        made._uncertain_ranges, made._headers, made._headers_are_uncertain = (
            self._uncertain_ranges,
            self._headers,
            self._headers_are_uncertain,
        )
        return made

    def update(self, preprocessed: Preprocessed, parts: Iterable[UnitPart]) -> None:
        """Updates the inputs to the next state of the root document and of the unit's parts."""
        headers = [inclusion.preprocessed for inclusion in preprocessed.includes]
        if headers != self._headers:
            self._headers = headers
            self._headers_are_uncertain = any(map(has_uncertain_ranges, headers))
        uncertain = self._headers_are_uncertain or any(guess.uncertain for guess in preprocessed.guesses)
        now = find_uncertain_ranges(parts) if uncertain else NO_UNCERTAIN_RANGES
        if now is self._uncertain_ranges:
            return
        for key in self._uncertain_ranges.token_ranges.keys() - now.token_ranges.keys():
            self._database.set(UNCERTAIN_TOKENS, key, ())
        for key, ranges in now.token_ranges.items():
            self._database.set(UNCERTAIN_TOKENS, key, ranges)
        self._database.set(UNCERTAIN_RANGES, "", now.orders)
        self._uncertain_ranges = now
