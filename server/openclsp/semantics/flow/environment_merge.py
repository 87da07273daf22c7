"""Merges the environments of several paths."""

from __future__ import annotations

from collections.abc import Iterable

from openclsp.semantics.facts.entities import (
    Place,
)
from openclsp.semantics.flow.builder_state import (
    Environment,
    united,
)
from openclsp.semantics.flow.graph_builder import Builder

_WIDEST = 6
"""Maximum number of atoms in a merged value.

A wider value becomes a node of its own.
"""


def merged(builder: Builder, environments: Iterable[Environment | None], place: Place) -> Environment | None:
    """Merges the environments of several paths; None if none of them is reachable."""
    reachable = [each for each in environments if each is not None]
    if len(reachable) < 2:
        return dict(reachable[0]) if reachable else None
    first = reachable[0]
    found: Environment = {}
    for number in dict.fromkeys(number for each in reachable for number in each):
        flow = first.get(number, ())
        for other in reachable[1:]:
            more = other.get(number, ())
            if more != flow:
                flow = united(flow, more)
        if len(flow) > _WIDEST:
            entity = builder.ctx.entities[number]
            flow = builder.copy(builder.node("merge", entity.name, entity.place, flow), place)
        found[number] = flow
    return found
