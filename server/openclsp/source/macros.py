"""Macro definitions (C99 6.10.3). Each replacement list is split into parts, one for each substitution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from typing import Final, TypeAlias

from openclsp.dataclass import dataclass
from openclsp.source.document import DocumentName
from openclsp.source.lexer import IDENTIFIER, SPACE, Token, lex_spelling, token_end, token_start


class Op(IntEnum):
    """The operation that substitutes a part of a replacement list."""

    TOKENS = 0
    PASTED_TOKEN = 1
    ARGUMENT = 2  # fully expanded
    RAW_ARGUMENT = 3  # operand of ##
    STRINGISED = 4
    OPTIONAL = 5  # __VA_OPT__( … )


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a replacement list, with the operation `op` that substitutes it.

    - `token`: the first token of the part.
    - `argument`: the index of the parameter; -1 if the part contains none.
    - `pasted`: whether a `##` precedes the part.
    - `shared`: whether the parameter occurs more than once in the list.
    - `parts`: the parts inside `__VA_OPT__`.
    - `tokens`: the tokens of the part if `op` is `TOKENS`.
    """

    op: Op
    token: Token
    argument: int = -1
    pasted: bool = False
    shared: bool = False
    parts: tuple[Part, ...] = ()
    tokens: tuple[Token, ...] = ()


class Special(IntEnum):
    """The built-in macros that the preprocessor evaluates."""

    LINE = 1
    FILE = 2
    COUNTER = 3
    INCLUDE_LEVEL = 4
    PRAGMA = 5
    HAS = 6  # __has_attribute and similar operators: an unknown name gives 0
    HAS_INCLUDE = 7
    DATE = 8


@dataclass(frozen=True, slots=True, eq=False)
class Macro:
    """A macro definition.

    - `parameters`: None for an object-like macro.
    - `document`: the document that contains the definition; None for a predefined macro.
    - `start`, `end`: the range of the definition, from the name to the end of the replacement list, at the
      time when the document was read. The source map gives the present range.
    """

    name: bytes
    parameters: tuple[bytes, ...] | None
    variadic: bool
    body: tuple[Token, ...]
    document: DocumentName | None = None
    start: int = 0
    end: int = 0
    special: Special | None = None
    parts: tuple[Part, ...] | None = None
    """The parts of the replacement list; None if the list is copied verbatim"""
    weight: int = field(default=1)
    default: bool = False
    """Whether it is a default that the host may override: `#ifndef NAME`, `#define NAME 0`"""
    unsettled: bool = False
    """Whether an uncertain condition decides its value; with `default` it certainly has a value"""
    absent: bool = False
    """Whether it is `unsettled`, and the selected branch of a conditional leaves it undefined"""
    guessed: bool = False
    """Whether it is defined under a condition that depends on what the host defines"""
    words: frozenset[bytes] = frozenset()
    """The identifiers in its replacement list"""

    @property
    def flags(self) -> tuple[bool, bool, bool, bool]:
        """The fields `default`, `unsettled`, `absent` and `guessed`, which conditions decide."""
        return self.default, self.unsettled, self.absent, self.guessed

    @property
    def pastes(self) -> bool:
        """Whether the replacement list contains `##`."""
        return any(token[1] in _PASTES for token in self.body)

    @property
    def is_of_unknown_value(self) -> bool:
        """Whether the host is known to define the macro, but its value is unknown.

        Build options then define the macro as its own name, or as `.` if it names a directory.
        """
        return self.document is None and len(self.body) == 1 and self.body[0][1] in (self.name, b".")

    @property
    def text(self) -> str:
        """The definition as written after #define."""
        head = self.name
        if self.parameters is not None:
            names = list(self.parameters)
            if self.variadic:
                names[-1] = b"..." if names[-1] == b"__VA_ARGS__" else names[-1] + b"..."
            head += b"(" + b", ".join(names) + b")"
        body = spell(self.body)
        return (head + b" " + body if body else head).decode("utf-8", "replace")

    def same_as(self, other: Macro) -> bool:
        """Whether the macros have the same form, tokens and white space, as C99 6.10.3p2 requires."""
        if self is other:
            return True
        return (
            self.parameters == other.parameters
            and self.variadic == other.variadic
            and self.special == other.special
            and len(self.body) == len(other.body)
            and all(
                a[0] == b[0] and a[1] == b[1] and (i == 0 or a[2] & SPACE == b[2] & SPACE)
                for i, (a, b) in enumerate(zip(self.body, other.body, strict=True))
            )
        )

    def is_same_definition(self, other: Macro) -> bool:
        """Whether the macros come from the same place of the same document and have the same definition."""
        if self.document != other.document or self.start != other.start or self.end != other.end:
            return False
        # A condition above the definition may depend on the host now, or no longer.
        return self.flags == other.flags and self.same_as(other)


