"""The query database: which queries are computed, when, and which are reused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openclsp.semantics.database import query_database as engine_module
from openclsp.semantics.database.query_database import Input, Query, QueryDatabase

TEXT: Input[str, int] = Input("text", 0)


def query(name: str, compute: Callable[[QueryDatabase, str], int]) -> Query[str, int]:
    return Query(name, compute, -1)


PARITY = query("parity", lambda engine, key: engine.read(TEXT, key) % 2)
TOTAL = query("total", lambda engine, key: sum(engine.get(PARITY, each) for each in key))


pytestmark = pytest.mark.skipif(
    not str(engine_module.__file__).endswith(".py"), reason="a compiled class cannot be inherited from here"
)


class Self(QueryDatabase):
    """An engine that hands itself to its queries."""

    def __init__(self) -> None:
        super().__init__(self)


def test_a_query_is_computed_once() -> None:
    engine = Self()
    engine.set(TEXT, "a", 3)
    assert [engine.get(TOTAL, "a"), engine.get(TOTAL, "a")] == [1, 1]
    assert engine.computed == {"parity": 1, "total": 1}


def test_only_queries_that_depend_on_a_changed_input_are_recomputed() -> None:
    engine = Self()
    for key in "ab":
        engine.set(TEXT, key, 1)
    assert engine.get(TOTAL, "ab") == 2
    engine.computed.clear()
    engine.set(TEXT, "b", 2)
    assert engine.get(TOTAL, "ab") == 1
    assert engine.computed == {"parity": 1, "total": 1}


@pytest.mark.parametrize(
    ("changed", "recomputed"),
    [(5, {"parity": 1}), (1, {})],
    ids=["an equal result stops invalidation", "an equal input invalidates nothing"],
)
def test_an_equal_value_invalidates_no_more(changed: int, recomputed: dict[str, int]) -> None:
    engine = Self()
    engine.set(TEXT, "a", 1)
    engine.get(TOTAL, "a")
    engine.computed.clear()
    engine.set(TEXT, "a", changed)
    assert engine.get(TOTAL, "a") == 1
    assert engine.computed == recomputed


def test_an_input_that_was_never_set_is_a_dependency_too() -> None:
    engine = Self()
    assert engine.get(TOTAL, "a") == 0
    engine.set(TEXT, "a", 1)
    assert engine.get(TOTAL, "a") == 1


def test_a_dependency_that_is_no_longer_read_wakes_nobody() -> None:
    switch = query("switch", lambda engine, key: engine.read(TEXT, "b") if engine.read(TEXT, "a") else 7)
    engine = Self()
    engine.set(TEXT, "a", 1)
    engine.get(switch, "")
    engine.set(TEXT, "a", 0)
    assert engine.get(switch, "") == 7
    engine.computed.clear()
    engine.set(TEXT, "b", 9)
    assert engine.get(switch, "") == 7
    assert engine.computed == {}


def test_a_change_and_its_undoing_between_two_questions_compute_nothing_above() -> None:
    engine = Self()
    engine.set(TEXT, "a", 1)
    engine.get(TOTAL, "a")
    engine.computed.clear()
    engine.set(TEXT, "a", 2)
    engine.set(TEXT, "a", 1)
    assert engine.get(TOTAL, "a") == 1
    assert engine.computed["total"] == 0


def test_a_query_that_comes_upon_itself_gets_the_answer_for_cycles() -> None:
    engine = Self()
    circle: Query[str, int] = query("circle", lambda engine, key: engine.get(circle, key) + 1)
    assert engine.get(circle, "a") == 0


def test_a_circle_is_verified() -> None:
    """What reads itself, alone or through others, comes up to date, whatever else it reads did not really change."""
    alone: Query[str, int] = query(
        "alone", lambda engine, key: engine.get(PARITY, key) + engine.get(alone, key)
    )
    first: Query[str, int] = query(
        "first", lambda engine, key: engine.get(PARITY, key) + engine.get(second, key)
    )
    second: Query[str, int] = query(
        "second", lambda engine, key: engine.get(first, key) + engine.read(TEXT, "b")
    )
    for asked in (alone, first, second):
        engine = Self()
        engine.set(TEXT, "a", 1)
        before = engine.get(asked, "a")
        engine.set(TEXT, "a", 3)
        assert engine.get(asked, "a") == before
        engine.set(TEXT, "a", 2)
        assert engine.get(asked, "a") == before - 1
        engine.set(TEXT, "b", 5)
        assert engine.get(asked, "a") == before - 1 + (0 if asked is alone else 5)


def test_nothing_half_done_is_kept() -> None:
    class Superseded(Exception):
        pass

    engine = Self()
    engine.set(TEXT, "a", 1)

    def give_up() -> None:
        if engine.computed["parity"]:
            raise Superseded

    engine.checkpoint = give_up
    assert engine.get(PARITY, "a") == 1
    engine.set(TEXT, "a", 2)
    with pytest.raises(Superseded):
        engine.get(PARITY, "a")
    engine.checkpoint = lambda: None
    assert engine.get(PARITY, "a") == 0


def test_a_firewall_whose_value_stays_makes_no_reader_suspect() -> None:
    wall: Query[str, int] = Query("wall", lambda engine, key: engine.read(TEXT, key) % 2, -1, firewall=True)
    reader = query("reader", lambda engine, key: sum(engine.get(wall, each) for each in key))
    engine = Self()
    for key in "ab":
        engine.set(TEXT, key, 1)
    suspects = engine.watch(reader)
    assert engine.get(reader, "ab") == 2
    engine.set(TEXT, "a", 3)
    assert engine.watch(reader) == set()
    assert engine.get(reader, "ab") == 2
    assert engine.computed == {"wall": 3, "reader": 1}
    engine.set(TEXT, "b", 4)
    assert engine.get(reader, "ab") == 1
    assert suspects == {"ab"}
    assert engine.computed == {"wall": 4, "reader": 2}


def test_a_firewall_that_is_given_up_is_verified_later() -> None:
    wall: Query[str, int] = Query("wall", lambda engine, key: engine.read(TEXT, key) % 2, -1, firewall=True)
    reader = query("reader", lambda engine, key: engine.get(wall, key))
    engine = Self()
    engine.get(reader, "a")
    engine.set(TEXT, "a", 1)

    def give_up() -> None:
        raise KeyError

    engine.checkpoint = give_up
    with pytest.raises(KeyError):
        engine.get(reader, "a")
    engine.checkpoint = lambda: None
    assert engine.get(reader, "a") == 1


def test_what_nobody_reads_any_more_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_LEAST_NODES", 4)
    engine = Self()
    for number in range(100):
        engine.set(TEXT, str(number), 1)
        assert engine.get(TOTAL, (str(number),)) == 1
        engine.set(TEXT, str(number), 0)
        engine.sweep()
    assert sum(map(len, engine._nodes.values())) < 20
    engine.set(TEXT, "99", 3)
    assert engine.get(TOTAL, ("99",)) == 1


def test_an_input_that_is_back_at_its_value_has_not_changed() -> None:
    engine = Self()
    engine.set(TEXT, "a", 1)
    engine.get(TOTAL, "a")
    engine.computed.clear()
    for _ in range(2):
        engine.set(TEXT, "a", 2)
        engine.set(TEXT, "a", 1)
    assert engine.get(TOTAL, "a") == 1
    assert not engine.computed


def test_who_looked_in_between_looks_again() -> None:
    engine = Self()
    engine.set(TEXT, "a", 1)
    engine.get(TOTAL, "a")
    engine.set(TEXT, "a", 2)
    assert engine.get(PARITY, "a") == 0
    engine.set(TEXT, "a", 1)
    engine.computed.clear()
    assert engine.get(TOTAL, "a") == 1
    assert engine.computed["parity"] == 1


def test_a_firewall_of_a_retired_key_is_verified_when_the_key_is_back() -> None:
    wall: Query[str, int] = Query("wall", lambda engine, key: engine.read(TEXT, key) % 2, -1, firewall=True)
    engine = Self()
    engine.set(TEXT, "a", 1)
    engine.get(wall, "a")
    engine.computed.clear()
    engine.suspend_firewalls("a")
    engine.set(TEXT, "a", 2)
    engine.watch(wall)
    assert not engine.computed
    engine.resume_firewalls("a")
    engine.set(TEXT, "a", 1)
    engine.watch(wall)
    assert not engine.computed
    engine.set(TEXT, "a", 2)
    engine.watch(wall)
    assert engine.computed == {"wall": 1}


_KEYS = "abc"
_STEPS = st.one_of(
    st.tuples(st.just("set"), st.sampled_from(_KEYS), st.integers(0, 3)),
    st.tuples(st.just("get"), st.sampled_from(("a", "ab", "abc", "ca", "bb")), st.integers(0, 2)),
)


@settings(deadline=None)
@given(st.lists(_STEPS, min_size=4, max_size=40))
def test_every_answer_is_that_of_a_new_engine(steps: list[tuple[str, str, int]]) -> None:
    wall: Query[str, int] = Query("wall", lambda engine, key: engine.read(TEXT, key) // 2, -1, firewall=True)
    first = query("first", lambda engine, key: engine.get(wall, key[0]) or engine.read(TEXT, key[-1]))
    above = query("above", lambda engine, key: engine.get(first, key) * 10 + engine.get(TOTAL, key))
    kinds = (above, first, TOTAL)
    engine = Self()
    values: dict[str, int] = {}
    for step, key, number in steps:
        if step == "set":
            engine.set(TEXT, key, number)
            values[key] = number
            continue
        fresh = Self()
        for each, value in values.items():
            fresh.set(TEXT, each, value)
        assert engine.get(kinds[number], key) == fresh.get(kinds[number], key)


def test_the_first_edit_finds_nothing_to_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_LEAST_NODES", 4)
    engine = Self()
    for number in range(100):
        engine.set(TEXT, str(number), 0)
    engine.sweep()
    assert sum(map(len, engine._nodes.values())) == 100


def test_many_readers_come_and_go() -> None:
    engine = Self()
    engine.set(TEXT, "a", 1)
    numbers = range(40)
    keys = ["a" * (number + 1) for number in numbers]
    for turn in (1, 2, 3):
        engine.set(TEXT, "a", turn)
        assert [engine.get(TOTAL, key) for key in keys] == [turn % 2 * (number + 1) for number in numbers]
    assert engine.computed[TOTAL.name] == 3 * len(keys)
