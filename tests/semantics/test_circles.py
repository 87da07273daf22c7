"""Strongly connected components of the call graph, for random graphs and for deep ones."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st
from openclsp.semantics.items.call_components import find_call_components

NAMES = st.sampled_from("abcdefgh")
GRAPHS = st.dictionaries(NAMES, st.frozensets(NAMES, max_size=4))


def reached(calls: Mapping[str, frozenset[str]], start: str) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        for name in calls.get(todo.pop(), ()):
            if name in calls and name not in found:
                found.add(name)
                todo.append(name)
    return found


@given(GRAPHS)
def test_two_are_on_a_circle_where_each_leads_to_the_other(calls: dict[str, frozenset[str]]) -> None:
    found = find_call_components(calls)
    leads = {name: reached(calls, name) for name in calls}
    for a in calls:
        together = {b for b in calls if b != a and b in leads[a] and a in leads[b]}
        assert found.get(a, frozenset()) == (together | {a} if together else set())


def test_depth_is_no_matter() -> None:
    depth = 20_000
    calls = {f"f{n}": frozenset((f"f{n + 1}",)) for n in range(depth)}
    assert find_call_components(calls) == {}
    closed = {**calls, f"f{depth}": frozenset(("f0",))}
    assert len(find_call_components(closed)["f0"]) == depth + 1
