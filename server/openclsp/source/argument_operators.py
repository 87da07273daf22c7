"""Arguments of macro calls: their number, substitution, and the operator `#` (C99 6.10.3, 6.10.3.1, 6.10.3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from openclsp.source.lexer import (
    CHARACTER,
    SHARED,
    SPACE,
    STRING,
    Token,
)
from openclsp.source.macros import Macro


def as_argument(tokens: list[Token], flags: int, shared: bool) -> list[Token]:
    """Returns the tokens that replace a parameter: those of its argument.

    The first token gets the white space before the parameter (`flags`). `shared` is whether the parameter
    occurs more than once in the replacement list. If so, all tokens get the flag SHARED.
    """
    if shared:
        result = [(kind, text, own | SHARED, origin) for kind, text, own, origin in tokens]
    else:
        result = tokens.copy()
    if result:
        kind, text, own, origin = result[0]
        result[0] = (kind, text, own & ~SPACE | flags & SPACE, origin)
    return result


def stringised(argument: Sequence[Token]) -> bytes:
    """Returns the string literal that `#` makes from an argument (C99 6.10.3.2p2)."""
    pieces: list[bytes] = []
    for index, (kind, text, flags, _) in enumerate(argument):
        if flags & SPACE and index:
            pieces.append(b" ")
        if kind in (STRING, CHARACTER):
            text = text.replace(b"\\", b"\\\\").replace(b'"', b'\\"')
        pieces.append(text)
    return b'"' + b"".join(pieces) + b'"'


def argument_count_message(macro: Macro, collected: Sequence[Token]) -> str:
    """Returns the message for a call with the wrong number of arguments; `collected` is the call without its name."""
    assert macro.parameters is not None
    name = macro.name.decode("utf-8", "replace")
    commas = depth = 0
    for _, text, _, _ in collected:
        depth += (text == b"(") - (text == b")")
        commas += text == b"," and depth == 1
    few = commas + 1 < len(macro.parameters)
    return f"too {'few' if few else 'many'} arguments provided to function-like macro invocation of '{name}'"
