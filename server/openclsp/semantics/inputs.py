"""What the engine is told of a unit: the items, the names that they declare, and what stands around them."""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.semantics.engine import Input
from openclsp.semantics.entities import ItemKey
from openclsp.semantics.pragmas import Switches


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of names beyond the items: whether a header could not be had, which names a guess hides, and the
    names of typedefs and macros."""

    unknown_header: bool = False
    hidden: frozenset[str] = frozenset()
    typedefs: frozenset[str] = frozenset()
    macros: frozenset[bytes] = frozenset()
    themselves: frozenset[str] = frozenset()
    """The macros that stand for themselves, since their value is not known"""


CONTENT: Input[ItemKey, bytes] = Input("content", b"")
"""What an item says, but for the values of the numbers that macros bring into a body."""
NUMBERS: Input[ItemKey, bytes] = Input("numbers", b"", told=True)
"""What an item says, those values too."""
NUMBER: Input[tuple[ItemKey, int], bytes] = Input("number", b"", told=True)
"""By item and leaf, one of those numbers."""
HEAD_CONTENT: Input[ItemKey, bytes] = Input("head content", b"")
"""What an item says before a function's body: all that others can see of it."""
ORDER: Input[ItemKey, int] = Input("order", -1)
LOCAL_VARIABLES: Input[ItemKey, tuple[str, ...]] = Input("local variables", ())
"""The variables in local memory of a function's definition."""
CIRCLE: Input[str, frozenset[str]] = Input("circle", frozenset())
"""By name, the functions that a function calls in a circle. Set where it becomes another one, so that a call which makes
no circle wakes nobody."""
DECLARERS: Input[str, tuple[tuple[int, ItemKey], ...]] = Input("declarers", ())
SURROUNDINGS: Input[str, Surroundings] = Input("surroundings", Surroundings())
"""One cell, under the empty name: only items with unknown names read it."""

DOUBTS: Input[str, tuple[tuple[int, int], ...]] = Input("doubts", ())
"""One cell: the stretches of items that a missing header may decide, by first and last order number (see `doubts`)."""
DOUBTED_LEAVES: Input[ItemKey, tuple[tuple[int, int], ...]] = Input("doubted leaves", ())
"""The leaves of an item that such a stretch holds, where it does not hold the whole item."""

SWITCHES: Input[str, Switches | None] = Input("switches", ())
"""What pragmas switch on and off, in one cell likewise: only items with half or with floating literals read it."""

MEANINGS_WANTED: Input[str, bool] = Input("meanings wanted", False)
"""Whether whoever reads an item's flow keeps what its names hold, since that is going to be asked for; in one cell."""
