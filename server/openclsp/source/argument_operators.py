"""Arguments of macro calls: their number, substitution, and the operator `#` (C99 6.10.3, 6.10.3.1, 6.10.3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.language.builtin_types import BUILTIN_TYPES
from openclsp.source.lexer import (
    CHARACTER,
    IDENTIFIER,
    SHARED,
    SPACE,
    STRING,
    Token,
)
from openclsp.source.macros import Macro, MacroTable

_REINTERPRETATION: Final = b"__builtin_astype"
_TYPE_WORDS: Final = frozenset(
    (*(name.encode() for name in BUILTIN_TYPES), b"const", b"private", b"__private", b"signed", b"unsigned")
)
_OPERATORS: Final = (b"sizeof", b"_Alignof", b"__alignof__", b"vec_step")


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


def is_declared(macro: Macro, arguments: Sequence[Sequence[Token]], table: MacroTable) -> bool:
    """Whether a call of `as_int` or the like is the declarator of a function: `int as_int(float x);`.

    OpenCL C declares these functions (6.4.4.2), clang's header defines them as macros. A library of built-in
    functions, which is compiled without the header, defines the functions.
    """
    if not macro.body or macro.body[0][1] != _REINTERPRETATION or not arguments[0]:
        return False
    argument = arguments[0]
    if len(argument) == 1:
        return argument[0][1] in _TYPE_WORDS
    (first, text, _, _), (second, other, _, _) = argument[:2]
    if text in _TYPE_WORDS:
        return second == IDENTIFIER or other == b"*"
    words = len(argument) == 2 and first == second == IDENTIFIER
    return words and text not in _OPERATORS and text not in table and other not in table
