"""Finds string literals in host languages that are not parsed, such as Rust, Go and Java.

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
from openclsp.host_code.literal_syntaxes import (
    CONVERSION,
    DOLLARS,
    FORMATTED,
    GAP,
    NO_PARTS,
    QUOTED_PARTS,
    SYNTAXES,
    LiteralSyntax,
)
from openclsp.host_code.string_value import (
    Notation,
    PieceKind,
    StringLiteral,
    StringValue,
    ValuePiece,
    hole,
    join_values,
)
from openclsp.source.blanked_text import skip_white_space

_PLAIN: Final = re.compile(rb'(?:[^"\\]|\\[\s\S])*')
_PLAIN_WITH_GAPS: Final = re.compile(rb'(?:[^"\\]|\\\s+\\|\\[\s\S])*')
_ONE_LINE: Final[Mapping[bytes, re.Pattern[bytes]]] = {
    b'"': re.compile(rb'(?:[^"\\\n]|\\[\s\S])*'),
    b"'": re.compile(rb"(?:[^'\\\n]|\\[\s\S])*"),
}
_BLOCK: Final = re.compile(rb'(?:[^"\\]|\\[\s\S]|"(?!""))*')
_TEMPLATE: Final = re.compile(
    rb"(?:\$\{(?:[^{}`]|`(?:[^`\\]|\\[\s\S]){0,400}`|\{[^{}]{0,400}\}){0,400}\}|[^`\\]|\\[\s\S])*"
)
"""The content of a template literal, which may contain further ones: `${names.map(n => `float ${n};`)}`"""
_VERBATIM: Final = re.compile(rb'(?:[^"]|"")*')
_BRACES: Final = re.compile(
    rb"[{}]|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\[\s\S])*\"?|'(?:[^'\\\n]|\\.)'"
)
_MATCHING: Final = {b"(": b")", b"[": b"]", b"{": b"}", b"<": b">"}
_DOUBLED_QUOTE: Final = re.compile(rb'(?P<double>"")')
_FORMATTED_VERBATIM: Final = re.compile(FORMATTED.pattern + rb'|(?P<quotes>"")')
_MARGINS: Final = re.compile(rb"(?P<gap>(?<=\n)[ \t]*\|)")
_MARGINS_AND_DOLLARS: Final = re.compile(DOLLARS.pattern + rb"|" + _MARGINS.pattern)
_BEFORE_FORMAT: Final = 80
MAXIMUM_UNCLOSED: Final = 100
"""The number of literals without an end after which a file is not searched further; each takes linear time"""
_COMMENT_BEGINNINGS: Final = (b"//", b"/*", b"/+", b"--", b"{-", b"#", b"=begin")
"""The beginnings of comments, among the tokens that a syntax skips: characters and regular expressions are operands"""
_OPERAND: Final = re.compile(rb"[A-Za-z_][\w.:!]{0,80}(?:\([^()\"\n]{0,80}\))?")


@dataclass(frozen=True, slots=True)
class ScannedString:
    """Literals that the host joins: their value, and the comment before the first one."""

    value: StringValue
    comment: bytes


def scan_strings(data: bytes, language: HostLanguage) -> Iterator[ScannedString]:
    """Yields the strings of a host file, in order."""
    syntax = SYNTAXES[language]
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
    data: bytes, at: int, syntax: LiteralSyntax, values: list[StringValue]
) -> re.Match[bytes] | None:
    """Returns the beginning of the literal that is joined with the one before `at`; None if there is none.

    Comments may be on both sides of the operator. An operand between the two literals is appended to `values`
    as a hole.
    """
    begin = _after_operator(data, at, syntax)
    if begin < 0:
        return None
    following = syntax.token.match(data, begin)
    if following is not None:
        return None if following["skipped"] else following
    operand = _OPERAND.match(data, begin)
    begin = -1 if operand is None else _after_operator(data, operand.end(), syntax)
    following = None if begin < 0 else syntax.token.match(data, begin)
    if operand is None or following is None or following["skipped"]:
        return None
    values.append(hole(operand.start(), operand.end(), operand[0]))
    return following


def _after_operator(data: bytes, at: int, syntax: LiteralSyntax) -> int:
    """Returns the offset of the operand after a joining operator at `at`; -1 if there is no such operator.

    Comments before and after the operator are skipped.
    """
    operator = syntax.joined.match(data, _skip_comments(data, at, syntax))
    return -1 if operator is None else _skip_comments(data, operator.end(), syntax)


def _skip_comments(data: bytes, at: int, syntax: LiteralSyntax) -> int:
    """Returns the offset of the first byte, from `at` on, that is neither white space nor in a comment."""
    at = skip_white_space(data, at)
    while (token := syntax.token.match(data, at)) is not None and token[0].startswith(_COMMENT_BEGINNINGS):
        at = skip_white_space(data, token.end())
    return at


def _read_literal(
    data: bytes, token: re.Match[bytes], syntax: LiteralSyntax
) -> tuple[StringValue, int] | None:
    """Returns the value of the literal that begins with `token`, and the offset after it; None without an end."""
    found = token.groupdict()
    start, content = token.span()
    parts, escaped = NO_PARTS, False
    if found.get("plain"):
        closing, escaped = found["plain"], True
        end = _end(_plain_content(syntax, closing), data, content)
        parts = syntax.parts if found.get("inserts", b"") is not None else NO_PARTS
        if found.get("dollar"):
            parts = FORMATTED
    elif found.get("triple"):
        closing = b'"""'
        end = data.find(closing, content)
        parts = syntax.raw_parts if found.get("inserts", b"") is not None else NO_PARTS
        if syntax.margins.match(data, end + len(closing)) is not None:
            parts = _MARGINS if parts is NO_PARTS else _MARGINS_AND_DOLLARS
    elif found.get("block"):
        closing, escaped = b'"""', True
        end = _end(_BLOCK, data, content)
    elif found.get("verbatim"):
        closing = b'"'
        end = _end(_VERBATIM, data, content)
        parts = _FORMATTED_VERBATIM if b"$" in found["verbatim"] else _DOUBLED_QUOTE
    elif found.get("template") or found.get("raw"):
        # `String.raw` keeps backslashes
        closing, parts, escaped = b"`", syntax.raw_parts, not found.get("raw")
        end = _end(_TEMPLATE, data, content)
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
        closing, parts = b"|]", QUOTED_PARTS
        end = data.find(closing, content)
    elif found.get("back"):
        closing = b"`"
        end = data.find(closing, content)
    else:
        closing = b'"' + token["hashes"]
        end = data.find(closing, content)
    if end < 0 or data[end : end + len(closing)] != closing:
        return None
    before = max(0, start - _BEFORE_FORMAT)
    if parts is NO_PARTS and syntax.braces.search(data, before, start) is not None:
        parts = FORMATTED
    doubles_braces = parts in (FORMATTED, _FORMATTED_VERBATIM)
    notation = Notation.C if escaped else Notation.RAW
    literal = StringLiteral(
        start, content, end, end + len(closing), notation, closing, doubles_braces=doubles_braces
    )
    value = _value_of(data, literal, parts)
    has_conversions = syntax.conversions.search(data, before, start) or syntax.converted.match(
        data, literal.end
    )
    return _converted(value) if has_conversions else value, literal.end


def _plain_content(syntax: LiteralSyntax, quote: bytes) -> re.Pattern[bytes]:
    """Returns the pattern of the content of a plain string."""
    if syntax.one_line:
        return _ONE_LINE[quote]
    return _PLAIN_WITH_GAPS if syntax.parts is GAP else _PLAIN


def _end(pattern: re.Pattern[bytes], data: bytes, start: int) -> int:
    match = pattern.match(data, start)
    return start if match is None else match.end()


def _converted(value: StringValue) -> StringValue:
    """Returns the value with each conversion such as `%d` as a hole."""
    # Imported late: the module loads the parsers of host languages.
    from openclsp.host_code.printed_strings import replace_conversions

    return replace_conversions(value, CONVERSION)


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
        elif match.lastgroup in ("double", "quotes"):
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
