"""Finds lines that may contain directives, block comments, splices or raw strings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.source.raw_strings import MARK as RAW_STRING_MARK
from openclsp.source.stringified import begins_stringified
from openclsp.source.templates import MARKS as TEMPLATE_MARKS
from openclsp.source.text import Text, difference

# Every alternative begins with a literal, so that the search can skip to the next candidate.
_MARK: Final = re.compile(rb"\#|%:|/\*|\\[ \t\f\v]*[\r\n]|R\"")

_NEAR_DIRECTIVE: Final = re.compile(rb"\#|%:|/\*|\*/|\\|\?\?")
"""Begins a directive or a splice, or begins or ends a comment"""

_BLANK: Final = re.compile(rb"[ \t\f\v\0]*")

DIRECTIVE: Final = 1
BLOCK_COMMENT: Final = 2
SPLICE: Final = 3
RAW_STRING: Final = 4
_KINDS: Final = {0x23: DIRECTIVE, 0x25: DIRECTIVE, 0x2F: BLOCK_COMMENT, 0x5C: SPLICE, 0x52: RAW_STRING}


def special_lines(text: Text, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yields (line, kind) for each possible directive, block comment, splice and raw string.

    The kind is `DIRECTIVE`, `BLOCK_COMMENT`, `SPLICE` or `RAW_STRING`; a line may be yielded several times.
    Only the lines from `first` to `last` (exclusive) are searched. Context is ignored: the characters may be
    in a string or a comment.
    """
    data, lines = text.data, text.lines
    judged = -1
    code = 0
    for match in _MARK.finditer(data, text.line_start(first), text.line_start(last)):
        at = match.start()
        line = lines.find(at)
        kind = _KINDS[data[at]]
        if kind == DIRECTIVE:
            if line != judged:
                judged = line
                blank = _BLANK.match(data, lines.start(line))
                code = blank.end() if blank else at
            if code != at:
                continue
        yield line, kind


def changes_directives(old: Text, new: Text) -> bool:
    """Whether an edit from `old` to `new` may change which directives are processed, or their content.

    Only the edited lines and those next to them are examined, so False is certain, but True is not.
    """
    edit = difference(old.data, new.data)
    if edit is None:
        return False
    start, old_end, new_end = edit
    for text, end in ((old, old_end), (new, new_end)):
        data = text.data
        # text that is no plain code, or that numbers its own expansions
        if RAW_STRING_MARK in data or b"__COUNTER__" in data or begins_stringified(data):
            return True
        first, last = text.line_of(start) - 1, text.line_of(end) + 2
        if _NEAR_DIRECTIVE.search(data, text.line_start(max(first, 0)), text.line_start(last)):
            return True
    if TEMPLATE_MARKS.search(old.data) or TEMPLATE_MARKS.search(new.data):
        return True
    return b"__LINE__" in new.data and old.line_count != new.line_count
