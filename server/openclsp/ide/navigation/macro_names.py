"""The places at which a document names a macro: definitions, directives and code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.ide.navigation.symbols import Occurrence, Role
from openclsp.source.expansion import Expansion
from openclsp.source.lexer import IDENTIFIER, Token, lex_line, token_end, token_start
from openclsp.source.macros import Macro
from openclsp.source.preprocessed import Preprocessed
from openclsp.source.text import Text
from openclsp.source.word_search import word_starts

_HASHES: Final = (b"#", b"%:")
_FORMING: Final = (b"#", b"##", b"%:", b"%:%:")
_DEFINITION: Final = re.compile(rb"[ \t]*(?:\#|%:)[ \t]*define\b(?:[^\\\r\n]|\\\r?\n|\\.)*")
"""A logical line that begins like the definition of a macro"""
_MAXIMUM_CONTINUATIONS: Final = 1_000
"""The maximum number of lines of a logical line."""


@dataclass(frozen=True, slots=True)
class RawName:
    """An identifier as written, with the tokens of its logical line.

    `index` is the number of the identifier among these tokens. `macro` is the macro of this name that is
    defined at this place, if there is one.
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
        """Whether the identifier is the name after `#define`."""
        return self.index == 2 and self.directive == b"define"

    @property
    def is_parameter(self) -> bool:
        """Whether the name is a parameter of the macro that the line defines, in its list or body."""
        return self.directive == b"define" and self.index > 2 and self.name in self._parameters()

    @property
    def is_in_body(self) -> bool:
        """Whether the name is in the parameters or the replacement list of the macro that the line defines."""
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
        """Whether the next token on the line is an opening parenthesis, or the line ends after the name."""
        after = self.index + 1
        return after >= len(self.tokens) or self.tokens[after][1] == b"("


def raw_name_at(unit: Preprocessed, offset: int) -> RawName | None:
    """Returns the identifier at a byte of a document, or just before it; None in comments and literals."""
    text = unit.source_map.document.text
    if not 0 <= offset <= len(text.data):
        return None
    row = text.line_of(offset)
    start = _comment_end(unit, row, text.line_start(row))
    if not 0 <= start <= offset:
        return None
    first = _logical_start(text, row)
    closed = start if first == row else _comment_end(unit, first, text.line_start(first))
    start = closed if 0 <= closed < offset else text.line_start(first)
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
    macro = history.macro_at(token[1], moves.original(begin if is_defined_here else start))
    if is_defined_here and macro is None:
        macro = history.macro_at(token[1], moves.original(end) + 1)
    special = macro is not None and macro.special is not None
    return RawName(token[1], begin, end, tuple(tokens), best, None if special else macro)


def _comment_end(unit: Preprocessed, row: int, start: int) -> int:
    """Returns the byte at which the code of line `row` starts, given the first byte `start` of the line.

    If the line begins in a comment, this is the end of the comment; -1 if the comment does not end.
    """
    rows = unit.source_map.rows
    mapped = rows[row] if row < len(rows) else None
    if mapped is None or not mapped.comment:
        return start
    closed = unit.source_map.document.text.data.find(b"*/", start)
    return closed + 2 if closed >= 0 else -1


def _logical_start(text: Text, row: int) -> int:
    """Returns the first physical line of the logical line that contains line `row`."""
    for _ in range(_MAXIMUM_CONTINUATIONS):
        if row == 0 or not text.line(row - 1).rstrip(b" \t\f\v").endswith(b"\\"):
            break
        row -= 1
    return row


def definitions_in(data: bytes) -> Iterator[tuple[int, int]]:
    """Yields the byte ranges of logical lines that begin like the definition of a macro."""
    # few lines are definitions, so `find` saves a match at each line
    at = data.find(b"define")
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        start = max(data.rfind(b"\r", start, at) + 1, start)
        found = _DEFINITION.match(data, start)
        if found is not None:
            yield found.span()
        at = data.find(b"define", max(at + 1, 0 if found is None else found.end()))


def is_inactive(unit: Preprocessed, offset: int) -> bool:
    """Whether a byte is in an inactive branch."""
    row = unit.source_map.document.text.line_of(offset)
    return any(first <= row < last for first, last in unit.inactive)


def names_macro(unit: Preprocessed, name: RawName) -> bool:
    """Whether a name denotes the macro of that name, in code or in a directive.

    The name of a function-like macro is an ordinary name if no arguments follow it, unless it is passed to a
    macro that calls it.
    """
    if name.is_definition:
        return True
    if name.macro is None or name.directive in (b"pragma", b"error", b"warning"):
        return False
    if name.macro.parameters is None or name.is_called or name.directive:
        return True
    return any(each.name == name.name for each in macros_around(unit, name.start))


def macros_around(unit: Preprocessed, offset: int) -> Iterator[Macro]:
    """Yields the macros expanded in the line of a byte, also by calls that began in earlier lines."""
    source_map = unit.source_map
    text = source_map.document.text
    row = text.line_of(offset)
    mapped = source_map.rows[row] if row < len(source_map.rows) else None
    if mapped is not None and offset - text.line_start(row) < mapped.own:
        mapped = source_map.rows[row - mapped.home]
    if mapped is None:
        return
    yield from (call.macro for call in mapped.calls)
    for segment in mapped.segments:
        origin = segment.origin
        while isinstance(origin, Expansion):
            yield origin.macro
            origin = origin.parent


def is_unused_argument(unit: Preprocessed, start: int, word: bytes) -> bool:
    """Whether a word at a byte of active code is in a macro argument that is not expanded.

    False if a macro that is expanded there uses `#` or `##`, which may turn the word into a string or another
    name.
    """
    source_map = unit.source_map
    row = source_map.document.text.line_of(start)
    mapped = source_map.rows[row] if row < len(source_map.rows) else None
    if mapped is None or mapped.blank or not (mapped.segments or mapped.calls or mapped.home):
        return False
    around = list(macros_around(unit, start))
    if all(macro.parameters is None for macro in around):
        return False
    expanded = source_map.expanded(source_map.document.name, start)
    if expanded is not None and source_map.text.startswith(word, expanded):
        return False
    return not any(token[1] in _FORMING for macro in around for token in macro.body)


def macro_occurrences(unit: Preprocessed, name: bytes) -> Iterator[Occurrence]:
    """Yields the places at which a document names a macro: definitions, directives, and code that expands it.

    In inactive branches, only the spelling is compared, because it is unknown whether the macro is defined
    there.
    """
    text = unit.source_map.document.text
    for start in word_starts(text.data, name):
        found = raw_name_at(unit, start)
        if found is None or found.start != start or found.is_parameter:
            continue
        if not found.directive and found.macro is None and not is_inactive(unit, start):
            continue
        if found.directive in (b"include", b"import", b"pragma", b"error", b"warning", b"line") and (
            found.macro is None or found.directive in (b"pragma", b"error", b"warning")
        ):
            continue
        if found.macro is not None and not names_macro(unit, found):
            continue
        location = Location(unit.document.name, found.start, found.end)
        if found.is_definition:
            last = token_end(found.tokens[-1])
            whole = Location(unit.document.name, token_start(found.tokens[0]), last)
            yield Occurrence(location, Role.DEFINITION, whole)
        else:
            yield Occurrence(location, Role.READ, location)
