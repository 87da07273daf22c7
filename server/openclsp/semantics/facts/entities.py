"""Entities: declarations and casts, and the places that determine their address spaces.

An entity records, for each level of its type, the place that determines the address space. Places within an
item are ranges of token indices. Comments are not counted, and the first token has the index 0, so places do
not change if a comment or the code above the item changes. `items.item.byte_range` converts places to byte offsets.
"""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.types.type_model import Type

ItemKey = tuple[str, str, int]
"""(kind, name, number among equals): a position-independent key of an item in its translation unit."""


@dataclass(frozen=True, slots=True)
class Place:
    """A half-open range of token indices in one item: `first` inclusive, `last` exclusive."""

    first: int
    last: int

    def overlaps(self, other: Place) -> bool:
        """Whether two places have a token in common."""
        return self.first < other.last and other.first < self.last


_KEPT_FIRST, _KEPT_WIDTH = 1024, 16
_PLACES: list[list[Place | None]] = [[None] * _KEPT_FIRST for _ in range(_KEPT_WIDTH)]


def place_of(first: int, last: int) -> Place:
    """Returns the place from token `first` up to but not including `last`.

    Short places near the start of an item are interned, because they are by far the most frequent ones: each
    value, fact and node of the flow graph has a place, and most functions are short.
    """
    width = last - first
    if not (0 <= width < _KEPT_WIDTH and 0 <= first < _KEPT_FIRST):
        return Place(first, last)
    places = _PLACES[width]
    found = places[first]
    if found is None:
        found = places[first] = Place(first, last)
    return found


@dataclass(frozen=True, slots=True)
class EntityRef:
    """A position-independent reference to an entity: its item, and its number among that item's entities."""

    item: ItemKey
    number: int


@dataclass(frozen=True, slots=True)
class Origin:
    """The entity, and the level of its type, from which a value gets its type.

    Level 0 is the type of the entity itself, level 1 that of its pointee or element. For a variable `x`, the
    value `x` has the origin (x, 0), `*x` and `x[i]` have (x, 1), and `&x` has (x, -1).
    """

    entity: EntityRef
    level: int


class EntityKind(Enum):
    """The kind of construct that introduces an entity."""

    VARIABLE = "variable"
    PARAMETER = "parameter"
    MEMBER = "member"
    TYPEDEF = "typedef"
    FUNCTION = "function"
    CAST = "cast"
    COMPOUND_LITERAL = "compound literal"
    TYPE_NAME = "type name"
    BLOCK = "block"
    ENUMERATOR = "enumerator"


class Reason(Enum):
    """The reason for the address space of a level (defaults: OpenCL C 6.7.8)."""

    WRITTEN = "written"
    TYPEDEF = "from the typedef"
    PARAMETER_DEFAULT = "function parameters and results are private"
    VARIABLE_DEFAULT = "variables in functions are private unless qualified"
    PROGRAM_DEFAULT = "program-scope and static variables are global unless qualified"
    PROGRAM_NO_DEFAULT = "program-scope variables have no default space here"
    POINTEE_GENERIC = "an unqualified pointee is generic where the generic address space exists"
    POINTEE_PRIVATE = "an unqualified pointee is private where there is no generic address space"
    ARRAY_PARAMETER = "the elements of an unqualified array parameter are private, as in clang"
    KERNEL_NO_DEFAULT = "pointer parameters of kernels have no default space"
    TYPEDEF_USE = "the space depends on the use of the typedef"
    OBJECT = "a member is in the space of its object"
    LITERAL = "string literals are constant"
    COMPOUND_LITERAL = "a compound literal is an object of its scope"
    UNKNOWN = "the qualifier is not known here"
    VALUE = "a value, not an object"
    EXPRESSION = "from the expression's operands"


@dataclass(frozen=True, slots=True)
class Level:
    """One level of an entity: 0 is the object, 1 its pointee …

    - `place`: the place that determines the address space: a qualifier, or the declarator or type to which a
      default applies. None for a level that comes from a typedef of another item.
    - `via`: the typedef of another item from which the level comes; else None.
    - `written`: the space qualifiers at this level in order, each with its token index.
    - `insertion`: the index of the token before which a qualifier for this level would be inserted; -1 if the
      text of this entity cannot contain one.
    """

    space: Space
    reason: Reason
    place: Place | None
    written: tuple[tuple[Space, int], ...] = ()
    insertion: int = -1
    via: Origin | None = None

    @property
    def written_spaces(self) -> tuple[Space, ...]:
        """The space qualifiers at this level, in order."""
        return tuple([space for space, _ in self.written])


SpaceSources = tuple[Place | Origin | None, ...]
"""For each level of an entity's type, what determines the address space.

This is a place in the entity's item, or the level of a typedef; None if nothing in the text determines the
space.
"""


@dataclass(frozen=True, slots=True)
class Entity:
    """A declaration or cast in an item. `place` is the declared name, or the parentheses of a cast."""

    ref: EntityRef
    kind: EntityKind
    name: str
    type: Type
    levels: tuple[Level, ...]
    place: Place
    whole: Place
    """The declarator with its specifiers; for a cast, the whole cast expression."""

    @property
    def space_sources(self) -> SpaceSources:
        """For each level, the place or typedef that determines its address space; None if neither does."""
        return tuple(level.place if level.via is None else level.via for level in self.levels)
