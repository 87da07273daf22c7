"""Which findings say that a part of the text was not analysed: where one of them is, nobody may say that all is well."""

from __future__ import annotations

from typing import Final

INCOMPLETE: Final = frozenset(("analysis-limit", "expansion-too-large", "include-too-deep"))
"""The codes"""
