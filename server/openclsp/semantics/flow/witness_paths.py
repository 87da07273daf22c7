"""Searches for the shortest witness path, or for all witness paths in the order of their lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import Any

from openclsp.semantics.flow.witness_steps import BackwardEdge, SearchState, WitnessStep

_MAXIMUM = 5_000
"""Maximum number of states that a search visits"""

WitnessPath = tuple[WitnessStep, ...]
_Back = Callable[[SearchState], Iterable[BackwardEdge]]
_Visited = Any
"""The states of a path, as nested pairs: the last state, and those before it; or None"""


def shortest_path(back: _Back, start: SearchState) -> WitnessPath | None:
    """Returns the shortest path, by Dijkstra's algorithm backwards from a value.

    Only the steps that are shown have a cost.
    """
    numbers = count()
    todo: list[tuple[int, int, SearchState | None, WitnessPath]] = [(0, next(numbers), start, ())]
    seen: set[SearchState] = set()
    while todo and len(seen) < _MAXIMUM:
        _, _, state, steps = heappop(todo)
        if state is None:
            return steps
        if state in seen:
            continue
        seen.add(state)
        for edge in back(state):
            if edge.state is None or edge.state not in seen:
                longer = (*edge.steps, *steps)
                heappush(todo, (len(longer), next(numbers), edge.state, longer))
    return None


def every_path(back: _Back, start: SearchState, maximum: int) -> tuple[list[WitnessPath], bool]:
    """Returns the shortest paths, at most `maximum`, and whether there are no others.

    This is an A* search whose heuristic is the exact length of the rest of each path. Without it, all
    beginnings of long paths would be tried before any path is complete. No path visits a state twice.
    """
    edges = _reachable(back, start)
    rest = _lengths_to_end(edges)
    numbers = count()
    todo: list[tuple[int, int, int, SearchState | None, WitnessPath, _Visited]] = [
        (0, 0, next(numbers), start, (), None)
    ]
    found: dict[WitnessPath, None] = {}
    while todo and next(numbers) < _MAXIMUM and len(found) <= maximum:
        _, depth, _, state, steps, visited = heappop(todo)
        if state is None:
            found[steps] = None
            continue
        for edge in edges.get(state, ()):
            if edge.state in rest and not _is_visited(edge.state, (state, visited)):
                longer = (*edge.steps, *steps)
                length = len(longer) + rest[edge.state]
                # among equally short paths, the one that is nearest to its end
                heappush(todo, (length, depth - 1, next(numbers), edge.state, longer, (state, visited)))
    return list(found)[:maximum], not todo and len(found) <= maximum and len(edges) < _MAXIMUM


def _is_visited(state: SearchState | None, visited: _Visited) -> bool:
    while state is not None and visited is not None:
        last, visited = visited
        if last == state:
            return True
    return False


def _reachable(back: _Back, start: SearchState) -> dict[SearchState, tuple[BackwardEdge, ...]]:
    """Returns the backward edges of all states that a search may reach, by state."""
    edges: dict[SearchState, tuple[BackwardEdge, ...]] = {}
    todo = [start]
    while todo and len(edges) < _MAXIMUM:
        state = todo.pop()
        if state not in edges:
            edges[state] = tuple(back(state))
            todo += (edge.state for edge in edges[state] if edge.state is not None)
    return edges


def _lengths_to_end(
    edges: Mapping[SearchState, Sequence[BackwardEdge]],
) -> dict[SearchState | None, int]:
    """Returns the number of steps of the shortest path from each state; states without a path are missing."""
    before: dict[SearchState | None, list[tuple[SearchState, int]]] = {}
    for start, given in edges.items():
        for edge in given:
            before.setdefault(edge.state, []).append((start, len(edge.steps)))
    lengths: dict[SearchState | None, int] = {}
    numbers = count()
    todo: list[tuple[int, int, SearchState | None]] = [(0, next(numbers), None)]
    while todo:
        length, _, state = heappop(todo)
        if state not in lengths:
            lengths[state] = length
            for other, steps in before.get(state, ()):
                heappush(todo, (length + steps, next(numbers), other))
    return lengths
