"""Obsolescent declarations: old-style function definitions, and `typedef` after another specifier."""

from __future__ import annotations

import re
from typing import Final

from openclsp.source.blanked_text import TYPE_WORDS, skip_white_space
from openclsp.source.comments import COMMENT
from openclsp.source.grammar_words import GRAMMAR_WORDS

_LATE_TYPEDEF: Final = re.compile(rb"((?:\s|" + COMMENT + rb")*)([a-z_][\w\s]*?)\s(typedef)\b")
_OLD_BEGIN: Final = (
    rb"(?:\s|"
    + COMMENT
    + rb")*(?:[A-Za-z_]\w*\s+)*"
    + TYPE_WORDS
    + rb"[\s*]+[A-Za-z_]\w*\s*\(\s*[A-Za-z_]\w*"
    rb"(?:\s*,\s*[A-Za-z_]\w*)*\s*\)"
)
_OLD_DECLARATION: Final = rb"\s*[A-Za-z_]\w*[\s*]+[A-Za-z_][\w\s*,\[\]]*"
_OLD_HEAD: Final = re.compile(_OLD_BEGIN + _OLD_DECLARATION + rb"(?:;" + _OLD_DECLARATION + rb")*")


def is_old_head(text: bytes) -> bool:
    """Whether a text is the head of an old-style (K&R) function: `int f(a) int a` (C99 6.9.1p6).

    The head ends with the last specifier or declarator of a parameter declaration.
    """
    return b")" in text and _OLD_HEAD.fullmatch(text) is not None


def move_late_typedef(text: bytes) -> bytes:
    """Moves a `typedef` before the other specifiers (C99 6.11.5), where the grammar expects it."""
    found = _LATE_TYPEDEF.match(text, skip_white_space(text, 0))
    if found is not None and all(word in GRAMMAR_WORDS for word in found[2].split()):
        text = text[: found.start(2)] + found[3] + b" " + found[2] + text[found.end(3) :]
    return text
