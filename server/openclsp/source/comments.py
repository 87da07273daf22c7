"""The comments of a text, found without cutting it into tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMENT_OR_LITERAL = re.compile(
    rb"""(?P<comment>//(?:\\[ \t\f\v]*(?:\r\n|\n|\r)|[^\r\n])*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z))
    |"(?:[^"\\\r\n]|\\(?:\r\n|[\s\S]))*"?
    |'(?:[^'\\\r\n]|\\(?:\r\n|[\s\S]))*'?
    """,
    re.VERBOSE,
)


def comments(data: bytes) -> Iterator[tuple[int, int]]:
    """Each comment (C99 6.4.9) from its `//` or `/*` to its end, a line comment without the end of its line.

    A quote without its partner hides the rest of its line, as it does from the preprocessor. Raw strings are no literals
    here: a kernel that is the text of one has comments like any other.
    """
    for found in _COMMENT_OR_LITERAL.finditer(data):
        if found["comment"] is not None:
            yield found.span()
