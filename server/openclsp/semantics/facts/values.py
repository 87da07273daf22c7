"""What an expression yields, as the facts about it say it."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from openclsp.language.spaces import Space
from openclsp.semantics.entities import Origin, Place
from openclsp.semantics.types import Type


class Constancy(Enum):
    """What is known of a value before the program runs."""

    CONSTANT = "constant"
    NOT_CONSTANT = "not constant"
    UNKNOWN = "unknown"


class Value(NamedTuple):
    """What an expression yields: its type as written (an lvalue's with its object's space), and where it comes from.

    `origin` is None where no declaration gives the type. `null` marks a null pointer constant (C99 6.3.2.3p3),
    `string` a string literal, `element` a component of a vector. `constancy` is that of the value read, `number` its
    value where it is an integer constant expression; `fixed` says that the object has one address for the whole
    program.

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
    held: tuple[int, Origin, str] | None = None
    hidden: Space | None = None
    measured: Type | None = None
    captured: bool = False
    of_block: bool = False

    def given(self, depth: int) -> tuple[Origin | None, str]:
        """What gives level `depth` of this value its space, and its name: the declaration, or for a member the one of
        the object that holds it."""
        if self.held is not None and self.held[0] == depth:
            return self.held[1], self.held[2]
        if self.origin is None:
            return None, self.name
        return Origin(self.origin.entity, self.origin.level + depth), self.name


def unplaced(value: Value) -> tuple[object, ...]:
    """A value without where it comes from."""
    type_, _, lvalue, origin, _, null, string, constancy, number, fixed, element, held, *more = value
    sort = id(constancy), number, fixed, element, held is None
    return type_, lvalue, origin is None, null, string, *sort, *more
