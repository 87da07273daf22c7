"""Extracts file-scope declarations and macro names from OpenCL C text without preprocessing.

The result is approximate in both directions. It is used only to choose the program through which a file is
analysed.
"""

from __future__ import annotations

import re
from typing import Final

_PATTERNS: Final = (
    re.compile(rb"^[ \t]*\#[ \t]*define[ \t]+([A-Za-z_]\w*)", re.MULTILINE),
    re.compile(rb"\btypedef\b[^;{}]{0,400}?(?:\{[^{}]{0,4000}\}[^;{}]{0,200}?)?\b(\w+)[ \t]*(?:\[[^\];]{0,60}\][ \t]*)*;"),
    re.compile(rb"\btypedef\b[^;{}]{0,200}?\([ \t]*[\^*][ \t]*(\w+)[ \t]*\)"),
    re.compile(rb"\b(?:struct|union|enum)\s+(\w+)\s*\{"),
    # Nearly all code begins a function header or a variable in the first column.
    re.compile(rb"^[A-Za-z_][\w \t*]{0,200}?[ \t*](\w+)[ \t]*\((?![ \t]*[\^*])[^;{}]{0,2000}?\)\s{0,80}[;{]", re.MULTILINE),
    re.compile(rb"^(?:static[ \t]+)?(?:const[ \t]+)?(?:__)?(?:constant|global)\b[^;={}()]{0,200}?\b(\w+)[ \t]*(?:\[[^\];]{0,60}\][ \t]*)*[;=]",
               re.MULTILINE),
)  # fmt: skip
_ENUMERATION: Final = re.compile(rb"\benum\b[^{};]{0,80}\{([^{}]{0,8000})\}")
_ENUMERATOR: Final = re.compile(rb"(?:\A|,)\s*([A-Za-z_]\w*)")
_KEYWORDS: Final = frozenset(
    (b"if", b"for", b"while", b"switch", b"return", b"do", b"else", b"defined", b"sizeof")
)


def extract_declared_names(data: bytes) -> frozenset[bytes]:
    """Returns the names of macros, types, tags, functions, variables and enumerators."""
    found = {match[1] for pattern in _PATTERNS for match in pattern.finditer(data)}
    for match in _ENUMERATION.finditer(data):
        found.update(each[1] for each in _ENUMERATOR.finditer(match[1]))
    return frozenset(found - _KEYWORDS)
