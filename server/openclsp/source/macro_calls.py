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
from itertools import takewhile
from typing import Final

from openclsp.source.blanked_text import TYPE_WORDS, blank_ranges, skip_white_space
from openclsp.source.comments import COMMENT
from openclsp.source.grammar_words import GRAMMAR_WORDS
from openclsp.source.head_parts import WORD, HeadPart, are_parameters, closing_parentheses, head_parts
from openclsp.source.head_tokens import HeadToken, head_end, head_tokens
from openclsp.source.old_style_functions import blank_macros_of_old_head, move_late_typedef
from openclsp.source.unparsed_extensions import blank_unparsed_extensions

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
_CLOSING: Final = {b"(": b")", b"[": b"]", b"{": b"}"}
_ASSEMBLER: Final = frozenset((b"asm", b"__asm", b"__asm__"))
_ASSEMBLER_WORDS: Final = frozenset((b"volatile", b"__volatile__", b"__volatile", b"inline", b"goto"))
_CLOSED: Final = frozenset(_CLOSING.values())
_BEFORE_LEAD: Final = frozenset((b"static", b"inline", b"__inline", b"__inline__", b"extern"))
_BEFORE_TYPE: Final = _BEFORE_LEAD | frozenset(
    (b"const", b"volatile", b"kernel", b"__kernel", b"__attribute__", b"(", b"struct", b"union", b"enum")
)
_PRIMITIVE: Final = re.compile(TYPE_WORDS + rb"\Z")
_NAMES: Final = re.compile(rb"(?:\b" + TYPE_WORDS + rb"\s|\*)(?:\s*\b[A-Za-z_]\w*){3,}\s*(\(?)")
_AFTER_VARIABLE: Final = frozenset((b"=", b"["))
_INITIALISER: Final = re.compile(rb"=\s*\{")


def match_leading_call(text: bytes, start: int) -> re.Match[bytes] | None:
    """Matches the name and opening parenthesis of a macro call at the beginning of a top-level construct."""
    lead = _LEAD.match(text, skip_white_space(text, start))
    return lead if lead is not None and lead[1] not in GRAMMAR_WORDS else None


def blank_head_macros(text: bytes) -> bytes:
    """Blanks the arguments of macros at the beginning of a declaration and among its specifiers."""
    text = move_late_typedef(blank_unparsed_extensions(text))
    end = head_end(text)
    calls = text.count(b"(", 0, end)
    if (
        calls < 2
        and (not calls or (text[end - 1 : end] != b"=" and text.find(b")[", 0, end) < 0))
        and match_leading_call(text, 0) is None
        and not _has_many_names(text, end)
    ):
        return text
    if (old := blank_macros_of_old_head(text, end)) is not None:
        return old
    tokens = list(head_tokens(text, 0, end))
    closing = closing_parentheses(tokens)
    parts = list(head_parts(tokens, closing))
    functions = _functions_of_macros(text, tokens, parts)
    if functions:
        return blank_head_macros(blank_ranges(text, functions))
    blanks: list[tuple[int, int]] = []
    lead = _read_lead(text, tokens, parts, blanks)
    _read_specifiers(text, tokens, parts[lead:], blanks)
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


def _functions_of_macros(
    text: bytes, tokens: list[HeadToken], parts: list[HeadPart]
) -> list[tuple[int, int]]:
    """Returns the ranges of functions whose bodies are calls of unknown macros, without the macros' names.

    An example is `float f(float x) BODY(sin)` in a line of its own, before another function or the end.
    """
    functions = [
        number
        for number in range(1, len(parts) - 1)
        if parts[number].is_name
        and parts[number + 1].text == b"("
        and are_parameters(tokens[parts[number + 1].first + 1 : parts[number + 1].last])
        and WORD.match(parts[number - 1].text)
    ]
    blanks: list[tuple[int, int]] = []
    start = 0
    for number in functions:
        macro, behind = number + 2, number + 4
        if not (behind <= len(parts) and parts[macro].is_name and parts[macro + 1].text == b"("):
            continue
        name, arguments = tokens[parts[macro].first], tokens[parts[macro + 1].last]
        following = tokens[parts[behind].first] if behind < len(parts) else None
        if following is None or (
            number != functions[-1]
            and WORD.match(following.text)
            and b"\n" in text[arguments.end : following.start]
        ):
            blanks += ((start, name.start), (name.end, arguments.end))
            start = arguments.end
    return blanks


def _has_many_names(text: bytes, end: int) -> bool:
    """Whether the text up to `end` contains a type followed by three or more names and a parenthesis.

    A sequence of words is scanned only once, from its first type, so that the time is linear.
    """
    return any(found[1] for found in _NAMES.finditer(text, 0, end))


