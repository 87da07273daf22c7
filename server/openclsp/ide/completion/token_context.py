"""The tokens before a name, as far as they tell which names are likely."""

from __future__ import annotations

import re

POSITIONS = ("statement", "argument", "operand", "word")
"""The positions of a name: where a statement begins, after `(` or `,`, after an operator, after a word."""

_TOKEN = re.compile(rb"([A-Za-z_]\w*|\d[\w.]*|->|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|\S)[ \t\r\n]*\Z")
_COMMENT = re.compile(rb"/\*(?:[^*]|\*(?!/))*\*/\s*\Z|//[^\n]*\n\s*\Z")
_STATEMENT_ENDS = frozenset((b";", b"{", b"}", b""))
_WORDS_BEFORE_OPERANDS = frozenset((b"return", b"case", b"else", b"do"))


def tokens_before(text: bytes) -> tuple[bytes, bytes]:
    """The last token of the text, and the two last ones joined; empty at the beginning."""
    last = _last_token(text)
    if last is None:
        return b"", b""
    previous = _last_token(text[: last.start()])
    return last[1], (previous[1] if previous is not None else b"") + b" " + last[1]


def _last_token(text: bytes) -> re.Match[bytes] | None:
    comment = _COMMENT.search(text)
    if comment is not None:
        text = text[: comment.start()]
    return _TOKEN.search(text[-48:])


def position_after(text: bytes) -> str:
    """The position, one of `POSITIONS`, of a name that follows the text."""
    token = tokens_before(text)[0]
    if token in _STATEMENT_ENDS:
        return "statement"
    if token in (b"(", b","):
        return "argument"
    if token in _WORDS_BEFORE_OPERANDS:
        return "statement" if token in (b"else", b"do") else "operand"
    if token[:1].isalpha() or token[:1] == b"_":
        return "word"
    return "statement" if token == b")" else "operand"
