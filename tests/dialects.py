"""Chooses the dialects in which a text is tried."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

EVERY_DIALECT = "OPENCLSP_EVERY_DIALECT"
"""The variable with which each text is tried in all of its dialects: three times the work, for a few more minutes."""
STRIDE = 3

_Dialect = TypeVar("_Dialect")


def tried_dialects(dialects: Sequence[_Dialect], number: int) -> tuple[_Dialect, ...]:
    """Returns the dialects in which the text of this number is tried: every third, beginning with another one for each number.

    Each text is tried in at least one dialect, and each dialect with about a third of the texts.
    """
    if os.environ.get(EVERY_DIALECT):
        return tuple(dialects)
    count = len(dialects)
    return tuple(dialects[(number + each) % count] for each in range(0, count, STRIDE))
