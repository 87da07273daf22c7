"""Extracts the names that a text uses but does not declare, without preprocessing."""

from __future__ import annotations

import re
import string
import sys
from typing import Final

from openclsp.project.project_scan import FileDataCache
from openclsp.workspace.declared_names import extract_declared_names

_NO_CODE: Final = re.compile(
    rb"//[^\r\n]*|/\*[\s\S]*?(?:\*/|\Z)|'(?:[^'\\\r\n]|\\.)'|\"(?:[^\"\\\r\n]|\\.)*\"?"
)
_NAME: Final = re.compile(rb"(?<![\w.])(?<!->)[A-Za-z_]\w*")
_LETTERS: Final = (string.ascii_letters + string.digits + "_").encode()
_NO_TYPES: Final = frozenset((b"return", b"else", b"do", b"case", b"goto", b"sizeof"))
_MAXIMUM_DISTANCE: Final = 200
"""Bytes before a name in which its type is searched."""


def extract_used_names(data: bytes) -> frozenset[str]:
    """Returns the names of variables, types and functions that a text may take from another file.

    These are the names that the text neither declares at program scope nor mentions first after a type, as the names
    of parameters and of variables in functions. The result also contains keywords and built-in names.
    """
    code = _NO_CODE.sub(b" ", data)
    seen = set(extract_declared_names(data))
    found: list[str] = []
    for match in _NAME.finditer(code):
        name = match[0]
        if name not in seen:
            seen.add(name)
            if not _follows_type(code, match.start()):
                # The sets of many files share their words.
                found.append(sys.intern(name.decode()))
    return frozenset(found)


def make_used_names_cache() -> FileDataCache[frozenset[str]]:
    """Returns a cache of the result of `extract_used_names` for each file."""
    return FileDataCache(lambda file, data: extract_used_names(data))


def _follows_type(code: bytes, start: int) -> bool:
    before = code[max(0, start - _MAXIMUM_DISTANCE) : start]
    text = before.rstrip()
    word = text[len(text.rstrip(_LETTERS)) :]
    return len(text) < len(before) and bool(word) and word not in _NO_TYPES
