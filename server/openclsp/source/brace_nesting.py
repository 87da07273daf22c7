"""Tracks whether a position in expanded text is between top-level items."""

from __future__ import annotations

import re
from typing import Final

from openclsp.dataclass import dataclass

_COMMENT_OR_LITERAL: Final = re.compile(
    rb"""//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?"""
)


@dataclass(frozen=True, slots=True)
class UnbalancedBrackets:
    """Whether included documents between items leave brackets open, or close some that they do not open."""

    opened: bool = False
    closed: bool = False

    def with_(self, other: UnbalancedBrackets) -> UnbalancedBrackets:
        """The union: a flag is set if either value sets it."""
        return UnbalancedBrackets(self.opened or other.opened, self.closed or other.closed)


ALL_BALANCED: Final = UnbalancedBrackets()


class Nesting:
    """Counts open brackets over text that arrives in pieces.

    Each piece ends at a line end. `depth`: number of open brackets. `ended`: whether the last token can end
    an item. `seen`: whether there was any token.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.ended = True
        self.seen = False

    def feed(self, text: bytes) -> None:
        """Processes the next piece."""
        code = _COMMENT_OR_LITERAL.sub(_without_literal, text).rstrip()
        if not code:
            return
        self.seen = True
        count = code.count
        self.depth += count(b"{") + count(b"(") + count(b"[") - count(b"}") - count(b")") - count(b"]")
        self.ended = code[-1:] in (b";", b"}")

    @property
    def between_items(self) -> bool:
        """Whether the text that follows begins a new top-level item."""
        return self.depth == 0 and self.ended


def _without_literal(match: re.Match[bytes]) -> bytes:
    """Removes a comment; replaces a literal by a letter, which cannot end an item."""
    return b"" if match[0].startswith(b"/") else b"x"
