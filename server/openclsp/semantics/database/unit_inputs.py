"""The query database's inputs of a unit: its items, the names that they declare, and inputs about the whole
unit.
"""

from __future__ import annotations

from openclsp.dataclass import dataclass
from openclsp.semantics.database.query_database import Input
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.extension_states import Switches
from openclsp.semantics.items.loop_pragmas import LoopPragmas
from openclsp.semantics.items.packing_pragmas import PackingChanges
from openclsp.semantics.items.surplus_braces import Detachment
from openclsp.source.other_files import NO_DECLARATIONS_ELSEWHERE, DeclarationsElsewhere


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Sources of names other than declarations of items.

    They are unavailable headers and other unknown text (`unknown_header`), included headers, names that a
    branch excluded by a guessed condition may declare (`hidden`), and the names of typedefs and macros.
    """

    unknown_header: bool = False
    hidden: frozenset[str] = frozenset()
    typedefs: frozenset[str] = frozenset()
    macros: frozenset[bytes] = frozenset()
    macros_of_unknown_value: frozenset[str] = frozenset()
    """The macros that are defined as themselves, since their values are unknown, or whose expansion is too large"""
    headers: frozenset[str] = frozenset()
    """The documents that the root includes between its items; others are spliced into an item"""
    guesses: bool = False
    """Whether a condition reads a name that nothing defines, so that its result is a guess"""


CONTENT: Input[ItemKey, bytes] = Input("content", b"")
"""The content digest of an item; numbers that macros bring into its body count by class only."""
NUMBERS: Input[ItemKey, bytes] = Input("numbers", b"", external=True)
"""The content digest of an item, including the values of numbers that macros bring into its body."""
NUMBER: Input[tuple[ItemKey, int], bytes] = Input("number", b"", external=True)
"""A number that a macro brings into the body of an item, by item and token index."""
HEAD_CONTENT: Input[ItemKey, bytes] = Input("head content", b"")
"""The content digest of everything before a function's body: all that other items see."""
ORDER: Input[ItemKey, int] = Input("order", -1)
LOCAL_VARIABLES: Input[ItemKey, tuple[str, ...]] = Input("local variables", ())
"""The variables in local memory that a function definition declares."""
CALL_COMPONENT: Input[str, frozenset[str]] = Input("call component", frozenset())
"""By function name, its component of mutually recursive functions; empty if it is in none.

Set only if the component changes, so that adding an acyclic call invalidates nothing.
"""
IS_CALLED: Input[str, bool] = Input("is called", False)
"""By name, whether a function other than the one of that name calls it."""
HAS_KERNEL: Input[str, bool] = Input("has kernel", False)
"""A single cell: whether the unit defines a kernel."""
OUTSIDE: Input[str, DeclarationsElsewhere] = Input("outside", NO_DECLARATIONS_ELSEWHERE)
"""A single cell: how the rest of the project uses the unit's document."""
DECLARERS: Input[str, tuple[tuple[int, ItemKey], ...]] = Input("declarers", ())
DECLARED_NAMES: Input[str, frozenset[str]] = Input("declared names", frozenset())
"""A single cell: the names that items declare; only items with undeclared names read it."""
PROGRAM_SCOPE_MACROS: Input[str, tuple[tuple[int, frozenset[str]], ...]] = Input("program-scope macros", ())
"""A single cell: the items with calls of unknown macros at program scope, by order number, and the words of the calls.

Only items with undeclared names read it.
"""
SURROUNDINGS: Input[str, Surroundings] = Input("surroundings", Surroundings())
"""A single cell, under the empty key; only items with unknown names read it."""

UNCERTAIN_RANGES: Input[str, tuple[tuple[int, int], ...]] = Input("uncertain ranges", ())
"""A single cell: the ranges of items that depend on a missing header (see `header_dependent_code`).

Each is given by its first and last order number.
"""
UNCERTAIN_TOKENS: Input[ItemKey, tuple[tuple[int, int], ...]] = Input("uncertain tokens", ())
"""The token ranges of partly affected items that depend on a missing header."""

DETACHMENT: Input[ItemKey, Detachment | None] = Input("detachment", None)
"""How an item outside of functions belongs to the body of a function; only items with findings read it."""

EXTENSION_SWITCHES: Input[str, Switches] = Input("switches", Switches())
"""A single cell: the state of extension pragmas; only items with half types or floating literals read it."""

LOOP_PRAGMAS: Input[ItemKey, LoopPragmas] = Input("loop pragmas", ())
"""The pragmas in a function that apply to the loop after them."""

PACKING_CHANGES: Input[str, PackingChanges] = Input("packing changes", ())
"""A single cell: the state of `#pragma pack`; only items that define structs or unions read it."""

FIND_MISSING_BARRIERS: Input[str, bool] = Input("missing barriers wanted", False)
"""A single cell: whether the project enables the rule; running work-items costs milliseconds a kernel."""

TRACK_NAME_SPACES: Input[str, bool] = Input("track name spaces", False, published=True)
"""A single cell: whether semantic tokens or inlay hints will request the spaces of names with the flow."""
