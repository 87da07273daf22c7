"""The colours of the address spaces, for drawings and editor themes.

A test compares the themes with this table.
"""

from __future__ import annotations

from typing import NamedTuple


class Colour(NamedTuple):
    """A colour on a light and on a dark background, as `#rrggbb`."""

    light: str
    dark: str


PALETTE = {
    "global": Colour("#0b6bcb", "#6cb6ff"),
    "local": Colour("#1a7f37", "#57d16b"),
    "constant": Colour("#9a6700", "#e3b341"),
    "private": Colour("#6e7781", "#9ea7b3"),
    "generic": Colour("#8250df", "#c297ff"),
    "unknown": Colour("#57606a", "#8b949e"),
}
