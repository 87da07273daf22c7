"""Finds calls of macros that convert their argument to a string: `#define KERNEL(...) #__VA_ARGS__`.

In the string that a compiler makes, comments are removed and white space is a single blank. The value here is
the argument as written, so that each byte of it has an offset in the host file. Both texts have the same
meaning in OpenCL C.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from openclsp.host_code.c_literals import TOKEN, decode_escapes, read_c_literal
from openclsp.host_code.string_value import (
    Notation,
    PieceKind,
    StringLiteral,
    StringValue,
    ValuePiece,
)
from openclsp.source.comments import COMMENT

_DEFINITION: Final = re.compile(
    rb"^[ \t]*\#[ \t]*define[ \t]+(?P<name>[A-Za-z_]\w*)\((?P<parameters>[^()]{0,400})\)"
    rb"(?P<body>(?:\\\r?\n|[^\r\n])*)",
    re.MULTILINE,
)
_KNOWN_NAMES: Final = re.compile(
    rb"(?:\w*_)?(?:STRINGI(?:FY|ZE)(?:_(?:SOURCE|CODE|KERNEL))?|STRINGIFIED|STRINGIFICATION|TO_?STRING|STRING|STR|QUOTE|QUOTED|KERNEL_(?:SOURCE|STRING)|OPENCL_(?:SOURCE|CODE)|SRC|CL_SRC)\d*\Z",
    re.IGNORECASE,
)
"""Names that stringifying macros usually have, in case a header defines the macro"""
_CALL: Final = re.compile(rb"(?<![\w#])(?P<name>[A-Za-z_]\w*)[ \t]*\(")
_PROGRAM: Final = re.compile(
    rb"\b(?:__)?kernel\b|\b__(?:global|local|constant)\b|\bget_(?:global|local|group)_(?:id|size)\b"
)
_BEGINS_PROGRAM: Final = re.compile(
    rb"(?:\s|" + COMMENT + rb")*(?:(?:__)?kernel\s+(?:void\b|__attribute__)|__(?:global|constant)\s)"
)
"""Matches text that no function takes as an argument: the call is that of a macro from a header"""
_KEYWORDS: Final = frozenset((b"return", b"if", b"while", b"switch", b"sizeof", b"for"))
_WRITTEN_ESCAPE: Final = re.compile(
    rb"\"(?:[^\"\\\r\n]|\\[^\r\n])*\"?|'(?:[^'\\\r\n]|\\[^\r\n]){0,16}'"
    rb"|(?P<escape>\\(?:\r?\n|[ntrfv\\]|x[0-9a-fA-F]{1,2}|[0-7]{1,3}))"
)
"""An escape sequence outside of literals: `#` makes a string of the argument in which it is one"""
_LONGEST_ARGUMENT: Final = 1 << 20
_MAXIMUM_NESTED: Final = 8
"""The maximum number of macros that pass an argument on to each other"""


class StringifiedArgument(NamedTuple):
    """A call of a stringifying macro, and the value of its argument.

    The call extends from byte `start` to `end`, after the closing parenthesis.
    """

    start: int
    end: int
    value: StringValue


def find_stringified(data: bytes) -> Iterator[StringifiedArgument]:
    """Yields the calls of stringifying macros whose arguments look like OpenCL C, in order.

    If the argument of one call begins like a program, all calls of that macro are included, because the
    others may contain further functions or parts of parameter lists.
    """
    last = max((each.start() for each in _PROGRAM.finditer(data)), default=-1)
    skipped = _parameters_before(data) if last >= 0 else {}
    named = {each for each in _macros_with_programs(data) if each not in _KEYWORDS} if last >= 0 else set()
    literals: list[tuple[int, int]] | None = None
    at = 0
    for match in _CALL.finditer(data):
        name = match["name"]
        known = skipped.get(name)
        opening = match.end() - 1
        if match.start() < at or (known is None and _KNOWN_NAMES.match(name) is None and name not in named):
            continue
        if last < opening and not named:
            return
        line = data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()]
        if line.lstrip().startswith(b"#"):
            continue
        if literals is None:
            literals = list(literal_ranges(data))
        index = bisect_right(literals, match.start(), key=lambda each: each[0]) - 1
        if index >= 0 and match.start() < literals[index][1]:
            continue
        end = closing_parenthesis(data, opening)
        if end is None:
            continue
        start = _argument_start(data, opening + 1, end, known or 0)
        value = stringified_value(data, start, end)
        is_program = name in named or _PROGRAM.search(value.data) is not None
        if not is_program or _is_string(data, start):
            continue
        yield StringifiedArgument(match.start(), end + 1, value)
        at = end + 1


def _macros_with_programs(data: bytes) -> Iterator[bytes]:
    """Yields the names of macros with a call whose argument begins like a program."""
    for match in _CALL.finditer(data):
        if _BEGINS_PROGRAM.match(data, match.end()) is not None:
            yield match["name"]


def blank_stringified(data: bytes, found: tuple[StringifiedArgument, ...]) -> bytes:
    """Replaces each call by a name and blanks, so that the host language's grammar can parse the file."""
    pieces: list[bytes] = []
    at = 0
    for each in found:
        written = data[each.start : each.end]
        lines = re.sub(rb"[^\r\n]", b" ", written[1:])
        pieces += (data[at : each.start], b"_", lines)
        at = each.end
    return b"".join((*pieces, data[at:]))


