"""Blanks the code of a C host file that `#if 0` excludes."""

from __future__ import annotations

import re
from typing import Final

_DIRECTIVE: Final = re.compile(rb"^[ \t]*\#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b([^\n]*)", re.MULTILINE)
_EXCLUDES: Final = re.compile(rb"\#[ \t]*if[ \t]+0\b")
_ZERO: Final = re.compile(rb"\s*0\s*(?://|/\*|\Z)")
_CODE: Final = re.compile(rb"[^\s]")


def blank_inactive_code(data: bytes) -> bytes:
    """Replaces what is between `#if 0` and its `#else`, `#elif` or `#endif` by spaces, except for line breaks.

    All offsets in bytes stay the same.
    """
    if _EXCLUDES.search(data) is None:
        return data
    parts: list[bytes] = []
    kept = start = depth = 0
    for match in _DIRECTIVE.finditer(data):
        word = match[1]
        if not depth:
            if word == b"if" and _ZERO.match(match[2]) is not None:
                depth, start = 1, match.end()
        elif word.startswith(b"if"):
            depth += 1
        elif depth == 1 or word == b"endif":
            depth -= 1
            if not depth:
                parts += [data[kept:start], _CODE.sub(b" ", data[start : match.start()])]
                kept = match.start()
    parts.append(data[kept:])
    return b"".join(parts)
