"""Evaluates #if expressions (C99 6.10.1) on macro-expanded tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.source.lexer import CHARACTER, IDENTIFIER, NUMBER, Token

_MAX_NESTING: Final = 100
_INTEGER: Final = re.compile(
    rb"(0[xX][0-9A-Fa-f]+|0[bB][01]+|[0-9]+)([uU](?:ll?|LL?)?|(?:ll?|LL?)[uU]?)?", re.DOTALL
)
_PRECEDENCE: Final = {
    b"*": 11, b"/": 11, b"%": 11, b"+": 10, b"-": 10, b"<<": 9, b">>": 9, b"<": 8, b">": 8, b"<=": 8, b">=": 8,
    b"==": 7, b"!=": 7, b"&": 6, b"^": 5, b"|": 4, b"&&": 3, b"||": 2, b"?": 1, b",": 0,
}  # fmt: skip
_COMPARISONS: Final = frozenset((b"<", b">", b"<=", b">=", b"==", b"!="))
_MASK: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Verdict:
    """The value of a condition, and what it depends on.

    - `unknown`: the undefined names that affect the value.
    - `tentative`: the value depends on a macro that the document defines only if the host does not.
    """

    value: bool
    unknown: tuple[Token, ...]
    fault: str | None = None
    tentative: bool = False
    compares_undefined: bool = False
    """Whether it compares two undefined names, which C evaluates as equal: `#if KIND == KIND_A`"""
    called: tuple[Token, ...] = ()
    """Undefined names that an operand without effect on the value calls: `MAX` in `#if 1 || MAX(2, 3)`"""


class _Fault(Exception):
    pass


@dataclass(slots=True)
class _Parser:
    tokens: Sequence[Token]
    at: int = 0
    depth: int = 0
    unknown: list[Token] = field(default_factory=list)
    called: list[Token] = field(default_factory=list)

    def peek(self) -> bytes:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else b""

    def expression(self, least: int, live: bool) -> tuple[int, bool]:
        """Parses an expression of operators with precedence `least` or higher, by precedence climbing.

        Returns the value and whether its type is unsigned. If not `live`, the expression is not evaluated, so
        a division by zero in it is no error.
        """
        self.depth += 1
        if self.depth > _MAX_NESTING:
            raise _Fault("expression nested too deeply")
        left, unsigned = self.operand(live)
        while True:
            operator = self.peek()
            level = _PRECEDENCE.get(operator, -1)
            if level < least:
                break
            self.at += 1
            if operator == b"?":
                chosen = bool(left)
                yes, yes_unsigned = self.expression(0, live and chosen)
                if self.peek() != b":":
                    raise _Fault("expected ':' in preprocessor expression")
                self.at += 1
                no, no_unsigned = self.expression(1, live and not chosen)
                unsigned = yes_unsigned or no_unsigned
                left = _wrap(yes if chosen else no, unsigned)
            elif operator == b"&&":
                right, _ = self.expression(level + 1, live and left != 0)
                left, unsigned = int(left != 0 and right != 0), False
            elif operator == b"||":
                right, _ = self.expression(level + 1, live and left == 0)
                left, unsigned = int(left != 0 or right != 0), False
            elif operator == b",":
                left, unsigned = self.expression(level + 1, live)
            else:
                right, right_unsigned = self.expression(level + 1, live)
                left, unsigned = _binary(operator, left, unsigned, right, right_unsigned, live)
        self.depth -= 1
        return left, unsigned

    def operand(self, live: bool) -> tuple[int, bool]:
        signs: list[bytes] = []
        while self.peek() in (b"!", b"~", b"-", b"+"):
            signs.append(self.peek())
            self.at += 1
        value, unsigned = self.primary(live)
        for sign in reversed(signs):
            if sign == b"!":
                value, unsigned = int(value == 0), False
            elif sign == b"~":
                value = _wrap(~value, unsigned)
            elif sign == b"-":
                value = _wrap(-value, unsigned)
        return value, unsigned

    def primary(self, live: bool) -> tuple[int, bool]:
        if self.at >= len(self.tokens):
            raise _Fault("expected value in expression")
        token = self.tokens[self.at]
        kind, text, _, _ = token
        self.at += 1
        if kind == NUMBER:
            return _number(text)
        if kind == IDENTIFIER:
            if live:
                self.unknown.append(token)
            if self.peek() == b"(":
                if live:
                    raise _Fault(_undefined_call(token))
                self.called.append(token)
                self.skip_parentheses()
            return 0, False
        if kind == CHARACTER:
            return _character(text), False
        if text == b"(":
            value = self.expression(0, live)
            if self.peek() != b")":
                raise _Fault("expected ')' in preprocessor expression")
            self.at += 1
            return value
        raise _Fault("invalid token at start of a preprocessor expression")

    def skip_parentheses(self) -> None:
        """Skips the tokens from the next one, a `(`, to its `)`."""
        depth = 0
        while self.at < len(self.tokens):
            depth += (self.peek() == b"(") - (self.peek() == b")")
            self.at += 1
            if depth == 0:
                return
        raise _Fault("expected ')' in preprocessor expression")


def evaluate(tokens: Sequence[Token]) -> Verdict:
    """Evaluates the expression of an #if.

    Remaining identifiers are 0, and an invalid expression is false.
    """
    parser = _Parser(tokens)
    try:
        # a comma is an operator only in parentheses (C99 6.6p3)
        value, _ = parser.expression(1, True)
        if parser.peek() == b",":
            raise _Fault("expected end of line in preprocessor expression")
        if parser.at < len(tokens):
            raise _Fault("token is not a valid binary operator in a preprocessor subexpression")
    except _Fault as fault:
        return Verdict(False, tuple(parser.unknown), str(fault), called=tuple(parser.called))
    return Verdict(
        value != 0,
        tuple(parser.unknown),
        _undefined_call(parser.called[0]) if parser.called else None,
        compares_undefined=_compares_unknown(tokens, parser.unknown),
        called=tuple(parser.called),
    )


def _undefined_call(name: Token) -> str:
    return f"function-like macro '{name[1].decode('utf-8', 'replace')}' is not defined"


def _compares_unknown(tokens: Sequence[Token], unknown: Sequence[Token]) -> bool:
    """Whether a condition compares two undefined names with each other, as in `KIND == KIND_A`.

    `tokens` is the condition; `unknown` are its undefined names.
    """
    if len(unknown) < 2:
        return False
    names = {token[1] for token in unknown}
    return any(
        operator[1] in _COMPARISONS and left[1] in names and right[1] in names
        for left, operator, right in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def _wrap(value: int, unsigned: bool) -> int:
    value &= _MASK
    return value if unsigned or value < 1 << 63 else value - (1 << 64)


def _number(text: bytes) -> tuple[int, bool]:
    match = _INTEGER.fullmatch(text)
    if match is None:
        if b"." in text or re.fullmatch(rb"[0-9]+[eE].*|0[xX].*[pP].*", text):
            raise _Fault("floating point literal in preprocessor expression")
        raise _Fault("invalid integer constant in preprocessor expression")
    digits, suffix = match[1], match[2] or b""
    if len(digits) > 100:
        raise _Fault("integer literal is too large to be represented in any integer type")
    if digits[:2] in (b"0x", b"0X"):
        value = int(digits, 16)
    elif digits[:2] in (b"0b", b"0B"):
        value = int(digits, 2)
    elif digits[0] == 0x30:
        if re.search(rb"[89]", digits):
            raise _Fault("invalid digit in octal constant")
        value = int(digits, 8)
    else:
        value = int(digits)
    if value > _MASK:
        raise _Fault("integer literal is too large to be represented in any integer type")
    unsigned = b"u" in suffix.lower() or value >= 1 << 63
    return value, unsigned


_ESCAPES: Final = {
    b"n": 10, b"t": 9, b"r": 13, b"a": 7, b"b": 8, b"f": 12, b"v": 11, b"e": 27,
}  # fmt: skip


def _character(text: bytes) -> int:
    content = text[text.index(b"'") + 1 : -1]
    if not content:
        raise _Fault("empty character constant in preprocessor expression")
    value = 0
    for match in re.finditer(rb"\\(x[0-9A-Fa-f]+|[0-7]{1,3}|[\s\S])|[\s\S]", content):
        escape = match[1]
        if escape is None:
            code = match[0][0]
        elif escape[:1] == b"x" and len(escape) > 1:
            code = int(escape[1:], 16) & 0xFF
        elif escape[:1] in b"01234567":
            code = int(escape, 8) & 0xFF
        else:
            code = _ESCAPES.get(escape, escape[0])
        value = (value << 8 | code) & 0xFFFFFFFF
        single = match.start() == 0
        if single and match.end() == len(content) and code >= 0x80:
            return code - 0x100
    return value - (1 << 32) if value >= 1 << 31 else value


def _binary(
    operator: bytes, left: int, left_unsigned: bool, right: int, right_unsigned: bool, live: bool
) -> tuple[int, bool]:
    if operator in (b"<<", b">>"):
        count = min(max(right, -64), 64)
        if count < 0:
            operator, count = (b">>" if operator == b"<<" else b"<<"), -count
        shifted = left << count if operator == b"<<" else left >> count
        return _wrap(shifted, left_unsigned), left_unsigned
    unsigned = left_unsigned or right_unsigned
    left, right = _wrap(left, unsigned), _wrap(right, unsigned)
    if operator in _COMPARISONS:
        return int(_compare(operator, left, right)), False
    if operator in (b"/", b"%"):
        if right == 0:
            if live:
                kind = "division" if operator == b"/" else "remainder"
                raise _Fault(f"{kind} by zero in preprocessor expression")
            return 0, unsigned
        quotient = abs(left) // abs(right)
        quotient = quotient if (left < 0) == (right < 0) else -quotient
        return _wrap(quotient if operator == b"/" else left - quotient * right, unsigned), unsigned
    results = {
        b"*": left * right,
        b"+": left + right,
        b"-": left - right,
        b"&": left & right,
        b"^": left ^ right,
        b"|": left | right,
    }
    return _wrap(results[operator], unsigned), unsigned


def _compare(operator: bytes, left: int, right: int) -> bool:
    if operator == b"<":
        return left < right
    if operator == b">":
        return left > right
    if operator == b"<=":
        return left <= right
    if operator == b">=":
        return left >= right
    return (left == right) is (operator == b"==")
