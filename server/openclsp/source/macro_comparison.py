"""Comparison of macro definitions, and the places where names occur."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.source.macros import Macro

_NAME_GOES_ON: Final = rb"(?![A-Za-z0-9_$\x80-\xff])"
_IN_NAME: Final = re.compile(rb"[A-Za-z0-9_$\x80-\xff]")
_SINGLY: Final = 8
"""Up to this many names are searched for one by one.

That is faster than one pattern of alternatives.
"""


def is_same_definition(a: Macro, b: Macro) -> bool:
    """Whether two macros have the same definition at the same place."""
    return (a.document, a.start, a.end) == (b.document, b.start, b.end) and is_equal_definition(a, b)


def is_equal_definition(a: Macro, b: Macro) -> bool:
    """Whether two macros have the same form, tokens and certainty, wherever they are defined."""
    if (a.default, a.unsettled, a.guessed) != (b.default, b.unsettled, b.guessed):
        return False
    return (a.parameters, a.variadic, a.special, a.body) == (b.parameters, b.variadic, b.special, b.body)


def find_identifiers(data: bytes, names: set[bytes], start: int, end: int) -> Iterator[int]:
    """Yields the offsets at which one of the names occurs as a whole identifier."""
    ordered = sorted(names)
    each = [[name] for name in ordered] if len(ordered) <= _SINGLY else [ordered]
    for alternatives in each:
        pattern = b"|".join(re.escape(name) for name in alternatives)
        if len(alternatives) > 1:
            pattern = b"(?:" + pattern + b")"
        for match in re.finditer(pattern + _NAME_GOES_ON, data[start:end]):
            at = match.start() + start
            if not at or _IN_NAME.match(data, at - 1) is None:
                yield at
