"""What an expression yields, as the facts about it say it."""

from __future__ import annotations

from enum import Enum

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.entities import Origin, Place
from openclsp.semantics.types import Type


class Constancy(Enum):
    """What is known of a value before the program runs."""

    CONSTANT = "constant"
    NOT_CONSTANT = "not constant"
    UNKNOWN = "unknown"


def either(left: Constancy, right: Constancy) -> Constancy:
    """The constancy of a value that is one of two."""
    return left if left is right else Constancy.UNKNOWN


class Same(Enum):
    """Stands for what stays as it is, where None is something else."""

    SAME = "same"


Holder = tuple[int, Origin, str]


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression yields: its type as written (an lvalue's with its object's space), and where it comes from.

    `origin` is None where no declaration gives the type. `null` marks a null pointer constant (C99 6.3.2.3p3),
    `string` a string literal, `element` a component of a vector. `constancy` is that of the value read, `number` its
    value where it is an integer constant expression; `fixed` says that the object has one address for the whole
    program. `target` is the constancy of what a pointer points to, or the pointers that are elements of an array do.

    `held` is set for a member: at level `held[0]` of this value the space is that of the object around, which
    `held[1]` gave and which is called `held[2]`.

    `hidden` is the named space into which a generic pointer, or an integer made of a pointer, certainly points, where
    the expression itself shows it. `measured` is the type whose size the value is. `captured` says that it is, or lies
    in, the constant copy that a block makes of a variable around it; `of_block` that a block was called for it.
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

    def given(self, depth: int) -> tuple[Origin | None, str]:
        """What gives level `depth` of this value its space, and its name: the declaration, or for a member the one of
        the object that holds it."""
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
        origin: Origin | None | Same = Same.SAME,
        null: bool | None = None,
        string: bool | None = None,
        constancy: Constancy | None = None,
        number: int | None | Same = Same.SAME,
        fixed: bool | None = None,
        held: Holder | None | Same = Same.SAME,
        hidden: Space | None | Same = Same.SAME,
        target: Constancy | None = None,
    ) -> Value:
        """The same value but for what is given."""
        return Value(
            self.type if type is None else type,
            self.place if place is None else place,
            self.lvalue if lvalue is None else lvalue,
            self.origin if isinstance(origin, Same) else origin,
            self.name,
            self.null if null is None else null,
            self.string if string is None else string,
            self.constancy if constancy is None else constancy,
            self.number if isinstance(number, Same) else number,
            self.fixed if fixed is None else fixed,
            self.element,
            self.held if isinstance(held, Same) else held,
            self.hidden if isinstance(hidden, Same) else hidden,
            self.measured,
            self.captured,
            self.of_block,
            self.target if target is None else target,
        )


def unplaced(value: Value) -> tuple[object, ...]:
    """A value without where it comes from."""
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
