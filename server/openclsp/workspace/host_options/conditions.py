"""Evaluates host conditions that choose between OpenCL and other compute APIs, assuming OpenCL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.workspace.host_options.build_calls import FOREIGN
from openclsp.workspace.host_options.lexing import NAME, Token

_FALSE: Final = frozenset(("false", "False", "0"))
_TRUE: Final = frozenset(("true", "True", "1"))
_OURS: Final = frozenset(("is_opencl", "isOpenCL", "use_opencl", "useOpenCL"))


def verdict(tokens: Sequence[Token]) -> bool | None:
    """Whether the condition holds if kernels run through OpenCL; None if it does not depend on that."""
    operands = _split(tokens, "||", "or")
    if len(operands) > 1:
        verdicts = [verdict(operand) for operand in operands]
        if True in verdicts:
            return True
        return False if all(each is False for each in verdicts) else None
    operands = _split(tokens, "&&", "and")
    if len(operands) > 1:
        verdicts = [verdict(operand) for operand in operands]
        if False in verdicts:
            return False
        return True if all(verdicts) else None
    if len(tokens) == 1 and tokens[0].kind == "(":
        return verdict(tokens[0].items)
    if tokens and tokens[0].text in ("!", "not"):
        inner = verdict(tokens[1:])
        return None if inner is None else not inner
    return _comparison(tokens)


def _comparison(tokens: Sequence[Token]) -> bool | None:
    at = next((i for i, token in enumerate(tokens) if token.text in ("==", "!=")), -1)
    if at < 0:
        return _of_name(tokens)
    left, right = _of_name(tokens[:at]), tokens[at + 1 :]
    if left is None or len(right) != 1 or right[0].text not in _FALSE | _TRUE:
        return None
    return left == ((right[0].text in _TRUE) == (tokens[at].text == "=="))


def _of_name(tokens: Sequence[Token]) -> bool | None:
    name = next((token.text for token in reversed(tokens) if token.kind == NAME), "")
    if any(token.kind not in (NAME, "(", "[") and token.text not in (".", "->", "::") for token in tokens):
        return None
    if name in _OURS:
        return True
    return False if FOREIGN.search(name) is not None else None


def _split(tokens: Sequence[Token], *operators: str) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.text in operators and token.kind != "string":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts
