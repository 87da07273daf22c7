"""Whether expanded text stands between top-level items."""

from __future__ import annotations

import re
from typing import Final

from openclsp.dataclass import dataclass

_NOISE: Final = re.compile(
    rb"""//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?"""
)


@dataclass(frozen=True, slots=True)
class Uneven:
    """Whether included documents between items leave brackets open, or close some that they do not open."""

    opened: bool = False
    closed: bool = False

    def with_(self, other: Uneven) -> Uneven:
        """What both have."""
        return Uneven(self.opened or other.opened, self.closed or other.closed)


NONE_UNEVEN: Final = Uneven()


class Nesting:
    """Follows brackets and semicolons through text that comes in pieces cut at line ends.

    `depth` counts the brackets that are open, `ended` says whether the last token can end an item, and `seen`
    whether there was any token.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.ended = True
        self.seen = False

    def feed(self, text: bytes) -> None:
        """Takes the next piece."""
        code = _NOISE.sub(_silent, text).rstrip()
        if not code:
            return
        self.seen = True
        count = code.count
        self.depth += count(b"{") + count(b"(") + count(b"[") - count(b"}") - count(b")") - count(b"]")
        self.ended = code[-1:] in (b";", b"}")

    @property
    def between_items(self) -> bool:
        """Whether what follows begins a new top-level item."""
        return self.depth == 0 and self.ended


def _silent(noise: re.Match[bytes]) -> bytes:
    """Nothing for a comment, a letter for a literal: that is no end of an item."""
    return b"" if noise[0].startswith(b"/") else b"x"
