"""Determines the lines to be formatted after a character was typed."""

from __future__ import annotations

from openclsp.source.lexer import PUNCTUATOR, lex_line, token_end, token_start
from openclsp.source.text import Text


def lines_to_format(text: Text, offset: int) -> tuple[int, int] | None:
    """Returns the first and last line (from 0) to format after a `}` or `;` is typed before byte `offset`.

    After `}`, these are the lines of its block; after `;`, it is the line of the `;`. None if the character
    is in a comment, string or directive.
    """
    opened: list[int] = []
    at = 0
    while at < offset:
        tokens, following = lex_line(text.data, at)
        directive = bool(tokens) and tokens[0][1] == b"#"
        for token in tokens:
            if token[0] != PUNCTUATOR or token_start(token) >= offset:
                continue
            if token_end(token) == offset:
                last = text.line_of(offset - 1)
                if directive or token[1] not in (b"}", b";"):
                    return None
                return (opened[-1] if token[1] == b"}" and opened else last), last
            if token[1] == b"{" and not directive:
                opened.append(text.line_of(token_start(token)))
            elif token[1] == b"}" and not directive and opened:
                opened.pop()
        at = following
    return None
