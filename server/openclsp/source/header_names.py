"""Header names: the operands of #include and `__has_include` (C99 6.4.7, 6.10.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.source.lexer import STRING, Token, token_start
from openclsp.source.macros import spell

EXPECTED_NAME: Final = 'expected "FILENAME" or <FILENAME>'


def header_name(tokens: Sequence[Token], data: bytes | None = None) -> tuple[str, bool] | None:
    """Returns the header's name in an include operand, and whether it is in angle brackets.

    Returns None if the operand has another form. With `data`, a name in angle brackets is read from the raw
    text.
    """
    if not tokens:
        return None
    kind, text, _, _ = tokens[0]
    if kind == STRING and text[:1] == b'"':
        return text[1:-1].decode("utf-8", "surrogateescape"), False
    if text[:1] != b"<":
        return None
    if data is not None:
        start = token_start(tokens[0]) + 1
        close = data.find(b">", start)
        line = data[start : close if close >= 0 else start]
        if close < 0 or b"\n" in line:
            return None
        return line.decode("utf-8", "surrogateescape"), True
    spelled = spell(tokens)
    close = spelled.find(b">")
    return (spelled[1:close].decode("utf-8", "surrogateescape"), True) if close > 0 else None


def count_after_name(tokens: Sequence[Token], data: bytes | None = None) -> int:
    """Returns the number of tokens after the header's name in an include operand that has one.

    `data` is as for `header_name`.
    """
    if tokens[0][0] == STRING:
        return len(tokens) - 1
    if data is not None:
        close = data.find(b">", token_start(tokens[0]))
        return sum(token_start(token) > close for token in tokens)
    last = next(at for at, token in enumerate(tokens) if b">" in token[1])
    return len(tokens) - last - 1
