"""Strongly connected components of the call graph: mutually recursive functions (Tarjan 1972)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def find_call_components(calls: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Maps each function that takes part in mutual recursion to its strongly connected component.

    Components with a single function are omitted, even if the function calls itself. The algorithm is
    iterative, so that deep call chains need no recursion.
    """
    found: dict[str, frozenset[str]] = {}
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    for start in calls:
        if start in number:
            continue
        visits: list[tuple[str, Iterator[str]]] = []
        following: str | None = start
        while following is not None or visits:
            if following is not None:
                number[following] = lowest[following] = len(number)
                path.append(following)
                on_path.add(following)
                visits.append((following, iter(calls[following])))
                following = None
            # the suspended iterators stand for the call stack of the recursive formulation; `path` is
            # Tarjan's stack
            name, callees = visits[-1]
            for callee in callees:
                if callee in on_path:
                    lowest[name] = min(lowest[name], number[callee])
                elif callee in calls and callee not in number:
                    following = callee
                    break
            if following is not None:
                continue
            visits.pop()
            if visits:
                caller = visits[-1][0]
                lowest[caller] = min(lowest[caller], lowest[name])
            # `name` reaches nothing older on the path: it is the root of a component
            if lowest[name] == number[name]:
                component = _pop_component(path, name)
                on_path -= component
                if len(component) > 1:
                    found.update(dict.fromkeys(component, component))
    return found


def _pop_component(path: list[str], name: str) -> frozenset[str]:
    """Pops the last names of the path, back to and including `name`, and returns them."""
    popped = {path.pop()}
    while name not in popped:
        popped.add(path.pop())
    return frozenset(popped)
