"""The query inputs that record which code depends on a missing header."""

from __future__ import annotations

from collections.abc import Iterable

from openclsp.semantics.database.query_database import QueryDatabase
from openclsp.semantics.database.unit_inputs import UNCERTAIN_RANGES, UNCERTAIN_TOKENS
from openclsp.semantics.items.header_dependent_code import NO_DOUBTS, find_doubts, has_doubts
from openclsp.semantics.items.unit_part import UnitPart
from openclsp.source.preprocessed import Preprocessed


class DoubtInputs:
    """Updates the inputs that record which items and token ranges of a unit depend on a missing header."""

    def __init__(self, database: QueryDatabase) -> None:
        self._database = database
        self._doubts = NO_DOUBTS
        self._headers: list[Preprocessed] = []
        self._doubtful_headers = False

    def copy(self, database: QueryDatabase) -> DoubtInputs:
        """Returns a copy of this object for a copy of the database."""
        made = DoubtInputs(database)
        made._doubts, made._headers, made._doubtful_headers = (
            self._doubts,
            self._headers,
            self._doubtful_headers,
        )
        return made

    def update(self, preprocessed: Preprocessed, parts: Iterable[UnitPart]) -> None:
        """Updates the inputs to the next state of the root document and of the unit's parts."""
        headers = [inclusion.preprocessed for inclusion in preprocessed.includes]
        if headers != self._headers:
            self._headers = headers
            self._doubtful_headers = any(map(has_doubts, headers))
        doubtful = self._doubtful_headers or any(guess.doubtful for guess in preprocessed.guesses)
        now = find_doubts(parts) if doubtful else NO_DOUBTS
        if now is self._doubts:
            return
        for key in self._doubts.token_ranges.keys() - now.token_ranges.keys():
            self._database.set(UNCERTAIN_TOKENS, key, ())
        for key, ranges in now.token_ranges.items():
            self._database.set(UNCERTAIN_TOKENS, key, ranges)
        self._database.set(UNCERTAIN_RANGES, "", now.orders)
        self._doubts = now
