"""Types and values of literals (OpenCL C 6.3.1, 6.7.8; C99 6.4.4)."""

from __future__ import annotations

import re
from functools import lru_cache

from openclsp.language.spaces import Space
from openclsp.semantics.facts.constructs import SyntaxFault
from openclsp.semantics.facts.entities import EntityKind, Place
from openclsp.semantics.facts.faults import InvalidLiteral
from openclsp.semantics.facts.values import Constancy, Value
from openclsp.semantics.types.known_types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    UINT,
    ULONG,
)
from openclsp.semantics.types.type_model import Scalar, array_of
from openclsp.semantics.typing.dispatch import expression, unknown_value
from openclsp.semantics.typing.fault_facts import emit_fault
from openclsp.semantics.typing.typing_context import TypingContext
from openclsp.semantics.typing.unknown_names import unknown_around
from openclsp.source.parser import kind

_INTEGER = re.compile(r"([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlL]*)")
_SUFFIX = re.compile(r"[uU]?(?:ll|LL|[lL])?|(?:ll|LL|[lL])[uU]")
_FLOATING = re.compile(
    r"[+-]?(?:(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+"
    r"|0[xX](?:[0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?|\.[0-9a-fA-F]+)[pP][+-]?\d+|\d+[uUlL]*(?=[ijIJ]))"
    r"(?:[fFhHlL]?[ijIJ]?|[ijIJ][fFhHlL]|[fF]16|[qQwW]|bf16|BF16)"
)
"""A floating literal, also with a suffix of clang's or GNU's, or an imaginary literal of GNU's."""
_BIT_PRECISE = re.compile(r"(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)(?:[uU]?(?:wb|WB)|(?:wb|WB)[uU])")
"""A literal of a type `_BitInt(N)` (C23 6.4.4.1), which clang accepts."""
_OCTAL = re.compile(r"0[oO][0-7]+[uUlL]*")
"""An octal literal of C2Y, which clang accepts."""
_ESCAPED = re.compile(
    r"\\(?:x(?P<hexadecimal>[0-9a-fA-F]{1,2})|(?P<octal>[0-7]{1,3})|(?P<letter>.))", re.DOTALL
)
_LETTERS = dict(zip("abfnrtv", (7, 8, 12, 10, 13, 9, 11), strict=True))
_IDENTIFIER = kind("identifier")
_CONTENT, _ESCAPE = kind("string_content"), kind("escape_sequence")


