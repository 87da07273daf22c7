"""Patterns that find any of several macro names in a text."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=64)
def pattern_of_names(names: frozenset[bytes]) -> re.Pattern[bytes]:
    """Compiles a pattern for the names and any word that ends in one.

    It has no leading `\\b`: each alternative then begins with a literal, which makes the search fast. The
    caller checks the byte before a match.
    """
    return re.compile(rb"(?:" + b"|".join(re.escape(name) for name in sorted(names)) + rb")\b")
