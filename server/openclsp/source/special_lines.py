"""Finds lines that may hold directives, block comments, splices or raw strings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.source.text import Text

# Every alternative begins with a literal, so that the search can skip to the next candidate.
_MARK: Final = re.compile(rb"\#|%:|/\*|\\[ \t\f\v]*[\r\n]|R\"")

_BLANK: Final = re.compile(rb"[ \t\f\v\0]*")

DIRECTIVE: Final = 1
BLOCK_COMMENT: Final = 2
SPLICE: Final = 3
RAW_STRING: Final = 4
_KINDS: Final = {0x23: DIRECTIVE, 0x25: DIRECTIVE, 0x2F: BLOCK_COMMENT, 0x5C: SPLICE, 0x52: RAW_STRING}


def special_lines(text: Text, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Yields the lines that may begin such a construct, with its kind.

    Among the lines from `first` to `last` (exclusive). Judged without context: a string or comment may
    contain the same characters.
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
