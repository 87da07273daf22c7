"""Macro expansion: its limits, the record of each expansion, and the interface that supplies tokens."""

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
PRAGMA_OPERAND: Final = "_Pragma takes a parenthesized string literal"

MAX_STEPS: Final = 1 << 18
"""Steps (about one per token) that one invocation may take.

After each invocation that exceeds it, the bound is divided by 4.
"""

LEAST_STEPS: Final = 1 << 12
"""Lower bound of the steps of one invocation, however many exceeded theirs before"""

MAXIMUM_STEPS_OF_UNIT: Final = 1 << 22
"""Steps that all invocations in a document and its includes may take together"""

MAXIMUM_PRODUCED_BYTES: Final = 4 << 20
"""Bytes that macros may produce in one document.

Intel's `IBiF_Conversions.cl` needs 1.5 MB. More text than this is not analysed (`MAXIMUM_TEXT`).
"""

MAX_NESTING: Final = 100
"""Nesting depth of calls in the arguments of calls"""


class Expansion(NamedTuple):
    """A replacement of a macro's name. Each token of the replacement list refers to it as the token's origin.

    - `parent`: the origin of the name. It is an offset if the name is written in a document, else the
      expansion that produced the name.
    - `end`: the offset after the invocation; -1 if `parent` is an expansion.
    - `document`: the included document that contains the invocation, if any.

    Offsets are relative to the start of `document`; if that is None, to the line on which the outermost
    invocation begins. Expansions are compared by identity.
    """

    macro: Macro
    parent: object
    end: int
    document: DocumentName | None


def outermost(expansion: Expansion) -> Expansion:
    """Returns the outermost enclosing expansion; the name of its macro is written in a document."""
    while isinstance(expansion.parent, Expansion):
        expansion = expansion.parent
    return expansion


class TooLarge(Exception):
    """Raised if an expansion exceeds a limit. The preprocessor always catches this exception."""


class Unterminated(Exception):
    """Raised if a macro call has no closing parenthesis. The preprocessor always catches this exception."""


class Source(Protocol):
    """Supplies the tokens that follow a macro's name, and the values of built-in macros."""

    def opens_call(self) -> bool:
        """Whether the next token is `(`, in this line or a later one, and no directive precedes it."""

    def next(self) -> Token | None:
        """Returns the next token; None at the end."""

    def consumed(self) -> int:
        """Returns the offset after the last token that `next` returned."""

    def special(self, kind: Special, token: Token, end: int, argument: Sequence[Token]) -> list[Token]:
        """Returns the expansion of a built-in macro in an invocation that ends at `end`."""

    def fault(self, code: str, message: str, token: Token) -> None:
        """Records an error at a token."""
