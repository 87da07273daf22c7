"""Variables that are declared under a condition that depends on a missing header.

Outside of the code under this condition, their type is unknown.
"""

from __future__ import annotations

from typing import Final

from openclsp.ide.location_map import LocationMap
from openclsp.ide.navigation.item_uses import ITEM_USES
from openclsp.semantics.database.unit_inputs import ORDER, UNCERTAIN_RANGES
from openclsp.semantics.facts.entities import Entity, EntityKind, ItemKey
from openclsp.semantics.items.header_dependent_code import is_uncertain
from openclsp.semantics.types.type_structure import is_unknown

UNCERTAIN_DECLARATION: Final = (
    "declared in a branch that a missing header or an unknown part of the program may replace"
)
_VARIABLES: Final = frozenset((EntityKind.VARIABLE, EntityKind.PARAMETER))


def find_uncertain_declaration(places: LocationMap, key: ItemKey, token_index: int) -> Entity | None:
    """Returns the variable that a token names, if the variable's declaration depends on a missing header.

    None otherwise.
    """
    database = places.unit.database
    uses = database.get(ITEM_USES, key).every
    target = next((each.target for each in uses if each.token_index == token_index), None)
    entity = None if target is None else places.entity(target)
    if target is None or entity is None or entity.kind not in _VARIABLES or is_unknown(entity.type):
        return None
    if places.context(target.item).is_uncertain(entity.place):
        return entity
    ranges = database.read(UNCERTAIN_RANGES, "")
    in_range = bool(ranges) and is_uncertain(
        database.read(ORDER, target.item), database.read(ORDER, key), ranges
    )
    return entity if in_range else None
