"""The words for what a token can mean, as editors know them. They stand alone because the server tells them before the
analysis is loaded."""

from __future__ import annotations

from typing import Final

KINDS: Final = (
    "",
    "comment",
    "keyword",
    "number",
    "string",
    "macro",
    "type",
    "struct",
    "enum",
    "enumMember",
    "function",
    "parameter",
    "variable",
    "property",
    "label",
)
"""The words for the kinds, by number; 0 is none."""

MODIFIERS: Final = (
    "declaration",
    "definition",
    "readonly",
    "static",
    "defaultLibrary",
    "kernel",
    "disabled",
    "global",
    "local",
    "constant",
    "private",
    "generic",
)
"""The words for the modifiers; that at index i is the bit `16 << i`."""
