"""The state of reading one document: output, problems, and the values of built-in macros."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from openclsp.source.compiler_features import has
from openclsp.source.document import Document
from openclsp.source.expanded_output import Output
from openclsp.source.expansion import PRAGMA, PRAGMA_OPERAND
from openclsp.source.lexer import (
    IDENTIFIER,
    NUMBER,
    STRING,
    Token,
    lex_spelling,
    open_comment,
)
from openclsp.source.macros import Special
from openclsp.source.opencl_pragma import (
    extra_pragma_tokens,
    note_pragma_macros,
    opencl_pragma_fault,
)
from openclsp.source.predefined_macros import number
from openclsp.source.preprocessed import Problem, Severity
from openclsp.source.preprocessing_run import Session


class ReaderState:
    """The state of reading the lines of one document."""

    def __init__(self, document: Document, session: Session, first_row: int = 0) -> None:
        self.document = document
        self.text = document.text
        self.data = document.text.data
        self.session = session
        self.output = Output(first_row)
        self.problems: list[Problem] = []
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
        """Arguments of `__has_attribute` and similar operators whose result is not known"""
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
        """Number of unterminated calls.

        It is bounded, since each reads to the end of the document.
        """
        self._line_ends = b"\r" in self.data

    def special(self, kind: Special, token: Token, end: int, argument: Sequence[Token]) -> list[Token]:
        """Returns the expansion of a built-in macro whose invocation ends at `end`."""
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
                self.fault("pragma-operator", PRAGMA_OPERAND, token)
                return []
            content = string_content(argument[0])
            if b"OPENCL" in content:
                self._check_opencl_operator(content, token)
            return [(PRAGMA, content, flags, token[3])]
        if len(argument) != 1 or argument[0][0] != IDENTIFIER:
            operator = token[1].decode()
            self.fault("condition", f"'{operator}' takes one identifier in parentheses", token)
        elif has(token[1], argument[0][1]):
            return [(NUMBER, b"1", flags, None)]
        else:
            self.unanswered.append(argument[0])
        return [(NUMBER, b"0", flags, None)]

    def _check_opencl_operator(self, content: bytes, token: Token) -> None:
        """Checks the pragma in the operand of `_Pragma` like a directive; `token` is the operator."""
        tokens = lex_spelling(content)
        if not tokens or tokens[0][1] != b"OPENCL":
            return
        note_pragma_macros(tokens, self.session)
        found = opencl_pragma_fault(tokens, self.session.table)
        extra = extra_pragma_tokens(tokens)
        if found is not None:
            self.fault("opencl-pragma", found[0], token, "warning")
        elif extra is not None:
            self.fault("extra-tokens", extra[0], token, "warning")

    def fault(self, code: str, message: str, token: Token, severity: Severity = "error") -> None:
        """Reports an error, or a warning, at a token.

        If the token comes from a replacement list, the report is at the end of the macro's invocation.
        """
        origin = token[3]
        if isinstance(origin, int):
            self.report(code, severity, message, origin, origin + len(token[1]))
        else:
            self.report(code, severity, message, max(self._consumed - 1, 0), self._consumed)

    def check_comment(self, start: int) -> int:
        """Reports an unclosed block comment after `start`.

        Returns the offset of the comment; -1 if there is none.
        """
        opened = open_comment(self.data, start)
        if opened >= 0:
            self.report("unterminated-comment", "error", "unterminated /* comment", opened, opened + 2)
        return opened

    def report(
        self, code: str, severity: Severity, message: str, start: int, end: int, name: str = ""
    ) -> None:
        """Records a problem in this document."""
        self.problems.append(Problem(code, severity, message, self.document.name, start, end, name))


def string_content(token: Token) -> bytes:
    """Returns the content of a string literal, destringized as for `_Pragma` (C99 6.10.9)."""
    text = token[1]
    text = text[text.index(b'"') + 1 : -1]
    return text.replace(b'\\"', b'"').replace(b"\\\\", b"\\")
