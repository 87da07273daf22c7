"""Finds string literals in host languages that are not parsed: Rust, D, Ruby and Haskell.

Only comments and literals are recognised. Literals that an operator joins (`"a" ~ "b"`) are one value. Text that
the host inserts (`#{x}`, `{x}` in `format!`) is a hole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.host_code.c_literals import decode_escapes
from openclsp.host_code.host_language import HostLanguage
from openclsp.host_code.string_value import (
    Notation,
    PieceKind,
    StringLiteral,
    StringValue,
    ValuePiece,
    hole,
    join_values,
)

_PLAIN: Final = re.compile(rb'(?:[^"\\]|\\[\s\S])*')
_PLAIN_WITH_GAPS: Final = re.compile(rb'(?:[^"\\]|\\\s+\\|\\[\s\S])*')
_BRACES: Final = re.compile(
    rb"[{}]|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\[\s\S])*\"|'(?:[^'\\\n]|\\.)'"
)
_MATCHING: Final = {b"(": b")", b"[": b"]", b"{": b"}", b"<": b">"}
_NO_PARTS: Final = re.compile(rb"(?!)")
_INTERPOLATION: Final = re.compile(rb"(?P<hole>\#\{[^{}\n]*\})")
_FORMATTED: Final = re.compile(rb"(?P<double>\{\{|\}\})|(?P<hole>\{[^{}\n]*\})")
_GAP: Final = re.compile(rb"(?P<gap>\\\s+\\|\\&)")
_QUOTED_PARTS: Final = re.compile(rb"(?P<hole>[\#$]\{[^{}\n]*\}|\$\([^()\n]*\)|\$\w+(?::\w+)?|\#\w+\#)")
_FORMATS: Final = re.compile(
    rb"\b(?:format|write|writeln|print|println|formatdoc|formatcp|format_args)!\s*[(\[{]\s*(?:[\w.]+\s*,\s*)?\Z"
)
_BEFORE_FORMAT: Final = 80
MAXIMUM_UNCLOSED: Final = 100
"""The number of literals without an end after which a file is not searched further; each takes linear time"""
_OPERAND: Final = re.compile(rb"[A-Za-z_][\w.:!]{0,80}(?:\([^()\"\n]{0,80}\))?")


@dataclass(frozen=True, slots=True)
class _Syntax:
    """The comments and literals of a language.

    - `token`: a comment or character (`skipped`), or the beginning of a literal.
    - `joined`: the operator between two literals that are joined.
    - `parts`: what is not copied from an escaped literal: interpolations, gaps.
    """

    token: re.Pattern[bytes]
    joined: re.Pattern[bytes]
    parts: re.Pattern[bytes] = _NO_PARTS


_SYNTAXES: Final[Mapping[HostLanguage, _Syntax]] = {
    HostLanguage.RUST: _Syntax(
        re.compile(
            rb"(?P<skipped>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|b?'(?:\\[^\n]{1,10}?|[^'\\\n])')"
            rb"|(?<!\w)[bc]?(?:r(?P<hashes>\#{0,8})\"|(?P<plain>\"))"
        ),
        # the arguments of `concat!` are not joined: they may also be those of another macro
        _NO_PARTS,
    ),
    HostLanguage.D: _Syntax(
        re.compile(
            rb"(?P<skipped>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|/\+[\s\S]*?(?:\+/|\Z)|'(?:\\[^\n]{1,10}?|[^'\\\n])')"
            rb"|(?<!\w)q(?:(?P<braces>\{)|\"(?:(?P<bracket>[(\[{<])|(?P<identifier>[A-Za-z_]\w*)\n))"
            rb"|(?<!\w)r(?P<hashes>)\"|(?P<back>`)|(?P<plain>\")"
        ),
        re.compile(rb"\s*~\s*"),
    ),
    HostLanguage.RUBY: _Syntax(
        re.compile(
            rb"(?P<skipped>^=begin\b[\s\S]*?(?:^=end\b|\Z)|(?<![\w\"'])\#(?!\{)[^\n]*|'(?:[^'\\]|\\[\s\S])*')"
            rb"|<<[-~]?(?P<quote>[\"'`]?)(?P<heredoc>[A-Za-z_]\w*)(?P=quote)[^\n]*\n"
            rb"|%(?P<literal>[qQ]?)(?P<bracket>\{)|(?P<plain>\")",
            re.MULTILINE,
        ),
        re.compile(rb"\s*(?:\+|<<)\s*|[ \t]*\\\n\s*"),
        _INTERPOLATION,
    ),
    HostLanguage.HASKELL: _Syntax(
        re.compile(
            rb"(?P<skipped>--+(?![!#$%&*+./<=>?@\\^|~:])[^\n]*|\{-[\s\S]*?(?:-\}|\Z)|(?<![\w'])'(?:\\[^\n]{1,10}?|[^'\\\n])')"
            rb"|\[\$?[a-z_][\w.']*(?P<quasi>\|)|(?P<plain>\")"
        ),
        re.compile(rb"\s*(?:\+\+|<>)\s*"),
        _GAP,
    ),
}


@dataclass(frozen=True, slots=True)
class ScannedString:
    """Literals that the host joins: their value, and the comment before the first one."""

    value: StringValue
    comment: bytes


def scan_strings(data: bytes, language: HostLanguage) -> Iterator[ScannedString]:
    """Yields the strings of a host file, in order."""
    syntax = _SYNTAXES[language]
    at, comment, comment_end, unclosed = 0, b"", 0, 0
    while unclosed < MAXIMUM_UNCLOSED and (token := syntax.token.search(data, at)) is not None:
        if token.lastgroup == "skipped" and token["skipped"]:
            at = token.end()
            comment, comment_end = token[0], at
            continue
        values: list[StringValue] = []
        first = token.start()
        while token is not None:
            read = _read_literal(data, token, syntax)
            if read is None:
                break
            value, at = read
            values.append(value)
            token = _joined_literal(data, at, syntax, values)
        if not values:
            at = first + 1
            unclosed += 1
            continue
        is_near = comment and b";" not in data[comment_end:first] and first - comment_end < 200
        yield ScannedString(join_values(values), comment if is_near else b"")
        comment = b""


def _joined_literal(
    data: bytes, at: int, syntax: _Syntax, values: list[StringValue]
) -> re.Match[bytes] | None:
    """Returns the beginning of the literal that is joined with the one before `at`; None if there is none.

    An operand between the two is appended to `values` as a hole.
    """
    operator = syntax.joined.match(data, at)
    if operator is None:
        return None
    following = syntax.token.match(data, operator.end())
    if following is not None:
        return None if following["skipped"] else following
    operand = _OPERAND.match(data, operator.end())
    again = operand and syntax.joined.match(data, operand.end())
    following = again and syntax.token.match(data, again.end())
    if operand is None or following is None or following["skipped"]:
        return None
    values.append(hole(operand.start(), operand.end(), operand[0]))
    return following


def _read_literal(data: bytes, token: re.Match[bytes], syntax: _Syntax) -> tuple[StringValue, int] | None:
    """Returns the value of the literal that begins with `token`, and the offset after it; None without an end."""
    found = token.groupdict()
    start, content = token.span()
    parts, escaped = _NO_PARTS, False
    if found.get("plain"):
        match = (_PLAIN_WITH_GAPS if syntax.parts is _GAP else _PLAIN).match(data, content)
        end = content if match is None else match.end()
        closing, parts, escaped = b'"', syntax.parts, True
    elif found.get("heredoc"):
        terminator = re.compile(rb"^[ \t]*" + token["heredoc"] + rb"\b", re.MULTILINE).search(data, content)
        if terminator is None:
            return None
        end, closing = terminator.start(), terminator[0]
        if token["quote"] != b"'":
            parts, escaped = syntax.parts, True
    elif found.get("identifier"):
        closing = b"\n" + token["identifier"] + b'"'
        end = data.find(closing, content)
    elif found.get("braces") or "literal" in found and found["bracket"]:
        end, closing = _closing_brace(data, content), b"}"
        if found.get("literal") in (b"", b"Q"):
            parts, escaped = syntax.parts, True
    elif found.get("bracket"):
        closing = _MATCHING[token["bracket"]] + b'"'
        end = data.find(closing, content)
    elif found.get("quasi"):
        closing, parts = b"|]", _QUOTED_PARTS
        end = data.find(closing, content)
    elif found.get("back"):
        closing = b"`"
        end = data.find(closing, content)
    else:
        closing = b'"' + token["hashes"]
        end = data.find(closing, content)
    if end < 0 or data[end : end + len(closing)] != closing:
        return None
    formatted = parts is _NO_PARTS and _is_format(data, start)
    if formatted:
        parts = _FORMATTED
    notation = Notation.C if escaped else Notation.RAW
    literal = StringLiteral(
        start, content, end, end + len(closing), notation, closing, doubles_braces=formatted
    )
    return _value_of(data, literal, parts), literal.end


def _is_format(data: bytes, start: int) -> bool:
    """Whether the literal at `start` is the first string of Rust's `format!` or a similar macro."""
    return _FORMATS.search(data, max(0, start - _BEFORE_FORMAT), start) is not None


