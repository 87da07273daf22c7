"""Compares the tokens of a text before and after formatting."""

from __future__ import annotations

from openclsp.source.lexer import lex_line


def have_same_tokens(before: bytes, after: bytes) -> bool:
    """Whether two texts have the same preprocessing tokens and the same directives between them.

    Comments and white space may differ. Only white space before the `(` in the definition of a macro is
    significant.
    """
    return _token_sequence(before) == _token_sequence(after)


def _token_sequence(data: bytes) -> list[object]:
    found: list[object] = []
    at = 0
    while at < len(data):
        tokens, at = lex_line(data, at)
        texts = [token[1] for token in tokens]
        if texts and texts[0] == b"#":
            # a directive ends with its line
            is_function = len(tokens) > 3 and texts[1] == b"define" and texts[3] == b"(" and not tokens[3][2]
            found.append((tuple(texts), is_function))
        else:
            found += texts
    return found
