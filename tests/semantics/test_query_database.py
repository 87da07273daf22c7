"""The query database: which queries are computed, when, and which are reused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.semantics.database import query_database
from openclsp.semantics.database.query_database import Input, Query, QueryDatabase

from ..interpreted import is_compiled

TEXT: Input[str, int] = Input("text", 0)


def query(name: str, compute: Callable[[QueryDatabase, str], int]) -> Query[str, int]:
    return Query(name, compute, -1)


PARITY = query("parity", lambda database, key: database.read(TEXT, key) % 2)
TOTAL = query("total", lambda database, key: sum(database.get(PARITY, each) for each in key))


pytestmark = pytest.mark.skipif(
    is_compiled(query_database), reason="a compiled class cannot be inherited from here"
)


class Self(QueryDatabase):
    """A database that passes itself to its queries as the context."""

    def __init__(self) -> None:
        super().__init__(self)


def test_a_query_is_computed_once() -> None:
    database = Self()
    database.set(TEXT, "a", 3)
    assert [database.get(TOTAL, "a"), database.get(TOTAL, "a")] == [1, 1]
    assert database.computed == {"parity": 1, "total": 1}


def test_only_queries_that_depend_on_a_changed_input_are_recomputed() -> None:
    database = Self()
    for key in "ab":
        database.set(TEXT, key, 1)
    assert database.get(TOTAL, "ab") == 2
    database.computed.clear()
    database.set(TEXT, "b", 2)
    assert database.get(TOTAL, "ab") == 1
    assert database.computed == {"parity": 1, "total": 1}


@pytest.mark.parametrize(
    ("changed", "recomputed"),
    [(5, {"parity": 1}), (1, {})],
    ids=["an equal result stops invalidation", "an equal input invalidates nothing"],
)
def test_an_equal_value_invalidates_no_more(changed: int, recomputed: dict[str, int]) -> None:
    database = Self()
    database.set(TEXT, "a", 1)
    database.get(TOTAL, "a")
    database.computed.clear()
    database.set(TEXT, "a", changed)
    assert database.get(TOTAL, "a") == 1
    assert database.computed == recomputed


def test_an_input_that_was_never_set_is_a_dependency_too() -> None:
    database = Self()
    assert database.get(TOTAL, "a") == 0
    database.set(TEXT, "a", 1)
    assert database.get(TOTAL, "a") == 1


def test_a_dependency_that_is_no_longer_read_invalidates_nothing() -> None:
    switch = query(
        "switch", lambda database, key: database.read(TEXT, "b") if database.read(TEXT, "a") else 7
    )
    database = Self()
    database.set(TEXT, "a", 1)
    database.get(switch, "")
    database.set(TEXT, "a", 0)
    assert database.get(switch, "") == 7
    database.computed.clear()
    database.set(TEXT, "b", 9)
    assert database.get(switch, "") == 7
    assert database.computed == {}


def test_a_change_undone_between_two_requests_recomputes_no_reader() -> None:
    database = Self()
    database.set(TEXT, "a", 1)
    database.get(TOTAL, "a")
    database.computed.clear()
    database.set(TEXT, "a", 2)
    database.set(TEXT, "a", 1)
    assert database.get(TOTAL, "a") == 1
    assert database.computed["total"] == 0


def test_a_query_that_reads_itself_gets_its_cycle_value() -> None:
    database = Self()
    cycle: Query[str, int] = query("cycle", lambda database, key: database.get(cycle, key) + 1)
    assert database.get(cycle, "a") == 0


def test_a_dependency_cycle_is_verified() -> None:
    """A query that reads itself is updated even if its other dependencies have not really changed."""
    alone: Query[str, int] = query(
        "alone", lambda database, key: database.get(PARITY, key) + database.get(alone, key)
    )
    first: Query[str, int] = query(
        "first", lambda database, key: database.get(PARITY, key) + database.get(second, key)
    )
    second: Query[str, int] = query(
        "second", lambda database, key: database.get(first, key) + database.read(TEXT, "b")
    )
    for asked in (alone, first, second):
        database = Self()
        database.set(TEXT, "a", 1)
        before = database.get(asked, "a")
        database.set(TEXT, "a", 3)
        assert database.get(asked, "a") == before
        database.set(TEXT, "a", 2)
        assert database.get(asked, "a") == before - 1
        database.set(TEXT, "b", 5)
        assert database.get(asked, "a") == before - 1 + (0 if asked is alone else 5)


def test_an_interrupted_computation_stores_nothing() -> None:
    class Superseded(Exception):
        pass

    database = Self()
    database.set(TEXT, "a", 1)

    def give_up() -> None:
        if database.computed["parity"]:
            raise Superseded

    database.checkpoint = give_up
    assert database.get(PARITY, "a") == 1
    database.set(TEXT, "a", 2)
    with pytest.raises(Superseded):
        database.get(PARITY, "a")
    database.checkpoint = lambda: None
    assert database.get(PARITY, "a") == 0


def test_a_firewall_whose_value_stays_makes_no_reader_suspect() -> None:
    wall: Query[str, int] = Query(
        "wall", lambda database, key: database.read(TEXT, key) % 2, -1, firewall=True
    )
    reader = query("reader", lambda database, key: sum(database.get(wall, each) for each in key))
    database = Self()
    for key in "ab":
        database.set(TEXT, key, 1)
    suspects = database.watch(reader)
    assert database.get(reader, "ab") == 2
    database.set(TEXT, "a", 3)
    assert database.watch(reader) == set()
    assert database.get(reader, "ab") == 2
    assert database.computed == {"wall": 3, "reader": 1}
    database.set(TEXT, "b", 4)
    assert database.get(reader, "ab") == 1
    assert suspects == {"ab"}
    assert database.computed == {"wall": 4, "reader": 2}


def test_a_suspended_firewall_is_verified_later() -> None:
    wall: Query[str, int] = Query(
        "wall", lambda database, key: database.read(TEXT, key) % 2, -1, firewall=True
    )
    reader = query("reader", lambda database, key: database.get(wall, key))
    database = Self()
    database.get(reader, "a")
    database.set(TEXT, "a", 1)

    def give_up() -> None:
        raise KeyError

    database.checkpoint = give_up
    with pytest.raises(KeyError):
        database.get(reader, "a")
    database.checkpoint = lambda: None
    assert database.get(reader, "a") == 1


def test_nodes_without_readers_are_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_database, "_LEAST_NODES", 4)
    database = Self()
    for number in range(100):
        database.set(TEXT, str(number), 1)
        assert database.get(TOTAL, (str(number),)) == 1
        database.set(TEXT, str(number), 0)
        database.sweep()
    assert sum(map(len, database._nodes.values())) < 20
    database.set(TEXT, "99", 3)
    assert database.get(TOTAL, ("99",)) == 1


def test_an_input_that_is_back_at_its_value_has_not_changed() -> None:
    database = Self()
    database.set(TEXT, "a", 1)
    database.get(TOTAL, "a")
    database.computed.clear()
    for _ in range(2):
        database.set(TEXT, "a", 2)
        database.set(TEXT, "a", 1)
    assert database.get(TOTAL, "a") == 1
    assert not database.computed


def test_a_reader_that_saw_the_intermediate_value_is_recomputed() -> None:
    database = Self()
    database.set(TEXT, "a", 1)
    database.get(TOTAL, "a")
    database.set(TEXT, "a", 2)
    assert database.get(PARITY, "a") == 0
    database.set(TEXT, "a", 1)
    database.computed.clear()
    assert database.get(TOTAL, "a") == 1
    assert database.computed["parity"] == 1


def test_a_firewall_of_a_retired_key_is_verified_when_the_key_is_back() -> None:
    wall: Query[str, int] = Query(
        "wall", lambda database, key: database.read(TEXT, key) % 2, -1, firewall=True
    )
    database = Self()
    database.set(TEXT, "a", 1)
    database.get(wall, "a")
    database.computed.clear()
    database.suspend_firewalls("a")
    database.set(TEXT, "a", 2)
    database.watch(wall)
    assert not database.computed
    database.resume_firewalls("a")
    database.set(TEXT, "a", 1)
    database.watch(wall)
    assert not database.computed
    database.set(TEXT, "a", 2)
    database.watch(wall)
    assert database.computed == {"wall": 1}


_KEYS = "abc"
_STEPS = st.one_of(
    st.tuples(st.just("set"), st.sampled_from(_KEYS), st.integers(0, 3)),
    st.tuples(st.just("get"), st.sampled_from(("a", "ab", "abc", "ca", "bb")), st.integers(0, 2)),
)


@settings(deadline=None)
@given(st.lists(_STEPS, min_size=4, max_size=40))
def test_every_answer_equals_that_of_a_new_database(steps: list[tuple[str, str, int]]) -> None:
    wall: Query[str, int] = Query(
        "wall", lambda database, key: database.read(TEXT, key) // 2, -1, firewall=True
    )
    first = query("first", lambda database, key: database.get(wall, key[0]) or database.read(TEXT, key[-1]))
    above = query("above", lambda database, key: database.get(first, key) * 10 + database.get(TOTAL, key))
    kinds = (above, first, TOTAL)
    database = Self()
    values: dict[str, int] = {}
    for step, key, number in steps:
        if step == "set":
            database.set(TEXT, key, number)
            values[key] = number
            continue
        fresh = Self()
        for each, value in values.items():
            fresh.set(TEXT, each, value)
        assert database.get(kinds[number], key) == fresh.get(kinds[number], key)


def test_the_first_edit_sweeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query_database, "_LEAST_NODES", 4)
    database = Self()
    for number in range(100):
        database.set(TEXT, str(number), 0)
    database.sweep()
    assert sum(map(len, database._nodes.values())) == 100


def test_many_readers_are_added_and_removed() -> None:
    database = Self()
    database.set(TEXT, "a", 1)
    numbers = range(40)
    keys = ["a" * (number + 1) for number in numbers]
    for turn in (1, 2, 3):
        database.set(TEXT, "a", turn)
        assert [database.get(TOTAL, key) for key in keys] == [turn % 2 * (number + 1) for number in numbers]
    assert database.computed[TOTAL.name] == 3 * len(keys)
