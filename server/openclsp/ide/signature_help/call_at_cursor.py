"""The call that contains the cursor, found in the text before the cursor."""

from __future__ import annotations

import re

from openclsp.dataclass import dataclass

_PIECES = re.compile(
    rb"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[()\[\]{};,]""", re.DOTALL
)
_CLOSING = {b")": b"(", b"]": b"[", b"}": b"{"}
# digits before a name are skipped with it: one word is searched once, not from each of its letters
_NAME = re.compile(rb"(?<!\w)[0-9]*([A-Za-z_]\w*)\s*\Z")
_MAXIMUM_COMMENT = 512
"""The maximum number of bytes of a comment between a name and its bracket"""
_CAST = re.compile(rb"\(\s*([A-Za-z_]\w*)\s*\)\s*\Z")
_NO_CALLEES = frozenset(
    b"if for while switch return sizeof do else case vec_step typeof __typeof__ _Alignof _Alignas "
    b"__attribute__ __attribute defined asm __asm__ global local constant private generic __global "
    b"__local __constant __private __generic const volatile restrict void kernel __kernel".split()
)


@dataclass(frozen=True, slots=True)
class CallAtCursor:
    """A call whose argument list contains the cursor.

    `name` is the called function or macro, or the type of a vector literal if `is_literal`. `argument` is the
    number of the argument at the cursor, from 0. `following` is the number of arguments after it.
    """

    name: str
    argument: int
    is_literal: bool = False
    following: int = 0


@dataclass(slots=True)
class _Open:
    """An open bracket: its position, and the number of commas directly inside it."""

    bracket: bytes
    start: int
    commas: int = 0


def find_call(code: bytes, after: bytes = b"") -> CallAtCursor | None:
    """Finds the innermost call that is open at the end of `code`; None if there is none.

    `after` is the code after the cursor. Parentheses for grouping and subscripts are part of the argument
    that contains them.
    """
    for each in reversed(_open_brackets(code)):
        if each.bracket == b"{":
            return None
        if each.bracket == b"[":
            continue
        before = _without_comments_at_end(code[: each.start])
        name = _NAME.search(before)
        if name is not None:
            if name[1] in _NO_CALLEES:
                # the parentheses of a statement or an operator end the search: they are no argument
                return None
            if _is_declarator(before[: name.start(1)]):
                return None
            return CallAtCursor(name[1].decode(), each.commas, following=_arguments_after(after))
        cast = _CAST.search(before)
        if cast is not None:
            return CallAtCursor(cast[1].decode(), each.commas, is_literal=True)
    return None


def _without_comments_at_end(code: bytes) -> bytes:
    """Removes the block comments at the end of the code, and the white space after each of them."""
    while True:
        first = max(len(code) - _MAXIMUM_COMMENT, 0)
        closing = len(code[first:].rstrip()) + first - 2
        if closing < first or not code.startswith(b"*/", closing):
            return code
        # a comment begins behind the end of the one before, which may be the `*/` of `/*/`
        ended = code.rfind(b"*/", first, closing)
        start = code.find(b"/*", max(ended - 1, first), closing)
        if start < 0:
            return code
        code = code[:start]


def _open_brackets(code: bytes) -> list[_Open]:
    found: list[_Open] = []
    for match in _PIECES.finditer(code):
        piece = match[0]
        if piece in (b"(", b"[", b"{"):
            found.append(_Open(piece, match.start()))
        elif piece in _CLOSING:
            # a `}` also closes what the code left open inside of its block
            if piece == b"}":
                while found and found[-1].bracket != b"{":
                    found.pop()
            if found and found[-1].bracket == _CLOSING[piece]:
                found.pop()
        elif piece == b",":
            if found:
                found[-1].commas += 1
        elif piece == b";":
            # a statement ends: calls before it were never closed, unless this is the head of a `for`
            while found and found[-1].bracket != b"{" and not _is_for(code, found[-1]):
                found.pop()
    return found


def _is_for(code: bytes, each: _Open) -> bool:
    name = _NAME.search(code[max(each.start - 64, 0) : each.start])
    return each.bracket == b"(" and name is not None and name[1] == b"for"


_TYPE_BEFORE = re.compile(rb"(?<!\w)[0-9]*([A-Za-z_]\w*)[\s*]+\Z")
_EXPRESSION_WORDS = frozenset((b"return", b"else", b"do", b"case", b"goto", b"sizeof"))


def _is_declarator(before: bytes) -> bool:
    """Whether the code before a name declares it: a type, or a type and `*`, precedes the name.

    `a * f(` may be a multiplication. Therefore a name before `*` counts as a type only at the start of a
    statement.
    """
    word = _TYPE_BEFORE.search(before)
    if word is None or word[1] in _EXPRESSION_WORDS:
        return False
    if b"*" not in word[0]:
        # in a body, a name alone on the line above may be a macro
        return b"\n" not in word[0] or b"{" not in before
    # `global int *f(` declares, `return n * f(` does not
    qualifier = _NAME.search(before[: word.start(1)])
    if qualifier is not None:
        return qualifier[1] not in _EXPRESSION_WORDS
    return before[: word.start(1)].rstrip()[-1:] in (b"", b";", b"}") and b"\n" not in word[0]


def _arguments_after(after: bytes) -> int:
    """Counts the arguments after the one at the cursor; 0 if the call is not closed."""
    depth = commas = 0
    for match in _PIECES.finditer(after):
        piece = match[0]
        if piece in (b"(", b"["):
            depth += 1
        elif piece in (b")", b"]"):
            if depth == 0:
                return commas
            depth -= 1
        elif piece in (b";", b"{", b"}"):
            return 0
        elif piece == b"," and depth == 0:
            commas += 1
    return 0
