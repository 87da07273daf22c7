"""Counts the checked files by language version and its reason, for the summary."""

from __future__ import annotations

import os.path
from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.source.document import DocumentName
from openclsp.workspace.language_evidence import LanguageEvidence
from openclsp.workspace.units import PlannedUnit


@dataclass(frozen=True, slots=True)
class CheckedDialect:
    """The dialect of a checked file, and the reason for the dialect.

    - `explanation`: the dialect and the reason in words
    - `title`: the dialect alone
    - `path`: the file's path in the output
    - `evidence`: the construct from which the version was inferred; None if it was not inferred
    """

    explanation: str
    title: str
    root: DocumentName
    path: str
    evidence: LanguageEvidence | None

    @staticmethod
    def of(planned: PlannedUnit, path: str) -> CheckedDialect:
        """Returns the dialect of a planned unit."""
        unit = planned.unit_config
        title = unit.configuration.dialect.title
        return CheckedDialect(unit.dialect_explanation, title, unit.root, path, planned.evidence)


_INCLUDED = "part of the files that include them"


@dataclass(slots=True)
class DialectCounts:
    """Counts files by dialect and the reason for it.

    Files whose version was inferred are counted by dialect only.
    """

    _counts: dict[str, int] = field(default_factory=dict)
    _inferred: dict[str, CheckedDialect] = field(default_factory=dict)

    def add(self, checked: CheckedDialect) -> None:
        """Counts a checked file."""
        key = checked.explanation
        if checked.evidence is not None:
            key = checked.title
            self._inferred.setdefault(key, checked)
        self._counts[key] = self._counts.get(key, 0) + 1

    def add_included(self) -> None:
        """Counts a file that was checked as part of the files that include it."""
        self._counts[_INCLUDED] = self._counts.get(_INCLUDED, 0) + 1

    def add_host(self, language: str) -> None:
        """Counts a host file; only its kernel calls were checked."""
        key = f"{language} that passes arguments to kernels"
        self._counts[key] = self._counts.get(key, 0) + 1

    def counts(self) -> tuple[tuple[str, int], ...]:
        """Returns descriptions of how files were checked, each with the number of these files.

        A description names a dialect and its reason, or states that the files were only checked as part of
        other files, or as host code.
        """
        return tuple((self._reason(key, count), count) for key, count in self._counts.items())

    def _reason(self, key: str, count: int) -> str:
        checked = self._inferred.get(key)
        evidence = None if checked is None else checked.evidence
        if checked is None or evidence is None:
            return key
        if sum(self._counts.values()) == 1:
            return checked.explanation
        where = checked.path if evidence.document == checked.root else os.path.basename(evidence.document)
        if count == 1:
            return f"{key}, {evidence.reason(f' of {where}')}"
        return f"{key}, inferred from what they use, such as {evidence.construct} in line {evidence.line} of {where}"
