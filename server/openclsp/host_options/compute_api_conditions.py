"""Evaluates host conditions that choose between OpenCL and other compute APIs, assuming OpenCL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.host_options.build_calls import OTHER_COMPUTE_API
from openclsp.host_options.host_lexer import NAME, HostToken

_FALSE: Final = frozenset(("false", "False", "0"))
_TRUE: Final = frozenset(("true", "True", "1"))
_OPENCL_FLAG_NAMES: Final = frozenset(("is_opencl", "isOpenCL", "use_opencl", "useOpenCL"))


def evaluate_condition(tokens: Sequence[HostToken]) -> bool | None:
    """Whether the condition holds if kernels run through OpenCL; None if it does not depend on that."""
    operands = _split(tokens, "||", "or")
    if len(operands) > 1:
        verdicts = [evaluate_condition(operand) for operand in operands]
        if True in verdicts:
            return True
        return False if all(each is False for each in verdicts) else None
    operands = _split(tokens, "&&", "and")
    if len(operands) > 1:
        verdicts = [evaluate_condition(operand) for operand in operands]
        if False in verdicts:
            return False
        return True if all(verdicts) else None
    if len(tokens) == 1 and tokens[0].kind == "(":
        return evaluate_condition(tokens[0].items)
    if tokens and tokens[0].text in ("!", "not"):
        inner = evaluate_condition(tokens[1:])
        return None if inner is None else not inner
    return _evaluate_comparison(tokens)


def _evaluate_comparison(tokens: Sequence[HostToken]) -> bool | None:
    at = next((i for i, token in enumerate(tokens) if token.text in ("==", "!=")), -1)
    if at < 0:
        return _evaluate_name(tokens)
    left, right = _evaluate_name(tokens[:at]), tokens[at + 1 :]
    if left is None or len(right) != 1 or right[0].text not in _FALSE | _TRUE:
        return None
    return left == ((right[0].text in _TRUE) == (tokens[at].text == "=="))


def _evaluate_name(tokens: Sequence[HostToken]) -> bool | None:
    name = next((token.text for token in reversed(tokens) if token.kind == NAME), "")
    if any(token.kind not in (NAME, "(", "[") and token.text not in (".", "->", "::") for token in tokens):
        return None
    if name in _OPENCL_FLAG_NAMES:
        return True
    return False if OTHER_COMPUTE_API.search(name) is not None else None


def _split(tokens: Sequence[HostToken], *operators: str) -> list[list[HostToken]]:
    parts: list[list[HostToken]] = [[]]
    for token in tokens:
        if token.text in operators and token.kind != "string":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts
