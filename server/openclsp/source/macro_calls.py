"""Blanks the arguments of unknown macro calls before parsing.

In expanded text, `NAME(…)` may call a macro of the host or of a missing header, with arguments that need not
be expressions: statements, braces, operators, parts of declarations. If such a call is not valid C, its
arguments are blanked, since its expansion is unknown anyway. If it is in the place of specifiers, its
parentheses are blanked too: the grammar accepts a name alone there.

The result of each function depends only on the text of one chunk, and has the same length and lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from openclsp.source.blanked_text import TYPE_WORDS, blank_ranges, skip_white_space
from openclsp.source.comments import COMMENT
from openclsp.source.grammar_words import GRAMMAR_WORDS
from openclsp.source.old_style_functions import move_late_typedef

_LITERAL: Final = rb"\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?"
_TOKEN: Final = re.compile(
    rb"(?P<skipped>" + COMMENT + rb")|(?P<literal>" + _LITERAL + rb"|\.?[0-9](?:[eEpP][+-]|[\w.])*)"
    rb"|(?P<word>[A-Za-z_$]\w*)|(?P<mark>[-+*/%&|^<>=!]=|<<=?|>>=?|&&|\|\||->|\+\+|--|\.\.\.|[^\s\w])",
    re.DOTALL,
)
_LEAD: Final = re.compile(
    rb"(?:\s|" + COMMENT + rb"|\b(?:static|inline|__inline|__inline__|extern)\b)*\b([A-Za-z_]\w*)\s*\(",
    re.DOTALL,
)
_STATEMENT_WORDS: Final = frozenset(
    (
        b"if", b"for", b"while", b"do", b"return", b"else", b"switch", b"case", b"break", b"continue", b"goto",
        b"default",
    )
)  # fmt: skip
_INFIX: Final = frozenset(
    (
        b"=", b"==", b"!=", b"/", b"%", b"<", b">", b"<=", b">=", b"|", b"||", b"^=", b"+=", b"-=", b"*=", b"/=", b"%=",
        b"&=", b"|=", b"<<", b">>", b"<<=", b">>=", b"?", b":", b".", b"->",
    )
)  # fmt: skip
"""Tokens with which no expression begins or ends"""
_PREFIX: Final = frozenset((b"+", b"-", b"*", b"&", b"!", b"~", b"^", b"&&"))
_BIT_INT: Final = re.compile(rb"(\b_BitInt)(\s*\((?:[^()]|\([^()]*\))*\))")
_CLOSING: Final = {b"(": b")", b"[": b"]", b"{": b"}"}
_NOT_BLANK: Final = re.compile(rb"[^\s]")
_ASSEMBLER: Final = frozenset((b"asm", b"__asm", b"__asm__"))
_ASSEMBLER_WORDS: Final = frozenset((b"volatile", b"__volatile__", b"__volatile", b"inline", b"goto"))
_CLOSED: Final = frozenset(_CLOSING.values())
_HEAD_ENDS: Final = frozenset((b"{", b"=", b";"))
_HEAD_MARK: Final = re.compile(rb"[-+*%&|^<>=!]=|==|[{;=/\"']")
"""What may end a head, or hide what seems to: an operator, a comment or a literal"""
_COMMENT: Final = re.compile(COMMENT, re.DOTALL)
_BEFORE_LEAD: Final = frozenset((b"static", b"inline", b"__inline", b"__inline__", b"extern"))
_BEFORE_TYPE: Final = _BEFORE_LEAD | frozenset(
    (b"const", b"volatile", b"kernel", b"__kernel", b"__attribute__", b"(", b"struct", b"union", b"enum")
)
_PRIMITIVE: Final = re.compile(TYPE_WORDS + rb"\Z")
_NAMES: Final = re.compile(rb"\b" + TYPE_WORDS + rb"(?:\s+[A-Za-z_]\w*){3,}\s*(\(?)")
_WORD: Final = re.compile(rb"[A-Za-z_]")


class _Token(NamedTuple):
    text: bytes
    start: int
    end: int
    is_name: bool
    """Whether it is an identifier and no word that the grammar knows"""


class _Part(NamedTuple):
    """A token, or a parenthesised group of tokens, in the head of a declaration.

    It consists of the tokens `first` to `last`.
    """

    text: bytes
    first: int
    last: int
    is_name: bool


def match_leading_call(text: bytes, start: int) -> re.Match[bytes] | None:
    """Matches the name and opening parenthesis of a macro call at the beginning of a top-level construct."""
    lead = _LEAD.match(text, skip_white_space(text, start))
    return lead if lead is not None and lead[1] not in GRAMMAR_WORDS else None


def _tokens(text: bytes, start: int, end: int) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text, start, end):
        if match.lastgroup != "skipped":
            word = match[0]
            name = match.lastgroup == "word" and word not in GRAMMAR_WORDS
            yield _Token(word, match.start(), match.end(), name)


def blank_head_macros(text: bytes) -> bytes:
    """Blanks the arguments of macros at the beginning of a declaration and among its specifiers."""
    if b"_BitInt" in text:
        # the grammar has no `_BitInt(N)`: without the parentheses it is a name, which is known to be a type
        text = _BIT_INT.sub(lambda match: match[1] + _NOT_BLANK.sub(b" ", match[2]), text)
    text = move_late_typedef(text)
    end = _head_end(text)
    if (
        text.count(b"(", 0, end) < 2
        and match_leading_call(text, 0) is None
        and not _has_many_names(text, end)
    ):
        return text
    tokens = list(_tokens(text, 0, end))
    closing = _closing(tokens)
    parts = list(_parts(tokens, closing))
    blanks: list[tuple[int, int]] = []
    lead = _read_lead(text, tokens, parts, blanks)
    _read_specifiers(tokens, parts[lead:], blanks)
    named = False
    typed = any(part.text not in _BEFORE_TYPE for part in parts[:lead])
    for part in parts[lead:]:
        # Parameters follow a name or a parenthesis. An attribute's arguments are not parameters:
        # `__attribute__((reqd_work_group_size(16, 4 * 4, 2)))`; nor is the declarator in `int (f(int x))` or
        # `type (f(int x))`.
        if (
            named
            and part.last > part.first
            and not any(start <= tokens[part.first].start < last for start, last in blanks)
        ):
            blanks += _among_parameters(tokens, closing, part)
        named = typed and (part.is_name or part.last > part.first)
        typed = typed or part.text not in _BEFORE_TYPE
    return blank_ranges(text, sorted(blanks))


def _has_many_names(text: bytes, end: int) -> bool:
    """Whether the text up to `end` contains a type followed by three or more names and a parenthesis.

    A sequence of words is scanned only once, from its first type, so that the time is linear.
    """
    return any(found[1] for found in _NAMES.finditer(text, 0, end))


def _among_parameters(
    tokens: list[_Token], closing: Mapping[int, int], part: _Part
) -> Iterator[tuple[int, int]]:
    """Yields the ranges of macros' argument lists in `part`, the parameter list of a function.

    An example is `f(OUT(int) int *p, PAIR(int, a))`.
    """
    number = part.first
    while number + 2 < part.last:
        begins = tokens[number].text in (b"(", b",") and tokens[number + 1].is_name
        number += 1
        if not begins or tokens[number + 1].text != b"(":
            continue
        last = closing.get(number + 1, -1)
        behind = tokens[last + 1].text if last + 1 < len(tokens) else b""
        inside = tokens[number + 2 : last]
        whole = behind in (b",", b")") and len(inside) > 1 and inside[0].text not in (b"*", b"^")
        if whole or _WORD.match(behind):
            yield tokens[number + 1].start, tokens[last].end
        number = last


def _read_specifiers(tokens: list[_Token], parts: list[_Part], blanks: list[tuple[int, int]]) -> None:
    """Adds to `blanks` the ranges to be blanked in the macro calls before and after a function's name."""
    names = 0
    for number, part in enumerate(parts):
        group = parts[number + 1] if number + 1 < len(parts) else None
        if not part.is_name:
            names = 0
            continue
        names += 1
        if group is None or group.text != b"(":
            continue
        if names > 2 and number > names - 1 and _PRIMITIVE.match(parts[number - names].text):
            # `float API CALL f(int x)`: the grammar accepts a single macro name between type and function
            first, last = parts[number - names + 1], parts[number - 2]
            blanks.append((tokens[first.first].start, tokens[last.last].end))
        behind = parts[number + 2] if number + 2 < len(parts) else None
        inside = tokens[group.first + 1 : group.last]
        if behind is None:
            break
        if behind.text == b"(":
            # `float DECLARE(f, 2)(int x)`
            if len(inside) != 1 and inside and inside[0].text not in (b"*", b"^"):
                blanks.append((tokens[group.first].end, tokens[group.last].start))
            break
        following = parts[number + 3] if number + 3 < len(parts) else None
        if behind.is_name and following is not None and following.text == b"(":
            arguments = tokens[following.first + 1 : following.last]
            if _are_parameters(inside) and not _are_parameters(arguments):
                # `float f(int x) API(2)`
                blanks.append((tokens[following.first].start, tokens[following.last].end))
                break
            blanks.append((tokens[group.first].start, tokens[group.last].end))
            names = 0
            continue
        break


