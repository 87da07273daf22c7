"""The query inputs about a unit as a whole: pragmas, missing headers, and names that no item declares."""

from __future__ import annotations

from openclsp.semantics.database.query_database import QueryDatabase
from openclsp.semantics.database.uncertain_range_inputs import UncertainRangeInputs
from openclsp.semantics.database.unit_inputs import (
    DETACHMENT,
    EXTENSION_SWITCHES,
    LOOP_PRAGMAS,
    PACKING_CHANGES,
    SURROUNDINGS,
    Surroundings,
)
from openclsp.semantics.facts.entities import ItemKey
from openclsp.semantics.items.extension_pragmas import switches
from openclsp.semantics.items.item_list import ItemList
from openclsp.semantics.items.loop_pragmas import LoopPragmas, loop_pragmas
from openclsp.semantics.items.packing_pragmas import packing_changes
from openclsp.semantics.items.surplus_braces import ERROR, Detachment, find_detached_items
from openclsp.semantics.items.unit_parts import UnitParts
from openclsp.source.macros import macros_of_unknown_value
from openclsp.source.preprocessed import Preprocessed


class UnitWideInputs:
    """Sets the query inputs about a unit as a whole."""

    def __init__(self, database: QueryDatabase) -> None:
        self._database = database
        self._uncertain_range_inputs = UncertainRangeInputs(database)
        self._loop_pragmas: dict[ItemKey, LoopPragmas] = {}
        self._detached: dict[ItemKey, Detachment] = {}
        self._surroundings_of: tuple[object, ...] = ()
        """The preprocessor's part of the inputs when `SURROUNDINGS` was last set"""

    def copy(self, database: QueryDatabase) -> UnitWideInputs:
        """Returns a copy of this object for a copy of the database."""
        made = UnitWideInputs(database)
        made._uncertain_range_inputs = self._uncertain_range_inputs.copy(database)
        made._loop_pragmas, made._detached = self._loop_pragmas, self._detached
        return made

    def update(self, now: Preprocessed, parts: UnitParts, items: ItemList, *, is_part: bool) -> None:
        """Updates the inputs after a change of the root document, of the unit's parts or of the items.

        `is_part` means that the root is only part of a program.
        """
        database = self._database
        self._uncertain_range_inputs.update(now, parts.every())
        database.set(EXTENSION_SWITCHES, "", switches(now, parts.root.groups))
        database.set(PACKING_CHANGES, "", packing_changes(parts.every()))
        pragmas = loop_pragmas(now, parts.root.groups)
        for key in self._loop_pragmas.keys() | pragmas.keys():
            database.set(LOOP_PRAGMAS, key, pragmas.get(key, ()))
        self._loop_pragmas = pragmas
        detached = find_detached_items(items.items) if items.has_unnamed(ERROR) else {}
        for key in self._detached.keys() | detached.keys():
            database.set(DETACHMENT, key, detached.get(key))
        self._detached = detached
        # code omitted because of a limit may declare any name
        bounded = any(part.over_limit for part in parts.every())
        sources = (
            now.macros,
            now.unknown_includes,
            now.code.raw,
            [guess.hidden for guess in now.guesses],
            [inclusion.preprocessed for inclusion in now.includes],
            is_part,
            bounded,
            now.trace.unexpanded,
        )
        if items.typedefs_changed or self._surroundings_of != sources:
            self._surroundings_of, items.typedefs_changed = sources, False
            unknown = now.has_unknown_include or is_part or bounded
            typedefs = frozenset(items.typedefs)
            unexpanded = (name.decode("utf-8", "replace") for name in now.trace.unexpanded)
            valueless = macros_of_unknown_value(now.macros).union(unexpanded)
            headers = frozenset(inclusion.preprocessed.document.name for inclusion in now.includes)
            guesses = bool(now.guesses) or any(inclusion.preprocessed.guesses for inclusion in now.includes)
            around = Surroundings(
                unknown, now.hidden_names, typedefs, frozenset(now.macros), valueless, headers, guesses
            )
            database.set(SURROUNDINGS, "", around)
