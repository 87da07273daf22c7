"""Which rows of a preprocessed document an edit touches: those of the logical lines that it reaches into."""

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
"""With what a comment or a splice may begin, so that what follows counts"""


def touched_rows(old: Preprocessed, text: Text, edit: Edit, most: int = 0) -> tuple[int, int, int]:
    """The first row to read again, and the rows after the last one in the old code and in `text`, which is that code
    after `edit`. Where these would be more than `most`, if that is given, some may be missing; they are more than that all
    the same."""
    raw, rows = old.code.text, old.source_map.rows
    after_return = raw.data[max(edit.start - 1, 0) : edit.start] == b"\r"
    first = _begin(old, raw.line_of(edit.start - after_return))
    start = raw.line_start(first)
    if _opens_call(raw.data, start) != _opens_call(text.data, start):
        # A macro's name that ends a line further up finds its call here, or no longer.
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
    """Whether a row goes on with what the row above it began: a comment, a macro's call, a spliced line."""
    rows = old.source_map.rows
    mapped = rows[row] if row < len(rows) else None
    if mapped is not None and (mapped.home or mapped.comment):
        return True
    return is_spliced(old.code.text, row)


def is_spliced(text: Text, row: int) -> bool:
    """Whether a backslash joins a line to the one above it."""
    return row > 0 and text.line(row - 1).rstrip(_BLANKS).endswith(b"\\")


def _begin(old: Preprocessed, row: int) -> int:
    """The row with which the logical line of a row begins."""
    while row > 0 and goes_on(old, row):
        row -= 1
    return row


def _opens_call(data: bytes, at: int) -> bool:
    """Whether a macro's name that ends the line before `at` finds its call here."""
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
