"""Replaces syntax of C23 and GNU that the grammar lacks; offsets do not change."""

from __future__ import annotations

import re
from typing import Final

from openclsp.source.blanked_text import blank

_BIT_INT: Final = re.compile(rb"(\b_BitInt)(\s*\((?:[^()]|\([^()]*\))*\))")
_COMPUTED_GOTO: Final = re.compile(rb"((?:[;{}):]|\belse|\bdo)\s*)\bgoto(\s*)\*")

COMPUTED_GOTO_MARK: Final = b"!&!~"
"""The operators that replace the `goto` of a computed goto; its `*` is blanked."""


def blank_unparsed_extensions(text: bytes) -> bytes:
    """Blanks the `(N)` of `_BitInt(N)`, and replaces the `goto *` of GNU's `goto *label;`.

    The rest is then parsed as the type `_BitInt` and the expression `!~!~ label`, which no program contains, so that
    typing recognises the jump.
    """
    if b"_BitInt" in text:
        text = _BIT_INT.sub(lambda match: match[1] + blank(match[2]), text)
    if b"goto" in text:
        text = _COMPUTED_GOTO.sub(rb"\1" + COMPUTED_GOTO_MARK + rb"\2 ", text)
    return text
