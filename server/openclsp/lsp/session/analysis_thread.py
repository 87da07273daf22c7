"""The analysis thread and its job queue. All analysis runs there, as cursor jobs or background jobs, or on the
event loop while the thread is idle (`AnalysisThread.run_synchronously`).

Cursor jobs answer requests for which the user waits; background jobs do all other work. A background job
regularly calls a check. The check runs the waiting cursor jobs of other documents inside the background job,
which then continues without losing its progress. A cursor job for the same document needs the unfinished
analysis of the background job. The background job is then aborted, and restarted after the cursor job.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from enum import Enum, IntEnum
from typing import Generic, TypeVar

from openclsp.lsp.session.cancellation import CancellationCheck, Superseded

T = TypeVar("T")


class JobInterrupted(Superseded):
    """Raised to abort a job so that a waiting job of higher priority can run.

    The aborted job is restarted afterwards and reuses the results computed so far.
    """


class AnalysisInUse(JobInterrupted):
    """Raised to abort a nested job that needs the unfinished analysis of the job in which it is nested.

    The nested job runs again after the outer job has been aborted.
    """


class JobPriority(IntEnum):
    """The priority of a job: cursor jobs run before all waiting background jobs.

    A cursor job answers a request for which the user waits.
    """

    CURSOR = 0
    BACKGROUND = 1


class DroppedJob(Enum):
    """The result of a job that was cancelled."""

    SUPERSEDED = "superseded"


CLOSED_FILES = "closed files"
"""The name of jobs that analyse closed files. Each edit cancels these jobs, so that they do not delay
keystrokes.
"""

_CHECK_INTERVAL = 0.001
"""The seconds between two checks whether synchronous work may continue: see
`AnalysisThread.run_synchronously`.
"""

_MAXIMUM_INTERRUPTIONS = 20
"""The number of interruptions after which a job is not interrupted again, so that it cannot starve."""


class Job(Generic[T]):
    """A unit of work for the analysis thread.

    `name` is that of a document, whose change cancels the job, or another name by which jobs are cancelled,
    such as `CLOSED_FILES`.
    """

    __slots__ = (
        "_cancelled",
        "_interrupted",
        "_interruptions",
        "_run_waiting_jobs",
        "_started",
        "_work",
        "future",
        "name",
        "priority",
    )

    def __init__(
        self,
        work: Callable[[CancellationCheck], T],
        priority: JobPriority,
        name: str,
        run_waiting_jobs: Callable[[], bool],
    ) -> None:
        self.priority, self.name, self._run_waiting_jobs = priority, name, run_waiting_jobs
        self.future: Future[T | DroppedJob] = Future()
        self._work = work
        self._started = self._cancelled = self._interrupted = False
        self._interruptions = 0

    def cancel(self) -> None:
        """Cancels the job, because its result is no longer needed; a running job stops at its next check."""
        self._cancelled = True

    def resolve_as_dropped(self) -> None:
        """Cancels the future of a job that will not be restarted; sets DroppedJob if the job was started."""
        if not self.future.cancel() and not self.future.done():
            self.future.set_result(DroppedJob.SUPERSEDED)

    def interrupt(self) -> None:
        """Asks the job to run the waiting cursor jobs (see `JobPriority`) at its next check.

        Only a background job with a name can be interrupted; otherwise, this call has no effect.
        """
        if self.priority is JobPriority.BACKGROUND and self.name:
            self._interrupted = True

    def check(self) -> None:
        """Raises Superseded after `cancel`; after `interrupt`, runs the waiting cursor jobs.

        Raises JobInterrupted if any of these cannot run before this job is aborted.
        """
        if self._cancelled:
            raise Superseded
        if self._interrupted:
            self._interrupted = False
            if not self._run_waiting_jobs() and self._interruptions < _MAXIMUM_INTERRUPTIONS:
                raise JobInterrupted
            if self._cancelled:
                raise Superseded

    def run(self) -> bool:
        """Runs the job; returns False if it was interrupted and must be restarted.

        If it returns True, the job's future is complete.
        """
        if not self._started and not self.future.set_running_or_notify_cancel():
            return True
        self._started, self._interrupted = True, False
        try:
            self.check()
            self.future.set_result(self._work(self.check))
        except JobInterrupted:
            self._interruptions += 1
            return False
        except Superseded:
            self.future.set_result(DroppedJob.SUPERSEDED)
        except Exception as error:  # noqa: BLE001
            # The thread must survive every job, so the exception is passed to the waiting task.
            self.future.set_exception(error)
        return True


class AnalysisThread:
    """The job queue and its thread. Only the event loop's thread submits jobs."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lanes: tuple[deque[Job[object]], ...] = tuple(deque() for _ in JobPriority)
        self._running: Job[object] | None = None
        self._nested: Job[object] | None = None
        """The cursor job that runs nested in a check of the running job."""
        self._closed = False
        self._thread: threading.Thread | None = None

    def submit(self, work: Callable[[CancellationCheck], T], priority: JobPriority, name: str = "") -> Job[T]:
        """Queues a job and returns it without waiting for its result."""
        job = Job(work, priority, name, self._run_cursor_jobs)
        with self._changed:
            if self._closed:
                job.future.cancel()
                return job
            self._lanes[priority].append(job)  # type: ignore[arg-type]
            if priority is JobPriority.CURSOR and self._running is not None:
                self._running.interrupt()
            if self._thread is None:
                # The thread is a daemon, so that an endless job cannot keep the process alive after the
                # client is gone.
                self._thread = threading.Thread(target=self._run_jobs, name="openclsp analysis", daemon=True)
                self._thread.start()
            self._changed.notify()
        return job

    def run_synchronously(
        self, work: Callable[[CancellationCheck], T], seconds: float, has_pending_message: Callable[[], bool]
    ) -> T | None:
        """Runs `work` synchronously on the calling thread, which must be the one that submits jobs.

        Switching threads would take longer than many requests. Returns None if the queue is busy, or if
        `work` was aborted at a check, after `seconds` or because of `has_pending_message`. A job submitted
        after that reuses the partial results.
        """
        # This is safe if no job is running: the analysis thread is idle, and only the calling thread could
        # submit work.
        with self._changed:
            if self._closed or self._running is not None or any(self._lanes):
                return None
        last_test = time.perf_counter()
        deadline = last_test + seconds

        def check() -> None:
            nonlocal last_test
            now = time.perf_counter()
            if now - last_test > _CHECK_INTERVAL:
                last_test = now
                if now > deadline or has_pending_message():
                    raise Superseded

        try:
            return work(check)
        except Superseded:
            return None

    async def run(
        self, work: Callable[[CancellationCheck], T], priority: JobPriority, name: str = ""
    ) -> T | DroppedJob:
        """Queues a job, waits for it, and returns its result, or DroppedJob if the job was cancelled.

        Cancelling the waiting task cancels the job.
        """
        # Imported here, because this module is also loaded before asyncio is: see `start`.
        import asyncio

        job = self.submit(work, priority, name)
        try:
            return await asyncio.wrap_future(job.future)
        except asyncio.CancelledError:
            job.cancel()
            raise

    def cancel_jobs(self, name: str) -> None:
        """Cancels all jobs with this name, waiting or running.

        It is the name of a document that was changed or closed, or `CLOSED_FILES`.
        """
        with self._changed:
            for lane in self._lanes:
                for job in lane:
                    if job.name == name:
                        job.cancel()
            for each in (self._running, self._nested):
                if each is not None and each.name == name:
                    each.cancel()

    def close(self) -> None:
        """Cancels all jobs and ends the thread after the running job."""
        with self._changed:
            self._closed = True
            for lane in self._lanes:
                for job in lane:
                    job.future.cancel()
                lane.clear()
            for each in (self._running, self._nested):
                if each is not None:
                    each.cancel()
            self._changed.notify()

    def _run_cursor_jobs(self) -> bool:
        """Runs the waiting cursor jobs of other documents, nested in the running job.

        Returns True if no cursor job is left. The remaining jobs can run only after the running job is
        aborted.
        """
        assert self._running is not None
        outer = self._running.name
        lane = self._lanes[JobPriority.CURSOR]
        while True:
            with self._changed:
                job = next((each for each in lane if each.name not in ("", outer)), None)
                if job is None:
                    return not lane
                lane.remove(job)
                self._nested = job
            done = job.run()
            with self._changed:
                self._nested = None
                if not done:
                    lane.appendleft(job)
                    return False

    def _run_jobs(self) -> None:
        done = True
        while True:
            with self._changed:
                if not done and self._running is not None:
                    self._lanes[self._running.priority].appendleft(self._running)
                self._running = None
                while not self._closed and not any(self._lanes):
                    self._changed.wait()
                if self._closed:
                    for lane in self._lanes:
                        for job in lane:
                            job.resolve_as_dropped()
                    return
                self._running = next(lane for lane in self._lanes if lane).popleft()
            done = self._running.run()
