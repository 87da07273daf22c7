"""The nodes of the query database: input cells and memos, with dependency edges in both directions."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

_FEW_READERS: Final = 16
"""The largest number of readers kept as a tuple, which is smaller than a set: most nodes have one or two."""
NEVER: Final[tuple[Any, int]] = (None, -1)
"""The previous value of an input that has had none"""


class QueryNode:
    """An input cell or the memo of a query.

    - `kind`: the `Input` that this cell belongs to, or the `Query` whose value is stored.
    - `changed`: the revision at which the value last changed.
    - `before`: the previous value of an input, and the revision at which the input got that value.

    There are several nodes per item, so they are kept small.
    """

    __slots__ = (
        "before",
        "changed",
        "dependencies",
        "key",
        "kind",
        "readers",
        "running",
        "suspect",
        "value",
        "verified",
        "verifying",
    )

    def __init__(self, kind: Any, key: Hashable) -> None:
        self.kind, self.key = kind, key
        self.value: Any = None
        self.changed = self.verified = -1
        self.before: tuple[Any, int] = NEVER
        self.dependencies: tuple[QueryNode, ...] = ()
        self.readers: tuple[QueryNode, ...] | set[QueryNode] = ()
        self.suspect = False
        self.running = self.verifying = False

    def copy_memo(self, other: QueryNode) -> None:
        """Copies the value of a node of the same kind and key, but none of its edges."""
        self.value, self.changed, self.verified = other.value, other.changed, other.verified
        self.before, self.suspect = other.before, other.suspect

    def read_by(self, reader: QueryNode) -> None:
        """Adds a reader; idempotent."""
        readers = self.readers
        if isinstance(readers, set):
            readers.add(reader)
        elif reader not in readers:
            self.readers = (*readers, reader) if len(readers) < _FEW_READERS else {*readers, reader}

    def not_read_by(self, reader: QueryNode) -> None:
        """Removes a reader."""
        readers = self.readers
        if isinstance(readers, set):
            readers.discard(reader)
        else:
            self.readers = tuple([each for each in readers if each is not reader])