def _are_parameters(inside: list[_Token]) -> bool:
    """Whether tokens in parentheses look like parameters: none, two adjacent words, or a keyword."""
    words = [_WORD.match(token.text) is not None for token in inside]
    pairs = any(one and other for one, other in pairwise(words))
    return not inside or pairs or any(token.text in GRAMMAR_WORDS for token in inside)


def blank_call_arguments(text: bytes) -> bytes:
    """Blanks call arguments that are not expressions, as in `REPEAT(int i = 0; i++;)`."""
    tokens = list(_tokens(text, 0, len(text)))
    closing, ends = _closing(tokens), _ends(tokens)
    blanks: list[tuple[int, int]] = []
    number = 0
    while number + 1 < len(tokens):
        opening = number + 1
        number += 1
        if tokens[number - 1].text in _ASSEMBLER:
            blanks += _operands(tokens, closing, number)
            continue
        if not tokens[number - 1].is_name:
            continue
        while opening < len(tokens) and tokens[opening].text == b"(":
            last = closing.get(opening, -1)
            if last < 0:
                break
            if _is_no_list(tokens, opening + 1, last, ends):
                first = tokens[opening - 1].is_name
                # `unroll(4)(int i = 0; i < 4; i++) { … }`: after the name, an empty pair of parentheses
                # suffices
                inner = (tokens[opening].end, tokens[last].start)
                blanks.append(inner if first else (tokens[opening].start, tokens[last].end))
                number = last + 1
            opening = last + 1
    return blank_ranges(text, blanks)


