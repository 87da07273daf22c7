"""The syntax of `#pragma OPENCL EXTENSION name : behavior` and `FP_CONTRACT` (OpenCL C 6.2.1, 6.11.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from openclsp.source.lexer import IDENTIFIER, Token
from openclsp.source.preprocessing_run import Session

_BEHAVIOURS: Final = (b"enable", b"disable", b"begin", b"end")
"""The specification has the first two; clang accepts the others around declarations of an extension"""
_EXTRA_TOKENS: Final = "extra tokens at end of #pragma OPENCL directive"
_EXTRA_TOKENS_OF_EXTENSION: Final = (
    "extra tokens at end of #pragma OPENCL EXTENSION: clang ignores such a pragma"
)
_SWITCH: Final = (b"ON", b"OFF", b"DEFAULT")


def opencl_pragma_fault(tokens: Sequence[Token], macros: Mapping[bytes, object]) -> tuple[str, Token] | None:
    """Returns the message and the token of the fault in a pragma; None if the pragma has no fault.

    `tokens` are the tokens after `#pragma`. Compilers expand macros after the name of the
    extension. Therefore nothing is reported at a macro in `macros`, or at a name in capitals, which may be a
    macro of the host.
    """
    words = [token[1] for token in tokens[:2]]
    if words == [b"OPENCL", b"FP_CONTRACT"]:
        return _switch_fault(tokens)
    if words != [b"OPENCL", b"EXTENSION"]:
        return None
    if len(tokens) < 3 or tokens[2][0] != IDENTIFIER:
        return "the name of an extension is missing", tokens[2] if len(tokens) > 2 else tokens[1]
    name = tokens[2][1]
    shown = name.decode("utf-8", "replace")
    if len(tokens) < 4:
        return f"`:` and `enable` or `disable` are missing after `{shown}`", tokens[2]
    if any(_may_be_macro(token, macros) for token in tokens[3:5]):
        return None
    if tokens[3][1] != b":":
        return f"`:` is missing after `{shown}`", tokens[2]
    if len(tokens) < 5:
        return "`enable` or `disable` is missing after `:`", tokens[3]
    behaviour = tokens[4][1]
    if behaviour not in _BEHAVIOURS:
        word = behaviour.decode("utf-8", "replace")
        return f"`{word}` is no behavior of an extension: it is `enable` or `disable`", tokens[4]
    if name == b"all" and behaviour != b"disable":
        return "`all` extensions can only be disabled", tokens[4]
    return None


def extra_pragma_tokens(tokens: Sequence[Token]) -> tuple[str, Token] | None:
    """Returns a message about tokens after a complete pragma, and the first of them; None if there are none.

    `tokens` are the tokens after `#pragma`.
    """
    word = tokens[1][1] if len(tokens) > 1 else b""
    if word == b"EXTENSION" and len(tokens) > 5:
        return _EXTRA_TOKENS_OF_EXTENSION, tokens[5]
    if word == b"FP_CONTRACT" and len(tokens) > 3:
        return _EXTRA_TOKENS, tokens[3]
    return None


def note_pragma_macros(tokens: Sequence[Token], session: Session) -> None:
    """Records that the result depends on macros with the names that follow the extension in the pragma."""
    for token in tokens[3:5]:
        session.expander.used.setdefault(token[1], session.table.get(token[1]))


def _switch_fault(tokens: Sequence[Token]) -> tuple[str, Token] | None:
    """Returns the fault of an `FP_CONTRACT` pragma; None if its operand is valid.

    The operand is not macro-expanded, because compilers do not expand it either.
    """
    if len(tokens) > 2 and tokens[2][1] in _SWITCH:
        return None
    return "`FP_CONTRACT` needs `ON`, `OFF` or `DEFAULT`", tokens[-1]


def _may_be_macro(token: Token, macros: Mapping[bytes, object]) -> bool:
    return token[0] == IDENTIFIER and (token[1] in macros or token[1].upper() == token[1])
