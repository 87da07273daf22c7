"""The levels of a type under construction: their qualifiers, and where a new qualifier would be inserted."""

from __future__ import annotations

from dataclasses import field

from openclsp.dataclass import dataclass
from openclsp.language.spaces import Space
from openclsp.semantics.facts.entities import (
    Level,
    Origin,
    Place,
    Reason,
)


@dataclass(slots=True)
class RawLevel:
    """One level of an unfinished declarator.

    - `written`: the space qualifiers, each with its token index.
    - `unknown`: an unknown word or attribute may specify the space.
    - `place`, `insertion`: see `Level`.
    - `via`: the typedef that determines the space.
    - `reason`: the reason for the space, if it is neither a qualifier nor the default of an object.
    """

    written: list[tuple[Space, int]] = field(default_factory=list)
    unknown: bool = False
    place: Place | None = None
    insertion: int = -1
    via: Origin | None = None
    reason: Reason | None = None

    def finished(self, space: Space, default: Reason) -> Level:
        """Returns the completed level with its space.

        `default` is the reason if neither a qualifier nor a typedef determines the space.
        """
        reason, place = default, self.place
        if self.reason is not None:
            reason = self.reason
        elif self.written:
            reason, place = Reason.WRITTEN, Place(self.written[0][1], self.written[0][1] + 1)
        elif self.unknown:
            reason = Reason.UNKNOWN
        return Level(space, reason, place, tuple(self.written), self.insertion, self.via)
