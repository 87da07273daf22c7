"""The identity of a symbol in a translation unit, and the places at which it occurs."""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.ide.feature_results import Location
from openclsp.semantics.facts.entities import EntityRef, ItemKey


class NameSpace(Enum):
    """The kind of name; equal names of different kinds are different symbols (C99 6.2.3)."""

    ORDINARY = "ordinary identifier"
    TAG = "tag"
    MEMBER = "member"
    LABEL = "label"
    MACRO = "macro"


@dataclass(frozen=True, slots=True)
class SymbolId:
    """The identity of a symbol within one state of a unit.

    At program scope, and for a macro, a name denotes one symbol, however often it is declared. A member, a
    parameter or a local variable has an `owner`, the declaring entity. A local tag and a label have the
    `item` that contains them; `number` distinguishes the local types of an item.
    """

    space: NameSpace
    name: str
    owner: EntityRef | None = None
    item: ItemKey | None = None
    number: int = 0

    @property
    def enclosing_item(self) -> ItemKey | None:
        """The item that declares a member, a label or a local name; None at program scope."""
        return self.item if self.owner is None else self.owner.item

    @property
    def is_local(self) -> bool:
        """Whether only the enclosing item can use the name."""
        return self.enclosing_item is not None and self.space is not NameSpace.MEMBER


class Role(Enum):
    """What an occurrence does with its symbol. A parameter, a member and a label are always defined."""

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
    """A place at which a symbol's name is written.

    `whole` is the declaration of which the name is part; it equals `location` for a use.
    """

    location: Location
    role: Role
    whole: Location
