"""Completes the text before the cursor so that it can be parsed.

A placeholder name and the missing closing brackets replace all text after the cursor, because that text may
belong to the unfinished construct. The syntax tree of the result gives the names in scope and the operand of
a `.` before the cursor.
"""

from __future__ import annotations

import re

PLACEHOLDER = "name_at_cursor"
"""The name inserted at the cursor."""

_BRACKETS_AND_LITERALS = re.compile(
    rb"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[()\[\]{};]|\bfor\b""", re.DOTALL
)
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}"}


def close_open_brackets(text: bytes) -> bytes:
    """Appends the placeholder and the tokens that close every open bracket."""
    # For each open bracket, `ends` contains its closing text, including the semicolons that are still
    # required.
    open_: list[bytes] = []
    ends: list[bytes] = []
    in_for = False
    for match in _BRACKETS_AND_LITERALS.finditer(text):
        piece = match[0]
        if piece in _CLOSING:
            in_list = piece == b"{" and _opens_list(text, match.start(), ends)
            open_.append(piece)
            # A statement must end before its block does, and the parentheses of a `for` need two semicolons:
            # each one in the text removes one of the two from `ends`.
            ends.append(b";}" if piece == b"{" and not in_list else b";;)" if in_for else _CLOSING[piece])
        elif piece == b";":
            if ends and ends[-1].startswith(b";") and open_[-1] == b"(":
                ends[-1] = ends[-1][1:]
        elif piece in (b")", b"]", b"}"):
            # A `}` also closes the parentheses that the code left open inside its block: the code before the
            # cursor may have errors. A `)` or `]` without its partner is ignored.
            while open_ and _CLOSING[open_[-1]] != piece and piece == b"}":
                open_.pop()
                ends.pop()
            if open_ and _CLOSING[open_[-1]] == piece:
                open_.pop()
                ends.pop()
        in_for = piece == b"for"
    return text + PLACEHOLDER.encode() + b"".join(reversed(ends)) + b";"


def _opens_list(text: bytes, at: int, ends: list[bytes]) -> bool:
    """Whether the brace at byte `at` opens an initialiser list instead of a block.

    A brace opens an initialiser list after `=`, and inside another initialiser list. `ends` contains the
    tokens that close the brackets that are open before `at`.
    """
    before = text[max(at - 64, 0) : at].rstrip()[-1:]
    if before == b"=":
        return True
    return before in (b",", b"{") and bool(ends) and ends[-1] == b"}"


_COMMENTS_AND_LITERALS = re.compile(
    rb"""//.*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\])*(?:"|\Z)|'(?:\\.|[^'\\])*(?:'|\Z)""", re.DOTALL
)


def is_in_comment_or_literal(line: bytes, column: int, opened: bool) -> bool:
    """Whether a column of the line is inside a comment or literal.

    Columns are in bytes, from 0. Literals are string and character literals. The line starts inside a comment
    if `opened`.
    """
    start = 0
    if opened:
        start = line.find(b"*/") + 2
        if start < 2 or column < start:
            return True
    for match in _COMMENTS_AND_LITERALS.finditer(line, start):
        if match.start() >= column:
            return False
        whole = match[0]
        ended = len(whole) > 1 and whole.endswith((b"*/", b'"', b"'")) and not whole.startswith(b"//")
        if column < match.end() or (column == match.end() and not ended):
            return True
    return False
