"""Tokens of expanded text, used to find macro calls and the end of a declaration's head."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from openclsp.source.comments import COMMENT
from openclsp.source.grammar_words import GRAMMAR_WORDS

_LITERAL: Final = rb"\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?"
_TOKEN: Final = re.compile(
    rb"(?P<skipped>" + COMMENT + rb")|(?P<literal>" + _LITERAL + rb"|\.?[0-9](?:[eEpP][+-]|[\w.])*)"
    rb"|(?P<word>[A-Za-z_$]\w*)|(?P<mark>[-+*/%&|^<>=!]=|<<=?|>>=?|&&|\|\||->|\+\+|--|\.\.\.|[^\s\w])",
    re.DOTALL,
)
_HEAD_ENDS: Final = frozenset((b"{", b"=", b";"))
_HEAD_MARK: Final = re.compile(rb"[-+*%&|^<>=!]=|==|[{;=/\"']")
"""What may end a head, or hide what seems to: an operator, a comment or a literal"""
_COMMENT: Final = re.compile(COMMENT, re.DOTALL)


class HeadToken(NamedTuple):
    """A token that is no comment, and its range."""

    text: bytes
    start: int
    end: int
    is_name: bool
    """Whether it is an identifier and no word that the grammar knows"""


def head_tokens(text: bytes, start: int, end: int) -> Iterator[HeadToken]:
    """Yields the tokens in a range of a text."""
    for match in _TOKEN.finditer(text, start, end):
        if match.lastgroup != "skipped":
            word = match[0]
            name = match.lastgroup == "word" and word not in GRAMMAR_WORDS
            yield HeadToken(word, match.start(), match.end(), name)


def head_end(text: bytes) -> int:
    """Returns the end of a chunk's head: after its first `{`, `=` or `;` outside parentheses."""
    # Most heads have no token that may contain such a byte but comments: this costs a tenth of reading all tokens.
    depth = at = 0
    while (mark := _HEAD_MARK.search(text, at)) is not None:
        start = mark.start()
        depth += text.count(b"(", at, start) - text.count(b")", at, start)
        if mark[0] == b"/" and (comment := _COMMENT.match(text, start)) is not None:
            at = comment.end()
        elif mark[0] not in _HEAD_ENDS:
            return _head_end_by_tokens(text)
        elif depth <= 0:
            return mark.end()
        else:
            at = mark.end()
    return len(text)


def _head_end_by_tokens(text: bytes) -> int:
    depth = 0
    for token in head_tokens(text, 0, len(text)):
        if token.text == b"(":
            depth += 1
        elif token.text == b")":
            depth -= 1
        elif depth <= 0 and token.text in _HEAD_ENDS:
            return token.end
    return len(text)