@lru_cache(maxsize=4096)
def integer(text: str) -> tuple[Scalar, int] | None:
    """Returns the type and value of an integer literal; None for a floating or an invalid one."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    sign, digits, suffix = match.groups()
    try:
        octal = len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()
        value = int(digits, 8 if octal else 0)
    except ValueError:
        return None
    if suffix and _SUFFIX.fullmatch(suffix) is None:
        return None
    suffix = suffix.lower()
    decimal = digits[0] != "0"
    unsigned = "u" in suffix
    if "l" not in suffix and value < 1 << 31 and not unsigned:
        type_ = INT
    elif "l" not in suffix and value < 1 << 32 and (unsigned or not decimal):
        type_ = UINT
    else:
        type_ = ULONG if unsigned or value >= 1 << 63 else LONG
    return type_, -value if sign == "-" else value


def is_number(text: str) -> bool:
    """Whether a preprocessing number is a literal that clang accepts."""
    valid = (_FLOATING, _BIT_PRECISE, _OCTAL)
    return integer(text) is not None or any(each.fullmatch(text) is not None for each in valid)


@expression("number_literal")
def _type_number(ctx: TypingContext, node: int) -> Value:
    text = ctx.table.text(node)
    found = integer(text)
    if found is not None:
        type_, value = found
        if text[-1] in "eE" and _absorbs_sign(ctx, node):
            # `0xe+1` is one preprocessing number (C99 6.4.8)
            _emit_invalid(ctx, node, f"{text}{ctx.table.token(ctx.table.last[node])}")
        null = value == 0
        return Value(type_, ctx.place(node), null=null, constancy=Constancy.CONSTANT, number=value)
    if _BIT_PRECISE.fullmatch(text) is not None:
        return unknown_value(ctx, node)
    if _FLOATING.fullmatch(text) is None:
        _emit_invalid(ctx, node, text)
        if "." not in text:
            return Value(INT, ctx.place(node), constancy=Constancy.CONSTANT)
    last = text[-1:].lower()
    floating = DOUBLE if last == "l" else _unsuffixed_float_type(ctx)
    if last == "f" and not text.lower().startswith("0x"):
        floating = FLOAT
    elif last == "h":
        half = Value(HALF, ctx.place(node), constancy=Constancy.CONSTANT)
        ctx.half_values[node] = half
        return half
    elif last == "f" and "p" in text.lower():
        floating = FLOAT
    return Value(floating, ctx.place(node), constancy=Constancy.CONSTANT)


def _emit_invalid(ctx: TypingContext, node: int, text: str) -> None:
    """Emits a fact for an invalid literal.

    Emits nothing for an argument of an unknown name, which may be a macro that joins it to a name: `NAME(3d)`.
    """
    if unknown_around(ctx, ctx.table.first[node]) < 0:
        emit_fault(ctx, InvalidLiteral(text, ctx.place(node)))


def _absorbs_sign(ctx: TypingContext, node: int) -> bool:
    """Whether a sign follows a number without a space."""
    table = ctx.table
    last = table.last[node]
    return table.token(last) in ("+", "-", "++", "--") and table.ends[last - 1] == table.starts[last]


def _unsuffixed_float_type(ctx: TypingContext) -> Scalar:
    """Returns the type of `1.0`: double if available (OpenCL C before 1.2 requires a pragma), else float.

    An option of the build can make it a float.
    """
    if ctx.dialect.single_precision or not ctx.dialect.double:
        return FLOAT
    needs_pragma = ctx.dialect.version < 120
    return DOUBLE if not needs_pragma or ctx.names.is_switched_on("cl_khr_fp64") else FLOAT


@expression("char_literal")
def _type_character(ctx: TypingContext, node: int) -> Value:
    table = ctx.table
    number = character(table.token(table.first[node] + 1))
    return Value(INT, ctx.place(node), null=number == 0, constancy=Constancy.CONSTANT, number=number)


def character(content: str) -> int | None:
    """Returns the value of a character constant without quotes (C99 6.4.4.4); None for several characters."""
    if len(content) == 1:
        return ord(content)
    match = _ESCAPED.fullmatch(content)
    if match is None:
        return None
    if match["letter"]:
        return _LETTERS.get(match["letter"], ord(match["letter"]))
    value = int(match["hexadecimal"], 16) if match["hexadecimal"] else int(match["octal"], 8) & 0xFF
    return value - 256 if value > 127 else value


@expression("true", "false")
def _type_boolean(ctx: TypingContext, node: int) -> Value:
    return Value(
        BOOL, ctx.place(node), constancy=Constancy.CONSTANT, number=int(ctx.table.text(node) == "true")
    )


@expression("string_literal", "concatenated_string")
def _type_string(ctx: TypingContext, node: int) -> Value:
    table = ctx.table
    length = 1
    # one wide literal makes the concatenation wide (C99 6.4.5p4); clang's `wchar_t` is `int`
    wide = any(token.startswith(b'L"') for token in table.tokens[table.first[node] : table.last[node]])
    for inner in range(node + 1, table.skip[node]):
        if table.kind[inner] == _IDENTIFIER:
            _check_string_part(ctx, inner)
        elif table.kind[inner] == _CONTENT:
            length += sum(
                len(table.tokens[token_index]) for token_index in range(table.first[inner], table.last[inner])
            )
        elif table.kind[inner] == _ESCAPE:
            length += 1
    type_ = array_of((INT if wide else CHAR).with_space(Space.CONSTANT), length)
    return Value(type_, ctx.place(node), lvalue=True, string=True, constancy=Constancy.CONSTANT)


def _check_string_part(ctx: TypingContext, node: int) -> None:
    """Emits a fact for a variable between string literals: `printf("%d" n)`.

    Any other name may be a macro of the host that expands to a string literal.
    """
    symbol = ctx.find(ctx.table.text(node))
    if symbol is not None and symbol.kind in (EntityKind.VARIABLE, EntityKind.PARAMETER):
        before = ctx.table.first[node] - 1
        emit_fault(ctx, SyntaxFault(Place(before, before + 1), ctx.table.token(before), ","))
