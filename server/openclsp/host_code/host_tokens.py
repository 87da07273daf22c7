"""Host code with its comments and literals blanked, so that brackets and names can be searched in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.host_language import HostLanguage
from openclsp.source.comments import COMMENT

_C_TOKEN: Final = re.compile(
    COMMENT + rb'|"(?:[^"\\\r\n]|\\[\s\S])*"?' + rb"|'(?<!\w')(?:[^'\\\r\n]|\\[\s\S]){1,16}'"
)
"""A comment, or a literal without its prefix; one that does not end in its line ends there.

Each alternative begins with a literal byte, for which `re` has a fast search."""
_RAW_STRING: Final = re.compile(rb"\bu?8?[uUL]?R\"(?P<delimiter>[^()\\\s]{0,16})\(")
_LONGEST_PREFIX: Final = 4
_PYTHON_TOKEN: Final = re.compile(
    rb"\#[^\r\n]*"
    rb'|(?:"""(?:[^"\\]|\\[\s\S]|"(?!""))*(?:"""|\Z)|"(?:[^"\\\r\n]|\\[\s\S])*(?:"|(?=[\r\n])|\Z))'
    rb"|(?:'''(?:[^'\\]|\\[\s\S]|'(?!''))*(?:'''|\Z)|'(?:[^'\\\r\n]|\\[\s\S])*(?:'|(?=[\r\n])|\Z))"
)
"""A comment or a string of Python, without its prefix; a string that does not end in its line ends there."""
_NAME: Final = re.compile(rb"(?P<quote>[\"'])(?P<name>[A-Za-z_]\w*)(?P=quote)\Z", re.ASCII)
LONGEST_NAME: Final = 256
"""The maximum length of a kernel's name in bytes"""


@dataclass(frozen=True, slots=True)
class BlankedCode:
    """Host code in which comments and literals are blanked; it has the same length as the file.

    - `code`: the text, with a blank for each byte of a comment and a `"` for each byte of a literal.
    - `names`: the ranges, including the quotes, of the literals whose content is an identifier.
    """

    code: bytes
    names: tuple[tuple[int, int], ...]


def blank_literals(data: bytes, language: HostLanguage) -> BlankedCode:
    """Blanks the comments and literals of host code of C, C++ or Python."""
    pieces: list[bytes] = []
    names: list[tuple[int, int]] = []
    at = 0
    for start, end in _tokens(data, language):
        written = data[start:end]
        is_comment = written[:1] == b"#" or written[:2] in (b"//", b"/*")
        pieces += (data[at:start], (b" " if is_comment else b'"') * (end - start))
        at = end
        if not is_comment and end - start <= LONGEST_NAME and _NAME.match(written) is not None:
            names.append((start, end))
    return BlankedCode(b"".join((*pieces, data[at:])), tuple(names))


def _tokens(data: bytes, language: HostLanguage) -> Iterator[tuple[int, int]]:
    """Yields the ranges of comments and literals.

    Literals are not decoded, because a file may contain 100,000 of them.
    """
    if language is HostLanguage.PYTHON:
        yield from (match.span() for match in _PYTHON_TOKEN.finditer(data))
        return
    at = 0
    unended: set[bytes] = set()
    while (match := _C_TOKEN.search(data, at)) is not None:
        start = match.start()
        raw = _raw_string_at(data, at, start) if data[start - 1 : start + 1] == b'R"' else None
        if raw is None:
            at = match.end()
            yield start, at
            continue
        at = raw.end()
        closing = b")" + raw["delimiter"] + b'"'
        end = -1 if closing in unended else data.find(closing, at)
        if end < 0:
            # Later raw strings with this delimiter do not end either.
            unended.add(closing)
        else:
            at = end + len(closing)
            yield raw.start(), at


def _raw_string_at(data: bytes, first: int, quote: int) -> re.Match[bytes] | None:
    """Returns the match of the beginning of a raw string, from its prefix, whose opening quote is at `quote`.

    The prefix does not begin before `first`.
    """
    for start in range(max(first, quote - _LONGEST_PREFIX), quote):
        found = _RAW_STRING.match(data, start)
        if found is not None and data.find(b'"', start) == quote:
            return found
    return None