MacroTable: TypeAlias = dict[bytes, Macro]


@dataclass(frozen=True, slots=True)
class DefinitionFault:
    """An error in a #define, with its byte range."""

    code: str
    message: str
    start: int
    end: int


def spell(tokens: Sequence[Token]) -> bytes:
    """Returns the spelling of the tokens, with a single space wherever there is white space between them."""
    pieces: list[bytes] = []
    for _, text, flags, _ in tokens:
        if flags & SPACE and pieces:
            pieces.append(b" ")
        pieces.append(text)
    return b"".join(pieces)


def parse_definition(tokens: Sequence[Token], document: DocumentName | None) -> Macro | DefinitionFault:
    """Parses the tokens after `#define`."""
    if not tokens:
        return DefinitionFault("macro-definition", "macro name missing", 0, 0)
    name = tokens[0]
    start = token_start(name)
    if name[0] != IDENTIFIER:
        return _fault("macro name must be an identifier", name)
    if name[1] == b"defined":
        return _fault("'defined' cannot be used as a macro name", name)
    at = 1
    parameters: tuple[bytes, ...] | None = None
    variadic = False
    # a parenthesis directly after the name makes it a function-like macro (C99 6.10.3p10)
    if len(tokens) > 1 and tokens[1][1] == b"(" and not tokens[1][2] & SPACE:
        parsed = _parameters(tokens)
        if isinstance(parsed, DefinitionFault):
            return parsed
        parameters, variadic, at = parsed
    body = tuple((kind, text, flags, None) for kind, text, flags, _ in tokens[at:])
    parts = _parts(body, parameters, variadic)
    if isinstance(parts, str):
        return _fault(parts, name)
    return Macro(
        name[1],
        parameters,
        variadic,
        body,
        document,
        start,
        token_end(tokens[-1]),
        None,
        parts,
        1 + len(body),
        words=frozenset(token[1] for token in body if token[0] == IDENTIFIER),
    )


def _fault(message: str, token: Token) -> DefinitionFault:
    return DefinitionFault("macro-definition", message, token_start(token), token_end(token))


def _parameters(tokens: Sequence[Token]) -> tuple[tuple[bytes, ...], bool, int] | DefinitionFault:
    names: list[bytes] = []
    variadic = False
    at = 2
    if at < len(tokens) and tokens[at][1] == b")":
        return (), False, at + 1
    while at < len(tokens):
        kind, text, _, _ = tokens[at]
        if text == b"...":
            names.append(b"__VA_ARGS__")
            variadic = True
        elif kind == IDENTIFIER:
            if text in names:
                return _fault(
                    f"duplicate macro parameter name '{text.decode('utf-8', 'replace')}'", tokens[at]
                )
            names.append(text)
            if at + 1 < len(tokens) and tokens[at + 1][1] == b"...":
                variadic = True
                at += 1
        else:
            return _fault("invalid token in macro parameter list", tokens[at])
        at += 1
        if at >= len(tokens):
            break
        if tokens[at][1] == b")":
            return tuple(names), variadic, at + 1
        if variadic or tokens[at][1] != b",":
            return _fault("expected comma in macro parameter list", tokens[at])
        at += 1
    return _fault("missing ')' in macro parameter list", tokens[0])


