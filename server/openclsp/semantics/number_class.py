"""What number literals have in common that differ in their value alone: then a function that holds the one is typed as if
it held the other, unless something asks for the value (see `number_uses`)."""

from __future__ import annotations

import re
from typing import Final

from openclsp.semantics.literals import integer
from openclsp.semantics.masks import HIGH, PAGE

_INTEGER: Final = re.compile(
    rb"[+-]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)(?:[uU](?:[lL]|ll|LL)?|(?:[lL]|ll|LL)[uU]?)?"
)
_FLOATING: Final = re.compile(
    rb"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?([fFhHlL]?)"
)


def number_class(text: bytes) -> bytes | None:
    """What is equal for two literals that are alike in all but their value; None for what is none that a compiler takes.

    These are whether a sign is part of it, as in the parser's tokens, and of an integer its type, whether it is zero (so that
    it may be a null pointer constant, C99 6.3.2.3p3) and what it leaves of an address as a mask; of a floating literal its
    suffix.
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
