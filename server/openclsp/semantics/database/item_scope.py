"""Name lookup among the program-scope declarations before an item."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache

from openclsp.semantics.database.query_database import QueryDatabase
from openclsp.semantics.database.signatures import EXPORTS, RESULT_SIGNATURES, SLOTS
from openclsp.semantics.database.unit_inputs import (
    DECLARED_NAMES,
    DECLARERS,
    EXTENSION_SWITCHES,
    LOOP_PRAGMAS,
    ORDER,
    PACKING_CHANGES,
    PROGRAM_SCOPE_MACROS,
    SURROUNDINGS,
    UNCERTAIN_RANGES,
    UNCERTAIN_TOKENS,
)
from openclsp.semantics.facts.entities import EntityKind, ItemKey
from openclsp.semantics.items.extension_states import ExtensionStates, extension_states, is_enabled, is_on
from openclsp.semantics.items.header_dependent_code import is_uncertain
from openclsp.semantics.items.loop_pragmas import LoopPragmas
from openclsp.semantics.items.packing_pragmas import packing_of
from openclsp.semantics.items.program_scope_macros import CLOSES_CALL, OPENS_CALL
from openclsp.semantics.limits import MAXIMUM_OVERLOADS
from openclsp.semantics.types.sizes import Slots
from openclsp.semantics.types.type_model import UNKNOWN, Record, Type
from openclsp.semantics.typing.symbols import Exports, Members, Symbol, uncertain_symbol

_MANY_DECLARERS = 16
"""Number of declarations of one name from which they are typed in order, not recursively.