def _closing_brace(data: bytes, at: int) -> int:
    """Returns the offset of the brace that closes the one before `at`; -1 if there is none."""
    depth = 1
    for match in _BRACES.finditer(data, at):
        depth += {b"{": 1, b"}": -1}.get(match[0], 0)
        if depth == 0:
            return match.start()
    return -1


def _value_of(data: bytes, literal: StringLiteral, parts: re.Pattern[bytes]) -> StringValue:
    """Returns the value of a literal: its content with holes, and without escape sequences and gaps."""
    texts: list[bytes] = []
    pieces: list[ValuePiece] = []
    length = 0

    def add(value: StringValue, index: int) -> None:
        nonlocal length
        for each in value.pieces:
            pieces.append(each._replace(start=each.start + length, end=each.end + length, literal=index))
        texts.append(value.data)
        length += len(value.data)

    at = literal.content_start
    for match in parts.finditer(data, at, literal.content_end):
        add(_copied(data, literal, at, match.start()), 0)
        at = match.end()
        if match.lastgroup == "hole":
            add(hole(match.start(), at, match[0]), -1)
        elif match.lastgroup == "double":
            piece = ValuePiece(0, 1, match.start(), at, PieceKind.ESCAPED, 0)
            add(StringValue(match[0][:1], (piece,)), 0)
    add(_copied(data, literal, at, literal.content_end), 0)
    return StringValue(b"".join(texts), tuple(pieces), (literal,))


def _copied(data: bytes, literal: StringLiteral, start: int, end: int) -> StringValue:
    if start >= end:
        return StringValue(b"", ())
    if literal.notation is Notation.C:
        return decode_escapes(
            data, StringLiteral(literal.start, start, end, literal.end, literal.notation, literal.closing)
        )
    return StringValue(data[start:end], (ValuePiece(0, end - start, start, end, PieceKind.COPIED, 0),))
