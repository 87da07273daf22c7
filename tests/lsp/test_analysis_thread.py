"""The analysis thread: order of the priorities, dropped jobs and crashes."""

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
"""Timeout in seconds of every wait in these tests; the machine may be busy."""


@pytest.fixture
def analysis_thread() -> Iterator[AnalysisThread]:
    made = AnalysisThread()
    yield made
    made.close()


class Gate:
    """A job that blocks the analysis thread until it is opened."""

    def __init__(self, analysis_thread: AnalysisThread, document: str = "") -> None:
        self.entered = threading.Event()
        self.opened = threading.Event()
        self.steps = 0
        self.job = analysis_thread.submit(self._hold, JobPriority.BACKGROUND, document)
        assert self.entered.wait(WAIT)

    def _hold(self, check: CancellationCheck) -> str:
        self.entered.set()
        assert self.opened.wait(WAIT)
        check()
        self.steps += 1
        return "held"


def _noting(notes: list[str], what: str) -> Callable[[CancellationCheck], None]:
    return lambda _check: notes.append(what)


def test_jobs_at_the_cursor_run_before_background_jobs_each_priority_in_order(
    analysis_thread: AnalysisThread,
) -> None:
    gate, notes = Gate(analysis_thread), list[str]()
    jobs = [
        analysis_thread.submit(_noting(notes, "background 1"), JobPriority.BACKGROUND),
        analysis_thread.submit(_noting(notes, "cursor 1"), JobPriority.CURSOR),
        analysis_thread.submit(_noting(notes, "background 2"), JobPriority.BACKGROUND),
        analysis_thread.submit(_noting(notes, "cursor 2"), JobPriority.CURSOR),
    ]
    gate.opened.set()
    for job in jobs:
        job.future.result(WAIT)
    assert notes == ["cursor 1", "cursor 2", "background 1", "background 2"]


def test_all_jobs_run_on_one_thread_that_is_not_the_callers(analysis_thread: AnalysisThread) -> None:
    jobs = [
        analysis_thread.submit(lambda _check: threading.get_ident(), priority)
        for priority in (*JobPriority, *JobPriority)
    ]
    threads = {job.future.result(WAIT) for job in jobs}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_a_superseded_job_that_waits_never_starts_and_others_do(analysis_thread: AnalysisThread) -> None:
    gate, notes = Gate(analysis_thread), list[str]()
    old = analysis_thread.submit(_noting(notes, "old"), JobPriority.CURSOR, "a.cl")
    other = analysis_thread.submit(_noting(notes, "other"), JobPriority.CURSOR, "b.cl")
    analysis_thread.cancel_jobs("a.cl")
    new = analysis_thread.submit(_noting(notes, "new"), JobPriority.CURSOR, "a.cl")
    gate.opened.set()
    assert old.future.result(WAIT) is DroppedJob.SUPERSEDED
    assert other.future.result(WAIT) is None
    assert new.future.result(WAIT) is None
    assert notes == ["other", "new"]


def test_a_superseded_job_that_runs_stops_at_its_next_check(analysis_thread: AnalysisThread) -> None:
    gate = Gate(analysis_thread, "a.cl")
    analysis_thread.cancel_jobs("a.cl")
    gate.opened.set()
    assert gate.job.future.result(WAIT) is DroppedJob.SUPERSEDED
    assert gate.steps == 0


def test_a_job_at_the_cursor_interrupts_one_in_the_background(analysis_thread: AnalysisThread) -> None:
    entered, notes = threading.Event(), list[str]()

    def diagnose(check: CancellationCheck) -> str:
        notes.append("begun")
        entered.set()
        while len(notes) < 3:
            check()
        return "diagnosed"

    background = analysis_thread.submit(diagnose, JobPriority.BACKGROUND, "a.cl")
    assert entered.wait(WAIT)
    hover = analysis_thread.submit(_noting(notes, "hover"), JobPriority.CURSOR, "a.cl")
    assert hover.future.result(WAIT) is None
    assert background.future.result(WAIT) == "diagnosed"
    assert notes == ["begun", "hover", "begun"]


def test_jobs_at_the_cursor_of_other_documents_run_within_one_in_the_background(
    analysis_thread: AnalysisThread,
) -> None:
    """It loses no progress, however many cursor jobs arrive."""
    notes: list[str] = []

    def diagnose(check: CancellationCheck) -> str:
        notes.append("begun")
        for number in range(100):
            hover = analysis_thread.submit(_noting(notes, f"hover {number}"), JobPriority.CURSOR, "b.cl")
            check()
            assert hover.future.done()
        return "diagnosed"

    assert analysis_thread.submit(diagnose, JobPriority.BACKGROUND, "a.cl").future.result(WAIT) == "diagnosed"
    assert notes == ["begun", *(f"hover {number}" for number in range(100))]


