"""The analysis thread: order of the lanes, dropped jobs and crashes."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from openclsp.lsp.session.analysis_thread import (
    AnalysisInUse,
    AnalysisThread,
    DroppedJob,
    JobPriority,
)
from openclsp.lsp.session.cancellation import CancellationCheck, Superseded

WAIT = 120.0
"""Seconds that a test waits for what must come; the machine may be busy."""


@pytest.fixture
def engine() -> Iterator[AnalysisThread]:
    made = AnalysisThread()
    yield made
    made.close()


class Gate:
    """A job that holds the engine thread until it is opened."""

    def __init__(self, engine: AnalysisThread, document: str = "") -> None:
        self.entered = threading.Event()
        self.opened = threading.Event()
        self.steps = 0
        self.job = engine.submit(self._hold, JobPriority.BACKGROUND, document)
        assert self.entered.wait(WAIT)

    def _hold(self, check: CancellationCheck) -> str:
        self.entered.set()
        assert self.opened.wait(WAIT)
        check()
        self.steps += 1
        return "held"


def _noting(notes: list[str], what: str) -> Callable[[CancellationCheck], None]:
    return lambda _check: notes.append(what)


def test_jobs_at_the_cursor_run_before_background_jobs_each_lane_in_order(engine: AnalysisThread) -> None:
    gate, notes = Gate(engine), list[str]()
    jobs = [
        engine.submit(_noting(notes, "background 1"), JobPriority.BACKGROUND),
        engine.submit(_noting(notes, "cursor 1"), JobPriority.CURSOR),
        engine.submit(_noting(notes, "background 2"), JobPriority.BACKGROUND),
        engine.submit(_noting(notes, "cursor 2"), JobPriority.CURSOR),
    ]
    gate.opened.set()
    for job in jobs:
        job.future.result(WAIT)
    assert notes == ["cursor 1", "cursor 2", "background 1", "background 2"]


def test_all_jobs_run_on_one_thread_that_is_not_the_callers(engine: AnalysisThread) -> None:
    jobs = [
        engine.submit(lambda _check: threading.get_ident(), lane) for lane in (*JobPriority, *JobPriority)
    ]
    threads = {job.future.result(WAIT) for job in jobs}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_a_superseded_job_that_waits_never_starts_and_others_do(engine: AnalysisThread) -> None:
    gate, notes = Gate(engine), list[str]()
    old = engine.submit(_noting(notes, "old"), JobPriority.CURSOR, "a.cl")
    other = engine.submit(_noting(notes, "other"), JobPriority.CURSOR, "b.cl")
    engine.cancel_jobs("a.cl")
    new = engine.submit(_noting(notes, "new"), JobPriority.CURSOR, "a.cl")
    gate.opened.set()
    assert old.future.result(WAIT) is DroppedJob.SUPERSEDED
    assert other.future.result(WAIT) is None
    assert new.future.result(WAIT) is None
    assert notes == ["other", "new"]


def test_a_superseded_job_that_runs_stops_at_its_next_check(engine: AnalysisThread) -> None:
    gate = Gate(engine, "a.cl")
    engine.cancel_jobs("a.cl")
    gate.opened.set()
    assert gate.job.future.result(WAIT) is DroppedJob.SUPERSEDED
    assert gate.steps == 0


def test_a_job_at_the_cursor_interrupts_one_in_the_background(engine: AnalysisThread) -> None:
    entered, notes = threading.Event(), list[str]()

    def diagnose(check: CancellationCheck) -> str:
        notes.append("begun")
        entered.set()
        while len(notes) < 3:
            check()
        return "diagnosed"

    background = engine.submit(diagnose, JobPriority.BACKGROUND, "a.cl")
    assert entered.wait(WAIT)
    hover = engine.submit(_noting(notes, "hover"), JobPriority.CURSOR, "a.cl")
    assert hover.future.result(WAIT) is None
    assert background.future.result(WAIT) == "diagnosed"
    assert notes == ["begun", "hover", "begun"]


def test_jobs_at_the_cursor_of_other_documents_run_within_one_in_the_background(
    engine: AnalysisThread,
) -> None:
    """It loses nothing by them, however many come."""
    notes: list[str] = []

    def diagnose(check: CancellationCheck) -> str:
        notes.append("begun")
        for number in range(100):
            hover = engine.submit(_noting(notes, f"hover {number}"), JobPriority.CURSOR, "b.cl")
            check()
            assert hover.future.done()
        return "diagnosed"

    assert engine.submit(diagnose, JobPriority.BACKGROUND, "a.cl").future.result(WAIT) == "diagnosed"
    assert notes == ["begun", *(f"hover {number}" for number in range(100))]


def test_a_job_within_another_is_superseded_by_itself(engine: AnalysisThread) -> None:
    def hover(check: CancellationCheck) -> None:
        engine.cancel_jobs("b.cl")
        check()

    def diagnose(check: CancellationCheck) -> object:
        asked = engine.submit(hover, JobPriority.CURSOR, "b.cl")
        check()
        return asked.future.result(0)

    assert (
        engine.submit(diagnose, JobPriority.BACKGROUND, "a.cl").future.result(WAIT) is DroppedJob.SUPERSEDED
    )


def test_a_job_that_needs_what_the_one_below_it_is_in_the_middle_of_comes_after_it(
    engine: AnalysisThread,
) -> None:
    notes: list[str] = []

    def fix(_check: CancellationCheck) -> None:
        notes.append("fix")
        if notes.count("diagnose") > notes.count("abandoned"):
            raise AnalysisInUse

    def diagnose(check: CancellationCheck) -> str:
        notes.append("diagnose")
        if notes.count("diagnose") == 1:
            engine.submit(fix, JobPriority.CURSOR, "b.cl")
        try:
            check()
        except Superseded:
            notes.append("abandoned")
            raise
        return "diagnosed"

    assert engine.submit(diagnose, JobPriority.BACKGROUND, "a.cl").future.result(WAIT) == "diagnosed"
    assert notes == ["diagnose", "fix", "abandoned", "fix", "diagnose"]


def test_a_job_that_is_always_interrupted_comes_to_its_end(engine: AnalysisThread) -> None:
    begun, rounds = 0, 200

    def diagnose(check: CancellationCheck) -> int:
        nonlocal begun
        begun += 1
        for _ in range(rounds):
            engine.submit(lambda _check: None, JobPriority.CURSOR)
            check()
        return begun

    found = engine.submit(diagnose, JobPriority.BACKGROUND, "a.cl").future.result(WAIT)
    assert isinstance(found, int) and found == 21


def test_an_interrupted_job_is_dropped_where_its_document_changes(engine: AnalysisThread) -> None:
    entered = threading.Event()

    def diagnose(check: CancellationCheck) -> str:
        entered.set()
        while True:
            check()

    background = engine.submit(diagnose, JobPriority.BACKGROUND, "a.cl")
    assert entered.wait(WAIT)
    engine.submit(lambda _check: engine.cancel_jobs("a.cl"), JobPriority.CURSOR).future.result(WAIT)
    assert background.future.result(WAIT) is DroppedJob.SUPERSEDED


def test_a_crash_reaches_who_waits_and_the_thread_goes_on(engine: AnalysisThread) -> None:
    def crash(_check: CancellationCheck) -> None:
        raise RecursionError("too deep")

    with pytest.raises(RecursionError, match="too deep"):
        engine.submit(crash, JobPriority.CURSOR).future.result(WAIT)
    assert engine.submit(lambda _check: "alive", JobPriority.CURSOR).future.result(WAIT) == "alive"


async def test_cancelling_the_waiting_task_gives_the_job_up(engine: AnalysisThread) -> None:
    entered, left = threading.Event(), threading.Event()

    def spin(check: CancellationCheck) -> None:
        entered.set()
        try:
            while True:
                check()
        except Superseded:
            left.set()
            raise

    task = asyncio.create_task(engine.run(spin, JobPriority.CURSOR))
    assert await asyncio.to_thread(entered.wait, WAIT)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(left.wait, WAIT)


async def test_a_closed_engine_takes_no_jobs(engine: AnalysisThread) -> None:
    engine.close()
    with pytest.raises(asyncio.CancelledError):
        await engine.run(lambda _check: "never", JobPriority.CURSOR)


def _never() -> bool:
    return False


def test_work_is_done_at_once_on_the_callers_thread_where_the_engine_is_idle(engine: AnalysisThread) -> None:
    assert (
        engine.run_synchronously(lambda _check: threading.get_ident(), WAIT, _never) == threading.get_ident()
    )
    gate = Gate(engine)
    waiting = engine.submit(_noting([], "waits"), JobPriority.BACKGROUND)
    assert engine.run_synchronously(lambda _check: "done", WAIT, _never) is None
    gate.opened.set()
    waiting.future.result(WAIT)


@pytest.mark.parametrize(("seconds", "wanted"), [(0.0, False), (WAIT, True)])
def test_work_at_once_is_given_up_at_a_check(engine: AnalysisThread, seconds: float, wanted: bool) -> None:
    after = list[str]()

    def work(check: CancellationCheck) -> str:
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            check()
        after.append("went on")
        return "done"

    assert engine.run_synchronously(work, seconds, lambda: wanted) is None
    assert not after
