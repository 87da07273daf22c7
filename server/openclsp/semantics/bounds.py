"""The bounds of the analysis of a text: where one is reached, what lies beyond is unknown, and that is a diagnostic."""

from __future__ import annotations

from enum import Enum
from typing import Final

MAXIMUM_DEPTH: Final = 200
"""How deep a tree is read, in nodes. Deeper recursion would overflow the stack of the compiled modules."""
MAXIMUM_LEVELS: Final = 32
"""Pointers to pointers of one type"""
MAXIMUM_OVERLOADS: Final = 256
"""Declarations of one overloaded function that a call is compared with; the largest set known, `shuffle`, has 180."""
MAXIMUM_CHUNK: Final = 512 << 10
"""Bytes of one top-level declaration or function, after macros; the largest kernel known has 440 KB."""
MAXIMUM_CHUNKS: Final = 20_000
"""Top-level declarations and functions of one document; clang's opencl-c.h, the largest header known, has 16,000."""
MAXIMUM_TEXT: Final = 4 << 20
"""Bytes of one document's expanded text"""


class Bound(Enum):
    """A bound that was reached; the value is the end of a sentence about it."""

    DEPTH = f"nested more than {MAXIMUM_DEPTH} deep"
    LEVELS = f"a type of more than {MAXIMUM_LEVELS} pointers"
    OVERLOADS = f"a call of a function with more than {MAXIMUM_OVERLOADS} overloads"
    CHUNK = f"larger than {MAXIMUM_CHUNK >> 10} KB"
    REST = f"behind {MAXIMUM_CHUNKS:,} declarations or {MAXIMUM_TEXT >> 20} MB of text"
