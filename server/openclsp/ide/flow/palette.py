"""The colours of the address spaces, for drawings and editor themes.

A test compares the themes with this table.
"""

from __future__ import annotations

from typing import NamedTuple


class Colour(NamedTuple):
    """A colour for light backgrounds and one for dark backgrounds, as `#rrggbb`."""

    light: str
    dark: str


PALETTE = {
    "global": Colour("#0b6bcb", "#6cb6ff"),
    "local": Colour("#1a7f37", "#57d16b"),
    "constant": Colour("#9a6700", "#e3b341"),
    "private": Colour("#bf3989", "#ff8ac4"),
    "generic": Colour("#8250df", "#c297ff"),
    "unknown": Colour("#57606a", "#8b949e"),
}

DASHES = {"global": "", "local": "10 4", "constant": "3 3", "private": "10 3 3 3"}
"""The dashes and gaps of the lines of each address space in drawings, for people who do not see the colours.

Empty for a solid line. As in SVG's `stroke-dasharray`.
"""
