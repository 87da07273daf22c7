"""The problems that a run finds in a document."""

from __future__ import annotations

from openclsp.source.document import Document
from openclsp.source.lexer import (
    open_comment,
)
from openclsp.source.preprocessed import Problem, Severity


class ProblemReporter:
    """A document that is read, and the problems found in it."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self.data = document.text.data
        self.problems: list[Problem] = []

    def check_comment(self, start: int) -> int:
        """Reports an unclosed block comment after `start`.

        Returns its offset, or -1 if there is none.
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
