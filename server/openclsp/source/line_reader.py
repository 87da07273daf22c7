"""Reads the logical lines of one document and writes their macro expansion."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from openclsp.source.argument_operators import destringised
from openclsp.source.compiler_features import has
from openclsp.source.document import Document
from openclsp.source.expanded_output import Output
from openclsp.source.expansion import MAXIMUM_PRODUCED_BYTES, PRAGMA, TooLarge, Unterminated
from openclsp.source.lexer import (
    IDENTIFIER,
    NAME,
    NUMBER,
    PUNCTUATOR,
    SPACE,
    STRING,
    Token,
    lex_line,
    token_end,
    token_start,
    words,
)
from openclsp.source.macros import Special
from openclsp.source.name_patterns import pattern_of_names
from openclsp.source.predefined_macros import number
from openclsp.source.preprocessing_run import Session
from openclsp.source.problem_reporter import ProblemReporter
from openclsp.source.special_lines import special_lines

_STRETCH: Final = 512
_WORD_BYTES: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_NEXT: Final = re.compile(rb"[ \t]*[^ \t\f\v\0/\\\r\n]")
_MAX_FAILED_CALLS: Final = 50


class Reader(ProblemReporter):
    """Reads a document's lines; supplies the expander with the tokens after a macro's name."""

    def __init__(self, document: Document, session: Session, first_row: int = 0) -> None:
        super().__init__(document)
        self.session = session
        self.output = Output(first_row)
        self.line_shift = 0
        """Added to line numbers for `__LINE__`, as set by #line"""
        self.presumed_file: bytes | None = None
        """File name set by #line"""
        self.positional: list[int] = []
        """Rows whose expansion depends on their line number"""
        self.stateful = False
        """Whether rows cannot be expanded separately.

        A counter was read, or a call was given up.
        """
        self.entangled = False
        """Whether a call's arguments held a directive"""
        self.unanswered: list[Token] = []
        """Arguments of `__has_attribute` and the like whose answer is not known"""
        self.snapshot: Callable[[], None] | None = None
        """Undoes the directives inside a call's arguments"""
        self._tokens: list[Token] = []
        """The lexed tokens of the current line; `_index` is the next one"""
        self._index = 0
        self._end = 0
        """Offset of the line after these tokens"""
        self._rest = -1
        """Offset from which the current line is not lexed yet; -1 if it is"""
        self._consumed = 0
        """Offset after the last token handed out"""
        self._open: list[int] = []
        """Offsets of the `(` that are open in the current call"""
        self._unclosed: set[int] = set()
        """Offsets of `(` that nothing closes: names before them are not tried as calls again"""
        self._failed_calls = 0
        """Number of unterminated calls; bounded, since each reads to the end of the document"""
        self._line_ends = b"\r" in self.data

    # ---- the rows ----

    def special_rows(self, first: int, last: int) -> list[int]:
        """Returns the special lines from `first` to `last` (exclusive)."""
        return list(dict.fromkeys(line for line, _ in special_lines(self.text, first, last)))

    def expand_rows(self, row: int, last: int) -> int:
        """Expands lines without directives; returns the line after the last one read."""
        specials = self.special_rows(row, last)
        index = 0
        while row < last:
            while index < len(specials) and specials[index] < row:
                index += 1
            stop = specials[index] if index < len(specials) else last
            row = self.plain_rows(row, stop) if row < stop else self.line(row)
        return row

    def plain_rows(self, row: int, stop: int) -> int:
        """Copies or expands lines that hold only tokens and line comments; returns the next line."""
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
        """`plain_rows` for lines that use no macros but these; may stop early."""
        data, text, session = self.data, self.text, self.session
        revision = session.revision
        start = text.line_start(row)
        for match in pattern_of_names(names).finditer(data, start, text.line_start(until)):
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
        """`line` for a line without block comment, splice or raw string.

        Tokens are lexed only for the calls of function-like macros.
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
        """Expands the logical line that begins at line `row`; returns the line after it."""
        start = self.text.line_start(row)
        self.output.begin(start)
        self._rest = start
        self._cut()
        return self._tokens_of_line(start)

    def _tokens_of_line(self, at: int) -> int:
        """Expands the rest of a lexed logical line from `at`; returns the line after it."""
        table = self.session.table
        while self._index < len(self._tokens):
            token = self._tokens[self._index]
            self._index += 1
            if token[0] != IDENTIFIER:
                continue
            if token[1] in table:
                end = self._expand(token, at)
            elif not isinstance(token[3], int):
                end = self._spliced(token, at)
            else:
                continue
            at = max(at, end)
        return self._end_line(at)

    def _cut(self) -> None:
        """Lexes the rest of the line."""
        self._tokens, self._end = lex_line(self.data, self._rest)
        self._index = 0
        self._rest = -1

    def _end_line(self, at: int) -> int:
        """Copies the rest of the logical line from `at`; returns the line after it."""
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
        """Writes the text up to a macro's name, and the macro's expansion.

        Returns the offset after it. If the expansion is too large or its call is not terminated, the reader's
        state is restored and the name is left as it is, so that the arguments are read once more as plain
        text.
        """
        session = self.session
        text = name[1]
        macro = session.table[text]
        session.expander.used.setdefault(text, macro)
        if macro.parameters is not None and not self.opens_call():
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
                    f"'{shown}' expands to too much; left as it is",
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
        """Processes a directive within a call's arguments; returns the offset after it.

        For a conditional that is the offset after the groups that it skips.
        """
        raise NotImplementedError

    def consumed(self) -> int:
        """Returns the offset after the last token handed out."""
        return self._consumed

    def special(self, kind: Special, token: Token, end: int, argument: Sequence[Token]) -> list[Token]:
        """Returns the expansion of a built-in macro in an invocation that ends at `end`."""
        session = self.session
        flags = token[2]
        if kind is Special.LINE:
            self.positional.append(self.output.row)
            return [number(self.text.line_of(end - 1) + 1 + self.line_shift)]
        if kind is Special.FILE:
            name = self.presumed_file
            if name is None:
                name = self.document.name.encode("utf-8", "surrogateescape")
            return [(STRING, b'"' + name.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"', flags, None)]
        if kind is Special.COUNTER:
            self.stateful = True
            session.counter += 1
            return [number(session.counter - 1)]
        if kind is Special.INCLUDE_LEVEL:
            return [number(session.depth)]
        if kind is Special.DATE:
            return [(STRING, b'"??? ?? ????"', flags, None)]
        if kind is Special.PRAGMA:
            if len(argument) != 1 or argument[0][0] != STRING:
                self.fault("pragma-operator", "_Pragma takes a parenthesized string literal", token)
                return []
            return [(PRAGMA, destringised(argument[0]), flags, token[3])]
        if kind is Special.HAS and len(argument) == 1 and has(token[1], argument[0][1]):
            return [(NUMBER, b"1", flags, None)]
        self.unanswered.extend(argument[:1])
        return [(NUMBER, b"0", flags, None)]

    # ---- problems ----

    def fault(self, code: str, message: str, token: Token) -> None:
        """Reports an error at a token.

        If the token came from a replacement list, it is reported at the invocation.
        """
        origin = token[3]
        if isinstance(origin, int):
            self.report(code, "error", message, origin, origin + len(token[1]))
        else:
            self.report(code, "error", message, max(self._consumed - 1, 0), self._consumed)
