"""Compares macro definitions by value. A definition with an equal value is not reported as a redefinition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from openclsp.source.lexer import Token
from openclsp.source.macros import Macro

_NUMBER: Final = re.compile(
    rb"(?P<float>0[xX](?=\.?[\da-fA-F])[\da-fA-F]*(?:\.[\da-fA-F]*)?[pP][+-]?\d+|(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(?P<real>[fFhH]?)"
    rb"|(?P<integer>0[xX][\da-fA-F]+|\d+)(?P<suffix>[uUlL]*)"
)
_MAXIMUM_DIGITS: Final = 100
"""Longer integers have no type; Python refuses to convert those of thousands of digits"""
_NULL: Final = ((b"0",), (b"(", b"void", b"*", b")", b"0"))
"""The null pointer constants, without parentheses around them"""


def same_value(first: Macro, second: Macro) -> bool:
    """Whether two object-like macros have the same value.

    That is so if they differ only in redundant parentheses, are equal numbers of one type, or define NULL as
    a null pointer.
    """
    if first.parameters is not None or second.parameters is not None or first.special or second.special:
        return False
    one, other = _bare(first.body), _bare(second.body)
    if one == other:
        return bool(one)
    if first.name == b"NULL" and one in _NULL and other in _NULL:
        return True
    return len(one) == len(other) == 1 and _number(one[0]) == _number(other[0]) != ()


def _bare(body: Sequence[Token]) -> tuple[bytes, ...]:
    """Returns the spellings of a replacement list, without parentheses around a single token or a call."""
    tokens = tuple(token[1] for token in body)
    while len(tokens) > 2 and tokens[0] == b"(" and _closing(tokens, 0) == len(tokens) - 1:
        inner = tokens[1:-1]
        enclosed = inner[0] == b"(" and _closing(inner, 0) == len(inner) - 1
        call = len(inner) > 2 and inner[1] == b"(" and _closing(inner, 1) == len(inner) - 1
        if len(inner) > 1 and not enclosed and not call and inner not in _NULL:
            break
        tokens = inner
    return tokens


def _closing(tokens: Sequence[bytes], at: int) -> int:
    """Returns the index of the parenthesis that closes the one at `at`; -1 if there is none."""
    depth = 0
    for index in range(at, len(tokens)):
        depth += (tokens[index] == b"(") - (tokens[index] == b")")
        if depth == 0:
            return index
    return -1


def _number(token: bytes) -> tuple[object, ...]:
    """Returns the type and value of a number; empty for other tokens and for numbers that are too long."""
    match = _NUMBER.fullmatch(token)
    if match is None:
        return ()
    if match["float"] is not None:
        text = match["float"].decode()
        try:
            value = float.fromhex(text) if text[:2].lower() == "0x" else float(text)
        except OverflowError:
            return ()
        return match["real"].lower(), value
    text = match["integer"].decode()
    base = 16 if text[:2].lower() == "0x" else 8 if text[0] == "0" else 10
    if base == 8 and not set(text) <= set("01234567"):
        return ()
    if len(text) > _MAXIMUM_DIGITS:
        return ()
    return b"integer", bytes(sorted(match["suffix"].lower())), base == 10, int(text, base)
