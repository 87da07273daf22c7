"""The analysis thread: order of the lanes, dropped jobs and crashes."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from openclsp.lsp.jobs import Dropped, Engine, InUse, Lane
from openclsp.lsp.superseded import Check, Superseded

WAIT = 120.0
"""Seconds that a test waits for what must come; the machine may be busy."""


@pytest.fixture
def engine() -> Iterator[Engine]:
    made = Engine()
    yield made
    made.close()


class Gate:
    """A job that holds the engine thread until it is opened."""

    def __init__(self, engine: Engine, document: str = "") -> None:
        self.entered = threading.Event()
        self.opened = threading.Event()
        self.steps = 0
        self.job = engine.submit(self._hold, Lane.BACKGROUND, document)
        assert self.entered.wait(WAIT)

    def _hold(self, check: Check) -> str:
        self.entered.set()
        assert self.opened.wait(WAIT)
        check()
        self.steps += 1
        return "held"


def _noting(notes: list[str], what: str) -> Callable[[Check], None]:
    return lambda _check: notes.append(what)


def test_jobs_at_the_cursor_run_before_background_jobs_each_lane_in_order(engine: Engine) -> None:
    gate, notes = Gate(engine), list[str]()
    jobs = [
        engine.submit(_noting(notes, "background 1"), Lane.BACKGROUND),
        engine.submit(_noting(notes, "cursor 1"), Lane.CURSOR),
        engine.submit(_noting(notes, "background 2"), Lane.BACKGROUND),
        engine.submit(_noting(notes, "cursor 2"), Lane.CURSOR),
    ]
    gate.opened.set()
    for job in jobs:
        job.future.result(WAIT)
    assert notes == ["cursor 1", "cursor 2", "background 1", "background 2"]


def test_all_jobs_run_on_one_thread_that_is_not_the_callers(engine: Engine) -> None:
    jobs = [engine.submit(lambda _check: threading.get_ident(), lane) for lane in (*Lane, *Lane)]
    threads = {job.future.result(WAIT) for job in jobs}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_a_superseded_job_that_waits_never_starts_and_others_do(engine: Engine) -> None:
    gate, notes = Gate(engine), list[str]()
    old = engine.submit(_noting(notes, "old"), Lane.CURSOR, "a.cl")
    other = engine.submit(_noting(notes, "other"), Lane.CURSOR, "b.cl")
    engine.supersede("a.cl")
    new = engine.submit(_noting(notes, "new"), Lane.CURSOR, "a.cl")
    gate.opened.set()
    assert old.future.result(WAIT) is Dropped.SUPERSEDED
    assert other.future.result(WAIT) is None
    assert new.future.result(WAIT) is None
    assert notes == ["other", "new"]


def test_a_superseded_job_that_runs_stops_at_its_next_check(engine: Engine) -> None:
    gate = Gate(engine, "a.cl")
    engine.supersede("a.cl")
    gate.opened.set()
    assert gate.job.future.result(WAIT) is Dropped.SUPERSEDED
    assert gate.steps == 0


def test_a_job_at_the_cursor_interrupts_one_in_the_background(engine: Engine) -> None:
    entered, notes = threading.Event(), list[str]()

    def diagnose(check: Check) -> str:
        notes.append("begun")
        entered.set()
        while len(notes) < 3:
            check()
        return "diagnosed"

    background = engine.submit(diagnose, Lane.BACKGROUND, "a.cl")
    assert entered.wait(WAIT)
    hover = engine.submit(_noting(notes, "hover"), Lane.CURSOR, "a.cl")
    assert hover.future.result(WAIT) is None
    assert background.future.result(WAIT) == "diagnosed"
    assert notes == ["begun", "hover", "begun"]


def test_jobs_at_the_cursor_of_other_documents_run_within_one_in_the_background(engine: Engine) -> None:
    """It loses nothing by them, however many come."""
    notes: list[str] = []

    def diagnose(check: Check) -> str:
        notes.append("begun")
        for number in range(100):
            hover = engine.submit(_noting(notes, f"hover {number}"), Lane.CURSOR, "b.cl")
            check()
            assert hover.future.done()
        return "diagnosed"

    assert engine.submit(diagnose, Lane.BACKGROUND, "a.cl").future.result(WAIT) == "diagnosed"
    assert notes == ["begun", *(f"hover {number}" for number in range(100))]


def test_a_job_within_another_is_superseded_by_itself(engine: Engine) -> None:
    def hover(check: Check) -> None:
        engine.supersede("b.cl")
        check()

    def diagnose(check: Check) -> object:
        asked = engine.submit(hover, Lane.CURSOR, "b.cl")
        check()
        return asked.future.result(0)

    assert engine.submit(diagnose, Lane.BACKGROUND, "a.cl").future.result(WAIT) is Dropped.SUPERSEDED


def test_a_job_that_needs_what_the_one_below_it_is_in_the_middle_of_comes_after_it(engine: Engine) -> None:
    notes: list[str] = []

    def fix(_check: Check) -> None:
        notes.append("fix")
        if notes.count("diagnose") > notes.count("abandoned"):
            raise InUse

    def diagnose(check: Check) -> str:
        notes.append("diagnose")
        if notes.count("diagnose") == 1:
            engine.submit(fix, Lane.CURSOR, "b.cl")
        try:
            check()
        except Superseded:
            notes.append("abandoned")
            raise
        return "diagnosed"

    assert engine.submit(diagnose, Lane.BACKGROUND, "a.cl").future.result(WAIT) == "diagnosed"
    assert notes == ["diagnose", "fix", "abandoned", "fix", "diagnose"]


def test_a_job_that_is_always_interrupted_comes_to_its_end(engine: Engine) -> None:
    begun, rounds = 0, 200

    def diagnose(check: Check) -> int:
        nonlocal begun
        begun += 1
        for _ in range(rounds):
            engine.submit(lambda _check: None, Lane.CURSOR)
            check()
        return begun

    found = engine.submit(diagnose, Lane.BACKGROUND, "a.cl").future.result(WAIT)
    assert isinstance(found, int) and found == 21


def test_an_interrupted_job_is_dropped_where_its_document_changes(engine: Engine) -> None:
    entered = threading.Event()

    def diagnose(check: Check) -> str:
        entered.set()
        while True:
            check()

    background = engine.submit(diagnose, Lane.BACKGROUND, "a.cl")
    assert entered.wait(WAIT)
    engine.submit(lambda _check: engine.supersede("a.cl"), Lane.CURSOR).future.result(WAIT)
    assert background.future.result(WAIT) is Dropped.SUPERSEDED


def test_a_crash_reaches_who_waits_and_the_thread_goes_on(engine: Engine) -> None:
    def crash(_check: Check) -> None:
        raise RecursionError("too deep")

    with pytest.raises(RecursionError, match="too deep"):
        engine.submit(crash, Lane.CURSOR).future.result(WAIT)
    assert engine.submit(lambda _check: "alive", Lane.CURSOR).future.result(WAIT) == "alive"


async def test_cancelling_the_waiting_task_gives_the_job_up(engine: Engine) -> None:
    entered, left = threading.Event(), threading.Event()

    def spin(check: Check) -> None:
        entered.set()
        try:
            while True:
                check()
        except Superseded:
            left.set()
            raise

    task = asyncio.create_task(engine.run(spin, Lane.CURSOR))
    assert await asyncio.to_thread(entered.wait, WAIT)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(left.wait, WAIT)


async def test_a_closed_engine_takes_no_jobs(engine: Engine) -> None:
    engine.close()
    with pytest.raises(asyncio.CancelledError):
        await engine.run(lambda _check: "never", Lane.CURSOR)


def _never() -> bool:
    return False


def test_work_is_done_at_once_on_the_callers_thread_where_the_engine_is_idle(engine: Engine) -> None:
    assert engine.at_once(lambda _check: threading.get_ident(), WAIT, _never) == threading.get_ident()
    gate = Gate(engine)
    waiting = engine.submit(_noting([], "waits"), Lane.BACKGROUND)
    assert engine.at_once(lambda _check: "done", WAIT, _never) is None
    gate.opened.set()
    waiting.future.result(WAIT)


@pytest.mark.parametrize(("seconds", "wanted"), [(0.0, False), (WAIT, True)])
def test_work_at_once_is_given_up_at_a_check(engine: Engine, seconds: float, wanted: bool) -> None:
    after = list[str]()

    def work(check: Check) -> str:
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            check()
        after.append("went on")
        return "done"

    assert engine.at_once(work, seconds, lambda: wanted) is None
    assert not after
