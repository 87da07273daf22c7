"""Notes on constants: the value of a literal or a constant expression, in decimal and hexadecimal."""

from __future__ import annotations

import re
import struct
from typing import Final

from openclsp.semantics.facts.values import Value
from openclsp.semantics.types.type_model import Enum, Scalar
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.source.parser import FIELDS, kind

_FLOATING: Final = re.compile(
    r"(?P<decimal>(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?)[fFhHlL]?"
    r"|(?P<hexadecimal>0[xX](?:[0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?|\.[0-9a-fA-F]+)[pP][+-]?\d+)[fFhHlL]?"
)
_ENUMERATORS, _ENUMERATOR, _VALUE = kind("enumerator_list"), kind("enumerator"), FIELDS["value"]
_LEAST_HEXADECIMAL: Final = 10
"""The least number that is written differently in hexadecimal"""
_PACKED: Final = {2: ("<e", "<H"), 4: ("<f", "<I"), 8: ("<d", "<Q")}


def describe_constant(value: Value) -> str:
    """Describes the value of an integer constant expression; empty for any other value."""
    number, type_ = value.number, value.type.unqualified
    if number is None or not isinstance(type_, Scalar | Enum):
        return ""
    if isinstance(type_, Scalar) and type_.floating:
        return ""
    size = type_.size if isinstance(type_, Scalar) else 4
    if 0 <= number < _LEAST_HEXADECIMAL:
        return f"value `{number}`"
    return f"value `{number}`, `{number & ((1 << (8 * size)) - 1):#x}`"


def enumerator_number(ctx: TypingContext, token_index: int) -> int | None:
    """Returns the value of the enumerator that is declared at this token; None if the value is not known."""
    table, trace = ctx.table, ctx.trace or {}
    following: int | None = 0
    for node, number in enumerate(table.kind):
        if number == _ENUMERATORS:
            following = 0
        elif number == _ENUMERATOR:
            written = table.child(node, _VALUE)
            if written >= 0:
                following = trace[written].number if written in trace else None
            if table.first[node] == token_index:
                return following
            following = following + 1 if following is not None else None
    return None


def describe_floating_literal(text: str, type_: Scalar) -> str:
    """Describes the value of a floating literal of this type, with its bits; empty for any other text."""
    match = _FLOATING.fullmatch(text)
    if match is None or type_.size not in _PACKED:
        return ""
    floating, integer = _PACKED[type_.size]
    try:
        exact = float(match["decimal"]) if match["decimal"] else float.fromhex(match["hexadecimal"])
        packed = struct.pack(floating, exact)
    except OverflowError:
        # greater than the greatest number of the type
        packed = struct.pack(floating, float("inf"))
    (stored,), (bits,) = struct.unpack(floating, packed), struct.unpack(integer, packed)
    return f"value `{stored!r}`, bits `{bits:#0{2 * type_.size + 2}x}`"
