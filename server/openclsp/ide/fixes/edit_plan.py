"""The plan of a fix: the changes to declarations and the functions to be copied."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.rules.finding import FixChange
from openclsp.semantics.facts.entities import ItemKey, Place


@dataclass(frozen=True, slots=True)
class FunctionCopy:
    """A copy of a function's definition and of its prototypes, each inserted after the original.

    `name` is the name of the copy; if it is the function's own name, the copy is an overload. `changes` apply
    to the copy, but their token indices are those of the original definition. `renamed_calls` contains the
    calls in the copy that call another copy, with the names of the called copies.
    """

    function: str
    definition: ItemKey
    name: str
    changes: tuple[FixChange, ...]
    renamed_calls: tuple[tuple[Place, str], ...] = ()

    @property
    def is_overload(self) -> bool:
        """Whether the copy has the same name as the original function."""
        return self.name == self.function


@dataclass(frozen=True, slots=True)
class EditPlan:
    """All changes of a fix.

    Each change is paired with the item that its token indices refer to. `edits_macros` permits the plan to
    change a qualifier that comes from a macro, in the macro's definition or by replacing the macro's use.
    """

    title: str
    changes: tuple[tuple[ItemKey, FixChange], ...]
    copies: tuple[FunctionCopy, ...] = ()
    edits_macros: bool = False
