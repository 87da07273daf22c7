"""The object that an initialiser initialises, and the result of typing the initialiser."""

from __future__ import annotations

from typing import NamedTuple

from openclsp.dataclass import dataclass
from openclsp.semantics.facts.entities import Origin
from openclsp.semantics.facts.values import Constancy, Value, either
from openclsp.semantics.typing.conversions import target_of

_WORST = (Constancy.CONSTANT, Constancy.UNKNOWN, Constancy.NOT_CONSTANT)


class InitialisedEntity(NamedTuple):
    """The variable, member or compound literal that is initialised.

    - `origin`: the entity, with level 0 (see `Origin`).
    - `name`: its name in messages; empty for a compound literal.
    """

    origin: Origin
    name: str


@dataclass(slots=True)
class InitialiserResult:
    """The result of typing an initialiser.

    - `constancy`: whether all parts are known at compile time.
    - `target`: the constancy of the objects to which the parts point; None if there is no part yet.
    - `number`: the value, if the initialiser is a single integer.
    - `origin`: the origin of the value, if the initialiser is a single value.
    - `count`: the number of elements of an array whose size is not written.
    """

    constancy: Constancy = Constancy.CONSTANT
    number: int | None = None
    count: int | None = None
    origin: Origin | None = None
    target: Constancy | None = None
    depth: int = 0
    """The number of aggregates without their own braces around the part being initialised."""

    def add(self, value: Value) -> None:
        """Adds the constancy of one more part."""
        if _WORST.index(value.constancy) > _WORST.index(self.constancy):
            self.constancy = value.constancy
        target = target_of(value)
        self.target = target if self.target is None else either(self.target, target)