def test_a_job_within_another_is_superseded_by_itself(analysis_thread: AnalysisThread) -> None:
    def hover(check: CancellationCheck) -> None:
        analysis_thread.cancel_jobs("b.cl")
        check()

    def diagnose(check: CancellationCheck) -> object:
        asked = analysis_thread.submit(hover, JobPriority.CURSOR, "b.cl")
        check()
        return asked.future.result(0)

    assert (
        analysis_thread.submit(diagnose, JobPriority.BACKGROUND, "a.cl").future.result(WAIT)
        is DroppedJob.SUPERSEDED
    )


def test_a_job_that_needs_the_analysis_of_the_outer_job_runs_after_it(
    analysis_thread: AnalysisThread,
) -> None:
    notes: list[str] = []

    def fix(_check: CancellationCheck) -> None:
        notes.append("fix")
        if notes.count("diagnose") > notes.count("abandoned"):
            raise AnalysisInUse

    def diagnose(check: CancellationCheck) -> str:
        notes.append("diagnose")
        if notes.count("diagnose") == 1:
            analysis_thread.submit(fix, JobPriority.CURSOR, "b.cl")
        try:
            check()
        except Superseded:
            notes.append("abandoned")
            raise
        return "diagnosed"

    assert analysis_thread.submit(diagnose, JobPriority.BACKGROUND, "a.cl").future.result(WAIT) == "diagnosed"
    assert notes == ["diagnose", "fix", "abandoned", "fix", "diagnose"]


def test_a_job_that_is_always_interrupted_comes_to_its_end(analysis_thread: AnalysisThread) -> None:
    begun, rounds = 0, 200

    def diagnose(check: CancellationCheck) -> int:
        nonlocal begun
        begun += 1
        for _ in range(rounds):
            analysis_thread.submit(lambda _check: None, JobPriority.CURSOR)
            check()
        return begun

    found = analysis_thread.submit(diagnose, JobPriority.BACKGROUND, "a.cl").future.result(WAIT)
    assert isinstance(found, int) and found == 21


def test_an_interrupted_job_is_dropped_where_its_document_changes(analysis_thread: AnalysisThread) -> None:
    entered = threading.Event()

    def diagnose(check: CancellationCheck) -> str:
        entered.set()
        while True:
            check()

    background = analysis_thread.submit(diagnose, JobPriority.BACKGROUND, "a.cl")
    assert entered.wait(WAIT)
    analysis_thread.submit(
        lambda _check: analysis_thread.cancel_jobs("a.cl"), JobPriority.CURSOR
    ).future.result(WAIT)
    assert background.future.result(WAIT) is DroppedJob.SUPERSEDED


def test_a_crash_reaches_who_waits_and_the_thread_goes_on(analysis_thread: AnalysisThread) -> None:
    def crash(_check: CancellationCheck) -> None:
        raise RecursionError("too deep")

    with pytest.raises(RecursionError, match="too deep"):
        analysis_thread.submit(crash, JobPriority.CURSOR).future.result(WAIT)
    assert analysis_thread.submit(lambda _check: "alive", JobPriority.CURSOR).future.result(WAIT) == "alive"


async def test_cancelling_the_waiting_task_gives_the_job_up(analysis_thread: AnalysisThread) -> None:
    entered, left = threading.Event(), threading.Event()

    def spin(check: CancellationCheck) -> None:
        entered.set()
        try:
            while True:
                check()
        except Superseded:
            left.set()
            raise

    task = asyncio.create_task(analysis_thread.run(spin, JobPriority.CURSOR))
    assert await asyncio.to_thread(entered.wait, WAIT)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(left.wait, WAIT)


async def test_a_closed_engine_takes_no_jobs(analysis_thread: AnalysisThread) -> None:
    analysis_thread.close()
    with pytest.raises(asyncio.CancelledError):
        await analysis_thread.run(lambda _check: "never", JobPriority.CURSOR)


def _never() -> bool:
    return False


def test_work_is_done_at_once_on_the_callers_thread_where_the_engine_is_idle(
    analysis_thread: AnalysisThread,
) -> None:
    assert (
        analysis_thread.run_synchronously(lambda _check: threading.get_ident(), WAIT, _never)
        == threading.get_ident()
    )
    gate = Gate(analysis_thread)
    waiting = analysis_thread.submit(_noting([], "waits"), JobPriority.BACKGROUND)
    assert analysis_thread.run_synchronously(lambda _check: "done", WAIT, _never) is None
    gate.opened.set()
    waiting.future.result(WAIT)


@pytest.mark.parametrize(("seconds", "wanted"), [(0.0, False), (WAIT, True)])
def test_work_at_once_is_given_up_at_a_check(
    analysis_thread: AnalysisThread, seconds: float, wanted: bool
) -> None:
    after = list[str]()

    def work(check: CancellationCheck) -> str:
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            check()
        after.append("went on")
        return "done"

    assert analysis_thread.run_synchronously(work, seconds, lambda: wanted) is None
    assert not after
