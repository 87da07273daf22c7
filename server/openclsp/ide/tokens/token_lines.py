"""Semantic tokens of raw lines: directives, macro names and arguments, comments, inactive branches."""

from __future__ import annotations

import re
from collections.abc import Mapping

from openclsp.semantics.typing.token_meanings import (
    COMMENT,
    DECLARATION,
    DEFINITION,
    DISABLED,
    KEYWORD,
    MACRO,
    NUMBER,
    PARAMETER,
    STRING,
)
from openclsp.source import lexer
from openclsp.source.lexer import Token, token_end, token_start
from openclsp.source.text import Text

RawToken = tuple[int, int, int, int]
"""Row, column and length in bytes, meaning."""

COMMENTS = re.compile(
    # a backslash-newline may divide the marks of a comment (C99 5.1.1.2)
    rb"""(/(?:\\[ \t\f\v]*(?:\r\n|[\r\n]))*
          (?:/(?:[^\\\r\n]|\\[ \t\f\v]*(?:\r\n|[\r\n])?)*
            |\*[\s\S]*?(?:\*(?:\\[ \t\f\v]*(?:\r\n|[\r\n]))*/|\Z)))
      |"(?:[^"\\\r\n]|\\[\s\S])*"?|'(?:[^'\\\r\n]|\\[\s\S])*'?""",
    re.VERBOSE,
)
"""Matches comments, as its first group, and string literals, in which comment markers must be skipped."""
DIRECTIVE_TOKENS = (b"#", b"%:")
"""The tokens that start a directive."""
_BLANKS = b" \t\f\v\r\n"
_NAMING = frozenset((b"ifdef", b"ifndef", b"elifdef", b"elifndef", b"undef"))
_CONDITIONS = frozenset((b"if", b"elif"))
_TEXTS = frozenset((b"error", b"warning", b"pragma"))
_LITERALS = {lexer.NUMBER: NUMBER, lexer.STRING: STRING, lexer.CHARACTER: STRING}


class RawLineReader:
    """Collects in `found` the semantic tokens of raw lines.

    `macros` contains the macros defined anywhere in the document. `words` contains the words that have the
    same meaning everywhere, such as keywords.
    """

    def __init__(self, text: Text, macros: Mapping[bytes, int], words: Mapping[bytes, int]) -> None:
        self.text, self.words = text, words
        self._macros = macros
        self.found: list[RawToken] = []
        self.looked_up_names: set[bytes] = set()
        """The names that were looked up as macros, so that the result depends on them."""

    def expanded_meaning(self, offset: int) -> int | None:
        """Returns the meaning (kind and modifiers) of the name at byte `offset` of the document.

        None if the expanded text does not contain this name.
        """
        raise NotImplementedError

    def collects_line(self, row: int) -> bool:
        """Whether this reader has to collect the tokens of a physical line.

        A logical line may contain physical lines whose tokens come from the parsed text.
        """
        raise NotImplementedError

    def add(self, start: int, end: int, meaning: int) -> None:
        """Adds a token at these bytes of the document; a token of several lines becomes one per line."""
        text = self.text
        row = text.line_of(start)
        while start < end and row < text.line_count:
            line_start = text.line_start(row)
            stop = min(end, text.line_end(row))
            if stop > start and self.collects_line(row):
                self.found.append((row, start - line_start, stop - start, meaning))
            row += 1
            start = max(start, text.line_start(row))

    def add_comments(self, start: int, end: int, tokens: list[Token]) -> None:
        """Adds the comments between the tokens of a logical line."""
        data = self.text.data
        at = start
        for stop, following in [*((token_start(each), token_end(each)) for each in tokens), (end, end)]:
            if b"/" in data[at:stop]:
                for match in COMMENTS.finditer(data, at, stop):
                    if match[1] is not None:
                        self.add(match.start(), match.end(), COMMENT)
            at = following

    def add_code(self, tokens: list[Token]) -> None:
        """Adds the tokens of a logical line of code."""
        for token in tokens:
            kind = token[0]
            if kind == lexer.IDENTIFIER:
                meaning = self._name(token)
                if meaning:
                    self.add(token_start(token), token_end(token), meaning)
            else:
                self._literal(token)

    def _name(self, token: Token) -> int:
        """Returns the meaning (kind and modifiers) of a name; 0 if it has none.

        If the name was copied to the expanded text, this is its meaning there. Otherwise, this is the meaning
        of the macro with this name. If there is no such macro, it is the meaning in `words`, for example that
        of a keyword.
        """
        meaning = self.expanded_meaning(token_start(token))
        if meaning is not None:
            return meaning
        return self.macro_meaning(token) or self.words.get(token[1], 0)

    def macro_meaning(self, token: Token) -> int:
        """Returns the meaning (kind and modifiers) of the macro with this name; 0 if there is none."""
        self.looked_up_names.add(token[1])
        return self._macros.get(token[1], 0)

    def _literal(self, token: Token) -> None:
        meaning = _LITERALS.get(token[0])
        if meaning is not None:
            self.add(token_start(token), token_end(token), meaning)

    def add_directive(self, tokens: list[Token]) -> None:
        """Adds semantic tokens for a directive, whose source tokens are `tokens`."""
        if len(tokens) < 2 or tokens[1][0] != lexer.IDENTIFIER:
            return
        word = tokens[1][1]
        self.add(token_start(tokens[0]), token_end(tokens[1]), KEYWORD)
        rest = tokens[2:]
        if word == b"include" and rest:
            self.add(token_start(rest[0]), token_end(rest[-1]), STRING)
        elif word == b"define":
            self._definition(rest)
        elif word in _NAMING:
            self._macro(rest[:1])
        elif word in _CONDITIONS:
            for token in rest:
                if token[1] == b"defined":
                    self.add(token_start(token), token_end(token), KEYWORD)
                else:
                    self._macro([token])
        elif word not in _TEXTS:
            for token in rest:
                self._literal(token)

    def add_inactive_line(self, row: int) -> None:
        """Adds a line of an inactive branch as a single token."""
        line = self.text.line(row)
        stripped = line.strip(_BLANKS)
        if stripped:
            begin = self.text.line_start(row) + line.index(stripped)
            self.add(begin, begin + len(stripped), COMMENT | DISABLED)

    def _macro(self, tokens: list[Token]) -> None:
        for token in tokens:
            if token[0] != lexer.IDENTIFIER:
                self._literal(token)
            elif meaning := self.macro_meaning(token):
                self.add(token_start(token), token_end(token), meaning)

    def _definition(self, tokens: list[Token]) -> None:
        if not tokens or tokens[0][0] != lexer.IDENTIFIER:
            return
        self.add(token_start(tokens[0]), token_end(tokens[0]), MACRO | DECLARATION | DEFINITION)
        names: set[bytes] = set()
        if len(tokens) > 1 and tokens[1][1] == b"(" and not tokens[1][2] & lexer.SPACE:
            for token in tokens[2:]:
                if token[1] == b")":
                    break
                names.add(token[1])
        for token in tokens[1:]:
            kind, spelling = token[0], token[1]
            if kind != lexer.IDENTIFIER:
                self._literal(token)
                continue
            meaning = PARAMETER if spelling in names else 0
            meaning = meaning or self.macro_meaning(token) or self.words.get(spelling, 0)
            if meaning:
                self.add(token_start(token), token_end(token), meaning)
