"""Counts the checked files by language version and its reason, for the summary."""

from __future__ import annotations

import os.path
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.workspace.units import PlannedUnit

_INCLUDED = "part of the files that include them"


@dataclass(slots=True)
class DialectCounts:
    """Counts files by dialect and reason; if the version was inferred from the files, by dialect only."""

    _counts: dict[str, int] = field(default_factory=dict)
    _inferred: dict[str, tuple[PlannedUnit, str]] = field(default_factory=dict)

    def add(self, planned: PlannedUnit, path: str) -> None:
        """Counts a file, whose path in the output is `path`."""
        key = planned.unit_config.dialect_explanation
        if planned.evidence is not None:
            key = planned.unit_config.configuration.dialect.title
            self._inferred.setdefault(key, (planned, path))
        self._counts[key] = self._counts.get(key, 0) + 1

    def add_included(self) -> None:
        """Counts a file that was checked as part of those that include it."""
        self._counts[_INCLUDED] = self._counts.get(_INCLUDED, 0) + 1

    def counts(self) -> tuple[tuple[str, int], ...]:
        """Each dialect with its reason, and the number of files checked under it."""
        return tuple((self._reason(key, count), count) for key, count in self._counts.items())

    def _reason(self, key: str, count: int) -> str:
        planned, path = self._inferred.get(key, (None, ""))
        evidence = None if planned is None else planned.evidence
        if planned is None or evidence is None:
            return key
        if sum(self._counts.values()) == 1:
            return planned.unit_config.dialect_explanation
        where = path if evidence.document == planned.unit_config.root else os.path.basename(evidence.document)
        if count == 1:
            return f"{key}, {evidence.reason(f' of {where}')}"
        return f"{key}, inferred from what they use, such as {evidence.construct} in line {evidence.line} of {where}"
