"""The one engine thread: everything that needs analysis runs there, in two lanes.

A job in the background gives way at its checks. Jobs at the cursor of other documents run there and then, on top of it:
nothing is lost, however long it takes and however often they come. A job for its own document needs the analysis that is
half-done; for it, the job in the background is abandoned and begun again.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from enum import Enum, IntEnum
from typing import Generic, TypeVar

from openclsp.lsp.superseded import Check, Superseded

T = TypeVar("T")


class Interrupted(Superseded):
    """A job at the cursor goes first; this one is begun again after it, and finds what it has worked out so far."""


class InUse(Interrupted):
    """The job needs an analysis that the job below it is in the middle of; it is begun again after that one was abandoned."""


class Lane(IntEnum):
    """Jobs at the cursor run before all that wait in the background."""

    CURSOR = 0
    BACKGROUND = 1


class Dropped(Enum):
    """What a job that was given up answers."""

    SUPERSEDED = "superseded"


_GLANCE = 0.003
"""Seconds between two looks at whether work that is done at once can go on."""

_MOST_INTERRUPTIONS = 20
"""After so many a job is left to come to its end."""


class Job(Generic[T]):
    """Work for the engine thread. `document` is the name of the document whose change makes it pointless."""

    __slots__ = (
        "_begun",
        "_give_way",
        "_given_up",
        "_interrupted",
        "_interruptions",
        "_work",
        "document",
        "future",
        "lane",
    )

    def __init__(
        self, work: Callable[[Check], T], lane: Lane, document: str, give_way: Callable[[], bool]
    ) -> None:
        self.lane, self.document, self._give_way = lane, document, give_way
        self.future: Future[T | Dropped] = Future()
        self._work = work
        self._begun = self._given_up = self._interrupted = False
        self._interruptions = 0

    def give_up(self) -> None:
        """Nobody wants the answer any more; a job that runs stops at its next check."""
        self._given_up = True

    def drop(self) -> None:
        """The job is never gone on with."""
        if not self.future.cancel() and not self.future.done():
            self.future.set_result(Dropped.SUPERSEDED)

    def interrupt(self) -> None:
        """A job at the cursor waits; what is worked out for a document in the background can be gone on with later."""
        if self.lane is Lane.BACKGROUND and self.document:
            self._interrupted = True

    def check(self) -> None:
        """Raises Superseded after `give_up`. After `interrupt` it does the jobs that wait at the cursor, and raises Interrupted
        where one of them has to wait until this job is abandoned."""
        if self._given_up:
            raise Superseded
        if self._interrupted:
            self._interrupted = False
            if not self._give_way() and self._interruptions < _MOST_INTERRUPTIONS:
                raise Interrupted
            if self._given_up:
                raise Superseded

    def run(self) -> bool:
        """Does the work. Whether it is done, and whatever comes of it is in the future; otherwise it was interrupted."""
        if not self._begun and not self.future.set_running_or_notify_cancel():
            return True
        self._begun, self._interrupted = True, False
        try:
            self.check()
            self.future.set_result(self._work(self.check))
        except Interrupted:
            self._interruptions += 1
            return False
        except Superseded:
            self.future.set_result(Dropped.SUPERSEDED)
        except Exception as error:  # noqa: BLE001
            # The thread outlives every job; who waits for this one gets to know.
            self.future.set_exception(error)
        return True


class Engine:
    """The queue and its thread. Jobs are handed in from one other thread, the event loop's."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lanes: tuple[deque[Job[object]], ...] = tuple(deque() for _ in Lane)
        self._running: Job[object] | None = None
        self._on_top: Job[object] | None = None
        """A job at the cursor that runs within a check of the running one."""
        self._closed = False
        self._thread: threading.Thread | None = None

    def submit(self, work: Callable[[Check], T], lane: Lane, document: str = "") -> Job[T]:
        """Queues a job and returns at once."""
        job = Job(work, lane, document, self._do_jobs_at_the_cursor)
        with self._changed:
            if self._closed:
                job.future.cancel()
                return job
            self._lanes[lane].append(job)  # type: ignore[arg-type]
            if lane is Lane.CURSOR and self._running is not None:
                self._running.interrupt()
            if self._thread is None:
                # A daemon: a job that never ends must not keep the process alive after the client has gone.
                self._thread = threading.Thread(target=self._serve, name="openclsp engine", daemon=True)
                self._thread.start()
            self._changed.notify()
        return job

    def at_once(
        self, work: Callable[[Check], T], seconds: float, wanted_elsewhere: Callable[[], bool]
    ) -> T | None:
        """Does work on the thread that asks, which is the one that hands in jobs: to have another do it costs more than many
        an answer. None where the engine is busy, or where the work was given up at one of its checks, after so many seconds
        or because the thread is wanted elsewhere; a job that is handed in then finds what was worked out."""
        with self._changed:
            if self._closed or self._running is not None or any(self._lanes):
                return None
        looked = time.perf_counter()
        until = looked + seconds

        def check() -> None:
            nonlocal looked
            now = time.perf_counter()
            if now - looked > _GLANCE:
                looked = now
                if now > until or wanted_elsewhere():
                    raise Superseded

        try:
            return work(check)
        except Superseded:
            return None

    async def run(self, work: Callable[[Check], T], lane: Lane, document: str = "") -> T | Dropped:
        """Queues a job and waits for its answer. Cancelling the task that waits gives the job up."""
        # not at hand yet where the process has just begun, see `start`
        import asyncio

        job = self.submit(work, lane, document)
        try:
            return await asyncio.wrap_future(job.future)
        except asyncio.CancelledError:
            job.give_up()
            raise

    def supersede(self, document: str) -> None:
        """The document has changed or gone: all jobs for what it was are given up, waiting or running."""
        with self._changed:
            for lane in self._lanes:
                for job in lane:
                    if job.document == document:
                        job.give_up()
            for each in (self._running, self._on_top):
                if each is not None and each.document == document:
                    each.give_up()

    def close(self) -> None:
        """No job runs any more but the one that is running; that one is given up."""
        with self._changed:
            self._closed = True
            for lane in self._lanes:
                for job in lane:
                    job.future.cancel()
                lane.clear()
            for each in (self._running, self._on_top):
                if each is not None:
                    each.give_up()
            self._changed.notify()

    def _do_jobs_at_the_cursor(self) -> bool:
        """Does those that need the analysis of another document than the running job; whether none is left. What is left
        waits for the running one to be abandoned."""
        assert self._running is not None
        below = self._running.document
        lane = self._lanes[Lane.CURSOR]
        while True:
            with self._changed:
                job = next((each for each in lane if each.document not in ("", below)), None)
                if job is None:
                    return not lane
                lane.remove(job)
                self._on_top = job
            done = job.run()
            with self._changed:
                self._on_top = None
                if not done:
                    lane.appendleft(job)
                    return False

    def _serve(self) -> None:
        done = True
        while True:
            with self._changed:
                if not done and self._running is not None:
                    self._lanes[self._running.lane].appendleft(self._running)
                self._running = None
                while not self._closed and not any(self._lanes):
                    self._changed.wait()
                if self._closed:
                    for lane in self._lanes:
                        for job in lane:
                            job.drop()
                    return
                self._running = next(lane for lane in self._lanes if lane).popleft()
            done = self._running.run()
