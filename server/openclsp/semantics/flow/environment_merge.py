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
from openclsp.semantics.flow.graph import Flow
from openclsp.semantics.flow.graph_builder import Builder
from openclsp.semantics.flow.value_numbers import ValueNumber

_WIDEST = 6
"""Maximum number of atoms in a merged value.

A wider value becomes a node of its own.
"""


def merged(
    builder: Builder,
    environments: Iterable[Environment | None],
    place: Place,
    condition: ValueNumber = 0,
) -> Environment | None:
    """Merges the environments of several paths; None if none of them is reachable.

    `condition` is a value that is true on the first and false on the second of two paths; 0 if there is none.
    """
    every = list(environments)
    ways = [each for each in every if each is not None]
    if len(ways) < 2:
        return ways[0].copied() if ways else None
    first = ways[0].flows
    flows: dict[int, Flow] = {}
    for number in dict.fromkeys(number for each in ways for number in each.flows):
        if number < 0 and any(number not in each.flows for each in ways):
            # a part that is not known on some path is read from memory
            continue
        flow = first.get(number, ())
        for other in ways[1:]:
            more = other.flows.get(number, ())
            if more != flow:
                flow = united(flow, more)
        if len(flow) > _WIDEST:
            name, at = builder.described(number)
            flow = builder.copy(builder.node("merge", name, at, flow), place)
        flows[number] = flow
    values = _merged_values(builder, ways, condition if len(ways) == 2 == len(every) else 0)
    for number in [each for each in values if each < 0 and each not in flows]:
        del values[number]
    return Environment(flows, values)


def _merged_values(
    builder: Builder, ways: list[Environment], condition: ValueNumber
) -> dict[int, ValueNumber]:
    """Merges the value numbers of several paths.

    A variable or object part with the same number on all paths keeps its number. Any other one gets the
    number of a choice (see `ValueNumbers.choice`) if there is a `condition`; otherwise its number becomes
    unknown.
    """
    numbers = builder.numbers
    merge = 0
    found: dict[int, ValueNumber] = {}
    for number in dict.fromkeys(number for each in ways for number in each.values):
        value, *others = [each.values.get(number, 0) for each in ways]
        if all(other == value for other in others):
            found[number] = value
            continue
        if not condition:
            continue
        merge = merge or numbers.fresh()
        both = [each or numbers.fresh() for each in (value, *others)]
        flows = [each.flows.get(number, ()) for each in ways]
        found[number] = numbers.choice(condition, both, flows, merge)
    return found