def _operands(tokens: list[_Token], closing: Mapping[int, int], number: int) -> Iterator[tuple[int, int]]:
    """Yields the range of the operands, if any, of the `asm` statement that begins at token `number`.

    The operands are all text after the first string. Their syntax depends on the compiler.
    """
    while number < len(tokens) and tokens[number].text in _ASSEMBLER_WORDS:
        number += 1
    if number + 2 < len(tokens) and tokens[number].text == b"(" and tokens[number + 1].text[:1] == b'"':
        last = closing.get(number, -1)
        if last >= 0:
            yield tokens[number + 1].end, tokens[last].start


def _read_lead(text: bytes, tokens: list[_Token], parts: list[_Part], blanks: list[tuple[int, int]]) -> int:
    """Adds to `blanks` the ranges that are to be blanked in the macro calls at the beginning of a chunk.

    Returns the index of the part after these calls.
    """
    number = 0
    while number < len(parts):
        part = parts[number]
        if part.text in _BEFORE_LEAD:
            number += 1
            continue
        if number + 1 == len(parts) or not part.is_name or parts[number + 1].text != b"(":
            break
        group = parts[number + 1]
        inside = tokens[group.first + 1 : group.last]
        following = parts[number + 2].text if number + 2 < len(parts) else b";"
        arguments, whole = (
            (tokens[group.first].end, tokens[group.last].start),
            (tokens[group.first].start, tokens[group.last].end),
        )
        if following == b"{":
            if _is_no_list(inside, 0, len(inside), _ends(inside)):
                blanks.append(arguments)
            break
        if following == b";" or following == b"typedef":
            if not inside or inside[0].text not in (b"*", b"^"):
                blanks.append(arguments)
        elif following == b"(" and len(inside) > 1 and inside[0].text not in (b"*", b"^"):
            # `DECLARE(float, f)(int x)`
            blanks.append(arguments)
            break
        elif not _WORD.match(following):
            # `DECLARE(f)(int x)`, `T (*p)[4]`
            break
        elif number + 3 < len(parts) and parts[number + 2].is_name and parts[number + 3].text == b"(":
            between = text[tokens[group.last].end : tokens[parts[number + 2].first].start]
            if b"\n" not in between:
                # `VECTOR(float, 4) f(int x)`: the return type
                if len(inside) > 1:
                    blanks.append(whole)
                break
            blanks.append(arguments)
        else:
            blanks.append(whole)
            before = parts[number - 1]
            between = text[tokens[group.last].end : tokens[parts[number + 2].first].start]
            if number and before.text in _BEFORE_LEAD and b"\n" in between:
                # `static DEFINE(x)` on a line of its own: the storage class belongs to the macro
                blanks.append((tokens[before.first].start, tokens[before.last].end))
            number += 2
            break
        number += 2
    return number


