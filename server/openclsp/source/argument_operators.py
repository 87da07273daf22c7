"""Operators on macro arguments: substitution, `#` and `##` (C99 6.10.3.1 to 6.10.3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from openclsp.source.lexer import (
    CHARACTER,
    SHARED,
    SPACE,
    STRING,
    Token,
)


def as_argument(tokens: list[Token], flags: int, shared: bool) -> list[Token]:
    """Returns an argument's tokens as substituted for its parameter, with the parameter's leading space."""
    if shared:
        result = [(kind, text, own | SHARED, origin) for kind, text, own, origin in tokens]
    else:
        result = tokens.copy()
    if result:
        kind, text, own, origin = result[0]
        result[0] = (kind, text, own & ~SPACE | flags & SPACE, origin)
    return result


def stringised(argument: Sequence[Token]) -> bytes:
    """Returns the string literal that `#` makes of an argument (C99 6.10.3.2p2)."""
    pieces: list[bytes] = []
    for index, (kind, text, flags, _) in enumerate(argument):
        if flags & SPACE and index:
            pieces.append(b" ")
        if kind in (STRING, CHARACTER):
            text = text.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
        pieces.append(text)
    return b'"' + b"".join(pieces) + b'"'


def destringised(token: Token) -> bytes:
    """Returns the text of a string literal as _Pragma destringizes it (C99 6.10.9)."""
    text = token[1]
    text = text[text.index(b'"') + 1 : -1]
    return text.replace(b'\\"', b'"').replace(b"\\\\", b"\\")
