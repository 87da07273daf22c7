"""Messages as they arrive, read by a thread of their own from the second one on: what has come can be looked at before there is
anybody to handle it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from openclsp.lsp.incoming import Incoming

Take = Callable[["bytes | None"], None]
Leave = Callable[[Incoming], None]


class Arriving:
    """Keeps all messages until somebody takes them, in order; None stands for the end of the stream."""

    def __init__(self, incoming: Incoming) -> None:
        self._incoming = incoming
        self._changed = threading.Condition()
        self._kept: list[bytes | None] = []
        self._take: Take | None = None
        self._leave: Leave | None = None
        # A daemon: it may wait for bytes when the process ends.
        threading.Thread(target=self._read, name="openclsp input", daemon=True).start()

    def fileno(self) -> int:
        """The file descriptor that is read."""
        return self._incoming.fileno()

    @property
    def fault(self) -> str:
        """Why the stream could not be read any further; empty where it ended, or goes on."""
        return self._incoming.fault

    def __len__(self) -> int:
        """How many have come."""
        return len(self._kept)

    def get(self, number: int, until: float) -> bytes | None:
        """The message of that number, from 0; None where it has not come by the time `until`, as `time.monotonic` has it."""
        with self._changed:
            while len(self._kept) <= number:
                if not self._changed.wait(until - time.monotonic()):
                    return None
            return self._kept[number]

    def hand_on(self, take: Take, leave: Leave | None = None) -> None:
        """Give all messages to another thread from now on: first those that have come. `take` may raise RuntimeError where
        nobody handles messages any more. `leave`: after the next message that thread reads by itself what follows."""
        with self._changed:
            for body in self._kept:
                take(body)
            self._kept, self._take, self._leave = [], take, leave

    def _read(self) -> None:
        body: bytes | None = b""
        while body is not None:
            body = self._incoming.next()
            with self._changed:
                if self._take is None:
                    self._kept.append(body)
                    self._changed.notify_all()
                    continue
            try:
                self._take(body)
                if self._leave is not None and body is not None:
                    self._leave(self._incoming)
                    return
            except RuntimeError:
                return
