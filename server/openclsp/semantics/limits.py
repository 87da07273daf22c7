"""Limits of the analysis of a document.

A diagnostic is reported if a limit is reached, and everything beyond the limit is unknown.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

MAXIMUM_DEPTH: Final = 200
"""The greatest depth of a syntax tree, in nodes. More would overflow the stack of the compiled modules."""
MAXIMUM_LEVELS: Final = 32
"""Pointers to pointers of one type"""
MAXIMUM_OVERLOADS: Final = 256
"""Declarations of one overloaded function that a call is compared with; `shuffle` has 180, the most known."""
MAXIMUM_CHUNK: Final = 512 << 10
"""The size limit of a top-level construct after macro expansion, in bytes; the largest known has 440 KB."""
MAXIMUM_CHUNKS: Final = 20_000
"""The limit of top-level constructs per document; clang's opencl-c.h, the largest known, has 16,000."""
MAXIMUM_TEXT: Final = 4 << 20
"""The size limit of one document's expanded text, in bytes."""


class Limit(Enum):
    """A limit that was reached; its value completes "not analysed: this is ..." in the message."""

    DEPTH = f"nested more than {MAXIMUM_DEPTH} deep"
    LEVELS = f"a type of more than {MAXIMUM_LEVELS} pointers"
    OVERLOADS = f"a call of a function with more than {MAXIMUM_OVERLOADS} overloads"
    CHUNK = f"larger than {MAXIMUM_CHUNK >> 10} KB"
    REST = f"after {MAXIMUM_CHUNKS:,} declarations or {MAXIMUM_TEXT >> 20} MB of text"
