"""Recognises and splits token sequences, in the syntax that the host languages share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.host_options.host_lexer import (
    CONDITIONAL,
    NAME,
    PUNCTUATOR,
    HostToken,
    HostTokens,
)

SEPARATORS: Final = frozenset((
    "==", "!=", "<", ">", "<=", ">=", "&&", "||", "|", "&", "^", "=", ":=", "=>", ":", ";",
))  # fmt: skip
ARITHMETIC_OPERATORS: Final = frozenset(("-", "*", "/", "//", "**"))
_OPERATORS: Final = SEPARATORS | ARITHMETIC_OPERATORS | {"?", "<<", "+=", "+", "%"}
_CONDITIONAL_KEYWORDS: Final = frozenset(("if", "for"))


def split_tokens(tokens: Sequence[HostToken], separator: str = ",") -> list[HostTokens]:
    """Splits tokens at `separator`; an empty last part is dropped."""
    parts: list[list[HostToken]] = [[]]
    for token in tokens:
        if token.kind == PUNCTUATOR and token.text == separator:
            parts.append([])
        else:
            parts[-1].append(token)
    if not parts[-1]:
        parts.pop()
    return [tuple(part) for part in parts]


def split_at_operators(tokens: Sequence[HostToken], *operators: str) -> list[list[HostToken]]:
    """Splits tokens at the given operators; empty operands are dropped."""
    operands: list[list[HostToken]] = [[]]
    for token in tokens:
        if token.kind == PUNCTUATOR and token.text in operators:
            operands.append([])
        else:
            operands[-1].append(token)
    return [operand for operand in operands if operand]


def keep_first_alternatives(tokens: HostTokens) -> HostTokens:
    """Returns the tokens with only the first alternative of each preprocessor condition.

    The alternatives are assumed to have equal numbers of commas, so that the indices of arguments stay the
    same.
    """
    if not any(token.kind == CONDITIONAL for token in tokens):
        return tokens
    result: list[HostToken] = []
    open_: list[bool] = []
    for token in tokens:
        if token.kind == CONDITIONAL:
            if token.branch is None:
                open_ = open_[:-1]
            elif token.text.startswith("if"):
                open_.append(True)
            elif open_:
                open_[-1] = False
            if token.text.startswith("if") or token.branch is None:
                result.append(token)
        elif all(open_):
            result.append(token)
    return tuple(result)


def token_spellings(tokens: Sequence[HostToken]) -> list[str]:
    """Returns the spelling of each token."""
    return [token.text for token in tokens]


def find_token(tokens: Sequence[HostToken], text: str, kind: str = PUNCTUATOR) -> int:
    """Returns the index of the first token with this text and kind; -1 if there is none."""
    for index, token in enumerate(tokens):
        if token.kind == kind and token.text == text:
            return index
    return -1


def find_matching_colon(tokens: Sequence[HostToken], question: int) -> int:
    """Returns the index of the `:` that belongs to the `?` at `question`; -1 if there is none."""
    depth = 0
    for index in range(question + 1, len(tokens)):
        if tokens[index].kind != PUNCTUATOR:
            continue
        if tokens[index].text == "?":
            depth += 1
        elif tokens[index].text == ":":
            if depth == 0:
                return index
            depth -= 1
    return -1


def is_null_literal(tokens: Sequence[HostToken]) -> bool:
    """Whether the expression is a null value in one of the host languages."""
    return len(tokens) == 1 and tokens[0].text in ("None", "NULL", "nullptr", "null", "0")


def is_prefix_operator(tokens: Sequence[HostToken], index: int) -> bool:
    """Whether the operator at `index` is a prefix operator."""
    before = tokens[index - 1] if index else None
    return tokens[index].text in ("-", "*", "&") and (
        before is None or (before.kind == PUNCTUATOR and before.text not in ("++", "--"))
    )


def looks_like_cast_type(tokens: HostTokens) -> bool:
    """Whether the tokens in parentheses look like the type of a cast."""
    return (
        bool(tokens)
        and all((token.kind == NAME) or token.text in ("*", "::", "&", "<", ">") for token in tokens)
        and (tokens[-1].text == "*" or (tokens[-1].kind == NAME and tokens[-1].text in _TYPES))
    )


_TYPES: Final = frozenset((
    "int", "unsigned", "long", "short", "char", "size_t", "float", "double", "cl_int", "cl_uint", "uint32_t",
    "int32_t", "String",
))  # fmt: skip


def skip_template_arguments(tokens: Sequence[HostToken], at: int) -> int:
    """Returns the index after template arguments `<…>`, if a call or initialiser follows them; else `at`."""
    if at >= len(tokens) or tokens[at].text != "<":
        return at
    depth = 0
    for index in range(at, min(at + 40, len(tokens))):
        text = tokens[index].text if tokens[index].kind == PUNCTUATOR else ""
        depth += (text == "<") - (text == ">")
        if depth == 0:
            following = index + 1 < len(tokens) and tokens[index + 1].kind in ("(", "{")
            return index + 1 if following else at
        if text in (";", "=", "&&", "||"):
            break
    return at


def has_operator(tokens: Sequence[HostToken]) -> bool:
    """Whether an expression contains an operator other than calls, subscripts and members."""
    for kind, text, *_ in tokens:
        if text in _OPERATORS if kind == PUNCTUATOR else text in _CONDITIONAL_KEYWORDS and kind == NAME:
            return True
    return False


def split_assignments(
    statement: Sequence[HostToken], operator: int, tuples: bool
) -> list[tuple[Sequence[HostToken], int]]:
    """Splits a statement that assigns to several variables; `operator` is the index of its first assignment operator.

    Returns each assignment with the index of its operator. With `tuples`, as in Python and Go, the variables are to the
    left of the operator. If they get one value, as in `text, err := read(name)`, only the first one is assigned, because
    the others are usually errors or sizes. Otherwise, as in C, each variable has an operator.
    """
    sign, right = statement[operator], split_tokens(statement[operator + 1 :])
    if tuples:
        left = split_tokens(statement[:operator])
        if len(left) > 1 and len(left) == len(right):
            return [([*name, sign, *value], len(name)) for name, value in zip(left, right, strict=True)]
        return (
            [([*left[0], *statement[operator:]], len(left[0]))] if len(left) > 1 else [(statement, operator)]
        )
    signs = [find_token(each, "=") for each in right[1:]]
    if not signs or min(signs) <= 0:
        return [(statement, operator)]
    first = [*statement[: operator + 1], *right[0]]
    others = [[statement[0], *each] for each in right[1:]]
    return [(first, operator), *((each, at + 1) for each, at in zip(others, signs, strict=True))]
