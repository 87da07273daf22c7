"""Replaces Unicode white space by blanks, as clang does. Text that was copied from a web page may contain it.

The text keeps its length and its lines: each character becomes as many blanks as its UTF-8 form has bytes.
"""

from __future__ import annotations

import re
from typing import Final

_BLANK: Final = re.compile(
    rb"\xc2[\x85\xa0]|\xe1(?:\x9a\x80|\xa0\x8e)|\xe2(?:\x80[\x80-\x8a\xa8\xa9\xaf]|\x81\x9f)|\xe3\x80\x80"
)
"""U+0085, U+00A0, U+1680, U+180E, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F and U+3000"""
_TOKEN: Final = re.compile(
    rb"//[^\r\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)|\"(?:[^\"\\\r\n]|\\[^\r\n])*\"?|'(?:[^'\\\r\n]|\\[^\r\n]){0,16}'|(?P<blank>"
    + _BLANK.pattern
    + rb")"
)


def has_unicode_blank(data: bytes) -> bool:
    """Whether a text contains Unicode white space, also in comments and literals."""
    return not data.isascii() and _BLANK.search(data) is not None


def replace_unicode_blanks(data: bytes) -> bytes:
    """Returns the text with the Unicode white space outside comments and literals replaced by blanks."""
    return _TOKEN.sub(lambda match: b" " * len(match[0]) if match["blank"] else match[0], data)
