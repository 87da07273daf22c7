"""The values of expressions, as used in facts."""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import Origin, Place
from openclsp.semantics.types.type_model import Type


class Constancy(Enum):
    """Whether a value is known at compile time to be constant."""

    CONSTANT = "constant"
    NOT_CONSTANT = "not constant"
    UNKNOWN = "unknown"


def either(left: Constancy, right: Constancy) -> Constancy:
    """Returns the constancy of `c ? left : right`: that of both operands, UNKNOWN if they differ."""
    return left if left is right else Constancy.UNKNOWN


class Unset(Enum):
    """The default of optional parameters that may also be None."""

    SAME = "same"


Holder = tuple[int, Origin, str]


@dataclass(frozen=True, slots=True)
class Value:
    """The value of an expression: its type and its properties.

    The type of an lvalue includes the address space of the object.

    - `origin`: the declaration that gives the type; None if there is none.
    - `null`, `string`, `element`: whether the value is a null pointer constant (C99 6.3.2.3p3), a string
      literal, a component of a vector.
    - `constancy`: whether the value that is read is constant.
    - `number`: the value of an integer constant expression.
    - `fixed`: whether the object has one address for the whole program.
    - `target`: the constancy of the pointee; for an array of pointers, of the pointees of its elements.
    - `held`: for a member of a struct or union whose address space, at one level, is that of the enclosing
      object: this level, the origin that determines the space, and the declared name. None for any other
      value.
    - `hidden`: the named space into which a generic pointer, or an integer made of a pointer, certainly
      points, if the expression itself shows it.
    - `measured`: the type whose size the value is.
    - `captured`: whether the value is, or is part of, the const copy of an outer variable in a block.
    - `of_block`: whether the value is the result of calling a block.
    """

    type: Type
    place: Place
    lvalue: bool = False
    origin: Origin | None = None
    name: str = ""
    null: bool = False
    string: bool = False
    constancy: Constancy = Constancy.NOT_CONSTANT
    number: int | None = None
    fixed: bool = False
    element: bool = False
    held: Holder | None = None
    hidden: Space | None = None
    measured: Type | None = None
    captured: bool = False
    of_block: bool = False
    target: Constancy = Constancy.UNKNOWN

    def space_source(self, depth: int) -> tuple[Origin | None, str]:
        """Returns the declaration that determines the address space of level `depth`, and the declared name.

        If no declaration determines it, the first result is None. If a member inherits the space from the
        enclosing object, the first result is the declaration of that object.
        """
        if self.held is not None and self.held[0] == depth:
            return self.held[1], self.held[2]
        if self.origin is None:
            return None, self.name
        return Origin(self.origin.entity, self.origin.level + depth), self.name

    def replaced(
        self,
        *,
        type: Type | None = None,
        place: Place | None = None,
        lvalue: bool | None = None,
        origin: Origin | None | Unset = Unset.SAME,
        null: bool | None = None,
        string: bool | None = None,
        constancy: Constancy | None = None,
        number: int | None | Unset = Unset.SAME,
        fixed: bool | None = None,
        held: Holder | None | Unset = Unset.SAME,
        hidden: Space | None | Unset = Unset.SAME,
        target: Constancy | None = None,
    ) -> Value:
        """Returns a copy of the value with some fields replaced."""
        return Value(
            self.type if type is None else type,
            self.place if place is None else place,
            self.lvalue if lvalue is None else lvalue,
            self.origin if isinstance(origin, Unset) else origin,
            self.name,
            self.null if null is None else null,
            self.string if string is None else string,
            self.constancy if constancy is None else constancy,
            self.number if isinstance(number, Unset) else number,
            self.fixed if fixed is None else fixed,
            self.element,
            self.held if isinstance(held, Unset) else held,
            self.hidden if isinstance(hidden, Unset) else hidden,
            self.measured,
            self.captured,
            self.of_block,
            self.target if target is None else target,
        )


UNPLACED_ATTRIBUTES: tuple[str, ...] = (
    "type",
    "lvalue",
    "origin?",
    "null",
    "string",
    "constancy",
    "number",
    "fixed",
    "element",
    "held?",
    "hidden",
    "measured",
    "captured",
    "of_block",
    "target",
)
"""The attributes in the key of `unplaced`; those with `?` count only as present or absent."""


def unplaced(value: Value) -> tuple[object, ...]:
    """Returns a cache key that is equal for values that differ only in name, place and origin.

    For the attributes in the key see `UNPLACED_ATTRIBUTES`.
    """
    return (
        value.type,
        value.lvalue,
        value.origin is None,
        value.null,
        value.string,
        # members of an enumeration are compared by identity, which is quicker than by their names
        id(value.constancy),
        value.number,
        value.fixed,
        value.element,
        value.held is None,
        value.hidden,
        value.measured,
        value.captured,
        value.of_block,
        id(value.target),
    )
