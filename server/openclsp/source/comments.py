"""Finds and removes the comments of a text without lexing it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

COMMENT: Final = rb"//[^\r\n]*(?![^\r\n])|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)"
"""A comment, closed or not."""
_COMMENT: Final = re.compile(COMMENT)
_NOT_CODE: Final = re.compile(COMMENT + rb"|\"(?:[^\"\\\n]|\\[\s\S])*\"?|'(?:[^'\\\n]|\\[\s\S]){0,16}'")
_SPLICE: Final = rb"\\[ \t\f\v]*(?:\r\n|\n|\r)"
_SPLICES: Final = rb"(?:" + _SPLICE + rb")*"
_COMMENT_OR_LITERAL = re.compile(
    # a backslash-newline may divide the marks of a comment (C99 5.1.1.2)
    rb"(?P<comment>/" + _SPLICES + rb"(?:/(?:" + _SPLICE + rb"|[^\r\n])*"
    rb"|\*[^*]*(?:\*(?!" + _SPLICES + rb"/)[^*]*)*(?:\*" + _SPLICES + rb"/|\Z)))"
    rb"""
    |"(?:[^"\\\r\n]|\\(?:\r\n|[\s\S]))*"?
    |'(?:[^'\\\r\n]|\\(?:\r\n|[\s\S]))*'?
    """,
    re.VERBOSE,
)


def comments(data: bytes) -> Iterator[tuple[int, int]]:
    """Yields the range of each comment (C99 6.4.9); the range of a line comment excludes the line end.

    A comment mark after an unclosed quote in the same line is ignored, as in the preprocessor. The content of
    a raw string is searched, because a kernel in it has ordinary comments.
    """
    for found in _COMMENT_OR_LITERAL.finditer(data):
        if found["comment"] is not None:
            yield found.span()


def without_comments(text: bytes) -> bytes:
    """Replaces each comment by a space. A comment mark within a literal also begins a comment."""
    return _COMMENT.sub(b" ", text)


def without_comments_and_literals(text: bytes) -> bytes:
    """Replaces each comment, string and character constant by a space."""
    return _NOT_CODE.sub(b" ", text)
