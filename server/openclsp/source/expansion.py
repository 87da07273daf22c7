"""Data types of macro expansion: expanded tokens with their origin, limits, the source of further tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from openclsp.source.document import DocumentName
from openclsp.source.lexer import (
    Token,
)
from openclsp.source.macros import Macro, Special

PRAGMA: Final = 10
"""Kind of the token that `_Pragma` leaves: its spelling is the pragma's text"""

MAX_STEPS: Final = 1 << 18
"""Steps (about one per token) that one invocation may take.

After each invocation that exceeds it, the bound is divided by 4.
"""

LEAST_STEPS: Final = 1 << 12
"""Lower bound of the steps of one invocation, however many exceeded theirs before"""

MAXIMUM_PRODUCED_BYTES: Final = 1 << 20
"""Bytes that macros may produce in one document.

Among 1,200 kernels the maximum was 0.7 MB.
"""

MAX_NESTING: Final = 100
"""Nesting depth of calls in the arguments of calls"""


class Expansion(NamedTuple):
    """One replacement of a macro's name.

    It is the origin of the tokens of the macro's replacement list. Compared by identity. `parent` is the
    origin of the name: an offset if a document spells it, else the expansion that produced it. `end` is the
    offset after the invocation if `parent` is an offset, else -1. Offsets are relative to the line on which
    the outermost invocation begins; in an included document, which `document` names, to the start of that
    document.
    """

    macro: Macro
    parent: object
    end: int
    document: DocumentName | None


def outermost(expansion: Expansion) -> Expansion:
    """Returns the outermost enclosing expansion, whose name a document spells."""
    while isinstance(expansion.parent, Expansion):
        expansion = expansion.parent
    return expansion


class TooLarge(Exception):
    """An expansion exceeds its bound. Never leaves this package."""


class Unterminated(Exception):
    """A macro call has no closing parenthesis. Never leaves this package."""


class Source(Protocol):
    """Source of the tokens after a macro's name.

    It also has the values of built-in macros.
    """

    def opens_call(self) -> bool:
        """Whether the next token is `(`.

        It may be on this or a later line, but before any directive.
        """

    def next(self) -> Token | None:
        """Returns the next token; None at the end."""

    def consumed(self) -> int:
        """Returns the offset after the last token handed out."""

    def special(self, kind: Special, token: Token, end: int, argument: Sequence[Token]) -> list[Token]:
        """Returns the expansion of a built-in macro in an invocation that ends at `end`."""

    def fault(self, code: str, message: str, token: Token) -> None:
        """Records a problem at a token."""
