"""The identity of a symbol in a translation unit, and the locations of its occurrences."""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.semantics.facts.entities import EntityRef, ItemKey


class NameSpace(Enum):
    """The name space of a name; equal names in different name spaces are different symbols (C99 6.2.3)."""

    ORDINARY = "ordinary identifier"
    TAG = "tag"
    MEMBER = "member"
    LABEL = "label"
    MACRO = "macro"


@dataclass(frozen=True, slots=True)
class SymbolId:
    """The identity of a symbol within one state of a unit.

    At program scope, a name denotes one symbol, however often it is declared; so does the name of a macro.
    Members, parameters and local variables have an `owner`: the declaring entity. Local tags and labels have
    an `item`: the one that contains them. `number` distinguishes the local types of an item, which may have
    equal names.
    """

    space: NameSpace
    name: str
    owner: EntityRef | None = None
    item: ItemKey | None = None
    number: int = 0

    @property
    def enclosing_item(self) -> ItemKey | None:
        """The item that declares a member, a label or a local name; None for a name at program scope."""
        return self.item if self.owner is None else self.owner.item

    @property
    def is_local(self) -> bool:
        """Whether only the enclosing item can use the name."""
        return self.enclosing_item is not None and self.space is not NameSpace.MEMBER


class Role(Enum):
    """The role of an occurrence. The declaration of a parameter, member or label is always a definition."""

    DEFINITION = "definition"
    DECLARATION = "declaration"
    READ = "read"
    WRITE = "write"

    @property
    def declares(self) -> bool:
        """Whether the occurrence is a declaration or definition."""
        return self is Role.DEFINITION or self is Role.DECLARATION


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An occurrence of a symbol's name in the text.

    `whole` is the range of the declaration that contains the name; for a use, it equals `location`.
    """

    location: Location
    role: Role
    whole: Location
