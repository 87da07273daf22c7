"""Finds the ends of conditions and statements in host code without interpreting them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.host_options.host_lexer import (
    CONDITIONAL,
    NAME,
    PUNCTUATOR,
    HostToken,
)

LOOP_KEYWORDS: Final = frozenset(("for", "while", "foreach", "loop"))


def find_body(tokens: Sequence[HostToken], at: int, short: bool = False) -> int:
    """Returns the index of the `{` that begins a body: the first `{` from index `at` on.

    Returns the number of tokens if there is no `{`, or if a `;` precedes it. If `short` is true, an `=`
    counts like a `;`.
    """
    for index in range(at, len(tokens)):
        if tokens[index].kind == "{":
            return index
        if tokens[index].text == ";" or (short and tokens[index].text == "="):
            break
    return len(tokens)


def find_condition_end(tokens: Sequence[HostToken], at: int, until_brace: bool) -> int:
    """Returns the index after the condition of the statement keyword at `at`.

    If `until_brace`, the condition extends to the brace of the body; otherwise it is in parentheses.
    """
    if until_brace:
        return find_body(tokens, at)
    for index in range(at + 1, min(at + 4, len(tokens))):
        if tokens[index].kind == "(":
            return index + 1
    return min(at + 1, len(tokens))


def find_statement_end(tokens: Sequence[HostToken], at: int, until_brace: bool) -> int:
    """Returns the index after the statement that begins at `at`.

    `until_brace` has the same meaning as in `find_condition_end`.
    """
    while at < len(tokens) and tokens[at].kind == CONDITIONAL:
        at += 1
    if at >= len(tokens):
        return at
    if tokens[at].kind == "{":
        return at + 1
    word = tokens[at].text if tokens[at].kind == NAME else ""
    if word in ("if", "elif", *LOOP_KEYWORDS):
        end = find_statement_end(tokens, find_condition_end(tokens, at, until_brace), until_brace)
        while word in ("if", "elif") and end < len(tokens) and tokens[end].text in ("else", "elif"):
            after = end + 1 if tokens[end].text == "else" else end
            end = find_statement_end(tokens, after, until_brace)
        return end
    for index in range(at, len(tokens)):
        if tokens[index].text == ";" and tokens[index].kind == PUNCTUATOR:
            return index + 1
        if (
            tokens[index].kind == "{"
            and index > at
            and tokens[index - 1].kind == "("
            and word in ("switch", "try", "do")
        ):
            return index + 1
    return len(tokens)
