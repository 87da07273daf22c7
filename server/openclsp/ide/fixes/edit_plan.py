"""The plan of a fix: the changes to declarations and the functions to be copied."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.rules.finding import FixChange
from openclsp.semantics.facts.entities import ItemKey, Place


@dataclass(frozen=True, slots=True)
class FunctionCopy:
    """A copy of a function's definition and of its prototypes, each inserted after the original.

    `name` is the name of the copy; with the function's own name, it is an overload. `changes` are made in the
    copy, but their places are those in the original definition. `renamed_calls` contains the names of called
    functions that the copy replaces.
    """

    function: str
    definition: ItemKey
    name: str
    changes: tuple[FixChange, ...]
    renamed_calls: tuple[tuple[Place, str], ...] = ()

    @property
    def is_overload(self) -> bool:
        """Whether the copy has the name of the function."""
        return self.name == self.function


@dataclass(frozen=True, slots=True)
class EditPlan:
    """All changes of a fix. Each has the item to which its token indices refer.

    `edits_macros` is whether a qualifier that a macro spells may be changed there, or replace the macro.
    """

    title: str
    changes: tuple[tuple[ItemKey, FixChange], ...]
    copies: tuple[FunctionCopy, ...] = ()
    edits_macros: bool = False
