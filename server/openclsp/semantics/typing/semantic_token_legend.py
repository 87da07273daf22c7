"""The LSP names of token kinds and modifiers, in a module without imports.

The server announces them to the client before it has loaded the analysis.
"""

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
"""The names of the kinds by number; 0 is none."""

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
"""The names of the modifiers; the one at index i has the bit `16 << i`."""
