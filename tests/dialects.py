"""The dialects in which texts are tried."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TypeVar

from openclsp.language.dialect import REFERENCE_DIALECTS

DIALECTS = tuple(dialect.name for dialect in REFERENCE_DIALECTS)
EVERY_DIALECT = "OPENCLSP_EVERY_DIALECT"
"""If this environment variable is set, each text is tried in all of its dialects."""
STRIDE = 3

_Text = TypeVar("_Text")


def tried_dialects(dialects: Sequence[str], number: int) -> tuple[str, ...]:
    """Returns the dialects in which the text of this number is tried: every third, beginning with another one for each number.

    Each text is tried in at least one dialect, and each dialect with about a third of the texts.
    """
    if os.environ.get(EVERY_DIALECT):
        return tuple(dialects)
    count = len(dialects)
    return tuple(dialects[(number + each) % count] for each in range(0, count, STRIDE))


def texts_for(dialect: str, texts: Iterable[_Text], dialects: Sequence[str] = DIALECTS) -> list[_Text]:
    """Returns those of the texts that are tried in one of the dialects."""
    return [text for number, text in enumerate(texts) if dialect in tried_dialects(dialects, number)]