Each declaration looks up the earlier ones; the recursion over 80 of them would exceed Python's limit.
"""


@lru_cache(maxsize=8)
def _decode_names(names: frozenset[bytes]) -> frozenset[str]:
    return frozenset(name.decode("utf-8", "replace") for name in names)


@lru_cache(maxsize=8)
def _join_vocabulary(typedefs: frozenset[str], macros: frozenset[bytes]) -> frozenset[str]:
    return typedefs | _decode_names(macros)


class ItemScope:
    """The program-scope names before one item; every lookup is recorded as a dependency."""

    __slots__ = ("_database", "_item")

    def __init__(self, database: QueryDatabase, item: ItemKey) -> None:
        self._database, self._item = database, item

    def _declarers(self, name: str) -> Iterable[tuple[int, ItemKey]]:
        """Returns (order number, key) for each earlier item that declares the name, the last item first."""
        declarers = self._database.read(DECLARERS, name)
        if not declarers:
            return ()
        own = self._database.read(ORDER, self._item)
        return reversed(declarers[: bisect_left(declarers, (own,))])

    def _earlier_exports(self, name: str) -> Iterator[tuple[Exports, bool]]:
        """Yields the exports of each earlier item that declares `name`, the last item first.

        The second value is True if the item depends on a missing header.
        """
        declarers = list(self._declarers(name))
        if len(declarers) > _MANY_DECLARERS:
            # typing a declaration looks up the earlier ones: in this order, their exports are already
            # computed
            self._database.prepare(EXPORTS, [key for _, key in reversed(declarers)])
        for order, key in declarers:
            yield self._database.get(EXPORTS, key), self._is_uncertain(order)

    def _is_uncertain(self, order: int) -> bool:
        orders = self._database.read(UNCERTAIN_RANGES, "")
        return bool(orders) and is_uncertain(order, self._database.read(ORDER, self._item), orders)

    def uncertain_tokens(self) -> tuple[tuple[int, int], ...]:
        """Returns the token ranges of this item that are in code that depends on a missing header."""
        return self._database.read(UNCERTAIN_TOKENS, self._item)

    def symbol(self, name: str) -> Symbol | None:
        """Returns the last earlier declaration of the ordinary identifier `name`; None if there is none."""
        for exports, uncertain in self._earlier_exports(name):
            found = exports.symbols.get(name)
            if found is not None:
                return uncertain_symbol(found) if uncertain else found
        return None

    def result_signature(self, name: str) -> Symbol | None:
        """Returns the last declaration of the function `name`, without the function's parameters.

        None if the name denotes no function or an overloadable one, or if the declaration depends on a
        missing header.
        """
        for order, key in self._declarers(name):
            found = self._database.get(RESULT_SIGNATURES, key)
            if name in found:
                return None if self._is_uncertain(order) else found[name]
        return None

    def overloads(self, name: str) -> tuple[Symbol, ...]:
        """Returns the earlier declarations of the function `name`, the last one first."""
        found = (
            None if uncertain else exports.symbols.get(name)
            for exports, uncertain in self._earlier_exports(name)
        )
        return tuple(symbol for symbol in found if symbol is not None and symbol.kind is EntityKind.FUNCTION)

    def has_many_declarations(self, name: str) -> bool:
        """Whether more than MAXIMUM_OVERLOADS earlier items declare the name."""
        declarers = self._database.read(DECLARERS, name)
        return (
            len(declarers) > MAXIMUM_OVERLOADS and sum(1 for _ in self._declarers(name)) > MAXIMUM_OVERLOADS
        )

    def tag(self, tag: str) -> Type | None:
        """Returns the type that the tag denotes; None if no earlier item declares the tag."""
        for exports, uncertain in self._earlier_exports(tag):
            found = exports.tags.get(tag)
            if found is not None:
                return UNKNOWN if uncertain else found
        return None

    def members(self, record: Record) -> Members | None:
        """Returns the members of a struct or union; None if no definition is found."""
        for key in self._definers(record):
            found = self._database.get(EXPORTS, key).members.get(record.identity)
            if found is not None:
                return found
        return None

    def slots(self, record: Record) -> Slots | None:
        """Returns the layouts of the members of a struct or union; None if no definition is found."""
        for key in self._definers(record):
            found = self._database.get(SLOTS, key).get(record.identity)
            if found is not None:
                return found
        return None

    def packing(self) -> int | None:
        """Returns the maximum alignment set by `#pragma pack` for the item: 0 for none, None if unknown."""
        changes = self._database.read(PACKING_CHANGES, "")
        return packing_of(changes, self._database.read(ORDER, self._item)) if changes else 0

    def _definers(self, record: Record) -> Iterator[ItemKey]:
        """Yields the items that may define a struct or union.

        If the record has a tag at program scope, these are the earlier items that declare the tag. Any other
        record can only be defined by the item that contains it.
        """
        identity = record.identity
        if isinstance(identity, tuple) and len(identity) == 2 and isinstance(identity[0], str):
            yield from (key for _, key in self._declarers(f"{identity[0]} {identity[1]}"))
        elif isinstance(identity, tuple) and isinstance(identity[0], tuple):
            yield identity[0]

    def may_be_declared_elsewhere(self, name: str) -> bool:
        """Whether an unavailable header, or a branch excluded by a guessed condition, may declare `name`."""
        around = self._database.read(SURROUNDINGS, "")
        return around.unknown_header or name in around.hidden

    def is_switched_on(self, extension: str) -> bool:
        """Whether a pragma before or in the item enables the extension, or an unavailable header may do so."""
        found = self._database.read(EXTENSION_SWITCHES, "")
        return is_on(extension, found, self._database.read(ORDER, self._item))

    def extension_states(self, extension: str) -> ExtensionStates:
        """Returns at which tokens of the item the extension is enabled.

        The extension counts as enabled at all tokens if its state is unknown.
        """
        found = self._database.read(EXTENSION_SWITCHES, "")
        return extension_states(extension, found, self._database.read(ORDER, self._item))

    def enables(self, extension: str) -> bool:
        """Whether a pragma before or in the item enables the extension.

        Unlike `is_switched_on`, a pragma in an unavailable header does not count.
        """
        found = self._database.read(EXTENSION_SWITCHES, "")
        return is_enabled(extension, found, self._database.read(ORDER, self._item))

    def loop_pragmas(self) -> LoopPragmas:
        """Returns the pragmas in the item that apply to the loop after them."""
        return self._database.read(LOOP_PRAGMAS, self._item)

    def is_declared_later(self, name: str) -> bool:
        """Whether an item after this one declares the name."""
        declarers = self._database.read(DECLARERS, name)
        return bool(declarers) and declarers[-1][0] > self._database.read(ORDER, self._item)

    def is_macro_of_unknown_value(self, name: str) -> bool:
        """Whether the name is a macro defined as itself (`-DN=N`), or one whose expansion is too large."""
        return name in self._database.read(SURROUNDINGS, "").macros_of_unknown_value

    def host_may_define_names(self) -> bool:
        """Whether the unit depends on names that only the host defines, or on an unavailable header."""
        around = self._database.read(SURROUNDINGS, "")
        return around.unknown_header or bool(around.hidden or around.macros_of_unknown_value)

    def has_guessed_conditions(self) -> bool:
        """Whether the host may define a name so that a condition includes other code."""
        return self._database.read(SURROUNDINGS, "").guesses

    def program_scope_macro_words(self) -> frozenset[str]:
        """Returns the identifiers in the unknown macro calls at program scope before or in this item."""
        calls = self._database.read(PROGRAM_SCOPE_MACROS, "")
        if not calls:
            return frozenset()
        own = self._database.read(ORDER, self._item)
        return frozenset[str]().union(*(words for order, words in calls if order <= own))

    def is_within_macro_call(self) -> bool:
        """Whether an unknown macro call begins in an item before this one and does not end in the same item."""
        return OPENS_CALL in self.program_scope_macro_words()

    def is_macro_call_closed_later(self) -> bool:
        """Whether an item after this one begins with the end of a macro call."""
        calls = self._database.read(PROGRAM_SCOPE_MACROS, "")
        if not calls:
            return False
        own = self._database.read(ORDER, self._item)
        return any(order > own and CLOSES_CALL in words for order, words in calls)

    def declared_names(self) -> frozenset[str]:
        """Returns all names declared at program scope anywhere in the unit. A tag is listed as `struct S`."""
        return self._database.read(DECLARED_NAMES, "")

    def vocabulary(self) -> frozenset[str]:
        """Returns the names of the unit's typedefs and macros."""
        around = self._database.read(SURROUNDINGS, "")
        return _join_vocabulary(around.typedefs, around.macros)
