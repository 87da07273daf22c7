"""A fix as it grows: the changes of the text as it is, and the copies of functions that are to be made."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.rules.finding import Change
from openclsp.semantics.entities import ItemKey, Place


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a function's definition and of its prototypes, behind each of them.

    `name` is what the copy is called; the function's own name makes it an overload. `changes` are those of the copy,
    but say where they would stand in the definition itself; `calls` are the names in the definition that the copy
    writes differently."""

    function: str
    definition: ItemKey
    name: str
    changes: tuple[Change, ...]
    calls: tuple[tuple[Place, str], ...] = ()

    @property
    def overload(self) -> bool:
        """Whether the copy has the name of the function."""
        return self.name == self.function


@dataclass(frozen=True, slots=True)
class Draft:
    """All changes of a fix, each with the item whose leaves it may speak of."""

    title: str
    changes: tuple[tuple[ItemKey, Change], ...]
    copies: tuple[Copy, ...] = ()
