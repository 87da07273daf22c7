"""Recognises the headers of functions, classes and namespaces, which precede a brace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openclsp.host_options.host_lexer import (
    NAME,
    PUNCTUATOR,
    STRING,
    HostToken,
    HostTokens,
)
from openclsp.host_options.token_patterns import split_tokens


def is_access_specifier(tokens: Sequence[HostToken]) -> bool:
    """Whether the tokens before a `:` are an access specifier of C++."""
    return len(tokens) == 1 and tokens[0].text in ("public", "private", "protected")


_TYPE_SCOPE_KEYWORDS: Final = frozenset((
    "namespace", "class", "struct", "union", "enum", "interface", "impl", "trait", "mod", "extern", "object", "record",
))  # fmt: skip


def opens_type_scope(head: Sequence[HostToken]) -> bool:
    """Whether a brace after the tokens `head` opens a namespace, a class or a similar scope."""
    words = [token.text for token in head if token.kind == NAME]
    if not any(word in _TYPE_SCOPE_KEYWORDS for word in words):
        return False
    if "extern" in words and any(token.kind == STRING for token in head):
        return not any(token.kind == "(" for token in head)
    return not any(token.kind == "(" for token in head) or "class" in words[:4] and "template" not in words


_NOT_FUNCTION_NAMES: Final = frozenset(
    ["__attribute__", "__declspec", "alignas", "decltype", "if", "for", "while", "switch", "catch", "return"]
)


def parse_function_header(head: Sequence[HostToken]) -> tuple[str, tuple[str, ...]] | None:
    """Returns the name and parameters of a function header; None if the tokens are not a function header."""
    groups = [index for index, token in enumerate(head) if token.kind == "(" and index]
    if not groups or any(token.text == "=" and token.kind == PUNCTUATOR for token in head):
        return None
    # The tokens after `) :` are the member initialisers of a constructor.
    end = next((i for i, t in enumerate(head) if t.text == ":" and i and head[i - 1].kind == "("), len(head))
    candidates = [
        i
        for i in groups
        if i < end and head[i - 1].kind == NAME and head[i - 1].text not in _NOT_FUNCTION_NAMES
    ]
    if not candidates:
        return None
    at = candidates[0] if len(candidates) == 1 or head[0].text in ("func", "fn", "pub") else candidates[-1]
    if head[0].text == "func" and len(candidates) > 1:
        at = candidates[0]
    return head[at - 1].text, tuple(_parameter_name(each) for each in split_tokens(head[at].items))


def _parameter_name(tokens: HostTokens) -> str:
    """Returns the name of a parameter: the last name before any `:` or `=`."""
    name = ""
    for index, token in enumerate(tokens):
        if token.text in (":", "=") and token.kind == PUNCTUATOR:
            break
        following = tokens[index + 1].text if index + 1 < len(tokens) else ""
        if token.kind == NAME and following != "::":
            name = token.text
    return name
