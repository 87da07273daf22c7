"""Equivalence classes of number literals that differ only in their values.

Typing gives the same result for all literals of a class, unless something depends on the value (see
`number_uses`).
"""

from __future__ import annotations

import re
from typing import Final

from openclsp.semantics.typing.address_masks import HIGH, PAGE
from openclsp.semantics.typing.literals import integer

_INTEGER: Final = re.compile(
    rb"[+-]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)(?:[uU](?:[lL]|ll|LL)?|(?:[lL]|ll|LL)[uU]?)?"
)
_FLOATING: Final = re.compile(
    rb"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?([fFhHlL]?)"
)


def number_class(text: bytes) -> bytes | None:
    """Returns a key that is equal for literals that differ only in value; None for an invalid literal.

    The key contains the sign, if it is part of the token. For an integer, it also contains the type, whether
    the value is zero (it may be a null pointer constant, C99 6.3.2.3p3), and the effect of the value as an
    address mask. For a floating literal, it also contains the suffix.
    """
    sign = text[:1] if text[:1] in (b"+", b"-") else b""
    if _INTEGER.fullmatch(text) is not None:
        found = integer(text.decode())
        if found is None:
            return None
        type_, value = found
        size = abs(value)
        reach = 0 if not size else 1 if size < PAGE else 2 if size < HIGH else 3
        return b"%s%s %d" % (sign, type_.name.encode(), reach)
    match = _FLOATING.fullmatch(text)
    return None if match is None else sign + b"floating " + match[1].lower()
