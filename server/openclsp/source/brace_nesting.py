"""Determines whether a place in the expanded text is between top-level items."""

from __future__ import annotations

import re
from typing import Final

from openclsp.dataclass import dataclass

_COMMENT_OR_LITERAL: Final = re.compile(
    rb"""//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?"""
)


@dataclass(frozen=True, slots=True)
class UnbalancedBrackets:
    """The kinds of unbalanced brackets in the documents that are included between items.

    - `opened`: some document leaves a bracket open.
    - `closed`: some document closes a bracket that it does not open.
    """

    opened: bool = False
    closed: bool = False

    def with_(self, other: UnbalancedBrackets) -> UnbalancedBrackets:
        """Returns the union: a flag is set if it is set in either value."""
        return UnbalancedBrackets(self.opened or other.opened, self.closed or other.closed)


ALL_BALANCED: Final = UnbalancedBrackets()


class Nesting:
    """Counts the open brackets of a text that is processed in pieces.

    - `depth`: the number of open brackets.
    - `ended`: whether the last token can end a top-level item.
    - `seen`: whether the text has any token.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.ended = True
        self.seen = False

    def feed(self, text: bytes) -> None:
        """Processes the next piece of the text."""
        code = _COMMENT_OR_LITERAL.sub(_without_literal, text).rstrip()
        if not code:
            return
        self.seen = True
        count = code.count
        self.depth += count(b"{") + count(b"(") + count(b"[") - count(b"}") - count(b")") - count(b"]")
        self.ended = code[-1:] in (b";", b"}")

    @property
    def between_items(self) -> bool:
        """Whether the next text begins a new top-level item."""
        return self.depth == 0 and self.ended


def _without_literal(match: re.Match[bytes]) -> bytes:
    """Replaces a comment by nothing, and a literal by a letter, which cannot end an item."""
    return b"" if match[0].startswith(b"/") else b"x"
