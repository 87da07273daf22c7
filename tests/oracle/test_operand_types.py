"""Compares with clang which operands each operator accepts, for all pairs of many types."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from openclsp.language.dialect import Dialect

from ..language.clang import needs_clang
from .clang import errors_of_texts
from .ours import diagnostics_of_text

TYPES = {
    "b": "bool",
    "c": "char",
    "h": "ushort",
    "i": "int",
    "u": "uint",
    "l": "long",
    "z": "size_t",
    "f": "float",
    "i2": "int2",
    "i4": "int4",
    "u4": "uint4",
    "c4": "char4",
    "l4": "ulong4",
    "f4": "float4",
    "p": "global int *",
    "q": "global float *",
    "s": "struct S",
    "e": "enum E",
}
LITERALS = ("1", "1L", "1.0f")
OPERATORS = ("+", "-", "/", "%", "<<", "&", "==", "<", "&&", "+=", "-=", "*=", "<<=", "|=")
POINTERS_OF_OTHER_TYPES = {("-", "p", "q"), ("-", "q", "p"), ("-=", "p", "q"), ("-=", "q", "p")}
"""Left out: no rule reports the difference of pointers to different types."""


_LINES = 900
"""The expressions in one program: no more than diagnostics are reported of a file."""


def expressions() -> list[str]:
    made = []
    for left, right, sign in product(TYPES, (*TYPES, *LITERALS), OPERATORS):
        if (sign, left, right) not in POINTERS_OF_OTHER_TYPES and not _has_doubtful_rank(left, right):
            made.append(f"{left} {sign} {right if right in LITERALS else right + '_'}")
    made += [f"{sign}{name}" for sign in ("!", "~", "-", "++", "*") for name in TYPES]
    made += [
        f"{each} ? {left} : {right}_"
        for each, left, right in product(("i", "i4"), TYPES, TYPES)
        if not _has_doubtful_rank(left, right)
    ]
    made += [f"{base}[{index}_]" for base in TYPES for index in TYPES]
    return made


def _has_doubtful_rank(left: str, right: str) -> bool:
    """Whether the rank of an enumeration matters: it depends on the values, so nothing is reported."""
    return {left, right} in ({"e", "i2"}, {"e", "i4"})


def program(tried: Sequence[str]) -> str:
    """A function with one expression on each line, from line 3 on."""
    parameters = ", ".join(f"{type_} {name}, {type_} {name}_" for name, type_ in TYPES.items())
    body = "\n".join(f"(void)({each});" for each in tried)
    return f"struct S {{ int n; }}; enum E {{ A }};\nvoid f({parameters}) {{\n{body}\n}}\n"


@needs_clang
@pytest.mark.parametrize("dialect", ["CL1.2"])
def test_the_same_operands_are_accepted(dialect: str) -> None:
    tried = expressions()
    parts = [tried[first : first + _LINES] for first in range(0, len(tried), _LINES)]
    texts = [program(part) for part in parts]
    differing, errors = {}, 0
    for part, text, theirs in zip(parts, texts, errors_of_texts(texts, Dialect.of(dialect)), strict=True):
        lines = {error.line for error in theirs}
        mine = {each.line for each in diagnostics_of_text(text, Dialect.of(dialect)) if each.is_error}
        errors += len(lines)
        differing |= {part[line - 3]: line in lines for line in lines ^ mine}
    assert errors > 1000
    assert differing == {}