def _head_end(text: bytes) -> int:
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
    for token in _tokens(text, 0, len(text)):
        if token.text == b"(":
            depth += 1
        elif token.text == b")":
            depth -= 1
        elif depth <= 0 and token.text in _HEAD_ENDS:
            return token.end
    return len(text)


def _parts(tokens: list[_Token], closing: Mapping[int, int]) -> Iterator[_Part]:
    number = 0
    while number < len(tokens):
        token = tokens[number]
        last = closing.get(number, -1) if token.text == b"(" else number
        if last < 0:
            return
        yield _Part(token.text, number, last, token.is_name)
        number = last + 1


def _closing(tokens: list[_Token]) -> Mapping[int, int]:
    """Maps the index of each closed `(` to the index of its `)`."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for number, token in enumerate(tokens):
        if token.text == b"(":
            opened.append(number)
        elif token.text == b")" and opened:
            found[opened.pop()] = number
    return found


def _ends(tokens: list[_Token]) -> Mapping[int, int]:
    """Maps the index of each closed bracket, of any kind, to the index of its closing bracket."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for number, token in enumerate(tokens):
        if token.text in _CLOSING:
            opened.append(number)
        elif token.text in _CLOSED and opened:
            found[opened.pop()] = number
    return found


def _is_no_list(tokens: list[_Token], start: int, end: int, ends: Mapping[int, int]) -> bool:
    """Whether the tokens from `start` to `end` cannot be arguments of a function call.

    That is so if they contain a statement, an operator without an operand, or an unmatched bracket. Nested
    brackets are skipped, so that the time for nested calls is linear.
    """
    first = True
    before = b""
    number = start
    while number < end:
        text = tokens[number].text
        if text in _CLOSED or text == b";" or text in _STATEMENT_WORDS:
            return True
        if text in _CLOSING:
            number = ends.get(number, end)
            if number >= end:
                return True
            first, before = False, tokens[number].text
        elif text == b",":
            if before in _INFIX or before in _PREFIX:
                return True
            first = True
            before = text
        else:
            if first and text in _INFIX:
                return True
            first, before = False, text
        number += 1
    return before in _INFIX or before in _PREFIX
