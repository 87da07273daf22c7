"""A text that breaks off where the cursor stands, closed so that it can be parsed: what comes after the cursor is left
out, and a name is put there in its place.

What stands before the cursor is usually whole, what stands after it belongs to what is about to be written; so the tree
of the closed text says what is in scope and what a `.` is asked of, whatever is still missing.
"""

from __future__ import annotations

import re

PLACEHOLDER = "name_at_cursor"
"""What is put where the cursor stands."""

_PIECE = re.compile(
    rb"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[()\[\]{};]|\bfor\b""", re.DOTALL
)
_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}"}


def closed(text: bytes) -> bytes:
    """The text with the placeholder behind it, and behind that what closes every bracket that is open."""
    open_: list[bytes] = []
    ends: list[bytes] = []
    in_for = False
    for match in _PIECE.finditer(text):
        piece = match[0]
        if piece in _CLOSING:
            in_list = piece == b"{" and _opens_list(text, match.start(), ends)
            open_.append(piece)
            # a statement in a block ends before the block does, and the head of a `for` has two semicolons
            ends.append(b";}" if piece == b"{" and not in_list else b";;)" if in_for else _CLOSING[piece])
        elif piece == b";":
            if ends and ends[-1].startswith(b";") and open_[-1] == b"(":
                ends[-1] = ends[-1][1:]
        elif piece in (b")", b"]", b"}"):
            while open_ and _CLOSING[open_[-1]] != piece and piece == b"}":
                open_.pop()
                ends.pop()
            if open_ and _CLOSING[open_[-1]] == piece:
                open_.pop()
                ends.pop()
        in_for = piece == b"for"
    return text + PLACEHOLDER.encode() + b"".join(reversed(ends)) + b";"


def _opens_list(text: bytes, at: int, ends: list[bytes]) -> bool:
    """Whether the brace at byte `at` opens an initialiser list, not a block: behind `=`, or within such a list."""
    before = text[max(at - 64, 0) : at].rstrip()[-1:]
    if before == b"=":
        return True
    return before in (b",", b"{") and bool(ends) and ends[-1] == b"}"


_QUIET = re.compile(
    rb"""//.*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\])*(?:"|\Z)|'(?:\\.|[^'\\])*(?:'|\Z)""", re.DOTALL
)


def in_comment_or_literal(line: bytes, column: int, opened: bool) -> bool:
    """Whether a column lies in a comment or in a string or character literal of the line, which begins in a comment where
    `opened`."""
    start = 0
    if opened:
        start = line.find(b"*/") + 2
        if start < 2 or column < start:
            return True
    for match in _QUIET.finditer(line, start):
        if match.start() >= column:
            return False
        whole = match[0]
        ended = len(whole) > 1 and whole.endswith((b"*/", b'"', b"'")) and not whole.startswith(b"//")
        if column < match.end() or (column == match.end() and not ended):
            return True
    return False
