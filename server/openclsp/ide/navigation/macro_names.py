"""The places at which a document names a macro: definitions, directives and code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.ide.navigation.symbols import Occurrence, Role
from openclsp.ide.navigation.token_places import word_pattern
from openclsp.source.lexer import IDENTIFIER, Token, in_comment, lex_line, token_end, token_start
from openclsp.source.macros import Macro
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.text import Text

_HASHES: Final = (b"#", b"%:")
DEFINITION: Final = re.compile(rb"^[ \t]*(?:\#|%:)[ \t]*define\b(?:[^\\\r\n]|\\\r?\n|\\.)*", re.MULTILINE)
"""A logical line that begins like the definition of a macro"""
_MAXIMUM_CONTINUATIONS: Final = 1_000
"""The maximum number of lines of a logical line."""


@dataclass(frozen=True, slots=True)
class RawName:
    """An identifier as written, with its logical line.

    `index` is its number among the tokens of that line. `macro` is the macro of this name that is defined
    there.
    """

    name: bytes
    start: int
    end: int
    tokens: tuple[Token, ...]
    index: int
    macro: Macro | None

    @property
    def directive(self) -> bytes:
        """The name of the directive on the line; empty if there is none."""
        tokens = self.tokens
        return tokens[1][1] if len(tokens) > 1 and tokens[0][1] in _HASHES else b""

    @property
    def is_definition(self) -> bool:
        """Whether it is the name that a `#define` defines."""
        return self.index == 2 and self.directive == b"define"

    @property
    def is_parameter(self) -> bool:
        """Whether it is a parameter of the macro that the line defines, in its list or its body."""
        return self.directive == b"define" and self.index > 2 and self.name in self._parameters()

    @property
    def is_in_body(self) -> bool:
        """Whether it is in the replacement list that the line defines."""
        return self.directive == b"define" and self.index > 2

    def _parameters(self) -> set[bytes]:
        tokens = self.tokens
        if len(tokens) < 4 or tokens[3][1] != b"(" or token_start(tokens[3]) != token_end(tokens[2]):
            return set()
        names: set[bytes] = set()
        for token in tokens[4:]:
            if token[1] == b")":
                break
            names.add(token[1])
        return names

    @property
    def is_called(self) -> bool:
        """Whether a parenthesis follows on the line, or the line ends."""
        after = self.index + 1
        return after >= len(self.tokens) or self.tokens[after][1] == b"("


def raw_name_at(unit: Preprocessed, offset: int) -> RawName | None:
    """The identifier at a byte of a document, or just before it; None in comments and literals."""
    text = unit.source_map.document.text
    if not 0 <= offset <= len(text.data):
        return None
    row = text.line_of(offset)
    mapped = unit.source_map.rows[row] if row < len(unit.source_map.rows) else None
    start = text.line_start(row)
    if in_comment(text.data, start, offset, mapped is not None and mapped.comment):
        return None
    start = _logical_start(text, row)
    first = (
        unit.source_map.rows[text.line_of(start)] if text.line_of(start) < len(unit.source_map.rows) else None
    )
    if first is not None and first.comment:
        closed = text.data.find(b"*/", start)
        start = closed + 2 if 0 <= closed < offset else start
    tokens, _ = lex_line(text.data, start)
    best: int | None = None
    for index, token in enumerate(tokens):
        if token[0] == IDENTIFIER and token_start(token) <= offset <= token_end(token):
            best = index
    is_directive = len(tokens) > 1 and tokens[0][1] in _HASHES
    if best is None or (is_directive and best == 1):
        return None
    token = tokens[best]
    begin, end = token_start(token), token_end(token)
    history, moves = unit.source_map.history, unit.source_map.moves
    is_defined_here = best == 2 and len(tokens) > 1 and tokens[1][1] == b"define"
    macro = history.at(moves.original(begin if is_defined_here else start)).get(token[1])
    if is_defined_here and macro is None:
        macro = history.at(moves.original(end) + 1).get(token[1])
    special = macro is not None and macro.special is not None
    return RawName(token[1], begin, end, tuple(tokens), best, None if special else macro)


def _logical_start(text: Text, row: int) -> int:
    """The start of the logical line that contains a line."""
    for _ in range(_MAXIMUM_CONTINUATIONS):
        if row == 0 or not text.data[: text.line_end(row - 1)][-2:].rstrip(b"\r\n").endswith(b"\\"):
            break
        row -= 1
    return text.line_start(row)


def is_inactive(unit: Preprocessed, offset: int) -> bool:
    """Whether a byte is in a branch that the preprocessor leaves out."""
    row = unit.source_map.document.text.line_of(offset)
    return any(first <= row < last for first, last in unit.inactive)


def macro_occurrences(unit: Preprocessed, name: bytes) -> Iterator[Occurrence]:
    """Yields where a document names a macro: code that expands it, definitions, and directives.

    In inactive branches the spelling decides, because whether the macro is defined there is unknown.
    """
    text = unit.source_map.document.text
    for match in word_pattern(name).finditer(text.data):
        found = raw_name_at(unit, match.start())
        if found is None or found.start != match.start() or found.is_parameter:
            continue
        if not found.directive and found.macro is None and not is_inactive(unit, match.start()):
            continue
        if found.directive in (b"include", b"import", b"pragma", b"error", b"warning", b"line") and (
            found.macro is None or found.directive in (b"pragma", b"error", b"warning")
        ):
            continue
        macro = found.macro
        if macro is not None and macro.parameters is not None and not found.directive and not found.is_called:
            continue
        location = Location(unit.document.name, found.start, found.end)
        if found.is_definition:
            last = token_end(found.tokens[-1])
            whole = Location(unit.document.name, token_start(found.tokens[0]), last)
            yield Occurrence(location, Role.DEFINITION, whole)
        else:
            yield Occurrence(location, Role.READ, location)
