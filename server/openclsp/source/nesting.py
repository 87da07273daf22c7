"""Whether expanded text stands between top-level items."""

from __future__ import annotations

import re
from typing import Final

_PIECE: Final = re.compile(
    rb"""//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|([({\[])|([)}\]])|(;)|[^\s(){}\[\];"'/]+|/"""
)


class Nesting:
    """Follows brackets and semicolons through text that comes in pieces cut at line ends."""

    def __init__(self) -> None:
        self.depth = 0
        self.ended = True
        self.seen = False

    def feed(self, text: bytes) -> None:
        """Takes the next piece."""
        for match in _PIECE.finditer(text):
            if match[0].startswith((b"//", b"/*")):
                continue
            self.seen = True
            group = match.lastindex
            if group == 1:
                self.depth += 1
                self.ended = False
            elif group == 2:
                self.depth -= 1
                self.ended = match[2] == b"}"
            elif group == 3:
                self.ended = True
            else:
                self.ended = False

    @property
    def between_items(self) -> bool:
        """Whether what follows begins a new top-level item."""
        return self.depth == 0 and self.ended


def is_whole(text: bytes) -> bool:
    """Whether a text is a run of complete top-level items."""
    nesting = Nesting()
    nesting.feed(text)
    return nesting.between_items