def stringified_value(data: bytes, start: int, end: int) -> StringValue:
    """Returns the value of an argument; escape sequences such as `\\n` or `\\x23` are decoded."""
    literal = StringLiteral(start, start, end, end, Notation.STRINGIFIED, b")")
    texts: list[bytes] = []
    pieces: list[ValuePiece] = []
    at, length = start, 0
    for match in _WRITTEN_ESCAPE.finditer(data, start, end):
        if match["escape"] is None:
            continue
        escape = StringLiteral(match.start(), match.start(), match.end(), match.end(), Notation.C, b"")
        for text, host_end, kind in (
            (data[at : match.start()], match.start(), PieceKind.COPIED),
            (decode_escapes(data, escape).data, match.end(), PieceKind.ESCAPED),
        ):
            if text:
                texts.append(text)
                pieces.append(ValuePiece(length, length + len(text), at, host_end, kind, 0))
                length += len(text)
            at = host_end
    if end > at:
        texts.append(data[at:end])
        pieces.append(ValuePiece(length, length + end - at, at, end, PieceKind.COPIED, 0))
    return StringValue(b"".join(texts), tuple(pieces), (literal,))


def closing_parenthesis(data: bytes, opening: int) -> int | None:
    """Returns the offset of the parenthesis that closes the one at `opening`; None if it is not closed."""
    depth = 0
    limit = min(len(data), opening + _LONGEST_ARGUMENT)
    at = opening
    while (match := _MARK.search(data, at, limit)) is not None:
        at = match.end()
        mark = match[0]
        if mark == b"(":
            depth += 1
        elif mark == b")":
            depth -= 1
            if depth == 0:
                return match.start()
        elif match.lastgroup == "literal":
            value = read_c_literal(data, match.start(), limit)
            at = value.literals[0].end if value is not None else at
    return None


_MARK: Final = re.compile(rb"[()]|" + TOKEN.pattern)


def literal_ranges(data: bytes) -> Iterator[tuple[int, int]]:
    """Yields the ranges of the comments, string literals and character constants in C code."""
    at = 0
    while (token := TOKEN.search(data, at)) is not None:
        at = token.end()
        if token.lastgroup == "literal":
            value = read_c_literal(data, token.start())
            at = value.literals[0].end if value is not None else at
        yield token.start(), at


def _parameters_before(data: bytes) -> dict[bytes, int]:
    """Maps each stringifying macro to the number of parameters before the one that it converts to a string."""
    found: dict[bytes, int] = {}
    handing: dict[bytes, tuple[list[bytes], bytes]] = {}
    for match in _DEFINITION.finditer(data):
        names = [each.strip() for each in match["parameters"].split(b",")]
        names = [b"__VA_ARGS__" if each == b"..." else each.removesuffix(b"...").strip() for each in names]
        handing[match["name"]] = names, match["body"]
        for number, name in enumerate(names):
            if name and re.search(rb"(?<!#)#[ \t]*" + re.escape(name) + rb"\b", match["body"]):
                found[match["name"]] = number
                break
    for _ in range(_MAXIMUM_NESTED):
        before = len(found)
        for macro, (names, body) in handing.items():
            for number, name in enumerate(names):
                call = re.search(rb"\b(\w+)[ \t]*\([ \t]*" + re.escape(name) + rb"[ \t]*\)", body)
                if macro not in found and name and call is not None and call[1] in found:
                    found[macro] = number
        if len(found) == before:
            break
    return found


def _argument_start(data: bytes, start: int, end: int, skipped: int) -> int:
    """Returns the offset at which an argument begins, after the first `skipped` arguments.

    Bytes `start` to `end` contain all arguments.
    """
    depth = 0
    for match in re.finditer(rb"[(),]", data[start:end]):
        if skipped == 0:
            break
        mark = match[0]
        depth += (mark == b"(") - (mark == b")")
        if mark == b"," and depth == 0:
            skipped -= 1
            if skipped == 0:
                return start + match.end()
    return start


def _is_string(data: bytes, start: int) -> bool:
    """Whether an argument is a string literal already, rather than OpenCL C code."""
    return data[start : start + 200].lstrip().startswith((b'"', b'R"', b"'"))
