"""The one engine thread: everything that needs analysis runs there, one job after the other, in two lanes."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from enum import Enum, IntEnum
from typing import Generic, TypeVar

T = TypeVar("T")

Check = Callable[[], None]
"""Called by queries as they go; raises Superseded where nobody wants the answer any more."""


class Superseded(Exception):
    """The job's document has changed, or its request was cancelled. Only the queue catches this."""


class Lane(IntEnum):
    """Jobs at the cursor run before all that wait in the background."""

    CURSOR = 0
    BACKGROUND = 1


class Dropped(Enum):
    """What a job that was given up answers."""

    SUPERSEDED = "superseded"


class Job(Generic[T]):
    """Work for the engine thread. `document` is the name of the document whose change makes it pointless."""

    __slots__ = ("_given_up", "_work", "document", "future")

    def __init__(self, work: Callable[[Check], T], document: str) -> None:
        self.document = document
        self.future: Future[T | Dropped] = Future()
        self._work = work
        self._given_up = False

    def give_up(self) -> None:
        """Nobody wants the answer any more; a job that runs stops at its next check."""
        self._given_up = True

    def check(self) -> None:
        """Raises Superseded after `give_up`."""
        if self._given_up:
            raise Superseded

    def run(self) -> None:
        """Does the work; whatever comes of it is in the future afterwards."""
        if not self.future.set_running_or_notify_cancel():
            return
        try:
            self.check()
            self.future.set_result(self._work(self.check))
        except Superseded:
            self.future.set_result(Dropped.SUPERSEDED)
        except Exception as error:  # noqa: BLE001
            # The thread outlives every job; who waits for this one gets to know.
            self.future.set_exception(error)


class Engine:
    """The queue and its thread. Jobs may be handed in from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._lanes: tuple[deque[Job[object]], ...] = tuple(deque() for _ in Lane)
        self._running: Job[object] | None = None
        self._closed = False
        self._thread: threading.Thread | None = None

    def submit(self, work: Callable[[Check], T], lane: Lane, document: str = "") -> Job[T]:
        """Queues a job and returns at once."""
        job = Job(work, document)
        with self._changed:
            if self._closed:
                job.future.cancel()
                return job
            self._lanes[lane].append(job)  # type: ignore[arg-type]
            if self._thread is None:
                # A daemon: a job that never ends must not keep the process alive after the client has gone.
                self._thread = threading.Thread(target=self._serve, name="openclsp engine", daemon=True)
                self._thread.start()
            self._changed.notify()
        return job

    async def run(self, work: Callable[[Check], T], lane: Lane, document: str = "") -> T | Dropped:
        """Queues a job and waits for its answer. Cancelling the task that waits gives the job up."""
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
            if self._running is not None and self._running.document == document:
                self._running.give_up()

    def close(self) -> None:
        """No job runs any more but the one that is running; that one is given up."""
        with self._changed:
            self._closed = True
            for lane in self._lanes:
                for job in lane:
                    job.future.cancel()
                lane.clear()
            if self._running is not None:
                self._running.give_up()
            self._changed.notify()

    def _serve(self) -> None:
        while True:
            with self._changed:
                self._running = None
                while not self._closed and not any(self._lanes):
                    self._changed.wait()
                if self._closed:
                    return
                self._running = next(lane for lane in self._lanes if lane).popleft()
            self._running.run()
