"""Extracts kernels from files that consist of C++ raw strings, which a host includes as literals.

All text but the content of the literals (delimiters, an initialised declaration, text between literals) is
replaced by blanks of the same length, so that offsets, lines and columns of the content do not change.
"""

from __future__ import annotations

import re
from typing import Final

_BETWEEN: Final = re.compile(rb"(?:[\s\0]+|//[^\r\n]*|/\*[\s\S]*?(?:\*/|\Z)|\#[ \t]*pragma[ \t]+once\b)*")
_OPENING: Final = re.compile(rb'(?:u8|[uUL])?R"([^()\\\s]{0,16})\(')
_DECLARATION: Final = re.compile(
    rb"[A-Za-z_][\w\s:*&<>]{0,200}(?:\[\s*\]\s*)?(?:=\s*(?:[A-Za-z_][\w:]{0,60}\s*\(\s*|\{\s*)?|[({]\s*)"
    rb"(?:\"\"\s*)?(?=(?:u8|[uUL])?R\")"
)
"""`static const char *source =`, `const std::string text(`, `Program p{`, `const QString s = QStringLiteral(`"""
_END: Final = re.compile(rb"[;,)}]")
_ANY_BUT_LINE_ENDS: Final = re.compile(rb"[^\r\n]")
MARK: Final = b'R"'
"""Filter: a file of this kind contains it"""


def content_of_raw_strings(data: bytes) -> bytes | None:
    """Returns the text with everything but raw string contents and comments blanked.

    Returns None if the text has no raw string, or has code other than raw strings, `;`, `,`, `)`, `}` and
    beginnings of declarations (`const char *source =`). An unclosed raw string extends to the end of the text.
    """
    pieces: list[bytes] = []
    at = 0
    found = False
    while at < len(data):
        between = _BETWEEN.match(data, at)
        if between is not None and between.end() > at:
            pieces.append(between[0])
            at = between.end()
            continue
        opening = _OPENING.match(data, at)
        if opening is None:
            around = _DECLARATION.match(data, at) or (_END.match(data, at) if found else None)
            if around is None:
                return None
            pieces.append(blanked(around[0]))
            at = around.end()
            continue
        close = b")" + opening[1] + b'"'
        end = data.find(close, opening.end())
        content = data[opening.end() : end if end >= 0 else len(data)]
        closing = close if end >= 0 else b""
        pieces += (blanked(opening[0]), content, blanked(closing))
        at = opening.end() + len(content) + len(closing)
        found = True
    return b"".join(pieces) if found else None


def blanked(text: bytes) -> bytes:
    """Replaces all bytes except line ends by blanks."""
    return _ANY_BUT_LINE_ENDS.sub(b" ", text)
