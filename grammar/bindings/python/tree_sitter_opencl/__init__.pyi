from typing import Final
from typing_extensions import CapsuleType

HIGHLIGHTS_QUERY: Final[str] | None
"""The syntax highlighting query: what OpenCL C adds to that of tree-sitter-c. Append it to that one."""

LOCALS_QUERY: Final[str] | None
"""The local variable query for this grammar."""

FOLDS_QUERY: Final[str] | None
"""The folding query for this grammar."""

def language() -> CapsuleType:
    """The tree-sitter language function for this grammar."""
