"""Finds addresses of a function's own variables that it returns (dangling pointers).

The address may be returned directly or in a struct, after it was stored in and loaded from the function's own
memory, or through helpers that return or store their arguments.
"""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.semantics.facts.entities import Origin, Place
from openclsp.semantics.facts.points_to import ReturnedAddress
from openclsp.semantics.flow.certain_origins import Sources
from openclsp.semantics.flow.graph import EventKind, FunctionFlow
from openclsp.semantics.flow.origin_values import OwnObject


def returned_addresses(function: FunctionFlow, sources: Sources) -> Iterator[ReturnedAddress]:
    """Yields the private variables whose addresses the function certainly returns on some path."""
    if function.id[1]:
        return
    for event in function.events:
        if event.kind != EventKind.RETURN:
            continue
        # the tokens between `return` and the semicolon
        place = Place(event.place.first + 1, max(event.place.last - 1, event.place.first + 2))
        reported: set[tuple[str, tuple[str, ...], tuple[str, ...]]] = set()
        for each in sources.origins_of(function, event.value):
            if isinstance(each, OwnObject) and each.ref is not None:
                key = each.name, each.handed, each.stored
                if key not in reported:
                    reported.add(key)
                    yield ReturnedAddress(each.name, Origin(each.ref, 0), each.handed, each.stored, place)
