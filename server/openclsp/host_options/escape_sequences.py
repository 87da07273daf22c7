"""Escape sequences in the string literals of host languages."""

from __future__ import annotations

import re
from typing import Final

_ESCAPE: Final = re.compile(r"\\(\r?\n[ \t]*|x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|[\s\S])")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "", "b": "", "f": "\f", "v": "\v"}


def replace_escape_sequences(text: str) -> str:
    """Replaces the escape sequences in the content of a literal."""
    if "\\" not in text:
        return text

    def one(match: re.Match[str]) -> str:
        escape = match[1]
        if escape[0] in "\r\n":
            return ""
        if escape[0] == "x" and len(escape) > 1:
            return chr(int(escape[1:], 16))
        if escape[0] in "01234567" and len(escape) > 1:
            return chr(int(escape, 8))
        return _ESCAPES.get(escape, escape)

    return _ESCAPE.sub(one, text)
