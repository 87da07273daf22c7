"""Computes the rows of the logical lines that an edit changes."""

from __future__ import annotations

import re
from typing import Final

from openclsp.source.lexer import lex_line
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.row_map import BLANK
from openclsp.source.text import Edit, Text

_BLANKS = b" \t\f\v"
_NO_BLANK: Final = re.compile(rb"[^ \t\f\v\r\n]")
_MAY_BE_NOTHING: Final = (b"/", b"\\", b"?", b"\0")
"""First bytes of tokens that may expand to nothing.

They may begin a comment, a splice, a trigraph or a NUL, so that the first token is further on.
"""


def touched_rows(old: Preprocessed, text: Text, edit: Edit, most: int = 0) -> tuple[int, int, int]:
    """Returns the rows to expand again after an edit.

    The result is the first row, the end of the rows in the old code, and the end of the rows in `text`, which
    is the old code after `edit`. Unless `most` is 0, the search ends as soon as it has found more than `most`
    rows.
    """
    raw, rows = old.code.text, old.source_map.rows
    # a \n inserted after a \r joins it, which changes the line above
    after_return = raw.data[max(edit.start - 1, 0) : edit.start] == b"\r"
    first = _begin(old, raw.line_of(edit.start - after_return))
    start = raw.line_start(first)
    if _opens_call(raw.data, start) != _opens_call(text.data, start):
        # A function-like macro's name at the end of a line above gains or loses the `(` of its call here.
        while first > 0:
            first = _begin(old, first - 1)
            if (first < len(rows) and rows[first] is BLANK) or lex_line(raw.data, raw.line_start(first))[0]:
                break
    last = raw.line_of(edit.old_end) + 1
    more = text.line_count - raw.line_count
    while last < raw.line_count and goes_on(old, last):
        last += 1
        if most and last + more - first > most:
            break
    return first, last, last + more


def goes_on(old: Preprocessed, row: int) -> bool:
    """Whether a row continues a comment, a macro call or a spliced line from the row above."""
    rows = old.source_map.rows
    mapped = rows[row] if row < len(rows) else None
    if mapped is not None and (mapped.home or mapped.comment):
        return True
    return is_spliced(old.code.text, row)


def is_spliced(text: Text, row: int) -> bool:
    """Whether a backslash joins a line to the line above."""
    return row > 0 and text.line(row - 1).rstrip(_BLANKS).endswith(b"\\")


def _begin(old: Preprocessed, row: int) -> int:
    """Returns the first of the rows that a comment, a macro call or backslashes join with `row`."""
    while row > 0 and goes_on(old, row):
        row -= 1
    return row


def _opens_call(data: bytes, at: int) -> bool:
    """Whether the next token from `at` on is a `(`, so that a macro's name before it is a call."""
    begin = _NO_BLANK.search(data, at)
    if begin is None:
        return False
    if begin.group() not in _MAY_BE_NOTHING:
        return begin.group() == b"("
    while at < len(data):
        tokens, at = lex_line(data, at)
        if tokens:
            return tokens[0][1] == b"("
    return False
