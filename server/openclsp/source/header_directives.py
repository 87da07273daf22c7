"""The directives of a text that determine which headers it includes and how they are preprocessed."""

from __future__ import annotations

import re
from typing import Final

_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*\#[ \t]*(?:(include|include_next|import)|define|undef|pragma)\b[^\r\n]*", re.MULTILINE
)


def header_directives(data: bytes) -> tuple[bytes, ...]:
    """Returns the directives of a text up to its last include, as written, except conditional directives.

    Macro definitions are among them, because they may change what a header declares.
    """
    found: list[bytes] = []
    length = 0
    for match in _DIRECTIVE.finditer(data):
        found.append(match[0].strip())
        if match[1] is not None:
            length = len(found)
    return tuple(found[:length])


def include_lines(data: bytes) -> frozenset[bytes]:
    """Returns the include directives of a text, as written."""
    return frozenset(match[0].strip() for match in _DIRECTIVE.finditer(data) if match[1] is not None)