def _parts(
    body: tuple[Token, ...], parameters: tuple[bytes, ...] | None, variadic: bool
) -> tuple[Part, ...] | None | str:
    """Splits a replacement list into parts.

    Returns None if the macro has no parameters and the list contains no `##`, so that it is copied unchanged.
    Returns an error message if the list is invalid.
    """
    pastes = any(text in _PASTES for _, text, _, _ in body)
    if not pastes and not parameters:
        return None if parameters is None or not any(t[1] == b"#" for t in body) else _STRAY_HASH
    if pastes and (body[0][1] in _PASTES or body[-1][1] in _PASTES):
        return "'##' cannot appear at either end of a macro expansion"
    names = {name: index for index, name in enumerate(parameters or ())}
    counts: dict[bytes, int] = {}
    for _, text, _, _ in body:
        if text in names:
            counts[text] = counts.get(text, 0) + 1
    shared = {name for name, count in counts.items() if count > 1}
    parts, _ = _part_list(body, 0, len(body), names, shared, parameters is not None, variadic)
    return parts


_PASTES: Final = (b"##", b"%:%:")
_HASHES: Final = (b"#", b"%:")
_STRAY_HASH: Final = "'#' is not followed by a macro parameter"


def _part_list(
    body: tuple[Token, ...],
    at: int,
    end: int,
    names: Mapping[bytes, int],
    shared: set[bytes],
    function_like: bool,
    variadic: bool,
) -> tuple[tuple[Part, ...] | str, int]:
    """Splits `body[at:end]` into parts.

    Returns the parts and the index after them, or an error message and the index of the error. `names` maps
    each parameter to its index; `shared` contains the parameters that occur more than once.
    """
    parts: list[Part] = []
    pasted = False
    while at < end:
        token = body[at]
        kind, text, _, _ = token
        if text in _PASTES:
            pasted = bool(parts) or pasted
            at += 1
            continue
        after = at + 1
        if function_like and text in _HASHES:
            if after >= end or body[after][1] not in names:
                return "'#' is not followed by a macro parameter", at
            parts.append(Part(Op.STRINGISED, token, names[body[after][1]], pasted))
            after += 1
        elif variadic and text == b"__VA_OPT__" and after < end and body[after][1] == b"(":
            close = _closing(body, after, end)
            if close < 0:
                return "unterminated __VA_OPT__", at
            inner, _ = _part_list(body, after + 1, close, names, shared, function_like, variadic)
            if isinstance(inner, str):
                return inner, at
            parts.append(Part(Op.OPTIONAL, token, len(names) - 1, pasted, False, inner))
            after = close + 1
        elif kind == IDENTIFIER and text in names:
            raw = pasted or (after < end and body[after][1] in _PASTES)
            op = Op.RAW_ARGUMENT if raw else Op.ARGUMENT
            parts.append(Part(op, token, names[text], pasted, text in shared))
        elif pasted:
            parts.append(Part(Op.PASTED_TOKEN, token, -1, True))
        else:
            after = _run_end(body, at, end, names, function_like, variadic)
            parts.append(Part(Op.TOKENS, token, tokens=body[at:after]))
        pasted = False
        at = after
    return tuple(parts), at


def _run_end(
    body: tuple[Token, ...],
    at: int,
    end: int,
    names: Mapping[bytes, int],
    function_like: bool,
    variadic: bool,
) -> int:
    """Returns the index after the tokens from `at` on that are neither parameters nor operators."""
    at += 1
    while at < end:
        text = body[at][1]
        hash_operator = function_like and text in _HASHES
        if text in names or text in _PASTES or hash_operator or (variadic and text == b"__VA_OPT__"):
            break
        at += 1
    return at


def _closing(body: tuple[Token, ...], at: int, end: int) -> int:
    depth = 0
    for index in range(at, end):
        if body[index][1] == b"(":
            depth += 1
        elif body[index][1] == b")":
            depth -= 1
            if depth == 0:
                return index
    return -1


def define(name: str, value: str) -> Macro | DefinitionFault:
    """Parses the macro of an option `-D name=value`, or of a table of predefined macros.

    `name` may include parameters.
    """
    return parse_definition(lex_spelling(f"{name} {value}".encode("utf-8", "surrogateescape")), None)


def macros_of_unknown_value(table: Mapping[bytes, Macro]) -> frozenset[str]:
    """Returns the names of the macros that build options define as their own name: their value is unknown."""
    return frozenset(
        name.decode("utf-8", "replace")
        for name, macro in table.items()
        if len(macro.body) == 1 and macro.body[0][1] == name and macro.document is None
    )
