"""Queue of incoming messages, filled by a thread of its own.

The queue buffers messages until the server has been imported. Code that runs before that can inspect them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from openclsp.lsp.transport.message_reader import MessageReader

MessageReceiver = Callable[["bytes | None"], None]
StreamReceiver = Callable[[MessageReader], None]


class MessageQueue:
    """Buffers messages in order until a consumer takes them; None marks the end of the stream."""

    def __init__(self, reader: MessageReader) -> None:
        self._reader = reader
        self._changed = threading.Condition()
        self._buffered: list[bytes | None] = []
        self._receiver: MessageReceiver | None = None
        self._stream_receiver: StreamReceiver | None = None
        # The thread is a daemon, because it may still be blocked in a read when the process ends.
        threading.Thread(target=self._read, name="openclsp input", daemon=True).start()

    def fileno(self) -> int:
        """Returns the file descriptor of the stream."""
        return self._reader.fileno()

    @property
    def framing_error(self) -> str:
        """The reason why reading stopped before the end of the stream; empty if it did not stop."""
        return self._reader.framing_error

    def __len__(self) -> int:
        """Returns the number of messages buffered so far."""
        return len(self._buffered)

    def wait_for(self, number: int, deadline: float) -> bytes | None:
        """Waits for message `number`, counted from 0, and returns it.

        Returns None if it has not arrived by `deadline`, a time of `time.monotonic`.
        """
        with self._changed:
            while len(self._buffered) <= number:
                if not self._changed.wait(deadline - time.monotonic()):
                    return None
            return self._buffered[number]

    def forward_to(self, receiver: MessageReceiver, stream_receiver: StreamReceiver | None = None) -> None:
        """Passes all messages to `receiver` from now on, the buffered ones first.

        `receiver` may raise RuntimeError when messages are no longer handled. If `stream_receiver` is given,
        the queue's thread reads one more message, calls `stream_receiver` with the stream's reader, and ends.
        `stream_receiver` must then arrange for the rest of the stream to be read.
        """
        with self._changed:
            # The lock is held here, so that the reading thread appends messages or calls `receiver` only
            # afterwards, in order.
            for body in self._buffered:
                receiver(body)
            self._buffered, self._receiver, self._stream_receiver = [], receiver, stream_receiver

    def _read(self) -> None:
        body: bytes | None = b""
        while body is not None:
            body = self._reader.read_message()
            with self._changed:
                if self._receiver is None:
                    self._buffered.append(body)
                    self._changed.notify_all()
                    continue
            try:
                self._receiver(body)
                if self._stream_receiver is not None and body is not None:
                    self._stream_receiver(self._reader)
                    return
            except RuntimeError:
                return