def _among_parameters(
    tokens: list[HeadToken], closing: Mapping[int, int], part: HeadPart
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
        if whole or WORD.match(behind):
            yield tokens[number + 1].start, tokens[last].end
        number = last


def _read_specifiers(
    text: bytes, tokens: list[HeadToken], parts: list[HeadPart], blanks: list[tuple[int, int]]
) -> None:
    """Adds to `blanks` the ranges to be blanked in the macro calls before and after a function's name."""
    parts = _without_attributes(parts)
    names = 0
    for number, part in enumerate(parts):
        group = parts[number + 1] if number + 1 < len(parts) else None
        if not part.is_name:
            names = 0
            continue
        names += 1
        if group is None or group.text != b"(":
            continue
        before = parts[number - names].text if number > names - 1 else b""
        if names > 1 and (before == b"*" or _PRIMITIVE.match(before)):
            macros = parts[number - names + 1 : number]
            if part.first - parts[number - names].last == names:
                # `float API CALL f(int x)`: the grammar accepts a single macro name between type and function
                macros.pop()
            # with an attribute among them it accepts none
            blanks += [(tokens[each.first].start, tokens[each.last].end) for each in macros]
        behind = parts[number + 2] if number + 2 < len(parts) else None
        inside = tokens[group.first + 1 : group.last]
        if behind is None:
            break
        if number and behind.text in _AFTER_VARIABLE and not are_parameters(inside):
            # `constant float NAME(a)[2] = { 1, 2 };`: the macro makes the variable's name
            declared = tokens[parts[0].first].start, tokens[part.first].start
            blanks += (declared, (tokens[group.first].start, _last_semicolon(text)))
            break
        if behind.text == b"(":
            # `float DECLARE(f, 2)(int x)`
            if len(inside) != 1 and inside and inside[0].text not in (b"*", b"^"):
                blanks.append((tokens[group.first].end, tokens[group.last].start))
            break
        following = parts[number + 3] if number + 3 < len(parts) else None
        if behind.is_name and following is not None and following.text == b"(":
            arguments = tokens[following.first + 1 : following.last]
            if are_parameters(inside) and not are_parameters(arguments):
                # `float f(int x) API(2)`
                blanks.append((tokens[following.first].start, tokens[following.last].end))
                break
            # `float API(2) __attribute__((pure)) f(int x)`: the name is blanked, too
            mixed = behind.first > group.last + 1 and number > 0 and _PRIMITIVE.match(parts[number - 1].text)
            first = part if mixed else group
            blanks.append((tokens[first.first].start, tokens[group.last].end))
            names = 0
            continue
        break


def _without_attributes(parts: list[HeadPart]) -> list[HeadPart]:
    found: list[HeadPart] = []
    for part in parts:
        if part.text == b"(" and found and found[-1].text == b"__attribute__":
            found.pop()
        else:
            found.append(part)
    return found


def blank_call_arguments(text: bytes) -> bytes:
    """Blanks call arguments that are not expressions, as in `REPEAT(int i = 0; i++;)`."""
    tokens = list(head_tokens(text, 0, len(text)))
    closing, ends = closing_parentheses(tokens), _ends(tokens)
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


def _operands(tokens: list[HeadToken], closing: Mapping[int, int], number: int) -> Iterator[tuple[int, int]]:
    """Yields the range of the operands, if any, of the `asm` statement that begins at token `number`.

    The operands are all text after the first string. Their syntax depends on the compiler.
    """
    while number < len(tokens) and tokens[number].text in _ASSEMBLER_WORDS:
        number += 1
    if number + 2 < len(tokens) and tokens[number].text == b"(" and tokens[number + 1].text[:1] == b'"':
        last = closing.get(number, -1)
        if last >= 0:
            yield tokens[number + 1].end, tokens[last].start


def _read_lead(
    text: bytes, tokens: list[HeadToken], parts: list[HeadPart], blanks: list[tuple[int, int]]
) -> int:
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
        if following in _AFTER_VARIABLE and _INITIALISER.match(text, tokens[-1].start):
            # `TABLE(float, a, 2) = { 1, 2 };`
            blanks.append((tokens[group.first].start, _last_semicolon(text)))
            break
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
        elif not WORD.match(following):
            # `DECLARE(f)(int x)`, `T (*p)[4]`
            break
        elif first_word := _declaration_after_calls(parts, number):
            # `DEFINE(a) DEFINE(b) constant float c = 1;`; the grammar accepts a single macro before `typedef`
            blanks.append((tokens[part.first].start, whole[1]) if first_word == b"typedef" else whole)
        elif number + 3 < len(parts) and parts[number + 2].is_name and parts[number + 3].text == b"(":
            between = text[tokens[group.last].end : tokens[parts[number + 2].first].start]
            second = parts[number + 3]
            code = any(token.text in (b"{", b";") for token in tokens[second.first : second.last])
            if b"\n" not in between and not code:
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


def _declaration_after_calls(parts: list[HeadPart], number: int) -> bytes:
    """Returns the first word of a declaration that follows two or more macro calls, from part `number` on.

    A line end if the text ends after the calls. Empty if the second call may be a function's name and parameters: `VECTOR(float, 4) f(int x) PURE {`.
    """
    first = number
    while number + 1 < len(parts) and parts[number].is_name and parts[number + 1].text == b"(":
        number += 2
    if number == len(parts):
        return b"" if number < first + 4 else b"\n"
    words = list(takewhile(lambda part: WORD.match(part.text), parts[number:]))
    behind = parts[number + len(words)].text if number + len(words) < len(parts) else b""
    is_declaration = any(not word.is_name and word.text != b"__attribute__" for word in words) or (
        len(words) > 1 and behind == b"("
    )
    return words[0].text if is_declaration and number >= first + 4 else b""


def _last_semicolon(text: bytes) -> int:
    """Returns the offset of the semicolon that ends a chunk, or the end of the text if there is none."""
    return len(text.rstrip().removesuffix(b";"))


def _ends(tokens: list[HeadToken]) -> Mapping[int, int]:
    """Maps the index of each closed bracket, of any kind, to the index of its closing bracket."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for number, token in enumerate(tokens):
        if token.text in _CLOSING:
            opened.append(number)
        elif token.text in _CLOSED and opened:
            found[opened.pop()] = number
    return found


def _is_no_list(tokens: list[HeadToken], start: int, end: int, ends: Mapping[int, int]) -> bool:
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
