"""The tokens before a name, which indicate the names that are likely there."""

from __future__ import annotations

POSITIONS = ("statement", "argument", "operand", "word")
"""The positions of a name: where a statement begins, after `(` or `,`, after an operator, after a word."""

_WINDOW = 64
"""The number of bytes in which one token is searched, including a comment before it."""
WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
"""The bytes of identifiers and numbers."""
_LONG_OPERATORS = frozenset(b"-> += -= *= /= %= &= |= ^= == != <= >= && || << >> ++ --".split())
_STATEMENT_ENDS = frozenset((b";", b"{", b"}", b""))
_WORDS_BEFORE_OPERANDS = frozenset((b"return", b"case", b"else", b"do"))


def tokens_before(data: bytes, end: int) -> tuple[bytes, bytes]:
    """Returns the two tokens before a byte, the last one first; empty at the beginning of the text."""
    start, last = _token_before(data, end)
    return last, _token_before(data, start)[1] if last else b""


def _token_before(data: bytes, end: int) -> tuple[int, bytes]:
    """Returns the start of the last token before byte `end`, and the token. Comments are skipped."""
    while True:
        text = data[max(end - _WINDOW, 0) : end]
        code = text.rstrip()
        if not code:
            return end, b""
        if code.endswith(b"*/") and (comment := code.rfind(b"/*")) >= 0:
            end += comment - len(text)
            continue
        if len(code) < len(text) and b"\n" in text[len(code) :]:
            # the last line of code may end in a comment
            comment = code.find(b"//", code.rfind(b"\n") + 1)
            if comment >= 0:
                end += comment - len(text)
                continue
        end += len(code) - len(text)
        break
    first = len(code) - 1
    if code[first] in WORD_BYTES:
        while first > 0 and code[first - 1] in WORD_BYTES:
            first -= 1
        return end - len(code) + first, code[first:]
    token = code[-2:] if code[-2:] in _LONG_OPERATORS else code[-1:]
    return end - len(token), token


def position_after(data: bytes, end: int) -> str:
    """Classifies the position of a name that starts at byte `end`, as one of `POSITIONS`."""
    token = _token_before(data, end)[1]
    if token in _STATEMENT_ENDS:
        return "statement"
    if token in (b"(", b","):
        return "argument"
    if token in _WORDS_BEFORE_OPERANDS:
        return "statement" if token in (b"else", b"do") else "operand"
    if token[0] in WORD_BYTES:
        return "word"
    return "statement" if token == b")" else "operand"
