"""Codes of diagnostics that report unanalysed text.

A unit with such a diagnostic must not be called free of errors.
"""

from __future__ import annotations

from typing import Final

INCOMPLETE_ANALYSIS_CODES: Final = frozenset(("analysis-limit", "expansion-too-large", "include-too-deep"))
"""The codes of diagnostics about text that was not analysed."""
