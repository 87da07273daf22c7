"""Reads the logical lines of a document, and writes them to the expanded text with macros expanded."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from openclsp.source.expansion import MAXIMUM_PRODUCED_BYTES, PRAGMA_OPERAND, TooLarge, Unterminated
from openclsp.source.lexer import (
    IDENTIFIER,
    NAME,
    NUMBER,
    PUNCTUATOR,
    SPACE,
    Token,
    lex_line,
    token_end,
    token_start,
    words,
)
from openclsp.source.macros import Special
from openclsp.source.reader_state import ReaderState
from openclsp.source.special_lines import special_lines

_STRETCH: Final = 512
_WORD_BYTES: Final = frozenset(
    b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"
) | frozenset(range(0x80, 0x100))
_NEXT: Final = re.compile(rb"[ \t]*[^ \t\f\v\0/\\\r\n]")
_MAX_FAILED_CALLS: Final = 50
_SPLICE: Final = re.compile(rb"\\[ \t\f\v]*(?:\r\n|\n|\r)")
_PUNCTUATION: Final = re.compile(rb"[;{}()\[\]\"'#/*]")
"""What could end or hide code, if the comment around it were not seen"""
_DIVIDED_MARK: Final = re.compile(rb"/(?:\\[ \t\f\v]*(?:\r\n|\n|\r))+[/*]|\*(?:\\[ \t\f\v]*(?:\r\n|\n|\r))+/")
"""The beginning or end of a comment, divided by a backslash-newline, which the grammar does not know."""
_JOINED: Final = frozenset((IDENTIFIER, NUMBER, PUNCTUATOR))
"""Tokens that are written without their backslash-newlines; the grammar accepts those in strings."""


@lru_cache(maxsize=64)
def _any_of(names: frozenset[bytes]) -> re.Pattern[bytes]:
    """Compiles a pattern that matches the names, also at the end of longer words.

    Without a leading `\\b`, each alternative begins with a literal, which makes the search fast. The caller
    checks the byte before each match.
    """
    alternatives = b"|".join(re.escape(name) for name in sorted(names))
    return re.compile(rb"(?:" + alternatives + rb")(?![A-Za-z0-9_$\x80-\xff])")


def _divides_comment(data: bytes, start: int, end: int) -> bool:
    """Whether a backslash-newline prevents the parser from seeing where a comment begins or ends.

    That is the case if the backslash-newline divides `//`, `/*` or `*/`. It is also the case if the
    backslash-newline continues a `//` comment and punctuation follows in the comment, because the division
    into chunks ends a `//` comment at its first line. A `//` in a string literal counts as a comment here.
    """
    if _DIVIDED_MARK.search(data, start, end) is not None:
        return True
    comment = data.find(b"//", start, end)
    splice = _SPLICE.search(data, comment, end) if comment >= 0 else None
    return splice is not None and _PUNCTUATION.search(data, splice.end(), end) is not None


class Reader(ReaderState):
    """Reads the lines of a document.

    The expansion of a macro gets the tokens after the macro's name from the reader.
    """

    # ---- the rows ----

    def special_rows(self, first: int, last: int) -> list[int]:
        """Returns the lines that may have a directive, block comment, splice or raw string (`special_lines`).

        Only the lines from `first` to `last` (exclusive) are searched.
        """
        return list(dict.fromkeys(line for line, _ in special_lines(self.text, first, last)))

    def expand_rows(self, row: int, last: int) -> int:
        """Writes the lines from `row` to `last` (exclusive) to the expanded text.

        None of these lines is a directive. Returns the line to read next.
        """
        specials = self.special_rows(row, last)
        index = 0
        while row < last:
            while index < len(specials) and specials[index] < row:
                index += 1
            stop = specials[index] if index < len(specials) else last
            row = self.plain_rows(row, stop) if row < stop else self.line(row)
        return row

    def plain_rows(self, row: int, stop: int) -> int:
        """Writes the lines from `row` to `stop` (exclusive) to the expanded text.

        These lines contain only tokens and line comments. Returns the line to read next; it is later than
        `stop` if a macro call extends beyond `stop`.
        """
        data, text = self.data, self.text
        names = self.session.table.keys()
        while row < stop:
            self.session.checkpoint()
            until = min(row + _STRETCH, stop)
            start, end = text.line_start(row), text.line_start(until)
            used = names & words(data[start:end])
            if used:
                row = self._rows_using(frozenset(used), row, until)
            else:
                self._take(row, until, start, end)
                row = until
        return row

    def _rows_using(self, names: frozenset[bytes], row: int, until: int) -> int:
        """Writes the lines from `row` to `until` (exclusive) to the expanded text.

        These lines use only the macros `names`. Returns the line to read next: `until`, or a later line if a
        macro call extends beyond `until`, or an earlier one if the definition of a macro has changed.
        """
        data, text, session = self.data, self.text, self.session
        revision = session.revision
        start = text.line_start(row)
        for match in _any_of(names).finditer(data, start, text.line_start(until)):
            at = match.start()
            if at < start or (at and data[at - 1] in _WORD_BYTES):
                continue
            user = text.line_of(at)
            begin = text.line_start(user)
            if row < user:
                self._take(row, user, start, begin)
            row = self._plain_line(user, begin, text.line_start(user + 1))
            if row >= until or session.revision != revision:
                return row
            start = text.line_start(row)
        self._take(row, until, start, text.line_start(until))
        return until

    def _take(self, row: int, until: int, start: int, end: int) -> None:
        self.output.plain_rows(self.data, start, end, until - row, self._line_ends)

    def _plain_line(self, row: int, start: int, end: int) -> int:
        """Writes a line that contains no block comment, splice or raw string to the expanded text.

        Returns the line to read next. Tokens are lexed only for calls of function-like macros.
        """
        data, output, table = self.data, self.output, self.session.table
        output.begin(start)
        at = place = start
        while True:
            match = NAME.search(data, place, end)
            if match is None:
                break
            place = match.end()
            name = match[1]
            if name is None or name not in table:
                continue
            self._rest = place
            self._tokens, self._index = [], 0
            after = self._expand((IDENTIFIER, name, 0, match.start()), at)
            if after > at:
                at = after
                place = max(place, at)
            if self._rest < 0:
                return self._tokens_of_line(at)
        content = self.text.line_end(row)
        output.copy(data, at, content)
        if content < end:
            output.end_row(end)
        else:
            output.finish()
        return output.row

    def line(self, row: int) -> int:
        """Writes the logical line that begins at `row` to the expanded text.

        Returns the line to read next.
        """
        start = self.text.line_start(row)
        self.output.begin(start)
        self._rest = start
        self._cut()
        return self._tokens_of_line(start)

    def _tokens_of_line(self, at: int) -> int:
        """Writes a lexed logical line from offset `at` on, with macros expanded; returns the line to read next."""
        table = self.session.table
        before = at
        divided = _divides_comment(self.data, at, self._end)
        while self._index < len(self._tokens):
            token = self._tokens[self._index]
            self._index += 1
            if divided:
                at = self._skip_divided(at, before, token_start(token))
                before = token_end(token)
            if token[0] == IDENTIFIER and token[1] in table:
                end = self._expand(token, at)
            elif token[0] in _JOINED and not isinstance(token[3], int):
                end = self._spliced(token, at)
            else:
                continue
            at = max(at, end)
        if divided:
            at = self._skip_divided(at, before, len(self.data[before : self._end].rstrip(b"\r\n")) + before)
        return self._end_line(at)

    def _skip_divided(self, at: int, start: int, end: int) -> int:
        """Skips the comments from `start` to `end` if `_divides_comment` is true for them.

        The text from `at` to `start` is then copied to the expanded text. No token is between `start` and
        `end`. Returns the offset from which on the text must still be copied: `end`, or `at` if nothing was
        skipped.
        """
        start = max(at, start)
        if not _divides_comment(self.data, start, end):
            return at
        self.output.copy(self.data, at, start)
        self.output.skip_to(self.data, start, end)
        return end

    def _cut(self) -> None:
        """Lexes the rest of the current line, from `_rest` on."""
        self._tokens, self._end = lex_line(self.data, self._rest)
        self._index = 0
        self._rest = -1

    def _end_line(self, at: int) -> int:
        """Copies the rest of the logical line from `at` on; returns the line to read next."""
        data, output = self.data, self.output
        end = self._end
        if end == len(data):
            opened = self.check_comment(max(at, token_end(self._tokens[-1]) if self._tokens else at))
            if opened >= 0:
                output.copy(data, at, opened)
                output.end_row(end)
                rest = self.text.line_count - output.row
                empty_end = self.text.line_start(self.text.line_count - 1) == end
                output.comment_rows(rest, empty_end and rest > 0)
                return output.row
        content = end
        if content > at and data[content - 1] == 0x0A:
            content -= 1
        if content > at and data[content - 1] == 0x0D:
            content -= 1
        output.copy(data, at, content)
        if content < end:
            output.end_row(end)
        else:
            output.finish()
        return output.row

    def _spliced(self, token: Token, at: int) -> int:
        start, end = token_start(token), token_end(token)
        self.output.copy(self.data, at, start)
        self.output.spliced(token[1], start, end)
        self.output.skip_to(self.data, start, end)
        return end

    def _open_nothing(self) -> None:
        self._open.clear()
        self.snapshot = None

    def _expand(self, name: Token, at: int) -> int:
        """Copies the text between `at` and a macro's name, and writes the expansion of the macro.

        Returns the offset after the macro's use. If the expansion is too large, or the call is not
        terminated, restores the state of the reader and returns the offset of the name: the name and the
        arguments then become plain text.
        """
        session = self.session
        text = name[1]
        macro = session.table[text]
        session.expander.used.setdefault(text, macro)
        if macro.parameters is not None and not self.opens_call():
            if macro.special is Special.PRAGMA:
                self.fault("pragma-operator", PRAGMA_OPERAND, name)
            return at
        if text in session.too_large:
            return at
        start, name_end = token_start(name), token_end(name)
        self.output.copy(self.data, at, start)
        state = self._tokens, self._index, self._end, self._rest
        problems = len(self.problems)
        # `_rest` >= 0 means that the tokens from there on are not lexed yet
        self._consumed = name_end
        self._open_nothing()
        try:
            if self.output.bytes_produced > MAXIMUM_PRODUCED_BYTES:
                raise TooLarge
            tokens = session.expander.expand(name, self, self.output.base, None)
        except (TooLarge, Unterminated) as reason:
            self._tokens, self._index, self._end, self._rest = state
            self.stateful = True
            if self.snapshot is not None:
                self.snapshot()
            del self.problems[problems:]
            shown = text.decode("utf-8", "replace")
            if isinstance(reason, TooLarge):
                session.too_large.add(text)
                self.report(
                    "expansion-too-large",
                    "warning",
                    f"'{shown}' has too large an expansion; it is not expanded",
                    start,
                    name_end,
                )
            else:
                self._failed_calls += 1
                self._unclosed.update(self._open)
                self.report(
                    "unterminated-macro-call",
                    "error",
                    f"unterminated function-like macro invocation of '{shown}'",
                    start,
                    name_end,
                )
            return start
        end = self._consumed
        self.output.expansion(tokens, macro, start, name_end, end)
        row = self.output.row
        self.output.skip_to(self.data, start, end)
        if self.output.row != row:
            self._rest = end
            self._cut()
        return end

    # ---- the source of an expansion's further tokens ----

    def opens_call(self) -> bool:
        """Whether the next token is the `(` of a call."""
        if self._rest >= 0:
            # in most cases the next character decides, and no token need be lexed
            following = _NEXT.match(self.data, self._rest)
            if following is not None:
                return following[0][-1:] == b"(" and following.end() - 1 not in self._unclosed
            self._cut()
        index = self._index
        tokens = self._tokens
        at = self._end
        if index >= len(tokens):
            tokens, index = [], 0
            while not tokens and at < len(self.data):
                tokens, at = lex_line(self.data, at)
        if index >= len(tokens) or tokens[index][1] != b"(":
            return False
        return token_start(tokens[index]) not in self._unclosed

    def next(self) -> Token | None:
        """Returns the next token, continuing on later lines; None at the end of the document."""
        if self._rest >= 0:
            self._cut()
        while self._index >= len(self._tokens):
            if self._end >= len(self.data) or self._failed_calls > _MAX_FAILED_CALLS:
                return None
            self._tokens, end = lex_line(self.data, self._end)
            self._index = 0
            if self._tokens and self._tokens[0][1] in (b"#", b"%:"):
                end = self.directive_in_call(self._tokens, end)
                self._tokens = []
            elif self._tokens:
                kind, text, flags, origin = self._tokens[0]
                self._tokens[0] = (kind, text, flags | SPACE, origin)
            self._end = end
        token = self._tokens[self._index]
        self._index += 1
        self._consumed = token_end(token)
        if token[0] == PUNCTUATOR:
            if token[1] == b"(":
                self._open.append(token_start(token))
            elif token[1] == b")" and self._open:
                self._open.pop()
        return token

    def directive_in_call(self, tokens: list[Token], end: int) -> int:
        """Processes a directive among the arguments of a macro call; returns the offset to continue at.

        After an #if, #elif or #else, this is the offset after any inactive lines.
        """
        raise NotImplementedError

    def consumed(self) -> int:
        """Returns the offset after the last token that `next` returned."""
        return self._consumed
