"""Addresses of a function's own variables that it returns: directly, in a struct, out of its own memory, and through helpers
that hand back what they are given, or put it somewhere."""

from __future__ import annotations

from collections.abc import Iterator

from openclsp.semantics.entities import Origin, Place
from openclsp.semantics.facts.reaching import ReturnedAddress
from openclsp.semantics.flow.graph import EventKind, FunctionFlow
from openclsp.semantics.flow.sources import Own, Sources


def returned_addresses(function: FunctionFlow, sources: Sources) -> Iterator[ReturnedAddress]:
    """The function's own variables in private memory to which something that it returns certainly points on one of its ways."""
    if function.id[1]:
        return
    for event in function.events:
        if event.kind != EventKind.RETURN:
            continue
        # the expression between `return` and the semicolon
        place = Place(event.place.first + 1, max(event.place.last - 1, event.place.first + 2))
        told: set[tuple[str, tuple[str, ...], tuple[str, ...]]] = set()
        for each in sources.told(function, event.value):
            if isinstance(each, Own) and each.ref is not None:
                key = each.name, each.handed, each.stored
                if key not in told:
                    told.add(key)
                    yield ReturnedAddress(each.name, Origin(each.ref, 0), each.handed, each.stored, place)
